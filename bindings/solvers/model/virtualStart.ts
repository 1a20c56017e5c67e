import type { Model } from './model.js';

/**
 * The virtual state before step 0 of a learnt chain or decision process, undefined in other models. It is not a position of a
 * path: the value of a property there is the mean, over its row, of the values from step 0. It is state 0 and has a single row,
 * row 0.
 */
export function virtualStart(model: Model): number | undefined {
  const { type, labels, parameters, initial } = model;
  if (type !== 'dtmc' && type !== 'mdp') return undefined;
  const learnt = typeof parameters === 'object' && parameters !== null && 'foreguard' in parameters;
  if (!learnt || initial.length !== 1 || initial[0] !== 0 || !labels.get('start')?.has(0)) return undefined;
  return type === 'dtmc' || model.rowGroupStart[1] === 1 ? 0 : undefined;
}
