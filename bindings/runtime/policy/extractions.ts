import type { InputType } from '../../languages/inputs/index.js';
import type { PolicySet } from './policySet.js';

/** An input that is the answer to a question about the call. */
export interface Extraction {
  readonly name: string;
  readonly question: string;
  readonly type: InputType;
  /** The tools of policies that read it: nothing is asked about other calls. */
  readonly tools: readonly string[];
}

/** What an answer may be, as detectors declare it. */
export type AnswerType = 'boolean' | 'number' | readonly string[];

/** The inputs of policies that are extracted. */
export function extractionsOf({ inputs, policies }: PolicySet): readonly Extraction[] {
  return inputs.flatMap(({ name, type, extract }) => {
    if (extract === undefined) return [];
    const tools = policies.flatMap((policy) => (policy.reads.includes(name) ? policy.tools : []));
    return [{ name, question: extract, type, tools: [...new Set(tools)] }];
  });
}

/** What the answer may be. Whether a number is whole and within bounds is for the input's type to say. */
export function answerOf(type: InputType): AnswerType {
  if (type.kind === 'enum') return type.values;
  return type.kind === 'boolean' ? 'boolean' : 'number';
}
