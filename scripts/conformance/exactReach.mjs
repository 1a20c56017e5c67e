/**
 * The probability to reach a state of a Markov chain, exactly and straight from the definition: an oracle of its own, which shares
 * nothing with what it checks. Rows are scaled to whole numbers and eliminated without fractions (Bareiss 1968).
 */

/**
 * @param rows Per state a map from successor to probability, { numerator, denominator }; empty where nothing follows
 * @returns Per state the probability to reach `target`, as a fraction
 */
export function exactReach(rows, target) {
  const reaching = statesReaching(rows, target);
  const open = [...reaching].filter((state) => state !== target);
  const place = new Map(open.map((state, i) => [state, i]));
  const equations = open.map((state) => {
    const scale = [...rows[state].values()].reduce(
      (least, { denominator }) => (least / greatestCommonDivisor(least, denominator)) * denominator,
      1n,
    );
    const equation = new Array(open.length + 1).fill(0n);
    equation[place.get(state)] = scale;
    for (const [successor, { numerator, denominator }] of rows[state]) {
      const whole = numerator * (scale / denominator);
      if (successor === target) equation[open.length] += whole;
      else if (place.has(successor)) equation[place.get(successor)] -= whole;
    }
    return equation;
  });
  const solution = solve(equations);
  return rows.map((_, state) => {
    if (state === target) return { numerator: 1n, denominator: 1n };
    return solution[place.get(state)] ?? { numerator: 0n, denominator: 1n };
  });
}

function statesReaching(rows, target) {
  const reaching = new Set([target]);
  for (let before = 0; before < reaching.size; ) {
    before = reaching.size;
    rows.forEach((row, state) => {
      if ([...row].some(([successor, { numerator }]) => numerator > 0n && reaching.has(successor)))
        reaching.add(state);
    });
  }
  return reaching;
}

function solve(equations) {
  const n = equations.length;
  let previous = 1n;
  for (let k = 0; k < n; k++) {
    const pivot = equations.findIndex((row, i) => i >= k && row[k] !== 0n);
    [equations[k], equations[pivot]] = [equations[pivot], equations[k]];
    const [row, lead] = [equations[k], equations[k][k]];
    for (const other of equations) {
      if (other === row) continue;
      const factor = other[k];
      for (let j = 0; j <= n; j++) other[j] = (other[j] * lead - factor * row[j]) / previous;
    }
    previous = lead;
  }
  return equations.map((row, i) => ({ numerator: row[n], denominator: row[i] }));
}

function greatestCommonDivisor(a, b) {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
