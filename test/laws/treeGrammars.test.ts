import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeSchema } from '../../bindings/rules/translate/tree.js';
import { treeGrammar } from '../../bindings/rules/translate/treeGrammar.js';
import { recogniser } from '../oracle/grammars.js';

type Schema = Readonly<Record<string, unknown>>;

/** Whether a value is one of a JSON schema: what the drafts say of the keywords that the schema of trees has. */
function fits(value: unknown, schema: Schema, root: Schema = schema): boolean {
  const { $ref, anyOf, type, properties, required, additionalProperties, items, $defs, ...more } = schema;
  const { minItems, maxItems, minimum, maximum, enum: members, const: only, ...unknown } = more;
  if (Object.keys(unknown).length > 0)
    throw new Error(`a keyword that is not known: ${Object.keys(unknown)}`);
  if ($ref !== undefined)
    return fits(value, (root.$defs as Record<string, Schema>)[String($ref).split('/')[2]], root);
  if (anyOf !== undefined) return (anyOf as Schema[]).some((one) => fits(value, one, root));
  if (only !== undefined && value !== only) return false;
  if (members !== undefined && !(members as unknown[]).includes(value)) return false;
  if (type === 'string') return typeof value === 'string';
  if (type === 'integer')
    return (
      Number.isInteger(value) &&
      (value as number) >= (minimum as number) &&
      (value as number) <= (maximum as number)
    );
  if (type === 'array')
    return (
      Array.isArray(value) &&
      value.length >= ((minItems as number) ?? 0) &&
      value.length <= ((maxItems as number) ?? Infinity) &&
      value.every((item) => fits(item, items as Schema, root))
    );
  if (type !== 'object') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const known = properties as Record<string, Schema>;
  return (
    ((required as string[]) ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, one]) => Object.hasOwn(known, name) && fits(one, known[name], root))
  );
}

const ORDER = ['tree', 'unsupported', 'op', 'n', 'args', 'from', 'to', 'words'];

/** JSON with the fields in the order of the grammars. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b)))
      : one,
  );

const OPS = ['p', 'not', 'next', 'always', 'once', 'and', 'until', 'since', 'xor', 'G'];
/** Nodes that are mostly right, each part of them now and then wrong. */
const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    {
      weight: 3,
      arbitrary: fc.record({
        op: fc.constant('p'),
        n: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 13, 1.5, '1')),
      }),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...OPS),
          fc.array(tie('node'), { maxLength: 3 }),
          fc.option(fc.oneof(fc.integer({ min: 0, max: 1001 }), fc.constantFrom(-1, 0.5, 1000, 999)), {
            nil: undefined,
            freq: 6,
          }),
          fc.option(fc.integer({ min: 0, max: 1001 }), { nil: undefined, freq: 6 }),
          fc.option(
            fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n\u0001')), {
              maxLength: 3,
            }),
            { nil: undefined },
          ),
          fc.nat(9),
        )
        .map(([op, args, from, to, words, luck]) => {
          const arity = op === 'p' ? 0 : ['and', 'until', 'since'].includes(op) ? 2 : 1;
          const right =
            luck > 0 && args.length > 0
              ? Array.from({ length: arity }, (_, i) => args[i % args.length])
              : args;
          return {
            op,
            args: right,
            ...(from !== undefined && { from }),
            ...(to !== undefined && { to }),
            ...(words && { words }),
          };
        }),
    },
  ),
}));
const answer = fc.oneof(
  { weight: 8, arbitrary: node.map((tree) => ({ tree })) },
  { weight: 1, arbitrary: fc.string().map((unsupported) => ({ unsupported })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ tree: 3 }, { tree: null }, { formula: 'G a' }, { unsupported: 3 }),
  },
);

describe.each([
  ['gbnf', '::=', 'root'],
  ['lark', ':', 'start'],
] as const)('the grammar of trees in %s', (notation, define, root) => {
  const grammars = [1, 3, 12].map((n) => ({
    recognises: recogniser(treeGrammar(n, notation), define, root),
    schema: treeSchema(n),
  }));

  it('recognises what the schema has, written in its order, and nothing else', () => {
    const counts = { yes: 0, no: 0 };
    fc.assert(
      fc.property(answer, fc.constantFrom(...grammars), (value, { recognises, schema }) => {
        const isOne = fits(value, schema);
        counts[isOne ? 'yes' : 'no']++;
        expect(recognises(inOrder(value))).toBe(isOne);
      }),
      { numRuns: 600 },
    );
    expect(Math.min(counts.yes, counts.no)).toBeGreaterThan(60);
  });

  it('recognises no text that is cut, has more behind it, or is changed in one character to what is no JSON', () => {
    const [, { recognises }] = grammars;
    const text = inOrder({
      tree: { op: 'always', args: [{ op: 'p', n: 2, words: ['never "so"'] }], from: 0, to: 1000, words: [] },
    });
    expect(recognises(text)).toBe(true);
    for (let i = 0; i < text.length; i++) expect(recognises(text.slice(0, i))).toBe(false);
    for (const more of [' ', '}', '{}', text]) expect(recognises(text + more)).toBe(false);
    for (const [from, to] of [
      ['0', '00'],
      ['1000', '1001'],
      ['1000', '10000'],
      ['2', '4'],
      ['always', 'not'],
      ['"so', 'so"'],
      ['[]', '[,]'],
    ])
      expect(recognises(text.replace(from, to))).toBe(false);
  });
});
