import { hashJson } from '../hashJson.js';
import type { GenerateRequest, PromptName } from './languageModel.js';

/** What a language model is told, as data: a change of a text is a change of the version. */
export interface Prompt {
  readonly id: string;
  readonly version: number;
  readonly system: string;
  /** JSON schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Grammars that say the same as the schema. Default: none. */
  readonly grammars?: GenerateRequest['grammars'];
}

/** The name of a prompt in requests and records. */
export function nameOf({ id, version, system, schema }: Prompt): PromptName {
  return { id, version, hash: hashJson({ system, schema }) };
}
