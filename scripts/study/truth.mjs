// What is true of a known chain, by means that share nothing with the kernel: elimination on a full matrix, and sums step by step.

/** P(reach `bad`) from each state, or with `steps` within so many. Rows are lists of [successor, probability]. */
export function reach(rows, bad, steps = null) {
  const n = rows.length;
  if (steps !== null) {
    let values = rows.map((_, s) => (bad.has(s) ? 1 : 0));
    for (let i = 0; i < steps; i++) {
      const before = values;
      values = rows.map((row, s) => (bad.has(s) ? 1 : row.reduce((sum, [t, p]) => sum + p * before[t], 0)));
    }
    return values;
  }
  // (I − P) x = 0 where something is open, x = 1 where it is bad, x = 0 where it is over; every state leads to one of the latter.
  const matrix = rows.map((row, s) => {
    const line = new Float64Array(n + 1);
    line[s] = 1;
    if (bad.has(s)) line[n] = 1;
    else for (const [t, p] of row) line[t] -= p;
    return line;
  });
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(matrix[i][k]) > Math.abs(matrix[pivot][k])) pivot = i;
    [matrix[k], matrix[pivot]] = [matrix[pivot], matrix[k]];
    for (let i = 0; i < n; i++) {
      if (i === k || matrix[i][k] === 0) continue;
      const factor = matrix[i][k] / matrix[k][k];
      for (let j = k; j <= n; j++) matrix[i][j] -= factor * matrix[k][j];
    }
  }
  return matrix.map((line, k) => line[n] / line[k]);
}

/**
 * The chain of (state, steps left to answer a warning): every warning has to be answered within `within` steps, at once counting. `at(s, left)` is
 * its number; left is null where no warning is open, -1 where one was not answered in time.
 */
export function deadlineChain(chain, { warned, answered, within }) {
  const end = chain.length - 1;
  const numbers = new Map();
  const nodes = [];
  const at = (s, left) => {
    const key = `${s}/${left}`;
    if (!numbers.has(key)) {
      numbers.set(key, nodes.length);
      nodes.push([s, left]);
    }
    return numbers.get(key);
  };
  const read = (left, s) => {
    if (left === -1) return -1;
    if (answered.includes(s)) return null;
    if (left !== null) return left === 1 ? -1 : left - 1;
    return warned.includes(s) ? within : null;
  };
  const first = chain[0].map(([t, p]) => [at(t, read(null, t)), p]);
  const rows = [];
  const bad = new Set();
  for (let i = 0; i < nodes.length; i++) {
    const [s, left] = nodes[i];
    // A warning that is open when the run ends was not answered.
    if (left === -1 || (s === end && left !== null)) bad.add(i);
    rows.push(
      bad.has(i) || s === end ? [] : chain[s].map(([t, p]) => [at(t, t === end ? left : read(left, t)), p]),
    );
  }
  return { rows, bad, first, nodes, read };
}
