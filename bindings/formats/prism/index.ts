export { parsePrismModel } from './parsePrismModel.js';
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
