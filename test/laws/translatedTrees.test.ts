import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../bindings/base/errors.js';
import type { Formula } from '../../bindings/languages/logic/index.js';
import { readTree, treeOf } from '../../bindings/rules/translate/tree.js';
import { holds, type Position } from '../oracle/ltlf.js';

const place = { offset: 0, line: 1, column: 1 };
const NAMES = ['a', 'b', 'c'];
const literals: Formula[] = NAMES.map((name) => ({ kind: 'predicate', name, place }));

const numbered: Formula[] = [1, 2, 3].map((n) => ({ kind: 'predicate', name: `p${n}`, place }));

type Node = { op: string; args?: Node[]; n?: number; from?: number; to?: number };
type Holds = (trace: readonly Position[], i: number) => boolean;

/** What a tree says, from the words of the prompt alone: of the positions of a run, at which it holds. */
function meaning({ op, args = [], n, from, to }: Node): Holds {
  const [left, right] = args.map(meaning);
  const steps = (trace: readonly Position[], i: number, sign: 1 | -1): number[] =>
    trace
      .map((_, j) => j)
      .filter((j) => sign * (j - i) >= (from ?? 0) && sign * (j - i) <= (to ?? trace.length));
  const until = (trace: readonly Position[], i: number, ends: boolean): boolean =>
    i >= trace.length || i < 0 ? ends : right(trace, i) || (left(trace, i) && until(trace, i + 1, ends));
  const since = (trace: readonly Position[], i: number): boolean =>
    i >= 0 && (right(trace, i) || (left(trace, i) && since(trace, i - 1)));
  const all: Record<string, Holds> = {
    p: (trace, i) => trace[i][NAMES[(n as number) - 1]],
    not: (trace, i) => !left(trace, i),
    and: (trace, i) => left(trace, i) && right(trace, i),
    or: (trace, i) => left(trace, i) || right(trace, i),
    implies: (trace, i) => !left(trace, i) || right(trace, i),
    always: (trace, i) => steps(trace, i, 1).every((j) => left(trace, j)),
    eventually: (trace, i) => steps(trace, i, 1).some((j) => left(trace, j)),
    historically: (trace, i) => steps(trace, i, -1).every((j) => left(trace, j)),
    once: (trace, i) => steps(trace, i, -1).some((j) => left(trace, j)),
    next: (trace, i) => i + 1 < trace.length && left(trace, i + 1),
    weakNext: (trace, i) => i + 1 >= trace.length || left(trace, i + 1),
    previous: (trace, i) => i > 0 && left(trace, i - 1),
    until: (trace, i) => until(trace, i, false),
    weakUntil: (trace, i) => until(trace, i, true),
    since,
  };
  return all[op];
}

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({ op: fc.constant('p'), n: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      op: fc.constantFrom(
        'not',
        'next',
        'weakNext',
        'previous',
        'always',
        'eventually',
        'once',
        'historically',
      ),
      args: fc.tuple(tie('node')).map((one) => [...one]),
    }),
    fc
      .tuple(
        fc.constantFrom('always', 'eventually', 'once', 'historically'),
        tie('node'),
        fc.nat(3),
        fc.nat(3),
      )
      .map(([op, arg, from, more]) => ({ op, args: [arg], from, to: from + more })),
    fc.record({
      op: fc.constantFrom('and', 'or', 'implies', 'until', 'weakUntil', 'since'),
      args: fc.tuple(tie('node'), tie('node')).map((two) => [...two]),
    }),
  ),
}));
const trace = fc.array(fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

describe('the trees of a model', () => {
  it('mean what the prompt says of them', () => {
    fc.assert(
      fc.property(node, trace, (tree, run) => {
        const read = readTree({ tree }, literals, 'p1 p2 p3');
        if (typeof read === 'string') throw new Error(read);
        expect(holds(read.formula, run)).toBe(meaning(tree)(run, 0));
      }),
      { numRuns: 2000 },
    );
  });

  it('of formulas are read as these', () => {
    fc.assert(
      fc.property(node, (tree) => {
        const read = readTree({ tree }, numbered, 'p1 p2 p3');
        if (typeof read === 'string') throw new Error(read);
        expect(readTree({ tree: treeOf(read.formula) }, numbered, '')).toMatchObject({
          formula: read.formula,
        });
      }),
    );
  });

  it('are refused with a ModelError, or read, whatever they are', () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double(), fc.boolean());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.record(
          {
            op: fc.oneof(
              fc.constantFrom('not', 'and', 'always', 'until', 'p', '__proto__', 'toString'),
              leaf,
            ),
            args: tie('value'),
            n: leaf,
            from: leaf,
            to: leaf,
            words: tie('value'),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    const counts = { read: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof(value, node), (tree) => {
        try {
          readTree({ tree }, literals, 'p1 p2 p3');
          counts.read++;
        } catch (error) {
          if (!(error instanceof ModelError)) throw error;
          counts.refused++;
        }
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(200);
  });
});
