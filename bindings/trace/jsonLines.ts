import { isObject } from '../objectKind.js';
import { type ReadOptions, readJsonValues, TraceFault, unexpected } from './reader.js';
import type { ResamplePolicy } from './samplingPeriod.js';
import type { Trace } from './trace.js';

/**
 * Reads traces in JSON lines, one trace a line:
 * `{"id": "…", "complete": true, "steps": [{"state": {…}, "action": {"name": "…", "arguments": {…}}, "time": 12.3}]}`.
 *
 * `id`, `steps` and each `state` are required; `complete` defaults to true, and is refused by another name, such as `completed`; `time` is in seconds, finite, and never
 * descends, unless `resample` says what becomes of that; `notRecorded` says of fields that steps lack why they do;
 * where they are null, the step comes without them. Other keys are kept unread; `held` of a step and `heldSteps` are as in `Trace`. A trace without steps is refused like any other invalid one. Ids are not compared: a
 * file may be larger than memory.
 *
 * @param chunks UTF-8 in chunks of any size; `\n` or `\r\n`, a byte order mark, blank lines and a last line without a line
 * break are all fine.
 * @returns batches of traces in the order of the file, for speed; one batch holds about 64 KB of text, or one longer line.
 * @throws ParseError with file, line and column, unless `skipInvalid` is set.
 */
export function readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Trace[]> {
  const { resample = 'error' } = options;
  return readJsonValues(chunks, options, (value) => toTrace(value, resample));
}

/**
 * `value` as a trace, checked in place: copying the steps would cost as much as parsing them.
 * @throws TraceFault that says what was found, where in the trace, and what was expected.
 */
function toTrace(value: unknown, resample: ResamplePolicy): Trace {
  if (!isObject(value))
    throw unexpected('the line', value, 'a trace: {"id": "…", "steps": [{"state": {…}}, …]}');
  const { id, steps } = value;
  if (typeof id !== 'string') throw unexpected('id', id, 'a string');
  if (value.complete === undefined) {
    const other = Object.keys(value).find((key) => OTHER_SPELLING.test(key));
    if (other !== undefined)
      throw unexpected(other, value[other], 'no such field; did you mean complete, true or false?');
    value.complete = true;
  } else if (typeof value.complete !== 'boolean')
    throw unexpected('complete', value.complete, 'true or false');
  const { notRecorded = {} } = value;
  checkNotRecorded(notRecorded);
  const unrecorded = Object.keys(notRecorded).map((path) => path.split('.'));
  if (!Array.isArray(steps)) throw unexpected('steps', steps, 'an array of {"state": {…}}');
  if (steps.length === 0) {
    throw new TraceFault(
      `trace ${JSON.stringify(id)} has no steps; expected at least one. Leave out runs that never started`,
      {
        reason: 'empty',
        expected: 'at least one step',
      },
    );
  }
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < steps.length; i++) {
    const step: unknown = steps[i];
    if (!isObject(step)) throw unexpected(`steps[${i}]`, step, 'an object with a state');
    const { state, action, time } = step;
    if (!isObject(state)) throw unexpected(`steps[${i}].state`, state, 'an object');
    if (action !== undefined) checkAction(action, i);
    for (const path of unrecorded) leaveOutNulls(path[0] === 'action' ? step : state, path);
    if (time === undefined) continue;
    if (typeof time !== 'number' || !Number.isFinite(time)) {
      throw unexpected(`steps[${i}].time`, time, 'a finite number of seconds, or no time');
    }
    if (time < before && resample === 'error') {
      throw unexpected(
        `steps[${i}].time`,
        time,
        `at least ${before}, the time before it, unless resample is hold or skip`,
      );
    }
    before = time;
  }
  return value as unknown as Trace;
}

/** A run of which another field says that it was cut must not pass for complete. */
const OTHER_SPELLING = /^(?:is_?)?completed?$/i;

/** Takes out what is null on a path that the trace declares as not recorded, or below it: null there is no value that was read. */
function leaveOutNulls(holder: unknown, [field, ...rest]: readonly string[]): void {
  if (Array.isArray(holder)) for (const element of holder) leaveOutNulls(element, [field, ...rest]);
  if (!isObject(holder)) return;
  for (const name of field === undefined ? Object.keys(holder) : [field]) {
    if (!Object.hasOwn(holder, name)) continue;
    if (holder[name] === null) delete holder[name];
    else leaveOutNulls(holder[name], rest);
  }
}

function checkNotRecorded(found: unknown): asserts found is Record<string, string> {
  if (!isObject(found)) throw unexpected('notRecorded', found, 'an object of fields with reasons');
  for (const [field, why] of Object.entries(found))
    if (typeof why !== 'string') throw unexpected(`notRecorded.${field}`, why, 'the reason as a text');
}

function checkAction(action: unknown, i: number): void {
  const place = `steps[${i}].action`;
  if (!isObject(action)) throw unexpected(place, action, 'an object with a name, or no action');
  if (typeof action.name !== 'string') throw unexpected(`${place}.name`, action.name, 'a string');
  if (action.arguments !== undefined && !isObject(action.arguments)) {
    throw unexpected(`${place}.arguments`, action.arguments, 'an object, or no arguments');
  }
}
