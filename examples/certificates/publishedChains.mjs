import { readdirSync, readFileSync } from 'node:fs';
import { BitSet } from 'foreguard/check';

/**
 * Reads what Pro²Guard's authors published of a driving scenario: probabilities as fractions, smoothed with α = 1 over all
 * k states. A row that shows its common denominator D was drawn n = D − k times, and a fraction p of it p·D − 1 times.
 *
 * The true counts may be multiples where all of a row's fractions can be reduced. With one successor never seen, at 1/D, they cannot, and in
 * each row here there is one.
 *
 * @param {string} folder of one scenario
 */
export function readPublished(folder) {
  const { states, transition_probs: rows } = JSON.parse(readFileSync(`${folder}/model.json`, 'utf8'));
  const { rule } = JSON.parse(readFileSync(`${folder}/abstraction.json`, 'utf8'));
  const initial = Number(/init (\d+)/.exec(readFileSync(`${folder}/dtmc.prism`, 'utf8'))?.[1]);
  const counts = states.map((state) => countsOf(states, rows[state] ?? {}));
  return { name: folder.split('/').at(-1), rule, states, initial, counts };
}

/** Folders of scenarios, by number. */
export const scenarios = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

function countsOf(states, row) {
  const fractions = states.map((state) => (row[state] ?? '0/1').split('/').map(BigInt));
  const denominator = fractions.reduce((least, [, d]) => leastCommonMultiple(least, d), 1n);
  if (Object.keys(row).length === 0) return states.map(() => 0);
  return fractions.map(([numerator, d]) => Number((numerator * denominator) / d) - 1);
}

function leastCommonMultiple(a, b) {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}

/**
 * The counts as draws of rows with known successors: all states. Two rows are added: a start that surely leads to the initial
 * state, and an end that nothing leads to. The order of states, which decides how the confidence is shared out, is that of the file and so
 * no matter of the data.
 */
export function drawnRowsOf({ states, initial, counts }) {
  const k = states.length;
  const every = Array.from({ length: k }, (_, t) => t);
  const all = counts.flat();
  return {
    rowStart: Uint32Array.from([...every.map((s) => s * k), k * k, k * k + 1, k * k + 1]),
    columns: Uint32Array.from([...counts.flatMap(() => every), initial]),
    counts: Float64Array.from([...all, 1]),
    firstDraws: new Float64Array(all.length + 1),
    draws: Float64Array.from([...counts.map((row) => row.reduce((sum, x) => sum + x, 0)), 1, 0]),
    drawsSinceNew: new Float64Array(k + 2),
    rank: Float64Array.from({ length: k + 2 }, (_, s) => s + 1),
    known: true,
  };
}

/** Reaching an end, `001…`, `010…` or `100…`, from where the scenario starts; the other absorbing ends are passed no more. */
export function endEvent({ states }, code) {
  const size = states.length + 2;
  const isCode = (s, prefix) => states[s]?.startsWith(prefix) ?? false;
  return {
    remain: BitSet.where(size, (s) => !isCode(s, '010') && !isCode(s, '100')),
    target: BitSet.where(size, (s) => isCode(s, code)),
    from: 0,
  };
}
