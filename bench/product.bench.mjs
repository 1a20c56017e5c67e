// What does it cost to build the product of a chain and automata? Goals: three bounded-response rules with K = 100 on a chain of
// 64 states, a product each, built and certified within 0.2 s; a joint product of a million states within 2 s; ten million
// within 4 GiB, or refused with a reason. The answers of both kernels are checked before anything is timed.
//
//   npm run build && node bench/product.bench.mjs
import { randomNumbers } from './chains.mjs';
import { sources } from './sources.mjs';
import { header, row, SHORT, summary } from './timing.mjs';

const {
  BitSet,
  buildAutomaton,
  getKernel,
  KernelError,
  parseFormula,
  referenceKernel,
  violationRisk,
  useKernel,
} = sources;

const wasm = getKernel();
const PREDICATES = ['a', 'x', 'b', 'y', 'c', 'z'];

function fail(message) {
  throw new Error(`${message}: the answer is wrong, so its time is not worth knowing`);
}

/** Three successors a state; a, b and c ask in about every third state, x, y and z answer in about every fiftieth. */
function labelledChain(states, seed) {
  const random = randomNumbers(seed);
  const columns = Array.from({ length: states }, () => {
    const successors = new Set();
    while (successors.size < 3) successors.add(Math.floor(random() * states));
    return [...successors].sort((a, b) => a - b);
  });
  return {
    rowStart: Uint32Array.from({ length: states + 1 }, (_, s) => 3 * s),
    columns: Uint32Array.from(columns.flat()),
    values: Float64Array.from({ length: 3 * states }, (_, e) => [0.5, 0.25, 0.25][e % 3]),
    words: 1,
    valuations: Uint32Array.from({ length: states }, () =>
      PREDICATES.reduce((word, _, bit) => (random() < [0.3, 0.02][bit & 1] ? word | (1 << bit) : word), 0),
    ),
  };
}

/** Rules "what is asked is answered within K steps", which go on after a violation of others. */
function responses(count, K) {
  return Array.from({ length: count }, (_, i) => {
    const [asked, answered] = PREDICATES.slice(2 * i);
    const automaton = buildAutomaton(parseFormula(`G (${asked} -> F<=${K} ${answered})`));
    return { ...automaton, bits: automaton.predicates.map((name) => PREDICATES.indexOf(name)) };
  });
}

function product(kernel, chain, automata, options = {}) {
  const seeds = [
    { states: BitSet.full(chain.rowStart.length - 1), from: automata.map(({ initial }) => initial) },
  ];
  return kernel.product(chain, automata, seeds, options);
}

/** The chain of 64 states, as a guard knows it: with a start and an end. */
function guardedChain() {
  const states = 64;
  const rows = [
    [[1, 1]],
    ...Array.from({ length: states }, (_, i) => [
      [1 + ((i * 7 + 3) % 32), 0.5],
      [33 + ((i * 5 + 1) % 32), 0.4375],
      [states + 1, 0.0625],
    ]),
    [[states + 1, 1]],
  ];
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [s, row] of rows.entries()) rowStart[s + 1] = rowStart[s] + row.length;
  return {
    states: rows.length,
    rowStart,
    columns: Uint32Array.from(rows.flat(), ([t]) => t),
    values: Float64Array.from(rows.flat(), ([, p]) => p),
    start: 0,
    end: states + 1,
    predicates: ['a', 'b', 'c'],
    words: 1,
    valuations: Uint32Array.from({ length: states + 2 }, (_, s) => (s >= 1 && s <= states ? (s - 1) % 8 : 0)),
    draws: rows.map(() => 10),
  };
}

const rules = ['G (a -> F<=100 (b & c))', 'G (b -> F<=100 (a & !c))', 'G (c -> F<=100 (a & !b))'].map(
  (text) => buildAutomaton(parseFormula(text)),
);
const guarded = guardedChain();
const threeRules = () =>
  rules.map((automaton) => violationRisk({ chain: guarded, automaton, atEnd: 'weak' }));

