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
export { transpose } from "./sparse/transpose";
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
export { solveSmall, widestGap, inheritedGap } from "./solve/topological";
export { intervalSweep, intervalSweeps } from "./solve/intervalIteration";
export { valueSweep } from "./solve/valueIteration";
export { eliminationBytes, setUpElimination, eliminate, censor, substitute, substituteMatrix } from "./solve/elimination";
export { sparseBytes, layOutSparse, moveSparse, sparseEntries, sparseRemaining, sparseWork } from "./solve/sparseRows";
export { eliminateSparse, censorSparse, addRow } from "./solve/sparseElimination";
export { innerEntries, setUpSparse, setUpRest, takeRest, substituteSparse } from "./solve/sparseSolution";
export {
  rowBlocksBytes,
  buildRowBlocks,
  rowBlocksSweeps,
  sweepForward,
  sweepBackward,
  sweepRun,
  rowBlocksGap,
  storeRowBlocks,
} from "./solve/rowBlocks";
export { loadBounds, warmStartSweeps, warmStartSweep } from "./solve/warmStart";
export { step } from "./solve/stepBounded";
export { gains } from "./solve/gain";
export { systemBytes, layOutSystem, unknownOf, gainOf, divideSystem, arrivals } from "./solve/system";
export { systemSweep, systemSweeps, guessSweep, systemValueSweep } from "./solve/systemIteration";
export { solveSmallSystem, setUpSystem, substituteSystem, addGains, substituteSparseSystem } from "./solve/systemElimination";
export { bottomComponents } from "./graph/bottom";
export { reachableThrough } from "./graph/reach";
export {
  productBytes,
  layOutProduct,
  valuationsOf,
  productStates,
  productTransitions,
  followedStates,
  recordChunkBytes,
  successorChunkBytes,
  addRecords,
  addSuccessors,
  rehash,
  enterSeeds,
  explore,
} from "./product/product";
export { countUp, sortBy, placesOf, gather, fillRows } from "./product/rows";
export {
  mdpBytes,
  layOutMdp,
  mdpGroupStartOf,
  mdpRowStartOf,
  mdpColumnsOf,
  mdpValuesOf,
  mdpFaultyStateOf,
  mdpFaultyRowOf,
  checkMdp,
  prepareMdp,
} from "./sparse/mdp";
export { attract, attractAlways } from "./graph/attract";
export { rowsInside } from "./graph/subMdp";
export { almostSure, almostSureScratchBytes } from "./graph/almostSure";
export { subgraph, subgraphBytes } from "./graph/subgraph";
export { endComponents, endComponentsScratchBytes } from "./graph/endComponents";
export {
  planBytes,
  layOutPlan,
  planMemberStartOf,
  planMembersOf,
  planRowsOf,
  planOneOf,
  planRewardsOf,
  measureQuotient,
  buildQuotient,
  quotientBoundsOf,
  quotientGroupStartOf,
  quotientRowStartOf,
  quotientColumnsOf,
  quotientValuesOf,
  quotientExitOf,
  quotientTermsOf,
  quotientChosenOf,
  chosenRows,
} from "./solve/quotient";
export {
  optimiseSweeps,
  maximiseSweep,
  minimiseSweep,
  guessUpper,
  forgetUpper,
  verifySweep,
  adoptBounds,
  outerGains,
  optimiseValues,
  optimumGap,
  inheritedOptimumGap,
} from "./solve/optimise";
export { optimalStep } from "./solve/optimalStep";
export {
  solverBytes,
  layOutSolver,
  adopt,
  copyRows,
  hasRoom,
  untilOf,
  chainOf,
  chainOfUntil,
  boundsBefore,
  componentsOf,
  componentSize,
  entriesOf,
  solvedStatesOf,
  solvedComponentsOf,
} from "./incremental/solver";
export { replaceRows, addStates } from "./incremental/rows";
export { reviseGraph } from "./incremental/upstream";
export { beginUpdate, nextComponent, settle, finishUpdate } from "./incremental/settle";
export { intervalsBytes, layOutIntervals, intervalArray, prepareIntervals } from "./sparse/intervals";
export { robustProb0, robustProb1, robustScratchBytes } from "./graph/intervalGraph";
export { optimise, lowerByRow, upperByRow, robustStep, rowDistributions } from "./solve/intervalRow";
export {
  robustUntilBytes,
  layOutRobustUntil,
  robustArray,
  classifyRobust,
  widestRobustGap,
  inheritedRobustGap,
} from "./solve/robustUntil";
export { robustSweep, robustSweeps, scaleTrial, trialSweep } from "./solve/robustSweeps";
export { findEndComponents } from "./solve/robustExits";
