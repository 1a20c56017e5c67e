/** A place in the kernel's memory; as WebAssembly hands it out, negative above 2 GiB. */
export type Pointer = number;

/** What assembly/index.ts exports. */
export interface KernelExports extends Record<string, unknown> {
  readonly memory: WebAssembly.Memory;
  allocate(bytes: number): Pointer;
  release(block: Pointer): void;

  chainBytes(states: number, transitions: number): number;
  layOutChain(block: Pointer, states: number, transitions: number): Pointer;
  rowStartOf(chain: Pointer): Pointer;
  columnsOf(chain: Pointer): Pointer;
  valuesOf(chain: Pointer): Pointer;
  faultyStateOf(chain: Pointer): number;
  checkChain(chain: Pointer): number;
  prepareChain(chain: Pointer): void;

  reachableFrom(chain: Pointer, seeds: Pointer, result: Pointer, frontier: Pointer): void;
  canReach(chain: Pointer, remain: Pointer, target: Pointer, result: Pointer, frontier: Pointer): void;
  prob0(chain: Pointer, remain: Pointer, target: Pointer, result: Pointer, frontier: Pointer): void;
  prob1(
    chain: Pointer,
    remain: Pointer,
    target: Pointer,
    zero: Pointer,
    result: Pointer,
    through: Pointer,
    frontier: Pointer,
  ): void;
  componentsScratchBytes(states: number): number;
  components(
    chain: Pointer,
    subset: Pointer,
    order: Pointer,
    start: Pointer,
    componentOf: Pointer,
    scratch: Pointer,
  ): number;

  untilBytes(states: number): number;
  layOutUntil(block: Pointer, chain: Pointer): Pointer;
  remainOf(until: Pointer): Pointer;
  targetOf(until: Pointer): Pointer;
  boundsOf(until: Pointer): Pointer;
  componentStartOf(until: Pointer): Pointer;
  classify(until: Pointer): number;
  solveSingletons(until: Pointer, first: number, last: number): void;
  widestGap(until: Pointer, first: number, last: number, relative: boolean): number;
  inheritedGap(until: Pointer, component: number, relative: boolean): number;
  intervalSweeps(until: Pointer, component: number, from: number, count: number): number;
  valueSweep(until: Pointer, component: number, relative: boolean): number;

  eliminationBytes(states: number): number;
  setUpElimination(until: Pointer, component: number, matrix: Pointer): void;
  eliminate(matrix: Pointer, states: number, from: number, count: number): number;
  substitute(until: Pointer, component: number, matrix: Pointer): number;

  step(chain: Pointer, active: Pointer, from: Pointer, to: Pointer): number;
}
