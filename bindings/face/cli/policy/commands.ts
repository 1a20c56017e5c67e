/** Commands about policies, loaded when one of them runs. */
export { askPolicies } from './ask.js';
export { checkPolicies } from './check.js';
export { compareSpecifications } from './compare.js';
export { synthesizeSpecification } from './synthesize.js';
export { verifySpecification } from './verify.js';
