import type { ReactiveRules } from '../agentspec/index.js';
import { Guard, type GuardFile } from '../guard/index.js';
import type { SessionOptions } from './sessionOptions.js';

/** What judges calls: guards, learnt or of rules alone, and rules without history, such as those of AgentSpec. */
type Judging = Pick<SessionOptions, 'guard' | 'judges' | 'rules'>;

/** A guard that permits everything, for sessions that only rules without history judge. */
const NOTHING: GuardFile = {
  format: 'foreguard-guard',
  version: 2,
  specificationHash: '',
  modelHash: null,
  predicates: [],
  constraints: {},
  trees: { predicates: [], constraints: {} },
  states: { words: 1, valuations: [], draws: [] },
  seen: { rowStart: [0], columns: [] },
  rules: [
    {
      name: 'anything',
      formula: 'true',
      evaluation: 'trace',
      automaton: {
        predicates: [],
        states: 1,
        initial: 0,
        verdict: [2],
        accepting: [1],
        roots: [-1],
        nodes: [],
      },
      levels: [{ threshold: { compare: 'risk>=', value: 1 }, strategy: { kind: 'stop' } }],
      escalate: [],
      maxReflections: 0,
      afterViolation: { kind: 'stop' },
      onFailure: { kind: 'stop' },
      horizonSteps: null,
    },
  ],
  onUnknown: 'rule',
  decideOn: 'upper',
  samplingPeriodSeconds: null,
  periodTolerance: 0.1,
};

/** The guards of a session, in their order; at least one. */
export function guardsOf(options: Judging): readonly Guard[] {
  const { guard, judges = [] } = options;
  const found = [...(guard === undefined ? [] : [guard]), ...judges.filter(isGuard)];
  return found.length > 0 ? found : [permitting(options)];
}

/** The guard that stands in where a session has none. */
const standIns = new WeakMap<Judging, Guard>();

function permitting(options: Judging): Guard {
  const guard = standIns.get(options) ?? new Guard(NOTHING, { predicates: [], constraints: {} }, {});
  standIns.set(options, guard);
  return guard;
}

/** The rules without history, in their order. */
export function reactiveRulesOf({ judges = [], rules = [] }: Judging): NonNullable<SessionOptions['rules']> {
  return [...rules, ...judges.filter((judge): judge is ReactiveRules => !isGuard(judge))];
}

function isGuard(judge: NonNullable<SessionOptions['judges']>[number]): judge is Guard {
  return 'propose' in judge;
}
