import { InvalidArgumentError } from '../../../base/errors.js';
import type { Model } from '../../model/index.js';
import type { Directions } from './quantities.js';

/** The players of each type of model, in the order of directions. */
const players: Readonly<Record<Model['type'], readonly string[]>> = {
  dtmc: [],
  mdp: ['the scheduler'],
  idtmc: ['nature'],
  imdp: ['the scheduler', 'nature'],
};

const examples = ['P=?', 'Pmin=? or Pmax=?', 'Pminmin=?, Pminmax=?, Pmaxmin=? or Pmaxmax=?'];

/**
 * Normalises the directions of a question for `Quantities`: one for each player of the model. A chain has no players: any given
 * directions are ignored. So is the scheduler's if an interval chain is given two.
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
