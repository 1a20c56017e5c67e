import { type NodeForm, nodeForms } from './tree.js';

/** Notations of grammars for runtimes that constrain what a model writes: GBNF of llama.cpp, and Lark, which vLLM and llguidance read. */
export type GrammarNotation = 'gbnf' | 'lark';

/** A part of a grammar: text as it stands, the name of a rule, several parts in order, one of several, or one that may be absent or come again. */
type Part =
  | string
  | { readonly rule: string }
  | { readonly all: readonly Part[] }
  | { readonly oneOf: readonly Part[] }
  | { readonly optional: Part }
  | { readonly many: Part };

const all = (...parts: readonly Part[]): Part => ({ all: parts });
const oneOf = (parts: readonly Part[]): Part => ({ oneOf: parts });
const rule = (name: string): Part => ({ rule: name });
const field = (name: string, value: Part): Part => all(`"${name}":`, value);
const optionalField = (name: string, value: Part): Part => ({ optional: all(',', field(name, value)) });

/**
 * The grammar of the JSON that a model is asked for as a rule's meaning, for runtimes that take a grammar in place of a schema. It says what the schema of the prompt `formula` says, of JSON without spaces
 * whose fields are in the order op, n or args, from, to, words.
 *
 * @param placeholders how many there are: p1 … pn
 */
export function treeGrammar(placeholders: number, notation: GrammarNotation): string {
  const { names, terminals } = NOTATIONS[notation];
  const separator = notation === 'gbnf' ? ' ::= ' : ': ';
  const name = (of: string): string => names[of] ?? of;
  const written = (part: Part): string => {
    if (typeof part === 'string') return JSON.stringify(part);
    if ('rule' in part) return name(part.rule);
    if ('all' in part) return part.all.map(written).join(' ');
    if ('oneOf' in part) return `(${part.oneOf.map(written).join(' | ')})`;
    return 'optional' in part ? `(${written(part.optional)})?` : `(${written(part.many)})*`;
  };
  const lines = Object.entries(rulesOf(placeholders)).map(([of, part]): [string, string] => [
    of,
    written(part),
  ]);
  return [...lines, ...Object.entries(terminals)]
    .map(([of, text]) => `${name(of)}${separator}${text}\n`)
    .join('');
}

function rulesOf(placeholders: number): Readonly<Record<string, Part>> {
  const forms = nodeForms(placeholders);
  const [string, node] = [rule('string'), rule('node')];
  return {
    start: oneOf([all('{', field('tree', node), '}'), all('{', field('unsupported', string), '}')]),
    node: oneOf(forms.map((_, i) => rule(`node${i}`))),
    ...Object.fromEntries(forms.map((form, i) => [`node${i}`, partOf(form)])),
    words: all('[', { optional: all(string, { many: all(',', string) }) }, ']'),
  };
}

function partOf({ ops, args, numbers, isWindowed }: NodeForm): Part {
  const nodes = Array.from({ length: args }, (_, i) => (i === 0 ? rule('node') : all(',', rule('node'))));
  return all(
    '{',
    field('op', oneOf(ops.map((op) => `"${op}"`))),
    ',',
    args === 0 ? field('n', oneOf(numbers.map(String))) : field('args', all('[', ...nodes, ']')),
    ...(isWindowed ? [optionalField('from', rule('step')), optionalField('to', rule('step'))] : []),
    optionalField('words', rule('words')),
    '}',
  );
}

/** What the notations say in their own ways: the names of rules, and strings of JSON and steps up to 1000 character by character. */
const NOTATIONS: Readonly<
  Record<
    GrammarNotation,
    { readonly names: Readonly<Record<string, string>>; readonly terminals: Readonly<Record<string, string>> }
  >
> = {
  gbnf: {
    names: { start: 'root' },
    terminals: {
      step: '"0" | [1-9] ([0-9] [0-9]?)? | "1000"',
      string: '"\\"" char* "\\""',
      char: String.raw`[^"\\\x00-\x1f] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])`,
    },
  },
  lark: {
    names: { step: 'STEP', string: 'STRING' },
    terminals: {
      step: '/1000|[1-9][0-9]{0,2}|0/',
      string: String.raw`/"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/`,
    },
  },
};
