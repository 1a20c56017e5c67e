import { InvalidArgumentError } from '../../base/errors.js';
import { checkArrays } from './arrays.js';
import { BitSet } from './bitSet.js';
import type { ProductInput } from './engine.js';
import { checkLengths, invalidModel, ROW_SUM_TOLERANCE, SMALLEST_PROBABILITY } from './invalidModel.js';
import { checkSets } from './sets.js';
import { Status } from './status.js';
import { exactSum } from './twoSum.js';
import type { Csr, LabelAutomaton, LabelledChain, ProductSeeds } from './types/index.js';

/** Checks the input of a product, and numbers the states of all automata consecutively. */
export function productInput(
  chain: LabelledChain,
  automata: readonly LabelAutomaton[],
  seeds: readonly ProductSeeds[],
): ProductInput {
  checkLengths(chain);
  const states = chain.rowStart.length - 1;
  const { words, valuations, unread = new BitSet(states), absorbing = new BitSet(states) } = chain;
  checkArrays({ valuations }, 'Uint32Array');
  if (!Number.isInteger(words) || words < 1 || valuations.length !== states * words) {
    throw new InvalidArgumentError(
      `${valuations.length} words of valuations for ${states} states: each state has ${words} of them, at least 1`,
    );
  }
  checkSets({ unread, absorbing }, states, 'the chain');
  if (automata.length === 0) {
    throw new InvalidArgumentError('a product needs an automaton: without any it is the chain itself');
  }
  for (const [i, automaton] of automata.entries()) checkAutomaton(automaton, i, 32 * words);
  const joint = numberedThrough(automata);
  return {
    ...closed(chain, absorbing),
    words,
    valuations,
    unread,
    ...joint,
    seeds: seedTuples(seeds, automata, states, joint.firstStates),
  };
}

function checkAutomaton(automaton: LabelAutomaton, place: number, bitCount: number): void {
  const { states, roots, nodes, bits, passes, absorbing } = automaton;
  const malformed = (what: string) => new InvalidArgumentError(`automaton ${place} is malformed: ${what}`);
  if (!Number.isInteger(states) || states < 1 || roots.length !== states) {
    throw malformed(`it has ${states} states but ${roots.length} roots; each state has one`);
  }
  const count = nodes.length / 3;
  if (!Number.isInteger(count)) throw malformed(`${nodes.length} numbers are not triples of nodes`);
  const outside = Array.from(bits).findIndex((bit) => !(Number.isInteger(bit) && bit >= 0 && bit < bitCount));
  if (outside >= 0) {
    throw malformed(
      `variable ${outside} is bit ${bits[outside]}, but valuations have bits 0 to ${bitCount - 1}`,
    );
  }
  const leads = (reference: number, above: number): boolean =>
    Number.isInteger(reference) &&
    (reference < 0 ? reference >= -states : reference < count && nodes[3 * reference] > above);
  for (let n = 0; n < count; n++) {
    const [variable, low, high] = [nodes[3 * n], nodes[3 * n + 1], nodes[3 * n + 2]];
    if (bits[variable] === undefined)
      throw malformed(`node ${n} reads variable ${variable}, which is none of ${bits.length}`);
    if (!leads(low, variable) || !leads(high, variable)) {
      throw malformed(
        `node ${n} leads to ${low} and ${high}: each is a node that reads a later variable, or -q - 1 for a state q`,
      );
    }
  }
  for (let q = 0; q < states; q++) {
    if (!leads(roots[q], -1))
      throw malformed(`the root of state ${q} is ${roots[q]}, neither a node nor -q - 1 for a state q`);
  }
  const perState = (name: string, values: ArrayLike<number> | undefined, below: number, meaning: string) => {
    if (values === undefined) return;
    const wrong = Array.from(values).findIndex(
      (value) => !(Number.isInteger(value) && value >= 0 && value < below),
    );
    if (values.length !== states)
      throw malformed(`${name} has ${values.length} entries for ${states} states`);
    if (wrong >= 0) throw malformed(`${name} of state ${wrong} is ${values[wrong]}: expected ${meaning}`);
  };
  perState('passes', passes, states, `a state, 0 to ${states - 1}`);
  perState('absorbing', absorbing, 3, '0, 1 or 2');
}

/**
 * The chain with each self-loop's probability set to 1 minus the other entries. These define the chain, and in a product the
 * loop may become an ordinary entry. A loop is therefore added if they leave a remainder, and dropped if they leave none. A
 * state with an empty row gets a loop of probability 1 and is absorbing.
 */
