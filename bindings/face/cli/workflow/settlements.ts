import { InvalidArgumentError } from '../../../base/errors.js';
import type { RunPlanOptions, UnknownCall } from '../../../proofs/execution/index.js';
import type { Given, Json } from '../../../proofs/workflow/index.js';

/**
 * What became of calls that were running when a run was interrupted, as `--settle` says it: `CALL=again`, `CALL=failed`, or `CALL=` and JSON.
 *
 * @throws InvalidArgumentError for anything else
 */
export function settlementsOf(words: readonly string[]): RunPlanOptions['settle'] {
  if (words.length === 0) return undefined;
  const said = new Map(words.map(read));
  return ({ id, tool }: UnknownCall) => {
    const settled = said.get(id);
    if (settled !== undefined) return settled;
    throw new InvalidArgumentError(
      `nothing says what became of ${id}, a call of ${tool}: give --settle ${id}=again, ${id}=failed, or ${id}= and what it gave as JSON`,
    );
  };
}

function read(word: string): [string, Given | 'call'] {
  const at = word.indexOf('=');
  const [id, text] = [word.slice(0, at), word.slice(at + 1)];
  if (at > 0 && text === 'again') return [id, 'call'];
  if (at > 0 && text === 'failed') return [id, { kind: 'failed', text: 'the call failed, as a person says' }];
  try {
    if (at > 0) return [id, { kind: 'result', value: JSON.parse(text) as Json }];
  } catch {
    // It is none of the three.
  }
  throw new InvalidArgumentError(
    `--settle is "${word}"; expected CALL=again, CALL=failed, or CALL= and what it gave as JSON, such as send[0]={"sent":true}`,
  );
}
