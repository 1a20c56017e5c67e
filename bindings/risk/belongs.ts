import type { ConstraintDefinitions } from '../abstraction/index.js';
import { InvalidArgumentError } from '../errors.js';
import type { LearningParameters } from '../learning/index.js';
import type { Specification } from '../specification/index.js';

const CONSTRAINTS = [
  'state',
  'transition',
  'end',
] as const satisfies readonly (keyof ConstraintDefinitions)[];

/** What of learning decides the numbers; what was done about contradictions shows in the data. */
const LEARNING = ['model', 'smoothing', 'states'] as const;

/**
 * Refuses a model that was learnt with other predicates, constraints or learning options than the specification's: its states
 * or its numbers would mean something else. Rules, thresholds and strategies may have changed since.
 *
 * @throws InvalidArgumentError naming the first difference
 */
export function requireSameLearning(
  { abstraction: definition, learning }: Specification,
  learnt: Pick<LearningParameters, 'predicates' | 'constraints' | 'learning'>,
): void {
  const count = Math.max(definition.predicates.length, learnt.predicates.length);
  for (let i = 0; i < count; i++) {
    const wanted = definition.predicates[i];
    const found = learnt.predicates[i];
    if (wanted?.name !== found?.name) {
      differ(`predicate ${i + 1}`, quote(wanted?.name), quote(found?.name));
    }
    if (wanted.expression !== found.expression) {
      differ(`predicate "${wanted.name}"`, wanted.expression, found.expression);
    }
  }
  for (const kind of CONSTRAINTS) {
    const wanted = definition.constraints?.[kind];
    const found = learnt.constraints[kind];
    if (wanted !== found) differ(`constraints.${kind}`, wanted ?? 'absent', found ?? 'absent');
  }
  for (const option of LEARNING) {
    const [wanted, found] = [learning[option], learnt.learning[option]];
    if (wanted !== found) differ(`learning.${option}`, String(wanted), String(found));
  }
}

function quote(name: string | undefined): string {
  return name === undefined ? 'absent' : `"${name}"`;
}

function differ(what: string, specified: string, learnt: string): never {
  throw new InvalidArgumentError(
    `model and specification do not belong together: ${what} is ${specified} in the specification, ${learnt} in the model; learn the model again with this specification`,
  );
}
