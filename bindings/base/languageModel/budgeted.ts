import { ModelError } from '../errors.js';
import type { LanguageModel } from './languageModel.js';

/** What a language model may be asked in all. */
export interface ModelBudget {
  /** Requests; default: no limit. */
  readonly calls?: number;
  /** Tokens read and written, of models that say how many; default: no limit. Checked before each request. */
  readonly tokens?: number;
}

/** A language model that gives no answer once its budget is spent. */
export function budgetedModel(model: LanguageModel, budget: ModelBudget): LanguageModel {
  const { calls = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = budget;
  let [asked, used] = [0, 0];
  return {
    id: model.id,
    async generate(request, signal) {
      if (asked >= calls) throw new ModelError(`${model.id} was asked ${calls} times, as often as it may be`);
      if (used >= tokens)
        throw new ModelError(`${model.id} used ${used} tokens; at most ${tokens} are allowed`);
      asked++;
      const result = await model.generate(request, signal);
      used += (result.usage?.input ?? 0) + (result.usage?.output ?? 0);
      return result;
    },
  };
}
