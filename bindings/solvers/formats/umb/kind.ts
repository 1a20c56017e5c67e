import type { TransitionSystem } from './indexFile.js';

/** The usual name of the kind of model that `index.json` describes, e.g. `DTMC`, `MDP`, `ICTMC`. */
export function kindOf(system: TransitionSystem): string {
  const probabilities = system['branch-probability-type'];
  const players = Math.min(system['#players'], 2);
  const base =
    system.time === 'discrete'
      ? probabilities
        ? ['DTMC', 'MDP', 'TSG'][players]
        : ['transition system without choices', 'LTS', 'TG'][players]
      : system.time === 'stochastic'
        ? ['CTMC', 'CTMDP', 'stochastic-time game'][players]
        : ['urgent-stochastic-time chain', 'MA', 'urgent-stochastic-time game'][players];
  const partial = system['#observations'] > 0 ? `PO${base}` : base;
  return probabilities?.type.endsWith('-interval') ? `I${partial}` : partial;
}
