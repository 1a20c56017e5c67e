import { isObject } from '../../base/objectKind.js';
import { takeAnswered } from './answeredCalls.js';
import { misspeltField, misspeltStepField, OWN_FIELDS, STEP_FIELDS } from './ownFields.js';
import { type ReadOptions, readJsonValues, TraceFault, unexpected } from './reader.js';
import type { ResamplePolicy } from './resamplePolicy.js';
import type { Trace } from './trace.js';

/**
 * Reads traces in JSON lines, one trace per line:
 * `{"id": "…", "complete": true, "steps": [{"state": {…}, "action": {"name": "…", "arguments": {…}}, "time": 12.3}]}`.
 *
 * `id`, `steps` and each `state` are required; `complete` defaults to true; a near spelling of a field of the trace, or of a step, that is not there, such as `completed` or `Action`, is refused; `time` is in seconds, finite, and never
 * descends, unless `resample` says what becomes of that; `notRecorded` says of fields that steps lack why they do;
 * where they are null, the step comes without them; `answered` of a step, the calls that answered since the step before, becomes `history` of its state. Other keys are kept unread; `held` of a step, `heldSteps` and `leftOutMessages` are as in `Trace`; steps with `held` are counted where `heldSteps` is absent. A trace without steps is refused like any other invalid one. Ids are not compared: a
 * file may be larger than memory.
 *
 * @param chunks UTF-8 in chunks of any size; `\n` or `\r\n`, a byte order mark, blank lines and a last line without a line break are all
 * accepted.
 * @returns batches of traces in the order of the file; batching is for speed, and one batch holds about 64 KB of text, or one longer line.
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
 * Checks `value` in place and returns it as a trace: copying the steps would cost as much as parsing them.
 * @throws TraceFault that says what was found, where in the trace, and what was expected.
 */
function toTrace(value: unknown, resample: ResamplePolicy): Trace {
  if (!isObject(value))
    throw unexpected('the line', value, 'a trace: {"id": "…", "steps": [{"state": {…}}, …]}');
  const misspelt = misspeltField(Object.keys(value));
  if (misspelt !== undefined) {
    const { found, meant } = misspelt;
    const { expected } = OWN_FIELDS[meant];
    throw unexpected(found, value[found], `no such field; did you mean ${meant}, ${expected}?`);
  }
  const { id, steps } = value;
  if (typeof id !== 'string') throw unexpected('id', id, OWN_FIELDS.id.expected);
  if (value.complete === undefined) value.complete = true;
  else if (typeof value.complete !== 'boolean')
    throw unexpected('complete', value.complete, OWN_FIELDS.complete.expected);
  const { notRecorded = {} } = value;
  checkNotRecorded(notRecorded);
  const unrecorded = Object.keys(notRecorded).map((path) => path.split('.'));
  if (!Array.isArray(steps)) throw unexpected('steps', steps, OWN_FIELDS.steps.expected);
  if (steps.length === 0) {
    throw new TraceFault(
      `trace ${JSON.stringify(id)} has no steps; expected at least one. Leave out runs that never started`,
      {
        reason: 'empty',
        expected: 'at least one step',
      },
    );
  }
  const { leftOutMessages = 0 } = value;
  if (!Number.isInteger(leftOutMessages) || Number(leftOutMessages) < 0)
    throw unexpected('leftOutMessages', leftOutMessages, OWN_FIELDS.leftOutMessages.expected);
  steps.forEach(refuseMisspelt);
  countHeld(value, steps);
  takeAnswered(steps);
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

/**
 * Sets `heldSteps` where steps are marked as held and it is absent. A number without marks stands: who wrote it may not know which steps they are.
 * @throws TraceFault where a mark or the number is none, or they differ
 */
function countHeld(trace: Record<string, unknown>, steps: readonly unknown[]): void {
  let marked = 0;
  for (const [i, step] of steps.entries()) {
    if (!isObject(step) || step.held === undefined) continue;
    if (typeof step.held !== 'boolean')
      throw unexpected(`steps[${i}].held`, step.held, STEP_FIELDS.held.expected);
    marked += Number(step.held);
  }
  const { heldSteps } = trace;
  if (heldSteps === undefined) {
    if (marked > 0) trace.heldSteps = marked;
    return;
  }
  if (!Number.isInteger(heldSteps) || Number(heldSteps) < 0 || Number(heldSteps) > steps.length)
    throw unexpected('heldSteps', heldSteps, OWN_FIELDS.heldSteps.expected);
  if (marked > 0 && heldSteps !== marked) {
    const first = steps.findIndex((step) => isObject(step) && step.held === true);
    const which = `the number of steps with "held": true, the first of which is steps[${first}]`;
    throw unexpected('heldSteps', heldSteps, `${marked}, ${which}; leave it out to have them counted`);
  }
}

/** @throws TraceFault where a field of step number i is a near spelling of one that it lacks */
function refuseMisspelt(step: unknown, i: number): void {
  const misspelt = isObject(step) ? misspeltStepField(step) : undefined;
  if (misspelt === undefined) return;
  const { found, meant } = misspelt;
  const { expected } = STEP_FIELDS[meant];
  throw unexpected(
    `steps[${i}].${found}`,
    (step as Record<string, unknown>)[found],
    `no such field; did you mean ${meant}, ${expected}?`,
  );
}

/** Removes nulls at or below a path that the trace declares as not recorded, because such a null is not a recorded value. */
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
  if (!isObject(found)) throw unexpected('notRecorded', found, OWN_FIELDS.notRecorded.expected);
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
