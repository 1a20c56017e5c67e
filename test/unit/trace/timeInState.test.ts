import { expect, it } from 'vitest';
import { RecordedClock } from '../../../bindings/observations/trace/index.js';

it.each<[object, string | undefined]>([
  [
    { time: 3 },
    'steps without a time have "time" in their state: if that is their time, write it beside the state',
  ],
  [{ timestamp: 3 }, 'steps without a time have "timestamp"'],
  [{ Time: 20.25, speed: 3 }, undefined],
])('names what may be the time of steps without one: %j', (state, said) => {
  const clock = new RecordedClock({ seconds: 1, tolerance: 0.1 });
  clock.add([{ state: { ...state } }]);
  const [note] = clock.describe();
  if (said === undefined) expect(note).toBeUndefined();
  else expect(note).toContain(said);
});
