/** Characters that could not be seen, or would change how what follows is read: a backtick ends a condition within a rule. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}`]/gu;
const PLAIN = /^[A-Za-z_][\w-]*$/;
/** Words that YAML does not read as text. */
const OTHER = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A text in double quotes, as YAML and expressions both read it. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) as number;
    const digits = code.toString(16);
    return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
  });
}

/** A key or a text, in quotes only where YAML needs them. */
export function plain(text: string): string {
  return PLAIN.test(text) && !OTHER.test(text) ? text : quoted(text);
}

/** JSON as YAML in one line. */
export function flow(value: unknown): string {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).map(([key, one]) => `${plain(key)}: ${flow(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** What others wrote, as one line of a comment: nothing in it can end the comment. */
export function comment(text: string, width = 100): string {
  const line = text.replace(/\s+/gu, ' ').trim().replace(UNSEEN, '�');
  const characters = [...line];
  return characters.length <= width
    ? line
    : `${characters
        .slice(0, width - 1)
        .join('')
        .trimEnd()}…`;
}

/** Breaks a text at spaces outside of double quotes, into lines of about the width. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:"(?:\\.|[^"\\])*"|[^"\s])+/g) ?? []) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** `key: 'value'` in one line, or folded over several that are indented below the key. */
export function scalar(key: string, value: string, indent: string, width = 110): string[] {
  const line = `${indent}${key}: '${value.replaceAll("'", "''")}'`;
  if (line.length <= width) return [line];
  return [
    `${indent}${key}: >-`,
    ...wrapped(value, width - indent.length).map((part) => `${indent}  ${part}`),
  ];
}
