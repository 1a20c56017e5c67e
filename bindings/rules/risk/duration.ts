import { InvalidArgumentError } from '../../base/errors.js';
import { windowInSteps } from '../../languages/logic/index.js';
import type { Specification } from '../specification/index.js';

/**
 * The number of steps within a duration, ⌊duration / sampling period⌋ in exact decimals: an event within these steps is within that time.
 * Under `resample: skip`, where a step stands for a period or more, these steps last at least as long, so an event within the time is
 * within these steps.
 *
 * @param duration such as `3s` or `500ms`
 * @throws InvalidArgumentError if it is written otherwise, the specification has no sampling period, or the duration contains no step
 */
export function durationInSteps(
  duration: string,
  { samplingPeriod, source }: Pick<Specification, 'samplingPeriod' | 'source'>,
): number {
  const match = /^(\d+(?:\.\d+)?)(s|ms)$/.exec(duration);
  if (match === null) {
    throw new InvalidArgumentError(`"${duration}" is not a duration; expected one such as 3s, 0.5s or 500ms`);
  }
  if (samplingPeriod === null) {
    throw new InvalidArgumentError(
      `${duration} cannot be converted to steps: ${source} has no samplingPeriod; add one, e.g. samplingPeriod: 0.1s, or count in steps`,
    );
  }
  const [, to, unit] = match;
  const steps = windowInSteps({ from: '0', to, unit: unit as 's' | 'ms' }, samplingPeriod).to ?? 0;
  if (steps > 0) return steps;
  throw new InvalidArgumentError(
    `no step falls within ${duration}: the sampling period is ${samplingPeriod} s`,
  );
}
