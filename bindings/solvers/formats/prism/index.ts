export { parseModel } from './parseModel.js';
export { printModel } from './printModel.js';
export type {
  Assignment,
  Command,
  PrismModel,
  PrismModule,
  ProbabilityInterval,
  RewardDeclaration,
  RewardItem,
  SystemExpression,
  Update,
  VariableDeclaration,
} from './prismModel.js';
