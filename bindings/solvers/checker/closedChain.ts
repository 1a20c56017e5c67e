import { BitSet, type Csr, getKernel, type KernelChain } from '../kernel/index.js';

/**
 * A chain in which every state without data (an empty row) gets a self-loop, because solvers need a row for every state.
 * Callers decide the value of such a state: once 0, once 1.
 */
export interface ClosedChain extends Disposable {
  readonly states: number;
  readonly rows: Csr;
  readonly withoutData: BitSet;
  readonly kernel: KernelChain;
}

/** Closes a chain and hands it to the kernel. Free it with `using`. */
export function closeChain(rows: Csr): ClosedChain {
  const states = rows.rowStart.length - 1;
  const withoutData = BitSet.where(states, (s) => rows.rowStart[s] === rows.rowStart[s + 1]);
  const closed = withoutData.count() === 0 ? rows : withSelfLoops(rows, withoutData);
  const kernel = getKernel().chain(closed);
  return { states, rows: closed, withoutData, kernel, [Symbol.dispose]: () => kernel.free() };
}

/** Makes the states of a set absorbing. */
export function withSelfLoops({ rowStart, columns, values }: Csr, set: BitSet): Csr {
  const states = rowStart.length - 1;
  const starts = new Uint32Array(states + 1);
  const targets: number[] = [];
  const probabilities: number[] = [];
  for (let s = 0; s < states; s++) {
    if (set.has(s)) {
      targets.push(s);
      probabilities.push(1);
    } else {
      for (let i = rowStart[s]; i < rowStart[s + 1]; i++) {
        targets.push(columns[i]);
        probabilities.push(values[i]);
      }
    }
    starts[s + 1] = targets.length;
  }
  return { rowStart: starts, columns: Uint32Array.from(targets), values: Float64Array.from(probabilities) };
}
