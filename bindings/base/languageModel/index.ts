export { budgetedModel, type ModelBudget } from './budgeted.js';
export { type AiSdkModel, type LangChainModel, modelFromAiSdk, modelFromLangChain } from './frameworks.js';
export {
  type GenerateRequest,
  type GenerateResult,
  type LanguageModel,
  modelFromFunction,
  type PromptName,
} from './languageModel.js';
export { objectIn } from './objectIn.js';
export { type OpenAiCompatibleOptions, openAiCompatible } from './openAiCompatible.js';
export { nameOf, type Prompt } from './prompt.js';
export { recordedModel, recordingModel } from './recorded.js';
