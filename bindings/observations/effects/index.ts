export {
  ActionModel,
  type ActionModelOptions,
  createActionModel,
  OF_HISTORY,
  type Outcomes,
  type PredicateRole,
} from './actionModel.js';
export type { GivenArguments } from './condition.js';
export {
  type ArgumentValue,
  DECLARING,
  type DeclaredAction,
  type DeclaredActions,
  EFFECTS,
  type EffectKind,
  type EffectTargets,
} from './declaration.js';
export type { DeclaredCall, Possible } from './declaredCall.js';
export { checkEffect, checkRequirement } from './declaredTool.js';
export { PredicateIndex } from './names.js';
