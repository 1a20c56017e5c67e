import type { Csr, KernelChain } from './chain.js';
import type { IntervalCsr, IntervalMdpMatrix, KernelIntervalChain, KernelIntervalMdp } from './interval.js';
import type { KernelMdp, MdpMatrix } from './mdp.js';
import type {
  KernelProduct,
  LabelAutomaton,
  LabelledChain,
  ProductOptions,
  ProductSeeds,
} from './product.js';

/** Numerical work on sparse models, by WebAssembly. */
export interface Kernel {
  /**
   * Copies a chain into the kernel and checks it.
   * @throws InvalidModelError on a row that does not sum to 1 within 1e-9, entries above 1 or below 2^-500, unsorted,
   * duplicate or out-of-range columns, or an empty row.
   * @throws KernelError if memory does not suffice.
   */
  chain(matrix: Csr): KernelChain;
  /**
   * Builds the product of a chain and deterministic automata, restricted to the states reachable from `seeds`. Takes time and
   * memory linear in the transitions found. Each probability is that of the chain's row. A self-loop gets 1 minus the other
   * entries of its row; it exists, and automata read it, exactly if that remainder is positive.
   * @throws InvalidModelError as `chain`, for non-empty rows.
   * @throws InvalidArgumentError for automata that are malformed, sets or arrays over other numbers of states, or no seed.
   * @throws KernelError if memory does not suffice, or the product has more than `maxStates` states. The message gives the
   * number found and the memory they would need.
   */
  product(
    chain: LabelledChain,
    automata: readonly LabelAutomaton[],
    seeds: readonly ProductSeeds[],
    options?: ProductOptions,
  ): KernelProduct;
  /**
   * Copies a Markov decision process into the kernel and checks it, in time linear in its transitions. A self-loop's
   * probability is 1 minus the other entries of its row.
   * @throws InvalidModelError as `chain`, and for a state without a choice or row groups that do not cover the rows; the
   * message names the state and its choice.
   * @throws InvalidArgumentError for arrays of another type.
   * @throws KernelError if memory does not suffice.
   * @see Puterman (1994), Markov decision processes, doi:10.1002/9780470316887
   */
  mdp(matrix: MdpMatrix): KernelMdp;
  /**
   * Copies an interval chain into the kernel, one row per state, and checks it, in time linear in its entries.
   * @throws InvalidModelError on bounds that are NaN, negative, above 1 or crossed, rows without a distribution inside their
   * bounds, a centre that lies outside them or is not a distribution, a radius that is NaN or negative, and the column and row
   * faults that `chain` refuses. The message names the state.
   * @throws InvalidArgumentError for arrays of another type.
   * @throws KernelError if memory does not suffice.
   * @see Givan, Leach, Dean (2000), doi:10.1016/S0004-3702(00)00047-3
   */
  intervalChain(matrix: IntervalCsr): KernelIntervalChain;
  /**
   * Copies an interval MDP into the kernel, one or more rows per state, and checks it.
   * @throws InvalidModelError also on a state without a row, or row groups that do not cover the rows; the message names row and
   * state. Otherwise as `intervalChain`.
   */
  intervalMdp(matrix: IntervalMdpMatrix): KernelIntervalMdp;
  /** Bytes of memory that the kernel currently holds. */
  memoryBytes(): number;
}
