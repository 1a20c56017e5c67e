export { BitSet } from './bitSet.js';
export { NO_COMPONENT } from './components.js';
export { type GeneratedModule, instantiateGenerated } from './generatedModule.js';
export { getKernel, init } from './registry.js';
export { lostInSum } from './twoSum.js';
export type {
  Accuracy,
  AddedStates,
  BackOptions,
  ChainRewards,
  Components,
  Csr,
  Direction,
  EndComponents,
  IntervalCsr,
  IntervalMdpMatrix,
  Kernel,
  KernelChain,
  KernelIntervalChain,
  KernelIntervalMdp,
  KernelIntervalModel,
  KernelMdp,
  KernelProduct,
  KernelSolver,
  LabelAutomaton,
  LabelledChain,
  MdpMatrix,
  MdpRewards,
  OptimalSolution,
  Players,
  ProductOptions,
  ProductSeeds,
  Resolved,
  RobustOptions,
  RowUpdate,
  Solution,
  SolveMethod,
  SolveOptions,
  StepOptions,
  WindowOptions,
} from './types/index.js';
export { SOLVE_METHODS } from './types/index.js';
export type { ModuleSource } from './wasm/module.js';
