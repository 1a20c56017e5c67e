/** A prompt as it stands in Foreguard: its texts are data with a version, so that a recorded answer tells to which text it was given. */
export interface PromptName {
  readonly id: string;
  readonly version: number;
  /** SHA-256 of the prompt's texts and of the schema of its answer. */
  readonly hash: string;
}

/** What a language model is asked. */
export interface GenerateRequest {
  /** What the answer is for, for logs: `policy`, `repair`, `specify`. */
  readonly purpose: string;
  readonly prompt: PromptName;
  readonly system?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** JSON schema of the answer; absent if prose is asked for. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Grammars that say what the schema says, for runtimes that take one in its place. Absent: there are none. No part of the key under which answers are recorded. */
  readonly grammars?: { readonly gbnf: string; readonly lark: string };
  /** How many answers; default 1. */
  readonly samples?: number;
  /** Default: the model's own. */
  readonly temperature?: number;
  readonly seed?: number;
}

/** What a language model answered. */
export interface GenerateResult {
  /** One text for each answer. */
  readonly texts: readonly string[];
  /** The answers as objects, from models that give them; else they are read from the texts. */
  readonly objects?: readonly unknown[];
  /** Tokens read and written. */
  readonly usage?: { readonly input: number; readonly output: number };
  /** `length`: an answer was cut. */
  readonly finish: 'stop' | 'length' | 'refused';
}

/**
 * A language model. What it says is data: it is read by parsers of total languages and proved, never run.
 */
export interface LanguageModel {
  /** Name for records, such as `openai/gpt-4.1`. */
  readonly id: string;
  /** @throws ModelError (rejects) if there is no answer */
  generate(request: GenerateRequest, signal?: AbortSignal): Promise<GenerateResult>;
}

/** A language model that a function answers for. */
export function modelFromFunction(
  id: string,
  answer: (request: GenerateRequest, signal?: AbortSignal) => string | Promise<string>,
): LanguageModel {
  return {
    id,
    async generate(request, signal) {
      const texts: string[] = [];
      for (let i = 0; i < (request.samples ?? 1); i++) texts.push(await answer(request, signal));
      return { texts, finish: 'stop' };
    },
  };
}
