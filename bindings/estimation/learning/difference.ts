import type {
  ActionDefinition,
  ConstraintDefinitions,
  PredicateDefinition,
} from '../../observations/abstraction/index.js';
import type { SamplingPeriod } from '../../observations/trace/index.js';
import type { LearningSettings } from './options.js';

/** The settings that determine the states and numbers of a learnt chain. */
export interface LearningBasis {
  readonly predicates: readonly PredicateDefinition[];
  readonly constraints: ConstraintDefinitions;
  readonly actions?: ActionDefinition;
  readonly learning: Pick<LearningSettings, 'model' | 'smoothing' | 'states'>;
  /** The sampling period; null or absent if steps come at any time. */
  readonly period?: SamplingPeriod | null;
}

const CONSTRAINTS = [
  'state',
  'transition',
  'end',
] as const satisfies readonly (keyof ConstraintDefinitions)[];

const LEARNING = ['model', 'smoothing', 'states'] as const;

/** The first difference, with its value on either side; null if there is none. */
export function learningDifference(
  one: LearningBasis,
  other: LearningBasis,
): [what: string, one: string, other: string] | null {
  const count = Math.max(one.predicates.length, other.predicates.length);
  for (let i = 0; i < count; i++) {
    const [a, b] = [one.predicates[i], other.predicates[i]];
    if (a?.name !== b?.name) return [`predicate ${i + 1}`, quote(a?.name), quote(b?.name)];
    if (a.expression !== b.expression) return [`predicate "${a.name}"`, a.expression, b.expression];
  }
  for (const kind of CONSTRAINTS) {
    const [a, b] = [one.constraints[kind], other.constraints[kind]];
    if (a !== b) return [`constraints.${kind}`, a ?? 'absent', b ?? 'absent'];
  }
  const [period, otherPeriod] = [one, other].map(({ period }) => stepsOf(period ?? null));
  if (period !== otherPeriod) return ['samplingPeriod', period, otherPeriod];
  for (const option of LEARNING) {
    const [a, b] = [one.learning[option], other.learning[option]];
    if (a !== b) return [`learning.${option}`, String(a), String(b)];
  }
  if (one.learning.model === 'mdp') {
    const [a, b] = [one, other].map(({ actions = {} }) => actions);
    for (const tool of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [told, otherwise] = [a, b].map((actions) => JSON.stringify(ownOf(actions, tool)));
      if (told !== otherwise) return [`actions: ${tool}`, told ?? 'absent', otherwise ?? 'absent'];
    }
  }
  return null;
}

function ownOf(actions: ActionDefinition, tool: string): unknown {
  return Object.hasOwn(actions, tool) ? actions[tool] : undefined;
}

/** Describes in words the time between steps. Held steps are a period long like others; under `skip` a step may be longer. */
function stepsOf(period: SamplingPeriod | null): string {
  if (period === null) return 'absent';
  const skips = period.resample === 'skip' ? ', with resample: skip' : '';
  return `${period.seconds} s (periodTolerance ${period.tolerance})${skips}`;
}

function quote(name: string | undefined): string {
  return name === undefined ? 'absent' : `"${name}"`;
}
