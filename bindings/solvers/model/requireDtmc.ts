import { InvalidArgumentError } from '../../base/errors.js';
import type { Dtmc } from './dtmc.js';
import type { Model } from './model.js';

const kinds = {
  dtmc: 'a Markov chain',
  mdp: 'a Markov decision process (mdp)',
  idtmc: 'an interval Markov chain (idtmc)',
  imdp: 'an interval Markov decision process (imdp)',
} as const;

/**
 * Returns the model as a Markov chain, the type that learning, risk and guards work on.
 *
 * @param name the model's name in messages, such as its file
 * @throws InvalidArgumentError if it is another type of model, naming that type
 */
export function requireDtmc(model: Model, name = 'the model'): Dtmc {
  if (model.type === 'dtmc') return model;
  throw new InvalidArgumentError(`${name} is ${kinds[model.type]}; a Markov chain (dtmc) is needed here`);
}
