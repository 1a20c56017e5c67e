import { expect, it } from 'vitest';
import { timeLikeName } from '../../../bindings/observations/trace/ownFields.js';

it('takes names with a unit for those of a time, and no others', () => {
  for (const name of [
    't_ms',
    'timeMs',
    'time_s',
    'ts',
    'timestamp_ns',
    'time-usec',
    'timestampMillis',
    'time_milliseconds',
    'T',
  ])
    expect(timeLikeName(['speed', name]), name).toBe(name);
  expect(timeLikeName(['timer', 'tms', 'timeout', 'times_up', 'turns', 'tons'])).toBeUndefined();
  expect(timeLikeName(['t_ms', 'time'])).toBeUndefined();
});
