import type { Automaton } from '../../../bindings/languages/automaton/index.js';
import {
  type DenseBounds,
  type GuardFile,
  type GuardRule,
  packTables,
  type Strategy,
} from '../../../bindings/runtime/guard/index.js';

/** `G !(a & b)`: 0 open, 1 violated. */
export const never: Automaton = {
  predicates: ['a', 'b'],
  states: 2,
  initial: 0,
  verdict: [0, 1],
  accepting: [1, 0],
  roots: [0, -2],
  nodes: [0, -1, 1, 1, -1, -2],
};

/** `G (a -> F[0,2] b)`: 0 idle, 1 two steps left, 2 one step left, 3 violated. */
export const response: Automaton = {
  predicates: ['a', 'b'],
  states: 4,
  initial: 0,
  verdict: [0, 0, 0, 1],
  accepting: [1, 1, 1, 0],
  roots: [0, 2, 3, -4],
  nodes: [0, -1, 1, 1, -2, -1, 1, -3, -1, 1, -4, -1],
};

/** `F b`: 0 open and not accepting, 1 satisfied. */
export const eventually: Automaton = {
  predicates: ['b'],
  states: 2,
  initial: 0,
  verdict: [0, 2],
  accepting: [0, 1],
  roots: [0, -2],
  nodes: [0, -1, -2],
};

interface Risks {
  readonly lower?: readonly number[];
  readonly confidence?: readonly number[];
  /** Upper bounds by number of steps. */
  readonly horizons?: Readonly<Record<string, readonly number[]>>;
}

/** A lower bound that six digits can hold beside the upper one. */
export const justBelow = (risk: number): number => Number((risk * 0.99999).toPrecision(6));

/** A rule over the four states of `guardFile`; `risk[s]` is the risk in open automaton states, or `risk[s * states + q]` that in each. */
export function ruleOf(
  automaton: Automaton,
  risk: readonly number[],
  more: Partial<GuardRule> & Risks & { threshold?: number; strategy?: Strategy } = {},
): GuardRule {
  const { threshold = 0.5, strategy = { kind: 'stop' }, lower, confidence, horizons, ...fields } = more;
  const states = risk.length <= 4 ? risk.length : risk.length / automaton.states;
  const inEach = (values: readonly number[]): readonly number[] =>
    values.length === states ? values.flatMap((r) => Array(automaton.states).fill(r)) : values;
  const bounds = (values: readonly number[], below: readonly number[]): DenseBounds => ({
    lower: inEach(below),
    upper: inEach(values),
  });
  const inSteps = (steps: string, values: readonly number[]) => [
    steps,
    {
      ...bounds(values, values.map(justBelow)),
      ...(confidence && { confidenceUpper: inEach(confidence) }),
    },
  ];
  return {
    name: 'rule',
    formula: 'G !(a & b)',
    evaluation: 'trace',
    automaton,
    levels: [{ threshold: { compare: 'risk>=', value: threshold }, strategy }],
    escalate: [{ kind: 'stop' }],
    maxReflections: 2,
    afterViolation: { kind: 'stop' },
    onFailure: { kind: 'stop' },
    horizonSteps: null,
    tables: packTables(automaton, states, () => true, {
      ...bounds(risk, lower ?? risk.map(justBelow)),
      ...(confidence && { confidenceUpper: inEach(confidence) }),
      ...(horizons && {
        horizons: Object.fromEntries(
          Object.entries(horizons).map(([steps, values]) => inSteps(steps, values)),
        ),
      }),
    }),
    ...fields,
  };
}

/**
 * Predicates a and b read the fields of these names. States 0..3 are !a!b, a!b, !ab, ab, of which the last has no data; seen
 * are 0 -> 0, 0 -> 1, 1 -> 0, 1 -> 2, 2 -> 0.
 */
export function guardFile(rules: readonly GuardRule[], more: Partial<GuardFile> = {}): GuardFile {
  return {
    format: 'foreguard-guard',
    version: 2,
    specificationHash: 'none',
    modelHash: 'none',
    predicates: [
      { name: 'a', expression: 'a' },
      { name: 'b', expression: 'b' },
    ],
    constraints: {},
    states: { words: 1, valuations: [0, 1, 2, 3], draws: [9, 5, 3, 0] },
    seen: { rowStart: [0, 2, 4, 5, 5], columns: [0, 1, 0, 2, 0] },
    rules,
    onUnknown: 'stop',
    decideOn: 'upper',
    samplingPeriodSeconds: null,
    periodTolerance: 0.1,
    ...more,
  };
}
