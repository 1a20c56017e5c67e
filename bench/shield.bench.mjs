// What judging a call takes where others are running: a budget looks at the worst of all sets and orders in which they may run. A random process of 64 states, eight actions
// and up to seven successors, learnt from 4,000 runs; the calls pending differ, which is the most work. Answers are checked first: without pending calls a decision is that of a guard which was
// asked about nothing else, and the excess over the least risk grows with the calls pending.
import { Abstraction, compileGuard, createGuard, learnMdp, parseSpecification } from '../dist/index.js';
import { header, row, SHORT, summary } from './timing.mjs';

const STATES = 64;
const ACTIONS = 'abcdefgh';
const RUNS = SHORT ? 500 : 4000;
const ROUNDS = SHORT ? 20 : 300;

let seed = 7;
/** Numbers in [0, 1), the same in every run. */
function random() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}
const below = (n) => Math.floor(random() * n);

const specification = parseSpecification(`version: 1
predicates: { ${Array.from({ length: 6 }, (_, i) => `bit${i}: "bits.exists(b, b == ${i})"`).join(', ')}, bad: bad }
rules: { safe: { formula: 'G !bad', threshold: 0.9, strategy: block } }
shield: budget
learning: { model: mdp, smoothing: 0 }`);
const stateOf = (x) => ({ bits: [0, 1, 2, 3, 4, 5].filter((i) => (x >> i) & 1), bad: x === STATES });
const world = Array.from({ length: STATES }, () =>
  Array.from(ACTIONS, () => Array.from({ length: 6 }, () => below(STATES))),
);
const traces = Array.from({ length: RUNS }, (_, i) => {
  const steps = [];
  let x = below(STATES);
  while (x !== STATES && steps.length < 30) {
    const a = below(ACTIONS.length);
    steps.push({ state: stateOf(x), action: { name: ACTIONS[a] } });
    x = random() < 0.004 ? STATES : world[x][a][below(6)];
  }
  if (x === STATES) steps.push({ state: stateOf(x) });
  return { id: String(i), steps };
});
const { model } = await learnMdp(new Abstraction(specification.abstraction), traces, specification.learning);
const file = compileGuard(specification, model);
const guard = createGuard(file);

/** One decision: a new observation, then a call beside `pending` others. */
function decide(x, pending) {
  guard.reset();
  guard.step(stateOf(x));
  const begun = performance.now();
  const found = guard.propose(stateOf(x), { name: ACTIONS[7] }, { pending });
  return { milliseconds: performance.now() - begun, found };
}

const rows = [];
for (let count = 0; count <= 6; count++) {
  const pending = Array.from(ACTIONS.slice(0, count), (name) => ({ name }));
  const times = [];
  let crowded = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { milliseconds, found } = decide(round % STATES, pending);
    times.push(milliseconds);
    if (found.reason === 'too-many-pending') crowded++;
    if (
      count === 0 &&
      found.decision !==
        createGuard(file).step(stateOf(round % STATES), { action: { name: ACTIONS[7] } }).decision
    )
      throw new Error(`state ${round % STATES}: another decision`);
  }
  const name = `${count} pending${crowded > 0 ? `, ${crowded} of ${ROUNDS} too many to judge` : ''}`;
  rows.push({ ...summary(name, times), longest: Math.max(...times) });
}
console.log(
  `${file.states.draws.length} states, ${file.actions.taken.actions.length} pairs of state and action, ${file.actions.outcomes.columns.length} outcomes`,
);
console.log(header);
for (const one of rows) console.log(row(one, 3));
console.log(`longest: ${Math.max(...rows.map(({ longest }) => longest)).toFixed(1)} ms`);
