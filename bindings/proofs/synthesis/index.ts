export { type Clarification, clarify, type ReadingQuestion, type ReadingReply } from './clarify.js';
export { type Candidate, DraftFile, type Example, type PolicyDraft } from './draft.js';
export { inductiveModel } from './inductiveModel.js';
export { type Specified, type SpecifyOptions, specifyPolicy } from './specify.js';
export {
  type SynthesisOptions,
  type SynthesisResult,
  type SynthesisStep,
  synthesizePolicy,
} from './synthesize.js';
