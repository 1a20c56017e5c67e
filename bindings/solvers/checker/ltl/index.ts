export { cosafeReward, ltlProbability, type ProductSolver } from './ltlProbability.js';
export {
  cosafeReachability,
  type LtlOptions,
  type LtlReachability,
  ltlReachability,
} from './ltlReachability.js';
export type { StateProduct } from './multiply.js';
