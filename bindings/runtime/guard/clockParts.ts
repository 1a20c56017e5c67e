import { HeldReading } from './heldReading.js';
import { TimedSteps } from './timedSteps.js';

/** What only a guard whose steps have a sampling period needs, which `loadGuard` loads on demand. */
export const clockParts = { HeldReading, TimedSteps };

export type ClockParts = typeof clockParts;
