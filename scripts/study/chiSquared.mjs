// What one might do at first: after every step Pearson's test of homogeneity of a state's steps, in the data and at work.

/** The probability that chi-squared with so many degrees of freedom exceeds x: the upper incomplete gamma function, by series or continued fraction. */
export function exceeds(x, degrees) {
  if (x <= 0) return 1;
  const a = degrees / 2;
  const half = x / 2;
  const scale = Math.exp(a * Math.log(half) - half - logGamma(a));
  if (half < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * 1e-12; n++) {
      term *= half / (a + n);
      sum += term;
    }
    return 1 - scale * sum;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = (n * (a - n)) / (half + 2 * n + 1 - a + fraction);
  return scale / (half + 1 - a + fraction);
}

/** Of multiples of a half. */
function logGamma(a) {
  let sum = a % 1 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let b = a - 1; b > 0; b--) sum += Math.log(b);
  return sum;
}

/** Pearson's test after every step, with the level divided among the states. */
export class ChiSquared {
  #rows;
  #level;

  constructor({ rowStart, columns, counts }, end, level) {
    this.#rows = Array.from({ length: rowStart.length - 1 }, (_, s) => {
      const data = new Map();
      for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
        if (columns[e] !== end && counts[e] > 0) data.set(columns[e], counts[e]);
      }
      return { data, live: new Map(), draws: [...data.values()].reduce((a, b) => a + b, 0), lived: 0 };
    });
    this.#level = level / this.#rows.filter(({ draws }) => draws > 0).length;
  }

  /** Whether the test rejects now. */
  draw(s, t) {
    const { data, live, draws } = this.#rows[s];
    if (draws === 0) return false;
    live.set(t, (live.get(t) ?? 0) + 1);
    const lived = ++this.#rows[s].lived;
    let statistic = 0;
    let successors = 0;
    for (const one of new Set([...data.keys(), ...live.keys()])) {
      const [a, b] = [data.get(one) ?? 0, live.get(one) ?? 0];
      const [x, y] = [((a + b) * draws) / (draws + lived), ((a + b) * lived) / (draws + lived)];
      statistic += (a - x) ** 2 / x + (b - y) ** 2 / y;
      successors++;
    }
    return successors > 1 && exceeds(statistic, successors - 1) < this.#level;
  }
}
