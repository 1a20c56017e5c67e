import type { GapSum } from './regularGaps.js';
import { SamplingGrid, type SamplingPeriod } from './samplingPeriod.js';
import type { Step, Trace } from './trace.js';

/** Counts of the steps that did not come a sampling period apart. */
export interface SampledSteps {
  /** Steps that are read after resampling, held steps included. */
  readonly steps: number;
  /** Steps that were not recorded: the step before each was read again. */
  readonly held: number;
  /** Steps that were missing. Under `hold` they are included in `held`; under `skip` they are not counted as steps. */
  readonly missing: number;
  /** Steps left out, because they came before their time or out of order; and messages that a reader left out (`leftOutMessages` of a trace). */
  readonly leftOut: number;
  /** How many of `leftOut` are messages; absent if none is. */
  readonly leftOutMessages?: number;
  /** Steps without a time, which were assumed to be on time; absent if there are none, if steps have no sampling period, or if they were not counted. */
  readonly untimed?: number;
  /** Gaps that are a sampling period long, to within the tolerance, and their seconds, each gap rounded to 2^-24 s; absent as `untimed`. Learning counts them. */
  readonly onTime?: GapSum;
}

/**
 * Counts the steps of a trace that are read and that are held, as `resample`, learning and guards do. If the clock jumps by more steps than
 * may be missing, time restarts, as in a guard.
 *
 * @param period null: steps are read as they are
 * @returns `leftOutSteps`: the numbers of the steps left out; absent where there are none. Messages that a reader left out have no number
 */
export function sampledSteps(
  trace: Trace,
  period: SamplingPeriod | null,
): SampledSteps & { readonly leftOutSteps?: readonly number[] } {
  const heldByReader = trace.heldSteps ?? 0;
  const leftOutByReader = trace.leftOutMessages ?? 0;
  const policy = period?.resample ?? 'error';
  if (period === null || policy === 'error')
    return {
      steps: trace.steps.length,
      held: heldByReader,
      missing: 0,
      leftOut: leftOutByReader,
      ...withMessages(leftOutByReader),
      ...untimedSteps(trace.steps, period),
    };
  const grid = new SamplingGrid(period);
  const clock = new Float64Array(1);
  let missing = 0;
  const leftOutSteps: number[] = [];
  trace.steps.forEach(({ time }, i) => {
    if (time === undefined) {
      grid.takeUntimed();
      return;
    }
    clock[0] = time;
    const moved = grid.take(clock);
    if (moved <= 0) leftOutSteps.push(i);
    else if (moved > 1) missing += moved - 1;
  });
  const leftOut = leftOutSteps.length;
  const held = policy === 'hold' ? missing : 0;
  return {
    steps: trace.steps.length - leftOut + held,
    held: held + heldByReader,
    missing,
    leftOut: leftOut + leftOutByReader,
    ...withMessages(leftOutByReader),
    ...(leftOut > 0 && { leftOutSteps }),
    ...untimedSteps(trace.steps, period),
  };
}

/** The number of steps without a time, if there is a sampling period; no field if it is 0. */
function untimedSteps(steps: readonly Step[], period: SamplingPeriod | null): Pick<SampledSteps, 'untimed'> {
  if (period === null) return {};
  return withUntimed(steps.reduce((count, { time }) => count + Number(time === undefined), 0));
}

/** The number of messages that were left out as a field, omitted if it is 0. */
export function withMessages(messages: number): Pick<SampledSteps, 'leftOutMessages'> {
  return messages > 0 ? { leftOutMessages: messages } : {};
}

/** The count as a field, omitted if it is 0. */
export function withUntimed(untimed: number): Pick<SampledSteps, 'untimed'> {
  return untimed > 0 ? { untimed } : {};
}

/** The sum as a field, omitted if there are no gaps. */
export function withOnTime(onTime: GapSum): Pick<SampledSteps, 'onTime'> {
  return onTime.gaps > 0 ? { onTime } : {};
}

/** The sum of two counts. */
export function addSampled(a: SampledSteps, b: SampledSteps): SampledSteps {
  return {
    steps: a.steps + b.steps,
    held: a.held + b.held,
    missing: a.missing + b.missing,
    leftOut: a.leftOut + b.leftOut,
    ...withMessages((a.leftOutMessages ?? 0) + (b.leftOutMessages ?? 0)),
    ...withUntimed((a.untimed ?? 0) + (b.untimed ?? 0)),
    ...withOnTime({
      gaps: (a.onTime?.gaps ?? 0) + (b.onTime?.gaps ?? 0),
      seconds: (a.onTime?.seconds ?? 0) + (b.onTime?.seconds ?? 0),
    }),
  };
}

/** The zero of `addSampled`. */
export const NO_STEPS: SampledSteps = { steps: 0, held: 0, missing: 0, leftOut: 0 };

/** Caveats for figures, a sentence each: how many steps were held, not counted, left out, or without a time. Empty if all steps were recorded on time. */
export function describeSampled({
  steps,
  held,
  missing,
  leftOut,
  leftOutMessages = 0,
  untimed = 0,
}: SampledSteps): string[] {
  const early = leftOut - leftOutMessages;
  const notCounted = Math.max(0, missing - held);
  return [
    ...(held > 0 ? [`${count(held)} of ${count(steps)} steps were held, not recorded`] : []),
    ...(notCounted > 0
      ? [
          `${count(notCounted)} missing ${notCounted === 1 ? 'step was' : 'steps were'} not counted: a step may stand for more than a sampling period`,
        ]
      : []),
    ...(early > 0
      ? [
          `${count(early)} ${early === 1 ? 'step that came before its time was left out, and is' : 'steps that came before their time were left out, and are'} not judged`,
        ]
      : []),
    ...(leftOutMessages > 0
      ? [
          `${count(leftOutMessages)} ${leftOutMessages === 1 ? 'message that no step has was left out, and what only it says is' : 'messages that no step has were left out, and what only they say is'} not judged`,
        ]
      : []),
    ...(untimed > 0
      ? [
          `${count(untimed)} of ${count(steps)} steps ${untimed === 1 ? 'has' : 'have'} no time, and ${untimed === 1 ? 'is' : 'are'} taken for on time: seconds count sampling periods there`,
        ]
      : []),
  ];
}

function count(steps: number): string {
  return steps.toLocaleString('en');
}
