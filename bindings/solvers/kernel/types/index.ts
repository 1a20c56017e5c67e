export type { ChainRewards, Components, Csr, KernelChain } from './chain.js';
export type {
  IntervalCsr,
  IntervalMdpMatrix,
  KernelIntervalChain,
  KernelIntervalMdp,
  KernelIntervalModel,
  Players,
  RobustOptions,
} from './interval.js';
export type { Kernel } from './kernel.js';
export type { Direction, EndComponents, KernelMdp, MdpMatrix, MdpRewards, OptimalSolution } from './mdp.js';
export type { BackOptions, SolveMethod, SolveOptions, StepOptions, WindowOptions } from './options.js';
export { SOLVE_METHODS } from './options.js';
export type {
  KernelProduct,
  LabelAutomaton,
  LabelledChain,
  ProductOptions,
  ProductSeeds,
} from './product.js';
export type { Accuracy, Solution } from './solution.js';
export type { AddedStates, KernelSolver, Resolved, RowUpdate } from './solver.js';
