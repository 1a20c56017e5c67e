/** What the package offers, whichever way its kernel was loaded. */
export {
  Abstraction,
  type AbstractionDefinition,
  type ActionDefinition,
  type ConstraintDefinitions,
  fromConditions,
  fromTask,
  type GeneratedRule,
  type PredicateDefinition,
  type ValuationTable,
} from './abstraction/index.js';
export {
  type AtEnd,
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  LtlAutomaton,
  type LtlFormula,
  type LtlGuess,
  type LtlLetters,
  LtlLimitAutomaton,
  type LtlTerm,
  type LtlTermNode,
  LtlTerms,
  type LtlTraits,
  type LtlWindow,
  ltlGuesses,
  OPEN,
  SATISFIED,
  type Stepper,
  statesAfterWords,
  successors,
  tuplesAfterWords,
  VIOLATED,
} from './automaton/index.js';
export * from './checker/index.js';
export * from './diagnosis/index.js';
export * from './errors.js';
export * from './evaluation/index.js';
export * from './explanation/index.js';
export * from './exploration/index.js';
export * from './expression/index.js';
export * from './formats/index.js';
export * from './guard/index.js';
export * from './kernel/index.js';
export * from './learning/index.js';
export {
  type BinaryOperator,
  type BuiltIn,
  type ComparisonOperator,
  type ComparisonSymbol,
  type ConstantDeclaration,
  type ConstantValue,
  type DerivedAbstraction,
  deriveAbstraction,
  type FilterOperator,
  type Formula,
  type FormulaDeclaration,
  filterOperators,
  type InvalidProperty,
  type LabelDeclaration,
  type PrismExpression,
  type PrismType,
  type Property,
  type PropertyFile,
  type PropertyOperator,
  parseFormula,
  parsePrismExpression,
  parseProperties,
  predicatesOf,
  printFormula,
  printPrismExpression,
  type Question,
  type RewardPath,
  type Scope,
  type StateExpression,
  type StepBound,
  type StepWindow,
  type TemporalBinary,
  type TemporalExpression,
  type TemporalUnary,
  type UntilForm,
  untilForm,
  type VariableSlot,
  type Window,
  windowInSteps,
} from './logic/index.js';
export * from './model/index.js';
export {
  type Amplification,
  agentRows,
  amplification,
  amplificationBounds,
  binomialSet,
  type CertificateOptions,
  type CertificateProblem,
  type ConfidenceRows,
  confidenceRows,
  type DrawnRows,
  discoveredRadius,
  divergenceRadius,
  drawnDecisions,
  drawnRows,
  drawsForEveryTransition,
  eventProblem,
  type Interval,
  intervalBounds,
  type PapersCriteria,
  type PosteriorBounds,
  type PosteriorOptions,
  papersCriteria,
  papersDraws,
  policyAmplification,
  posteriorIntervals,
  type RuleProblem,
  ruleProblem,
  secondCriterionEpsilon,
  totalVariation,
  unseenMass,
} from './pac/index.js';
export { Rational } from './rational.js';
export * from './report/index.js';
export * from './risk/index.js';
export * from './robustness/index.js';
export * from './specification/index.js';
export type * from './storage/index.js';
export * from './trace/index.js';
