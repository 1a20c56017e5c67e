export { allocate, release } from "./memory";
export {
  chainBytes,
  layOutChain,
  rowStartOf,
  columnsOf,
  valuesOf,
  faultyStateOf,
  checkChain,
  prepareChain,
} from "./sparse/csr";
export { reachableFrom, canReach } from "./graph/reach";
export { prob0, prob1 } from "./graph/prob01";
export { components, componentsScratchBytes } from "./graph/scc";
export {
  untilBytes,
  layOutUntil,
  remainOf,
  targetOf,
  boundsOf,
  componentStartOf,
  classify,
} from "./solve/until";
export { solveSingletons, widestGap, inheritedGap } from "./solve/topological";
export { intervalSweep, intervalSweeps } from "./solve/intervalIteration";
export { valueSweep } from "./solve/valueIteration";
export { eliminationBytes, setUpElimination, eliminate, censor, substitute } from "./solve/elimination";
export { step } from "./solve/stepBounded";
