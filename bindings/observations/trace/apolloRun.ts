import type { Reading } from './apolloFrame.js';
import { at, derived, finite, number, truth, Unknown } from './apolloValues.js';
import { unexpected } from './reader.js';

/** Reads the values that apply to all frames: weather and time of day. */
export function scenarioOf(recording: unknown, note: (message: string) => void): Reading {
  const weather = (kind: string): number | Unknown => {
    const path = `weather.${kind}`;
    const strength = number(at(recording, path), path);
    if (strength === undefined) return new Unknown(`no ${path}`);
    if (strength < 0 || strength > 1) throw unexpected(path, strength, 'a strength from 0 to 1');
    return strength;
  };
  return {
    rain: weather('rain'),
    fog: weather('fog'),
    snow: weather('snow'),
    Time: timeOfDay(recording, note),
  };
}

/** The time of day in hours. */
function timeOfDay(recording: unknown, note: (message: string) => void): number | Unknown {
  const [hour, minute] = ['time.hour', 'time.minute'].map((path) => finite(at(recording, path), path, path));
  if (typeof hour === 'number' && (hour < 0 || hour > 24))
    throw unexpected('time.hour', hour, 'an hour from 0 to 24');
  if (typeof minute === 'number' && (minute < 0 || minute >= 60 || (hour === 24 && minute > 0)))
    throw unexpected('time.minute', minute, hour === 24 ? '0 in hour 24' : 'a minute from 0 to 59');
  if (Number.isInteger(hour) && minute === undefined)
    note('time.minute is not recorded: Time is taken for the full hour');
  return derived([hour, minute ?? 0], 'no time.hour', (hours, minutes) => hours + minutes / 60);
}

/**
 * Whether the run came to its end. If this is not recorded, the run counts as cut short: counted as complete, it would break or keep rules
 * by an end that was not observed.
 */
export function completeness(recording: Record<string, unknown>, note: (message: string) => void): boolean {
  const completed = truth(recording.completed, 'completed');
  if (completed === undefined)
    note(
      'completed is not recorded: the run is assumed to be cut off, and nothing follows from where it ends',
    );
  return completed ?? false;
}

/** Adds the facts about the run as a whole to its last frame. */
export function settleEnd(
  readings: readonly Reading[],
  recording: Record<string, unknown>,
  note: (message: string) => void,
): void {
  const arrived = truth(recording.destinationReached, 'destinationReached');
  const last = readings[readings.length - 1];
  if (arrived !== undefined) {
    for (const reading of readings)
      if (reading.reach_destination instanceof Unknown) reading.reach_destination = 0;
  }
  if (arrived) {
    last.reach_destination = 1;
    note('destinationReached is said of the run; taken for its last frame');
  }
  settleCollision(readings, recording.testFailures, note);
}

/** If frames record no distances, the absence of accidents is the only evidence that nothing touched the vehicle. */
function settleCollision(
  readings: readonly Reading[],
  failures: unknown,
  note: (message: string) => void,
): void {
  if (failures === undefined || failures === null) return;
  const { accident, odd } = judgeFailures(failures);
  let frames = 0;
  for (const reading of readings) {
    const { collision } = reading;
    if (!(collision instanceof Unknown) || collision.unusable) continue;
    frames++;
    reading.collision = odd === undefined ? 0 : new Unknown(`${collision.why}; ${odd}`, true);
  }
  if (odd !== undefined) note(`nothing follows from what is not understood: ${odd}`);
  if (accident) {
    readings[readings.length - 1].collision = 1;
    note('the accident among testFailures is said of the run; taken for its last frame');
  } else if (frames > 0 && odd === undefined)
    note(
      `collision is 0 as testFailures is empty: distances are not recorded in ${frames} of ${readings.length} frames`,
    );
}

/** Whether an accident is among the failures, and the first failure that is not recognised. */
function judgeFailures(failures: unknown): { accident: boolean; odd: string | undefined } {
  if (typeof failures !== 'object' || failures === null)
    return { accident: false, odd: unexpected('testFailures', failures, 'a list of texts').message };
  let accident = false;
  let odd: string | undefined;
  for (const [key, failure] of Object.entries(failures)) {
    const name = failure === true ? key : failure;
    if (typeof name === 'string' && ACCIDENT.test(name) && !NEGATION.test(name)) accident = true;
    else {
      const place = Array.isArray(failures) ? `testFailures[${key}]` : `testFailures.${key}`;
      odd ??= unexpected(place, failure, 'a text that names an accident or a collision').message;
    }
  }
  return { accident, odd };
}

const ACCIDENT = /accident|collision/i;
const NEGATION = /\b(?:no|not|none|without|avoided)\b/i;
