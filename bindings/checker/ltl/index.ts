export { cosafeReward, ltlProbability } from './ltlProbability.js';
export {
  cosafeReachability,
  type LtlOptions,
  type LtlReachability,
  ltlReachability,
} from './ltlReachability.js';