function checkRules(one, other) {
  for (const [i, { lower, upper }] of one.entries()) {
    for (let entry = 0; entry < lower.length; entry++) {
      if (Number.isNaN(lower[entry]) !== Number.isNaN(other[i].lower[entry]))
        fail(`rule ${i}, entry ${entry}`);
      if (upper[entry] - lower[entry] > 2e-6) fail(`rule ${i}: bounds ${lower[entry]} and ${upper[entry]}`);
      if (lower[entry] > other[i].upper[entry] || other[i].lower[entry] > upper[entry])
        fail(`rule ${i}: kernels differ`);
    }
  }
}

function checkSame(chain, automata) {
  const one = product(wasm, chain, automata, { withMatrix: true });
  const other = product(referenceKernel, chain, automata, { withMatrix: true });
  const arrays = ({ matrix, chainState, automatonState }) => [
    ...Object.values(matrix),
    chainState,
    ...automatonState,
  ];
  const others = arrays(other);
  for (const [i, array] of arrays(one).entries()) {
    if (array.length !== others[i].length || array.some((value, e) => value !== others[i][e]))
      fail('both kernels build different products');
  }
  one.free();
  other.free();
}

/** In the joint product a rule has the risk that it has in its own. */
function checkMarginal(chain, automata) {
  const joint = product(wasm, chain, automata);
  const own = product(wasm, chain, automata.slice(0, 1));
  const within = ({ chain: held, automatonState: [q] }) =>
    held.boundedUntil(
      BitSet.full(held.states),
      BitSet.where(held.states, (node) => automata[0].verdict[q[node]] === 1),
      100,
    );
  const [all, single] = [within(joint), within(own)];
  for (let node = 0; node < joint.chain.states; node += 101) {
    const place = own.find(joint.chainState[node], [joint.automatonState[0][node]]);
    if (place < 0 || all.lower[node] > single.upper[place] || single.lower[place] > all.upper[node])
      fail(`the joint risk of state ${node}`);
  }
  joint.free();
  own.free();
}

function measure(name, work, samples) {
  const milliseconds = Array.from({ length: SHORT ? Math.min(2, samples) : samples }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  const result = summary(name, milliseconds);
  console.log(row(result));
  return result;
}

/** Builds a joint product and says how large it is; memory is what the kernel holds beyond what it held before. */
function measureJoint(states, count, K, samples) {
  const [chain, automata] = [labelledChain(states, 7), responses(count, K)];
  let size = '';
  const build = () => {
    const built = product(wasm, chain, automata);
    const { states: nodes, transitions } = built.chain;
    size = `${nodes} states, ${transitions} transitions, at most ${(wasm.memoryBytes() / transitions).toFixed(0)} bytes of memory a transition`;
    built.free();
  };
  build();
  measure(`${count} rules at once, K = ${K}, ${states} chain states`, build, samples);
  console.log(`  (${size})`);
}

const onReference = (work) => {
  useKernel(referenceKernel);
  try {
    return work();
  } finally {
    useKernel(wasm);
  }
};

checkRules(threeRules(), onReference(threeRules));
checkSame(labelledChain(64, 7), responses(2, 20));
checkMarginal(labelledChain(64, 7), responses(2, SHORT ? 20 : 50));

console.log(header);
const fast = measure('three rules, K = 100, 64 chain states: built and certified, wasm', threeRules, 20);
const slow = onReference(() => measure('the same by the reference', threeRules, 5));
console.log(`  (the reference takes ${(slow.median / fast.median).toFixed(1)} times as long)`);

const small = [labelledChain(64, 7), responses(2, SHORT ? 20 : 50)];
const wasmBuild = measure('2 rules at once, K = 50: built, wasm', () => product(wasm, ...small).free(), 10);
const referenceBuild = measure(
  'the same by the reference',
  () => product(referenceKernel, ...small).free(),
  5,
);
console.log(`  (the reference takes ${(referenceBuild.median / wasmBuild.median).toFixed(1)} times as long)`);

measureJoint(128, 2, SHORT ? 30 : 100, 10);
if (!SHORT) {
  measureJoint(1000, 2, 100, 2);
  try {
    product(wasm, labelledChain(64, 7), responses(3, 100)).free();
    fail('more states than 4 GiB can hold');
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    console.log(`3 rules at once, K = 100, 64 chain states: ${error.message}`);
  }
}
