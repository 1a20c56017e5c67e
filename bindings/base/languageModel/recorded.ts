import { InvalidDataError, ModelError } from '../errors.js';
import { hashJson } from '../hashJson.js';
import { isObject } from '../objectKind.js';
import type { GenerateRequest, GenerateResult, LanguageModel } from './languageModel.js';

/** One answer, as a line of a transcript. */
interface Recording {
  /** SHA-256 of the whole request, its prompt's hash included. */
  readonly key: string;
  readonly model: string;
  /** `recorded` from a model, or `scripted` by hand: of these no figure on a model's quality is ever printed. */
  readonly origin: 'recorded' | 'scripted';
  readonly purpose: string;
  readonly result: GenerateResult;
}

/** The key under which the answer to a request is recorded. */
export function requestKey({ grammars: _, ...request }: GenerateRequest): string {
  return hashJson(request);
}

/** A language model whose answers are kept, one JSON line each. @param append takes each line, which ends with a line break */
export function recordingModel(
  model: LanguageModel,
  append: (line: string) => void | Promise<void>,
): LanguageModel {
  return {
    id: model.id,
    async generate(request, signal) {
      const result = await model.generate(request, signal);
      const recording: Recording = {
        key: requestKey(request),
        model: model.id,
        origin: 'recorded',
        purpose: request.purpose,
        result,
      };
      await append(`${JSON.stringify(recording)}\n`);
      return result;
    },
  };
}

/**
 * A language model that gives recorded answers again. Strict: a request that was not recorded is an error, so that a changed prompt is noticed. A request that
 * was recorded several times gets its answers in their order, and the last one from then on.
 *
 * @param transcript JSON lines, as `recordingModel` writes them
 * @param source name of the transcript, for messages
 * @throws InvalidDataError for a line that is no recorded answer
 */
export function recordedModel(transcript: string, source = 'transcript'): LanguageModel {
  const answers = new Map<string, GenerateResult[]>();
  let id = 'recorded';
  for (const [i, line] of transcript.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { key, model, result } = readRecording(line, `${source}:${i + 1}`);
    id = `recorded/${model}`;
    const known = answers.get(key);
    if (known === undefined) answers.set(key, [result]);
    else known.push(result);
  }
  return {
    id,
    async generate(request) {
      const key = requestKey(request);
      const known = answers.get(key);
      if (known === undefined)
        throw new ModelError(
          `${source} has no answer to this request (${request.purpose}, prompt ${request.prompt.id} version ${request.prompt.version}, key ${key}); record it anew`,
        );
      return known.length > 1 ? (known.shift() as GenerateResult) : known[0];
    },
  };
}

function readRecording(line: string, place: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new InvalidDataError(
      `${place} is not JSON (${(cause as Error).message}); expected a recorded answer`,
      {
        cause,
      },
    );
  }
  const { key, model, result } = isObject(value) ? value : {};
  const texts = isObject(result) ? result.texts : null;
  if (typeof key !== 'string' || typeof model !== 'string' || !Array.isArray(texts))
    throw new InvalidDataError(`${place} is no recorded answer; expected { key, model, result: { texts } }`);
  return value as unknown as Recording;
}
