// The solvers alone: a Markov chain that changes, a decision process, a chain of intervals. Rows are in compressed sparse rows.
import { BitSet, getKernel } from 'foreguard/check';

const kernel = getKernel();
const show = (what, { lower, upper }) => console.log(`${what}: [${lower[0]}, ${upper[0]}]`);

// From 0 to 1, 2 or 3; from 1 back to 0 or on to 2; 2 is the goal and 3 the end, where one stays.
const rows = { rowStart: Uint32Array.of(0, 3, 5, 6, 7), columns: Uint32Array.of(1, 2, 3, 0, 2, 2, 3) };
const goal = BitSet.of(4, [2]);
const everywhere = BitSet.full(4);

const chain = kernel.chain({ ...rows, values: Float64Array.of(0.5, 0.25, 0.25, 0.5, 0.5, 1, 1) });
show('chain', chain.until(everywhere, goal, { precision: 1e-9 })); // 2/3

const solver = chain.openSolver(everywhere, goal);
solver.replaceRows({
  rows: Uint32Array.of(1), // state 1 now goes back only
  rowStart: Uint32Array.of(0, 1),
  columns: Uint32Array.of(0),
  values: Float64Array.of(1),
});
show('changed chain', solver.solution()); // 1/2

// State 0 chooses: the row of above, or 2 and 3 with even chances.
const mdp = kernel.mdp({
  rowGroupStart: Uint32Array.of(0, 2, 3, 4, 5),
  rowStart: Uint32Array.of(0, 3, 5, 7, 8, 9),
  columns: Uint32Array.of(1, 2, 3, 2, 3, 0, 2, 2, 3),
  values: Float64Array.of(0.5, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 1, 1),
});
for (const direction of ['min', 'max']) show(direction, mdp.until(direction, everywhere, goal)); // 1/2, 2/3

const [lower, upper] = [-1, 1].map((side) =>
  Float64Array.of(...[0.5, 0.25, 0.25, 0.5, 0.5].map((p) => p + side / 16), 1, 1),
);
const intervals = kernel.intervalChain({ ...rows, lower, upper });
for (const nature of ['min', 'max']) show(`nature ${nature}`, intervals.until(everywhere, goal, nature)); // 13/23, 19/25
for (const held of [chain, solver, mdp, intervals]) held.free(); // a block with `using` does so by itself
