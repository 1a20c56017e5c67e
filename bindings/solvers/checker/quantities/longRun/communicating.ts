import {
  type Components,
  type Csr,
  getKernel,
  type KernelChain,
  type MdpMatrix,
} from '../../../kernel/index.js';

/** Decision processes side by side, in each of which every state can be reached from every other. */
export interface Communicating extends MdpMatrix {
  /** The mean gain of each row when it is taken; negative for losses. */
  readonly gains: Float64Array;
  /** The component of each state, 0 to `count - 1`. */
  readonly componentOf: Uint32Array;
  readonly count: number;
}

/** The chain induced by a scheduler. */
export class ScheduledChain implements Disposable {
  readonly rows: Csr;
  readonly kernel: KernelChain;
  /** The components in which its runs end. */
  readonly bottom: Components;

  /** @param scheduler the row taken in each state */
  constructor(
    { rowStart, columns, values }: Communicating,
    readonly scheduler: Uint32Array,
  ) {
    const starts = new Uint32Array(scheduler.length + 1);
    scheduler.forEach((row, s) => {
      starts[s + 1] = starts[s] + rowStart[row + 1] - rowStart[row];
    });
    const size = starts[scheduler.length];
    this.rows = { rowStart: starts, columns: new Uint32Array(size), values: new Float64Array(size) };
    scheduler.forEach((row, s) => {
      this.rows.columns.set(columns.subarray(rowStart[row], rowStart[row + 1]), starts[s]);
      this.rows.values.set(values.subarray(rowStart[row], rowStart[row + 1]), starts[s]);
    });
    this.kernel = getKernel().chain(this.rows);
    this.bottom = this.kernel.bottomComponents();
  }

  [Symbol.dispose](): void {
    this.kernel.free();
  }
}
