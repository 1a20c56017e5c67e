import { Rational } from '../../base/rational.js';
import type { ExactRewards } from '../model/index.js';
import type { CompiledReward } from './commands.js';
import type { Explored } from './explored.js';
import type { System } from './system.js';

/** The rewards of states and choices in fractions; an entry is undefined if some part is not a fraction. */
export function exactRewards(
  { rewards, variables }: System,
  { states, exactRowRewards }: Explored,
): ExactRewards[] {
  const values = new Float64Array(variables.length);
  const sum = (items: readonly CompiledReward[]): Rational | undefined => {
    let earned: Rational | undefined = Rational.ZERO;
    for (const { guard, exact } of items) {
      if (!guard(values)) continue;
      const part = exact(values);
      earned = part && earned?.plus(part);
    }
    return earned;
  };
  return rewards.map(({ states: items }, r) => {
    const ofStates: (Rational | undefined)[] = [];
    for (let state = 0; state < states.size; state++) {
      if (items.length > 0) states.read(state, values);
      ofStates.push(sum(items));
    }
    const choices = exactRowRewards?.[r];
    return { states: ofStates, ...(choices && { choices }) };
  });
}