function closed(chain: Csr, absorbing: BitSet): { chain: Csr; absorbing: BitSet } {
  const states = chain.rowStart.length - 1;
  for (let s = 0; s < states; s++) {
    const [start, end] = [chain.rowStart[s], chain.rowStart[s + 1]];
    const wrong = start > end || (s === 0 && start !== 0) || end > chain.columns.length;
    if (wrong || (s === states - 1 && end !== chain.columns.length))
      throw invalidModel(chain, Status.RowStart, s);
  }
  const rowStart = new Uint32Array(states + 1);
  const columns = new Uint32Array(chain.columns.length + states);
  const values = new Float64Array(columns.length);
  let size = 0;
  const append = (column: number, value: number) => {
    columns[size] = column;
    values[size++] = value;
  };
  for (let s = 0; s < states; s++) {
    const loop = loopOf(chain, s);
    let e = chain.rowStart[s];
    const end = chain.rowStart[s + 1];
    for (; e < end && (loop === undefined || chain.columns[e] < s); e++)
      append(chain.columns[e], chain.values[e]);
    if (loop !== undefined) {
      if (loop > 0) append(s, loop);
      for (; e < end; e++) if (chain.columns[e] !== s) append(chain.columns[e], chain.values[e]);
    }
    rowStart[s + 1] = size;
  }
  const empty = BitSet.where(states, (s) => chain.rowStart[s] === chain.rowStart[s + 1]);
  return {
    chain: { rowStart, columns: columns.slice(0, size), values: values.slice(0, size) },
    absorbing: absorbing.union(empty),
  };
}

/** 1 minus the other entries of a row, the nearest double; undefined for a row that is not a distribution, to be refused. */
function loopOf({ rowStart, columns, values }: Csr, s: number): number | undefined {
  let given = 0;
  const others: number[] = [];
  for (let e = rowStart[s]; e < rowStart[s + 1]; e++) {
    if (e > rowStart[s] && columns[e] <= columns[e - 1]) return undefined;
    if (!(values[e] >= SMALLEST_PROBABILITY && values[e] <= 1)) return undefined;
    if (columns[e] === s) given = values[e];
    else others.push(values[e]);
  }
  const { rest } = exactSum(others);
  if (rowStart[s] < rowStart[s + 1] && !(Math.abs(rest - given) <= ROW_SUM_TOLERANCE)) return undefined;
  return rest >= SMALLEST_PROBABILITY ? rest : 0;
}

/** Joins all automata into one: state q of automaton i becomes q + (states of earlier automata). */
function numberedThrough(
  automata: readonly LabelAutomaton[],
): Pick<ProductInput, 'roots' | 'nodes' | 'passes' | 'absorbs' | 'firstStates'> {
  const roots: number[] = [];
  const nodes: number[] = [];
  const passes: number[] = [];
  const absorbs: number[] = [];
  const firstStates: number[] = [];
  for (const automaton of automata) {
    const firstState = roots.length;
    const firstNode = nodes.length / 4;
    const shifted = (reference: number) => (reference < 0 ? reference - firstState : reference + firstNode);
    firstStates.push(firstState);
    for (let q = 0; q < automaton.states; q++) {
      roots.push(shifted(automaton.roots[q]));
      passes.push(firstState + (automaton.passes?.[q] ?? q));
      absorbs.push(automaton.absorbing?.[q] ?? 0);
    }
    for (let n = 0; n < automaton.nodes.length; n += 3) {
      const bit = automaton.bits[automaton.nodes[n]];
      nodes.push(
        bit >>> 5,
        1 << (bit & 31),
        shifted(automaton.nodes[n + 1]),
        shifted(automaton.nodes[n + 2]),
      );
    }
  }
  return {
    roots: Int32Array.from(roots),
    nodes: Int32Array.from(nodes),
    passes: Uint32Array.from(passes),
    absorbs: Uint32Array.from(absorbs),
    firstStates: Uint32Array.from(firstStates),
  };
}

function seedTuples(
  seeds: readonly ProductSeeds[],
  automata: readonly LabelAutomaton[],
  states: number,
  firstStates: Uint32Array,
): ProductInput['seeds'] {
  for (const { states: set, from } of seeds) {
    checkSets({ 'a set of seeds': set }, states, 'the chain');
    if (from.length % automata.length !== 0) {
      throw new InvalidArgumentError(
        `seeds come from ${from.length} automaton states: ${automata.length} for each tuple, one per automaton`,
      );
    }
    const wrong = Array.from(from).findIndex(
      (q, i) => !(Number.isInteger(q) && q >= 0 && q < automata[i % automata.length].states),
    );
    if (wrong >= 0) {
      const automaton = wrong % automata.length;
      throw new InvalidArgumentError(
        `a seed comes from state ${from[wrong]} of automaton ${automaton}, which has states 0 to ${automata[automaton].states - 1}`,
      );
    }
  }
  if (!seeds.some(({ states: set, from }) => from.length > 0 && set.count() > 0)) {
    throw new InvalidArgumentError(
      'a product needs a seed: a chain state, and a tuple of automaton states that enters it',
    );
  }
  return seeds.map(({ states: set, from }) => ({
    states: set,
    tuples: Uint32Array.from(from, (q, i) => firstStates[i % automata.length] + q),
  }));
}
