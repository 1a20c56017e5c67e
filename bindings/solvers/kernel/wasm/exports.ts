/** An address in the kernel's memory; WebAssembly returns it as a signed number, negative above 2 GiB. */
export type Pointer = number;

/** The exports of assembly/index.ts. */
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
  solveSmall(until: Pointer, first: number, last: number): number;
  widestGap(until: Pointer, first: number, last: number, relative: boolean): number;
  inheritedGap(until: Pointer, component: number, relative: boolean): number;
  intervalSweeps(until: Pointer, component: number, from: number, count: number): number;
  valueSweep(until: Pointer, component: number, relative: boolean): number;

  eliminationBytes(states: number): number;
  setUpElimination(until: Pointer, component: number, matrix: Pointer): void;
  eliminate(matrix: Pointer, states: number, from: number, count: number): number;
  substitute(until: Pointer, component: number, matrix: Pointer): number;
  substituteMatrix(matrix: Pointer, states: number): number;

  rowBlocksBytes(states: number, entries: number): number;
  buildRowBlocks(block: Pointer, until: Pointer, component: number, states: number, entries: number): Pointer;
  rowBlocksSweeps(runs: Pointer, from: number, count: number): number;
  rowBlocksGap(runs: Pointer, relative: boolean): number;
  storeRowBlocks(runs: Pointer, until: Pointer): void;
  loadBounds(runs: Pointer, bounds: Pointer): void;
  warmStartSweeps(runs: Pointer, count: number): number;
  warmStartSweep(runs: Pointer): number;

  sparseBytes(states: number, rowRoom: number, predecessorRoom: number): number;
  layOutSparse(block: Pointer, states: number, rowRoom: number, predecessorRoom: number): Pointer;
  innerEntries(until: Pointer, component: number): number;
  setUpSparse(until: Pointer, component: number, sparse: Pointer): void;
  moveSparse(from: Pointer, to: Pointer): void;
  sparseEntries(sparse: Pointer): number;
  sparseRemaining(sparse: Pointer): number;
  sparseWork(sparse: Pointer): number;
  eliminateSparse(sparse: Pointer, work: number): number;
  setUpRest(sparse: Pointer, matrix: Pointer): void;
  takeRest(sparse: Pointer, matrix: Pointer): void;
  substituteSparse(until: Pointer, component: number, sparse: Pointer): number;

  step(chain: Pointer, active: Pointer, gain: Pointer, largest: number, from: Pointer, to: Pointer): number;

  gains(
    chain: Pointer,
    states: Pointer,
    rowStart: Pointer,
    columns: Pointer,
    values: Pointer,
    result: Pointer,
  ): void;
  systemBytes(chain: Pointer, transposed: boolean): number;
  layOutSystem(block: Pointer, chain: Pointer, transposed: boolean): Pointer;
  unknownOf(system: Pointer): Pointer;
  gainOf(system: Pointer): Pointer;
  divideSystem(system: Pointer): number;
  arrivals(system: Pointer, set: Pointer, result: Pointer): void;
  systemSweeps(system: Pointer, component: number, from: number, count: number): number;
  systemValueSweep(system: Pointer, component: number, relative: boolean): number;
  solveSmallSystem(system: Pointer, first: number, last: number): number;
  setUpSystem(system: Pointer, component: number, matrix: Pointer): void;
  substituteSystem(system: Pointer, component: number, matrix: Pointer): number;
  addGains(system: Pointer, component: number, sparse: Pointer): void;
  substituteSparseSystem(system: Pointer, component: number, sparse: Pointer): number;

  solverBytes(states: number, entries: number, links: number, places: number): number;
  layOutSolver(block: Pointer, states: number, entries: number, links: number, places: number): Pointer;
  adopt(solver: Pointer, from: Pointer, components: number): void;
  copyRows(to: Pointer, from: Pointer): void;
  hasRoom(solver: Pointer, states: number, entries: number): number;
  untilOf(solver: Pointer): Pointer;
  boundsBefore(solver: Pointer): Pointer;
  chainOf(solver: Pointer): Pointer;
  chainOfUntil(until: Pointer): Pointer;
  componentsOf(solver: Pointer): number;
  componentSize(solver: Pointer, component: number): number;
  entriesOf(chain: Pointer): number;
  solvedStatesOf(solver: Pointer): number;
  solvedComponentsOf(solver: Pointer): number;
  replaceRows(
    solver: Pointer,
    count: number,
    rows: Pointer,
    rowStart: Pointer,
    columns: Pointer,
    values: Pointer,
  ): void;
  addStates(
    solver: Pointer,
    count: number,
    remain: Pointer,
    target: Pointer,
    rowStart: Pointer,
    columns: Pointer,
    values: Pointer,
  ): void;
  reviseGraph(solver: Pointer): void;
  beginUpdate(solver: Pointer): void;
  nextComponent(solver: Pointer, small: number, tolerance: number, relative: boolean, work: number): number;
  settle(solver: Pointer, component: number, tolerance: number, relative: boolean): void;
  finishUpdate(solver: Pointer, relative: boolean): number;

  bottomComponents(chain: Pointer, count: number, componentOf: Pointer, numbers: Pointer): number;
  reachableThrough(
    chain: Pointer,
    through: Pointer,
    seeds: Pointer,
    result: Pointer,
    frontier: Pointer,
  ): void;

  productBytes(
    states: number,
    words: number,
    automata: number,
    automatonStates: number,
    nodes: number,
  ): number;
  layOutProduct(
    block: Pointer,
    chain: Pointer,
    words: number,
    automata: number,
    automatonStates: number,
    nodes: number,
  ): Pointer;
  valuationsOf(product: Pointer): Pointer;
  productStates(product: Pointer): number;
  productTransitions(product: Pointer): number;
  followedStates(product: Pointer): number;
  recordChunkBytes(product: Pointer): number;
  successorChunkBytes(): number;
  addRecords(product: Pointer, chunk: Pointer): number;
  addSuccessors(product: Pointer, chunk: Pointer): number;
  rehash(product: Pointer, table: Pointer, slots: number): void;
  enterSeeds(product: Pointer, state: number, tuples: Pointer, first: number, count: number): number;
  explore(product: Pointer, work: number): number;
  countUp(order: Pointer, count: number): void;
  sortBy(
    product: Pointer,
    position: number,
    range: number,
    from: Pointer,
    to: Pointer,
    starts: Pointer,
  ): void;
  placesOf(order: Pointer, places: Pointer, count: number): void;
  gather(product: Pointer, position: number, order: Pointer, into: Pointer): void;
  fillRows(
    product: Pointer,
    chain: Pointer,
    order: Pointer,
    places: Pointer,
    first: number,
    last: number,
  ): void;

  mdpBytes(states: number, rows: number, transitions: number): number;
  layOutMdp(block: Pointer, states: number, rows: number, transitions: number): Pointer;
  mdpGroupStartOf(mdp: Pointer): Pointer;
  mdpRowStartOf(mdp: Pointer): Pointer;
  mdpColumnsOf(mdp: Pointer): Pointer;
  mdpValuesOf(mdp: Pointer): Pointer;
  mdpFaultyStateOf(mdp: Pointer): number;
  mdpFaultyRowOf(mdp: Pointer): number;
  checkMdp(mdp: Pointer): number;
  prepareMdp(mdp: Pointer): void;
  attract(
    mdp: Pointer,
    remain: Pointer,
    seeds: Pointer,
    rows: Pointer,
    result: Pointer,
    choices: Pointer,
    frontier: Pointer,
  ): void;
  attractAlways(
    mdp: Pointer,
    remain: Pointer,
    target: Pointer,
    result: Pointer,
    waiting: Pointer,
    hit: Pointer,
    frontier: Pointer,
  ): void;
  rowsInside(mdp: Pointer, subset: Pointer, result: Pointer): void;
  almostSureScratchBytes(states: number, rows: number): number;
  almostSure(
    mdp: Pointer,
    remain: Pointer,
    target: Pointer,
    rows: Pointer,
    result: Pointer,
    choices: Pointer,
    scratch: Pointer,
  ): void;
  subgraphBytes(states: number, transitions: number): number;
  subgraph(mdp: Pointer, subset: Pointer, rows: Pointer, block: Pointer): Pointer;
  endComponentsScratchBytes(states: number, rows: number, transitions: number): number;
  endComponents(
    mdp: Pointer,
    subset: Pointer,
    rows: Pointer,
    endComponentOf: Pointer,
    inside: Pointer,
    scratch: Pointer,
  ): number;

  planBytes(mdp: Pointer, blocks: number, members: number, rewarded: boolean): number;
  layOutPlan(block: Pointer, mdp: Pointer, blocks: number, members: number, rewarded: boolean): Pointer;
  planMemberStartOf(plan: Pointer): Pointer;
  planMembersOf(plan: Pointer): Pointer;
  planRowsOf(plan: Pointer): Pointer;
  planOneOf(plan: Pointer): Pointer;
  planRewardsOf(plan: Pointer): Pointer;
  measureQuotient(plan: Pointer): number;
  buildQuotient(plan: Pointer, maximise: boolean, upper: number, block: Pointer): Pointer;
  quotientBoundsOf(quotient: Pointer): Pointer;
  quotientGroupStartOf(quotient: Pointer): Pointer;
  quotientRowStartOf(quotient: Pointer): Pointer;
  quotientColumnsOf(quotient: Pointer): Pointer;
  quotientValuesOf(quotient: Pointer): Pointer;
  quotientExitOf(quotient: Pointer): Pointer;
  quotientTermsOf(quotient: Pointer): Pointer;
  quotientChosenOf(quotient: Pointer): Pointer;
  chosenRows(quotient: Pointer, rows: Pointer): void;
  optimiseSweeps(quotient: Pointer, first: number, last: number, from: number, count: number): number;
  guessUpper(quotient: Pointer, first: number, last: number, factor: number): void;
  forgetUpper(quotient: Pointer, first: number, last: number): void;
  verifySweep(quotient: Pointer, first: number, last: number): number;
  adoptBounds(quotient: Pointer, first: number, last: number, values: Pointer, above: boolean): number;
  outerGains(quotient: Pointer, first: number, last: number, gains: Pointer, leaving: Pointer): void;
  optimiseValues(quotient: Pointer, first: number, last: number, relative: boolean): number;
  optimumGap(quotient: Pointer, first: number, last: number, offset: number, slope: number): number;
  inheritedOptimumGap(quotient: Pointer, first: number, last: number, offset: number, slope: number): number;
  optimalStep(
    mdp: Pointer,
    active: Pointer,
    gain: Pointer,
    largest: number,
    from: Pointer,
    to: Pointer,
    maximise: boolean,
  ): number;

  intervalsBytes(states: number, rows: number, entries: number, longest: number): number;
  layOutIntervals(block: Pointer, states: number, rows: number, entries: number, longest: number): Pointer;
  intervalArray(model: Pointer, array: number): Pointer;
  prepareIntervals(model: Pointer): void;
  robustScratchBytes(states: number): number;
  robustProb0(
    model: Pointer,
    remain: Pointer,
    target: Pointer,
    schedulerMax: boolean,
    natureMax: boolean,
    result: Pointer,
    scratch: Pointer,
  ): void;
  robustProb1(
    model: Pointer,
    remain: Pointer,
    target: Pointer,
    schedulerMax: boolean,
    natureMax: boolean,
    rows: Pointer,
    result: Pointer,
    scratch: Pointer,
  ): void;
  robustStep(
    model: Pointer,
    active: Pointer,
    gain: Pointer,
    largest: number,
    from: Pointer,
    to: Pointer,
    schedulerMax: boolean,
    natureMax: boolean,
  ): number;
  rowDistributions(model: Pointer, values: Pointer, maximise: boolean, result: Pointer): void;
  robustUntilBytes(model: Pointer, rewarded: boolean): number;
  layOutRobustUntil(
    block: Pointer,
    model: Pointer,
    schedulerMax: boolean,
    natureMax: boolean,
    rewarded: boolean,
  ): Pointer;
  robustArray(until: Pointer, array: number): Pointer;
  classifyRobust(until: Pointer): number;
  robustSweeps(until: Pointer, component: number, from: number, count: number): number;
  findEndComponents(until: Pointer, component: number): void;
  trialSweep(until: Pointer, component: number, more: number): number;
  scaleTrial(until: Pointer, component: number, factor: number, added: number): void;
  widestRobustGap(until: Pointer, first: number, last: number, offset: number, slope: number): number;
  inheritedRobustGap(until: Pointer, component: number, offset: number, slope: number): number;
}
