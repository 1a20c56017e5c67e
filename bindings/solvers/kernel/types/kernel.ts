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
   * Copies a chain in and checks it.
   * @throws InvalidModelError on a row that does not sum to 1 within 1e-9, entries above 1 or below 2^-500, unsorted,
   * duplicate or out-of-range columns, or an empty row.
   * @throws KernelError if there is not enough memory for it.
   */
  chain(matrix: Csr): KernelChain;
  /**
   * Builds the product of a chain and deterministic automata, as far as `seeds` lead: in time and memory linear in the
   * transitions found. A probability is that of its chain row; a self-loop has what the other entries leave of 1, and is there, and
   * read by the automata, exactly where they leave something.
   * @throws InvalidModelError as `chain`, for rows that are not empty.
   * @throws InvalidArgumentError for automata that are malformed, sets or arrays over other numbers of states, or no seed.
   * @throws KernelError if there is not enough memory for it, or it has more than `maxStates` states: the message says how many
   * were found and what they would need.
   */
  product(
    chain: LabelledChain,
    automata: readonly LabelAutomaton[],
    seeds: readonly ProductSeeds[],
    options?: ProductOptions,
  ): KernelProduct;
  /**
   * Copies a Markov decision process in and checks it, in time linear in its transitions. A self-loop's probability is what the
   * other entries of its row leave of 1.
   * @throws InvalidModelError as `chain`, and for a state without a choice or row groups that do not cover the rows; the message
   * names the state, and which of its choices.
   * @throws InvalidArgumentError for arrays of another type.
   * @throws KernelError if there is not enough memory for it.
   * @see Puterman (1994), Markov decision processes, doi:10.1002/9780470316887
   */
  mdp(matrix: MdpMatrix): KernelMdp;
  /**
   * Copies an interval chain in, one row a state, and checks it, in time linear in its entries.
   * @throws InvalidModelError on bounds that are NaN, negative, above 1 or crossed, rows without a distribution inside their
   * bounds, a centre outside them or that is no distribution, a radius that is NaN or negative, and what `chain` refuses about
   * columns and rows; the message names the state.
   * @throws InvalidArgumentError for arrays of another type.
   * @throws KernelError if there is not enough memory for it.
   * @see Givan, Leach, Dean (2000), doi:10.1016/S0004-3702(00)00047-3
   */
  intervalChain(matrix: IntervalCsr): KernelIntervalChain;
  /**
   * The same for an interval MDP, some rows a state.
   * @throws InvalidModelError also on a state without a row, or row groups that do not cover the rows; the message names row and
   * state. Otherwise as `intervalChain`.
   */
  intervalMdp(matrix: IntervalMdpMatrix): KernelIntervalMdp;
  /** Bytes of memory the kernel holds now. */
  memoryBytes(): number;
}
