import { InvalidArgumentError } from '../../../base/errors.js';
import type { Model } from '../../model/index.js';
import type { Directions } from './quantities.js';

/** Who has choices in each type of model, in the order of directions. */
const players: Readonly<Record<Model['type'], readonly string[]>> = {
  dtmc: [],
  mdp: ['the scheduler'],
  idtmc: ['nature'],
  imdp: ['the scheduler', 'nature'],
};

const examples = ['P=?', 'Pmin=? or Pmax=?', 'Pminmin=?, Pminmax=?, Pmaxmin=? or Pmaxmax=?'];

/**
 * The directions of a question as `Quantities` takes them: one for each who has choices in the model. In a chain nobody has, and
 * any that were written mean nothing; nor does a scheduler's in an interval chain, where two were.
 *
 * @throws InvalidArgumentError if there are too few or too many, naming the choices to be resolved
 */
export function normaliseDirections({ type }: Pick<Model, 'type'>, directions: Directions): Directions {
  const resolved = players[type];
  if (resolved.length === 0) return [];
  if (directions.length === resolved.length) return directions;
  if (type === 'idtmc' && directions.length === 2) return directions.slice(1);
  const found = directions.length === 0 ? 'no direction was given' : `'${directions.join('')}' was given`;
  throw new InvalidArgumentError(
    `${found}, but in an ${type} the choices of ${resolved.join(' and of ')} are to be resolved: write ${examples[resolved.length]} and likewise for rewards`,
  );
}
