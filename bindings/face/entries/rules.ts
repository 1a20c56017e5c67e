/** `foreguard/rules`: a specification, and the guard of its rules alone, without the kernel. */

export type { PredicateWords } from '../../languages/english/index.js';
export {
  compileRules,
  parseSpecification,
  type RuleReader,
  type RuleSpecification,
  type RuleTest,
  type Specification,
  SpecificationError,
  type TestCall,
  type ToolSpecification,
  unlistedTools,
} from '../../rules/specification/index.js';
export type { GuardFile, GuardTool, UnreadablePolicy } from '../../runtime/guard/index.js';
