import { InvalidArgumentError } from '../../base/errors.js';
import { type LanguageModel, openAiCompatible, recordedModel } from '../../base/languageModel/index.js';
import { readText } from './inputs.js';
import { MODEL_KEY } from './modelKey.js';

/**
 * A language model by its name in an option: URL#NAME or recorded:FILE.
 *
 * @param option the option, for messages
 * @param other what else the option may be
 * @throws InvalidArgumentError for another name; as `recordedModel`
 */
export async function languageModelOf(
  option: string,
  name: string,
  keyVariable = MODEL_KEY,
  other?: string,
): Promise<LanguageModel> {
  if (name.startsWith('recorded:')) {
    const path = name.slice('recorded:'.length);
    return recordedModel(await readText(path, 'recorded answers of a language model'), path);
  }
  const [, url, model] = /^(https?:\/\/[^#]+)#(.+)$/.exec(name) ?? [];
  if (url === undefined)
    throw new InvalidArgumentError(
      `${option} is "${name}"; expected URL#NAME such as http://127.0.0.1:11434/v1#qwen3${other === undefined ? ' or recorded:FILE' : `, recorded:FILE or ${other}`}`,
    );
  const key = process.env[keyVariable];
  return openAiCompatible({ url, model, ...(key !== undefined && { key }) });
}
