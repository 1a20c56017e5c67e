import type { AbstractionDefinition, ConstraintDefinitions } from '../abstraction/index.js';
import { InvalidArgumentError } from '../errors.js';
import type { LearningParameters } from '../learning/index.js';

const CONSTRAINTS = [
  'state',
  'transition',
  'end',
] as const satisfies readonly (keyof ConstraintDefinitions)[];

/**
 * Refuses a model that was learnt with other predicates or constraints than the specification's: its states would mean
 * something else. Rules, thresholds and strategies may have changed since.
 *
 * @throws InvalidArgumentError naming the first difference
 */
export function requireSameAbstraction(definition: AbstractionDefinition, learnt: LearningParameters): void {
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
}

function quote(name: string | undefined): string {
  return name === undefined ? 'absent' : `"${name}"`;
}

function differ(what: string, specified: string, learnt: string): never {
  throw new InvalidArgumentError(
    `model and specification do not belong together: ${what} is ${specified} in the specification, ${learnt} in the model; learn the model again with this specification`,
  );
}
