/**
 * The risk of each abstract state in words, the largest first: of the histories that leave the law undecided in a state the worst,
 * and how often the state was left in the data.
 */
export function worstStates({ entries }) {
  const worst = new Map();
  for (const { state, verdict, upper, description, draws } of entries) {
    const known = worst.get(state);
    if (verdict === 'open' && (known === undefined || upper > known.risk)) {
      worst.set(state, { risk: upper, description, draws });
    } else if (known === undefined) worst.set(state, { risk: upper, description, draws });
  }
  return [...worst.values()].sort((a, b) => b.risk - a.risk);
}
