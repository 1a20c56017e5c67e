import { describe, expect, it } from 'vitest';
import { Random } from '../../bindings/base/random.js';
import { verifyPolicies } from '../../bindings/proofs/policyProof/index.js';
import { parsePolicies, type SessionProperty } from '../../bindings/rules/specification/index.js';
import { holds, type Position } from '../oracle/ltlf.js';
import { below } from './actionWorlds.js';

const RUNS = Number(process.env.LAWS_RUNS ?? 1);
/** Calls that are tried one after another. */
const DEPTH = 4;
/** Amounts are 0 to 2. */
const MOST = 2;

/** A call in its world, with what the session has counted before it. */
interface Step {
  readonly tool: 'pay' | 'ask';
  readonly k: number;
  readonly risky: boolean;
  readonly pays: number;
  readonly asks: number;
  readonly last: string;
}

interface Condition {
  readonly text: string;
  readonly holds: (step: Step) => boolean;
}

function randomCondition(random: Random, depth = 2): Condition {
  const n = below(random, 3);
  const atoms: readonly Condition[] = [
    { text: `k <= ${n}`, holds: ({ k }) => k <= n },
    { text: `k == ${n}`, holds: ({ k }) => k === n },
    { text: `pays < ${n + 1}`, holds: ({ pays }) => pays < n + 1 },
    { text: `asks > ${n}`, holds: ({ asks }) => asks > n },
    { text: `!risky`, holds: ({ risky }) => !risky },
    { text: `last == "ask"`, holds: ({ last }) => last === 'ask' },
    { text: `last != "pay"`, holds: ({ last }) => last !== 'pay' },
  ];
  if (depth === 0 || below(random, 3) === 0) return atoms[below(random, atoms.length)];
  const [one, other] = [randomCondition(random, depth - 1), randomCondition(random, depth - 1)];
  return below(random, 2) === 0
    ? { text: `(${one.text} && ${other.text})`, holds: (step) => one.holds(step) && other.holds(step) }
    : { text: `(${one.text} || ${other.text})`, holds: (step) => one.holds(step) || other.holds(step) };
}

/** What the predicates of the properties below mean. */
const MEANINGS: Readonly<Record<string, (step: Step) => boolean>> = {
  pay: ({ tool }) => tool === 'pay',
  ask: ({ tool }) => tool === 'ask',
  big: ({ tool, k }) => tool === 'pay' && k >= 2,
  many: ({ pays }) => pays >= 2,
  risky: ({ risky }) => risky,
  asked: ({ last }) => last === 'ask',
};

const PROPERTIES = [
  'G count(pay) <= 2',
  'G (big -> O ask)',
  'G !(big & risky)',
  'G (pay -> Y ask)',
  'G (pay -> asked)',
  'G !(pay & X pay)',
  'G !(many & pay)',
  'G count(big) < 2',
  'G (ask -> WX !ask)',
  'F ask',
  'G (many -> asked | ask)',
];

const fileOf = (pay: readonly Condition[], ask: readonly Condition[]): string => {
  const conditions = (all: readonly Condition[]): string =>
    `{ ${all.map(({ text }, i) => `c${i}: '${text}'`).join(', ')} }`;
  return `version: 1
inputs:
  k: { integer: [0, ${MOST}] }
  pays: { from: state.calls.pay, integer: [0, 100] }
  asks: { from: state.calls.ask, integer: [0, 100] }
  risky: { from: state.risky, type: boolean }
  last: { from: state.lastTool, type: text }
predicates:
  pay: 'action.name == "pay"'
  ask: 'action.name == "ask"'
  big: 'action.name == "pay" && action.arguments.k >= 2'
  many: 'calls.pay >= 2'
  risky: 'risky'
  asked: 'lastTool == "ask"'
policies:
  paying: { tools: [pay], permit: ${conditions(pay)} }
  asking: { tools: [ask], permit: ${conditions(ask)} }
session: { ${PROPERTIES.map((text, i) => `p${i}: '${text}'`).join(', ')} }
`;
};

/** The length of the shortest permitted run that does not have the property, up to `DEPTH`; null if there is none. */
function shortestBreach(permits: (step: Step) => boolean, { formula }: SessionProperty): number | null {
  const words: { letters: Position[]; pays: number; asks: number; last: string }[] = [
    { letters: [], pays: 0, asks: 0, last: '' },
  ];
  for (const { letters, pays, asks, last } of words) {
    if (letters.length === DEPTH) return null;
    const seen = new Set<string>();
    for (const tool of ['pay', 'ask'] as const)
      for (let k = 0; k <= MOST; k++)
        for (const risky of [false, true]) {
          const step: Step = { tool, k, risky, pays, asks, last };
          if (!permits(step)) continue;
          const letter = Object.fromEntries(Object.entries(MEANINGS).map(([name, is]) => [name, is(step)]));
          const key = JSON.stringify(letter);
          if (seen.has(key)) continue;
          seen.add(key);
          const longer = [...letters, letter];
          if (!holds(formula, longer)) return longer.length;
          words.push({
            letters: longer,
            pays: pays + Number(tool === 'pay'),
            asks: asks + Number(tool === 'ask'),
            last: tool,
          });
        }
  }
  return null;
}

describe('what policies ensure of a session', () => {
  it('is what all permitted runs have; and a breach is the shortest that there is', async () => {
    const counted = { proved: 0, refuted: 0, unproved: 0 };
    for (let seed = 1; seed <= 4 * RUNS; seed++) {
      const random = new Random(seed, 31);
      const [pay, ask] = [0, 1].map(() =>
        Array.from({ length: 1 + below(random, 2) }, () => randomCondition(random)),
      );
      const specification = parsePolicies(fileOf(pay, ask));
      const { obligations } = await verifyPolicies(specification, { recheck: seed % 3 === 0 });
      const permits = (step: Step): boolean =>
        (step.tool === 'pay' ? pay : ask).some((condition) => condition.holds(step));
      for (const property of specification.session) {
        const found = obligations.find(({ kind, name }) => kind === 'session' && name === property.name)!;
        const shortest = shortestBreach(permits, property);
        counted[found.verdict]++;
        const what = `seed ${seed}: ${property.formulaText}: ${found.says}`;
        if (found.verdict === 'proved') expect(shortest, what).toBeNull();
        if (found.verdict === 'refuted') {
          if (shortest === null) expect(found.calls!.length, what).toBeGreaterThanOrEqual(DEPTH);
          else expect(found.calls, what).toHaveLength(shortest);
        }
      }
    }
    expect(Math.min(counted.proved, counted.refuted)).toBeGreaterThan(10 * RUNS);
    expect(counted.unproved).toBe(0);
  });
});
