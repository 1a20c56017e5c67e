import { wordsOf } from '../../base/words.js';
import { fits, misfitText, schemaOfType, type ValueType } from '../contract/index.js';
import type { Given, Json, Wanted } from '../workflow/index.js';

/**
 * Asks a model that has no tools: a question of the plan about data, for an answer that fits a JSON schema. `undefined` says that the data do not tell. What it
 * says is data, and never trusted.
 */
export type AskModel = (
  question: string,
  data: readonly Json[],
  schema: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Json | undefined | Promise<Json | undefined>;

/** The answer of a model, checked. Why there is none never cites data. */
export async function answered(
  ask: AskModel | undefined,
  { question, about, type }: Wanted & { readonly kind: 'answer' },
  signal?: AbortSignal,
): Promise<Given> {
  if (ask === undefined) return failed('the plan asks a model, and the run has none; give it `ask`');
  let value: Json | undefined;
  try {
    value = await ask(question, about, schemaOfType(type), signal);
  } catch (error) {
    return failed(`the model gave no answer: ${wordsOf(error)}`);
  }
  if (value === undefined) return failed('the model says that the data do not tell');
  return checkedAnswer({ kind: 'result', value }, type);
}

/** An answer, if it has its type; also of one that was kept. */
export function checkedAnswer(given: Given, type: ValueType): Given {
  const misfit = given.kind === 'result' ? fits(given.value, type) : null;
  return misfit === null
    ? given
    : failed(`the answer of the model does not have its type: ${misfitText('answer', misfit)}`);
}

function failed(text: string): Given {
  return { kind: 'failed', text };
}
