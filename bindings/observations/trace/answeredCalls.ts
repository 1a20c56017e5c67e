import { isObject } from '../../base/objectKind.js';
import { unexpected } from './reader.js';
import type { PastCall } from './toolHistory.js';

/**
 * Gives states the `history` of calls that a `ToolHistory` has, where the steps of a recording list only the calls that answered since the step before
 * (`answered`): every state with the whole list would make a line as long as the square of the run. A `history` of the state's own stays.
 *
 * @throws TraceFault if a list is none of calls
 */
export function takeAnswered(steps: readonly unknown[]): void {
  const calls: PastCall[] = [];
  for (const [i, step] of steps.entries()) {
    if (!isObject(step) || step.answered === undefined) continue;
    const { answered, state } = step;
    const place = `steps[${i}].answered`;
    if (!Array.isArray(answered)) throw unexpected(place, answered, 'the calls that answered before it');
    for (const [j, call] of answered.entries()) {
      if (!isObject(call) || typeof call.name !== 'string' || typeof call.failed !== 'boolean')
        throw unexpected(`${place}[${j}]`, call, 'a call: {"name": "…", "arguments": {…}, "failed": false}');
      calls.push(call as unknown as PastCall);
    }
    delete step.answered;
    if (!isObject(state) || Object.hasOwn(state, 'history')) continue;
    const count = calls.length;
    Object.defineProperty(state, 'history', { enumerable: true, get: () => calls.slice(0, count) });
  }
}
