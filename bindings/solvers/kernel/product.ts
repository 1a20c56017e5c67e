import { InvalidArgumentError, KernelError } from '../../base/errors.js';
import { WorkBudget } from '../../base/workBudget.js';
import { ownChain } from './chain.js';
import type { Engine, ProductParts, ProductProblem } from './engine.js';
import { invalidModel } from './invalidModel.js';
import { productInput } from './productInput.js';
import type {
  Csr,
  KernelChain,
  KernelProduct,
  LabelAutomaton,
  LabelledChain,
  ProductOptions,
  ProductSeeds,
} from './types/index.js';

/** Transitions to find between two checks of the signal: some milliseconds. */
const PRODUCT_SLICE = 1 << 16;

/** The largest WebAssembly memory. Both kernels refuse a product that does not fit. */
const MEMORY_END = 2 ** 32;

/** Peak memory per transition while building, measured on products of millions of states. */
const BYTES_A_TRANSITION = 40;

/** Builds a product slice by slice; the handle owns the engine's data. */
export function openProduct(
  engine: Engine,
  chain: LabelledChain,
  automata: readonly LabelAutomaton[],
  seeds: readonly ProductSeeds[],
  options: ProductOptions = {},
): KernelProduct {
  const { maxStates = MEMORY_END, withMatrix = false } = options;
  if (!(Number.isSafeInteger(maxStates) && maxStates >= 1)) {
    throw new InvalidArgumentError(`maxStates is ${maxStates}: it is a whole number, at least 1`);
  }
  const input = productInput(chain, automata, seeds);
  const budget = new WorkBudget({ slice: PRODUCT_SLICE }, options);
  const tuples = automata.reduce((all, { states }) => all * states, 1);
  const most = { states: tuples * (chain.rowStart.length - 1), transitions: tuples * chain.columns.length };
  const problem = engine.openProduct(input);
  if ('status' in problem) throw invalidModel(input.chain, problem.status, problem.state);
  try {
    for (let unfinished = true; unfinished; ) {
      unfinished = problem.explore(PRODUCT_SLICE);
      refuseTooLarge(problem, maxStates, most);
      const { states, followed, transitions } = problem;
      budget.charge(PRODUCT_SLICE, () => ({ states, followed, transitions }));
    }
    const { transitions } = problem;
    return new ProductHandle(problem.finish(withMatrix), transitions, input.firstStates);
  } finally {
    problem.close();
  }
}

/** @param most the largest possible product: all combinations of a chain state and automaton states, each with its chain row. */
function refuseTooLarge(
  { states, followed, transitions, bytes }: ProductProblem,
  maxStates: number,
  most: { readonly states: number; readonly transitions: number },
): void {
  if (states <= maxStates && bytes < MEMORY_END) return;
  const found = `${states} states and ${transitions} transitions were found, with ${states - followed} states still to be followed`;
  const limit =
    states > maxStates
      ? `more than maxStates = ${maxStates} states; what was found needs ${bytes} bytes`
      : `too large: what was found needs ${bytes} bytes, and a WebAssembly memory ends at 4 GiB`;
  const all = `all ${most.states} combinations of a chain state and automaton states would need about ${gibibytes(most.transitions * BYTES_A_TRANSITION)} GiB`;
  throw new KernelError(
    `the product is ${limit} (${found}; ${all}): start from fewer seeds, build one product per automaton, or shorten the windows of the formulas`,
  );
}

function gibibytes(bytes: number): string {
  return (bytes / 2 ** 30).toPrecision(2);
}

/** The product's chain, which does all the work, and the origin of its states. */
class ProductHandle implements KernelProduct {
  readonly chain: KernelChain;
  readonly chainState: Uint32Array;
  readonly automatonState: readonly Uint32Array[];
  readonly matrix: Csr | null;

  constructor(parts: ProductParts, transitions: number, firstStates: Uint32Array) {
    this.chain = ownChain(parts.chain, parts.chainState.length, transitions);
    this.chainState = parts.chainState;
    this.automatonState = parts.automatonState;
    this.matrix = parts.matrix;
    for (const [i, states] of parts.automatonState.entries()) {
      const first = firstStates[i];
      if (first > 0) for (let node = 0; node < states.length; node++) states[node] -= first;
    }
  }

  find(chainState: number, automatonStates: ArrayLike<number>): number {
    if (automatonStates.length !== this.automatonState.length) {
      throw new InvalidArgumentError(
        `${automatonStates.length} automaton states: this product has ${this.automatonState.length} automata`,
      );
    }
    let [low, high] = [0, this.chainState.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, chainState, automatonStates) < 0) low = middle + 1;
      else high = middle;
    }
    const found = low < this.chainState.length && this.#compare(low, chainState, automatonStates) === 0;
    return found ? low : -1;
  }

  free(): void {
    this.chain.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** Negative, 0 or positive if a product state comes before, is, or comes after the state with these parts. */
  #compare(node: number, chainState: number, automatonStates: ArrayLike<number>): number {
    let difference = this.chainState[node] - chainState;
    for (let i = 0; difference === 0 && i < automatonStates.length; i++)
      difference = this.automatonState[i][node] - automatonStates[i];
    return difference;
  }
}
