/** The place where a text stops being JSON. */
export interface SyntaxFault {
  /** Index into the text; the text's length if it ends too early. */
  readonly position: number;
  readonly found: string;
  readonly expected: string;
}

const WHITESPACE = /[ \t\n\r]*/y;
const WORD_OR_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const STRING_STOP = /["\\]|[^ -\uffff]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/**
 * Finds the first place where `text` is not JSON (RFC 8259); undefined if the whole text is JSON.
 *
 * JSON.parse decides whether text is JSON. This function runs only after a refusal, because the messages of JSON.parse name a position only
 * in some engines and for some errors.
 */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  // One character per open array or object.
  const open: string[] = [];
  let expected = 'a value';
  for (let position = match(WHITESPACE, text, 0); ; position = match(WHITESPACE, text, position)) {
    const next = text[position];
    const container = open.at(-1);
    const fault = (): SyntaxFault => ({ position, found: describe(text, position), expected });
    switch (expected) {
      case 'nothing more':
        return next === undefined ? undefined : fault();
      case '":"':
        if (next !== ':') return fault();
        position++;
        expected = 'a value';
        continue;
      case '"," or "}"':
      case '"," or "]"':
        if (next === ',') {
          position++;
          expected = container === '{' ? 'a double-quoted name' : 'a value';
          continue;
        }
        if (next !== (container === '{' ? '}' : ']')) return fault();
        break;
      case 'a double-quoted name':
      case 'a double-quoted name or "}"':
        if (next === '"') {
          const end = stringEnd(text, position);
          if (typeof end === 'object') return end;
          position = end;
          expected = '":"';
          continue;
        }
        if (next !== '}' || expected === 'a double-quoted name') return fault();
        break;
      default: {
        if (next === '{' || next === '[') {
          open.push(next);
          position++;
          expected = next === '{' ? 'a double-quoted name or "}"' : 'a value or "]"';
          continue;
        }
        if (next === ']' && expected === 'a value or "]"') break;
        const end = next === '"' ? stringEnd(text, position) : match(WORD_OR_NUMBER, text, position);
        if (typeof end === 'object') return end;
        if (end < 0) return fault();
        position = end;
        expected = after(container);
        continue;
      }
    }
    // Only a closing bracket leaves the switch.
    open.pop();
    position++;
    expected = after(open.at(-1));
  }
}

function after(container: string | undefined): string {
  if (container === undefined) return 'nothing more';
  return container === '{' ? '"," or "}"' : '"," or "]"';
}

/** The end of the match of the sticky `pattern` at `position`, or -1. */
function match(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The end of the string that starts at `position`, or its fault. */
function stringEnd(text: string, position: number): number | SyntaxFault {
  for (let from = position + 1; ; ) {
    STRING_STOP.lastIndex = from;
    const at = STRING_STOP.test(text) ? STRING_STOP.lastIndex - 1 : text.length;
    if (text[at] === '"') return at + 1;
    const escaped = text[at] === '\\';
    from = escaped ? match(ESCAPE, text, at) : -1;
    if (from < 0) {
      const expected = escaped ? 'an escape such as \\n or \\u00e9' : 'the closing quote of a string';
      return { position: at, found: describe(text, at), expected };
    }
  }
}

function describe(text: string, position: number): string {
  return position >= text.length
    ? 'the end of the text'
    : JSON.stringify(text.slice(position, position + 12));
}
