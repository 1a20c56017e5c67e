import type { Automaton } from '../../../bindings/automaton/index.js';
import type { GuardFile, GuardRule, Strategy } from '../../../bindings/guard/index.js';

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

/** A rule over the four states of `guardFile`; `risk[s]` is the risk in open automaton states. */
export function ruleOf(
  automaton: Automaton,
  risk: readonly number[],
  more: Partial<GuardRule> & { threshold?: number; strategy?: Strategy } = {},
): GuardRule {
  const { threshold = 0.5, strategy = { kind: 'stop' }, ...fields } = more;
  const upper = risk.flatMap((r) =>
    [...(automaton.verdict as number[])].map((v) => (v === 1 ? 1 : v === 2 ? 0 : r)),
  );
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
    lower: upper.map((r) => (r === 1 ? 1 : r * 0.999)),
    upper,
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
    version: 1,
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
