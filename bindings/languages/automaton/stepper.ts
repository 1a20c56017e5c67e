import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import type { Automaton } from './automaton.js';

/** Steps an automaton on packed valuations; created by `bindAutomaton`. */
export class Stepper {
  /** Quadruples: word, mask, reference if the bit is 0, reference if it is 1. */
  readonly #nodes: Int32Array;
  readonly #roots: Int32Array;

  constructor(nodes: Int32Array, roots: Int32Array) {
    this.#nodes = nodes;
    this.#roots = roots;
  }

  /**
   * Returns the state after reading one valuation in state `q`. Tests each predicate at most once and allocates nothing.
   *
   * @param valuation Predicate i is bit i & 31 of word offset + (i >>> 5).
   * @param offset Word where the valuation starts; default 0.
   */
  step(q: number, valuation: Uint32Array, offset = 0): number {
    const nodes = this.#nodes;
    let reference = this.#roots[q];
    while (reference >= 0) {
      const at = reference << 2;
      reference = (valuation[offset + nodes[at]] & nodes[at + 1]) === 0 ? nodes[at + 2] : nodes[at + 3];
    }
    return -reference - 1;
  }
}

/**
 * Binds an automaton to the predicates of an abstraction, by name.
 *
 * @param predicates Names in the order of their bits in a valuation.
 * @throws InvalidArgumentError if a predicate is missing, or the automaton is malformed: a reference out of range, or a
 * node whose child does not read a later predicate.
 */
export function bindAutomaton(automaton: Automaton, predicates: readonly string[]): Stepper {
  const { nodes, roots, states } = automaton;
  const bits = automaton.predicates.map((name) => {
    const bit = predicates.indexOf(name);
    if (bit >= 0) return bit;
    const nearest = nearestName(name, predicates);
    throw new InvalidArgumentError(
      `the rule reads predicate "${name}", which the abstraction does not have${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
    );
  });
  const count = nodes.length / 3;
  const sound = (reference: number, above: number): boolean =>
    Number.isInteger(reference) &&
    (reference < 0 ? reference >= -states : reference < count && nodes[3 * reference] > above);
  let wellFormed = Number.isInteger(count) && roots.length === states;
  for (let n = 0; wellFormed && n < count; n++) {
    const variable = nodes[3 * n];
    wellFormed =
      bits[variable] !== undefined && sound(nodes[3 * n + 1], variable) && sound(nodes[3 * n + 2], variable);
  }
  for (let q = 0; wellFormed && q < states; q++) wellFormed = sound(roots[q], -1);
  if (!wellFormed) {
    throw new InvalidArgumentError(
      'the automaton is malformed: a reference of its decision diagram leads nowhere',
    );
  }
  const packed = new Int32Array(4 * count);
  for (let n = 0; n < count; n++) {
    const bit = bits[nodes[3 * n]];
    packed[4 * n] = bit >>> 5;
    packed[4 * n + 1] = 1 << (bit & 31);
    packed[4 * n + 2] = nodes[3 * n + 1];
    packed[4 * n + 3] = nodes[3 * n + 2];
  }
  return new Stepper(packed, Int32Array.from(roots));
}
