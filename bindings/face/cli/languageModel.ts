import { InvalidArgumentError } from '../../base/errors.js';
import { type LanguageModel, openAiCompatible, recordedModel } from '../../base/languageModel/index.js';
import { readText } from './inputs.js';

/**
 * The language model that `--model` names.
 *
 * @param keyVariable the variable of the environment that holds the key, if it needs one
 * @param others what else the command takes, for the error
 * @throws InvalidArgumentError for another name
 */
export async function languageModelOf(
  name: string,
  keyVariable: string,
  others: readonly string[] = [],
): Promise<LanguageModel> {
  if (name.startsWith('recorded:')) {
    const path = name.slice('recorded:'.length);
    return recordedModel(await readText(path, 'recorded answers of a language model'), path);
  }
  const [, url, model] = /^(https?:\/\/[^#]+)#(.+)$/.exec(name) ?? [];
  if (url === undefined) {
    const ways = ['URL#NAME such as http://127.0.0.1:11434/v1#qwen3', 'recorded:FILE', ...others];
    throw new InvalidArgumentError(
      `--model is "${name}"; expected ${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`,
    );
  }
  const key = process.env[keyVariable];
  return openAiCompatible({ url, model, ...(key !== undefined && { key }) });
}
