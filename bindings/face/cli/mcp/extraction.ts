import { InvalidArgumentError } from '../../../base/errors.js';
import type { SessionOptions } from '../../../runtime/enforcement/index.js';
import { policyExtractors } from '../../../runtime/extraction/index.js';
import type { GuardFile } from '../../../runtime/guard/index.js';
import { extractionsOf } from '../../../runtime/policy/index.js';
import { languageModelOf } from '../languageModel.js';
import { parseUpTo } from '../numbers.js';

/** Options about what a language model extracts from calls. */
export interface ExtractionWords {
  readonly extractModel?: string;
  /** Milliseconds. */
  readonly extractTimeout?: string;
}

/** What a session has beside other settings, by the guards' files. */
type ExtractorsOf = (files: readonly GuardFile[]) => Pick<SessionOptions, 'detectors'>;

/**
 * The detectors that a model answers for.
 *
 * @throws InvalidArgumentError for options that name no model, and, of the result, if policies ask a model and there is none; as `policyExtractors`
 */
export async function extraction({ extractModel, extractTimeout }: ExtractionWords): Promise<ExtractorsOf> {
  const timeoutMs = parseUpTo('--extract-timeout', extractTimeout, 2 ** 31 - 1);
  if (timeoutMs === 0) throw new InvalidArgumentError('--extract-timeout is 0; expected milliseconds from 1');
  if (extractModel === undefined) {
    if (timeoutMs !== undefined)
      throw new InvalidArgumentError('--extract-timeout is for --extract-model MODEL: give that as well');
    return (files) => {
      const [first] = setsOf(files).flatMap(extractionsOf);
      if (first === undefined) return {};
      throw new InvalidArgumentError(
        `policies have the input "${first.name}" extracted by a language model; name one: --extract-model URL#NAME, such as http://127.0.0.1:11434/v1#qwen3`,
      );
    };
  }
  const model = await languageModelOf('--extract-model', extractModel);
  return (files) => ({
    detectors: policyExtractors(setsOf(files), model, timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

const setsOf = (files: readonly GuardFile[]) => files.flatMap(({ policies }) => policies?.set ?? []);
