import { expect } from 'vitest';
import type { Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { pick, randomRows } from './garbage.js';
import type { RawModule } from './rawModule.js';

/** What `explore` returns: see assembly/product/product.ts. */
const [DONE, PAUSED, STATES_FULL] = [0, 1, 2];

/** Products of a chain with automata that the bindings would accept, found in steps of any size, with valuations of random bits. */
export function callRawProduct(module: RawModule): void {
  const { exports, random } = module;
  const states = 1 + module.below(12);
  const automata = 1 + module.below(3);
  const perAutomaton = 1 + module.below(3);
  const automatonStates = automata * perAutomaton;
  const matrix = randomRows(random, states, states);
  const chain = exports.layOutChain(
    module.block(exports.chainBytes(states, matrix.columns.length)),
    states,
    matrix.columns.length,
  );
  module.write(exports.rowStartOf(chain), matrix.rowStart);
  module.write(exports.columnsOf(chain), matrix.columns);
  module.write(exports.valuesOf(chain), matrix.values);

  const words = 1 + module.below(3);
  const nodes = module.below(5);
  const size = [words, automata, automatonStates, nodes] as const;
  const product = exports.layOutProduct(module.block(exports.productBytes(states, ...size)), chain, ...size);
  fill(module, exports.valuationsOf(product), states, size);

  const longest = matrix.rowStart.reduce(
    (most, start, s) => Math.max(most, start - (matrix.rowStart[s - 1] ?? start)),
    1,
  );
  let [slots, capacity, successors] = [0, 0, 0];
  const grow = () => {
    slots = Math.max(2 * slots, 64);
    while (2 * capacity < slots) capacity = addChunk(module, product);
    exports.rehash(product, module.words(slots), slots);
  };
  const lengthen = () => {
    successors = exports.addSuccessors(product, module.block(exports.successorChunkBytes()));
  };
  grow();
  const tuples = [0, 1].flatMap(() =>
    Array.from({ length: automata }, (_, i) => i * perAutomaton + module.below(perAutomaton)),
  );
  expect(
    exports.enterSeeds(product, module.below(states), module.copyIn(Uint32Array.from(tuples)), 0, 2),
  ).toBe(2);
  for (let reason = PAUSED; reason !== DONE; ) {
    // A call of no work is a pause, not an end.
    reason = exports.explore(product, pick(random, [0, 1, 1, 7, 1000, 2 ** 30]));
    if (reason === STATES_FULL) grow();
    else if (reason > STATES_FULL) lengthen();
  }
  const found = exports.productStates(product);
  const transitions = exports.productTransitions(product);
  expect(exports.followedStates(product)).toBe(found);
  expect(transitions).toBeLessThanOrEqual(Math.min(successors, found * longest));
  finish(module, product, found, transitions, Math.max(states, automatonStates), automata);
}

function addChunk(module: RawModule, product: Pointer): number {
  const { exports } = module;
  return exports.addRecords(product, module.block(exports.recordChunkBytes(product)));
}

/** Random valuations and sets; nodes that lead to later nodes, or to any state, also one of another automaton. */
function fill(
  module: RawModule,
  place: Pointer,
  states: number,
  [words, , automatonStates, nodes]: readonly [number, number, number, number],
): void {
  const leaf = () => -1 - module.below(automatonStates);
  const reference = (from: number) =>
    from < nodes && module.coin() ? from + module.below(nodes - from) : leaf();
  const table = Int32Array.from([
    ...Array.from({ length: automatonStates }, () => reference(0)),
    ...Array.from({ length: automatonStates }, () => module.below(automatonStates)),
    ...Array.from({ length: automatonStates }, () => pick(module.random, [0, 0, 0, 1, 2])),
    ...Array.from({ length: nodes }, (_, n) => [
      module.below(words),
      module.word() | 0,
      reference(n + 1),
      reference(n + 1),
    ]).flat(),
  ]);
  const given = states * words + 2 * ((states + 31) >>> 5);
  module.noise(place, 4 * given);
  module.write(place + 4 * given, new Uint32Array(table.buffer));
}

function finish(
  module: RawModule,
  product: Pointer,
  states: number,
  transitions: number,
  range: number,
  automata: number,
): void {
  const { exports } = module;
  const [order, other] = [module.words(states), module.words(states)];
  exports.countUp(order, states);
  let [from, to] = [order, other];
  for (let position = automata; position >= 0; position--) {
    exports.sortBy(product, position, range, from, to, module.words(range + 1));
    [from, to] = [to, from];
  }
  exports.placesOf(from, to, states);
  const bytes = exports.chainBytes(states, transitions);
  const chain = exports.layOutChain(module.block(bytes), states, transitions);
  const half = module.below(states + 1);
  exports.fillRows(product, chain, from, to, 0, half);
  exports.fillRows(product, chain, from, to, half, states);
  for (let position = 0; position <= automata; position++)
    exports.gather(product, position, from, module.words(states));
  // Rows of several successors that are one in the product have it twice, which only the check sees.
  expect(exports.checkChain(chain)).toBeLessThan(64);
}
