import { EvaluationError } from '../../base/errors.js';
import {
  type LearningParameters,
  type LeftOut,
  type LostAction,
  lostAction,
} from '../../estimation/learning/index.js';
import { ActionAbstraction, readsAction } from '../../observations/abstraction/index.js';
import {
  addSampled,
  describeOffset,
  describeSampled,
  NO_STEPS,
  type SampledSteps,
  sampledSteps,
  type Trace,
  type TraceNote,
} from '../../observations/trace/index.js';
import { allPredicates, type Specification } from '../../rules/specification/index.js';
import type { Model } from '../../solvers/model/index.js';
import { plural } from './terminal.js';

/** How many of the steps that a model was learnt from were held, not counted, or left out; null if the model does not record it. */
export function sampledOf(model: Model): SampledSteps | null {
  return toldBy(model).resampled ?? null;
}

/** The same in words, for readers of the model's figures; empty if all steps were recorded in time. */
export function describeSampledModel(model: Model): string[] {
  const sampled = sampledOf(model);
  if (sampled === null) return [];
  const { untimed = 0, ...resampled } = sampled;
  return [
    ...describeSampled(resampled).map((line) => `learnt from resampled traces: ${line}`),
    ...describeSampled({ ...NO_STEPS, steps: sampled.steps, untimed }).map(
      (line) => `learnt from traces: ${line}`,
    ),
  ];
}

/** How the model was learnt, as far as it records it. */
function toldBy({ parameters }: Model): Partial<LearningParameters> {
  return (parameters as { foreguard?: Partial<LearningParameters> } | undefined)?.foreguard ?? {};
}

/**
 * Notes on the traces of a learnt model, as far as it records them: those that were left out, and how far the clock of the others deviates
 * from the sampling period.
 *
 * @param source what was read
 */
export function learntNotes(model: Model, source: string): TraceNote[] {
  const { leftOut, resampled, period } = toldBy(model);
  const offset = describeOffset(resampled?.onTime, period);
  return [
    ...describeLeftOut(leftOut ?? {}),
    ...(offset === undefined ? [] : [`learnt from traces: ${offset}`]),
  ].map((message) => ({ source, message }));
}

/**
 * A note where steps are resampled otherwise than those that a model was learnt from: hold, and error where no step need be held, are taken for the same chain, because
 * held steps are a period long like others (`requireSameLearning` refuses all else).
 */
export function resampleNotes({ learning, source }: Specification, model: Model): TraceNote[] {
  const { period } = toldBy(model);
  if (learning.period === null || period === undefined || period === null) return [];
  const [now, then] = [learning.period, period].map(({ resample = 'error' }) => resample);
  if (now === then) return [];
  const differs =
    now === 'hold'
      ? 'a guard reads held steps, which repeat the one before, and leaves early ones out: the model knows neither'
      : 'the model counts held steps, and a guard takes such gaps for faults';
  const message = `the model was learnt under resample: ${then}, and the specification says resample: ${now}: ${differs}; learn the model again with this specification`;
  return [{ source, message }];
}

function describeLeftOut({ dropped = 0, skipped = 0, unreadable = 0 }: Partial<LeftOut>): string[] {
  const left = dropped + skipped + unreadable;
  if (left === 0) return [];
  const causes = [
    ...(dropped > 0 ? [`${dropped} contradict a constraint`] : []),
    ...(skipped > 0 ? [`${skipped} at fault, or without fields that others have`] : []),
    ...(unreadable > 0 ? [`${unreadable} could not be read`] : []),
  ];
  return [
    `${plural(left, 'trace')} left out of the model (${causes.join(', ')}): the rest is not a sample of the agent, and certify refuses the model`,
  ];
}

/** The number of steps of a recording, and of those that were not recorded: `20, 5 held`. */
export function describeSteps({ steps, held }: { readonly steps: number; readonly held: number }): string {
  return held === 0 ? String(steps) : `${steps}, ${held} held`;
}

/** Counts over traces as they are read. */
export class SampledTraces {
  total: SampledSteps = NO_STEPS;
  /** The first step that was left out. */
  #firstLeftOut = '';
  /** Traces with another action in a step that was left out; and the first of these. */
  #losing = 0;
  #firstLost = '';
  readonly #period: Specification['learning']['period'];
  /** Null if actions do not count. */
  readonly #named: ActionAbstraction | null;

  constructor(specification: Specification) {
    const { period, model } = specification.learning;
    const { actions } = specification.abstraction;
    this.#period = period;
    const count = model === 'mdp' || allPredicates(specification).some(readsAction);
    this.#named = count ? new ActionAbstraction(actions) : null;
  }

  /** Counts one trace, and returns its counts. */
  add(trace: Trace): ReturnType<typeof sampledSteps> {
    const one = sampledSteps(trace, this.#period);
    this.total = addSampled(this.total, one);
    if (one.leftOutSteps !== undefined && this.#firstLeftOut === '')
      this.#firstLeftOut = `, the first: trace "${trace.id}", step ${one.leftOutSteps[0]}`;
    if (one.leftOutSteps !== undefined) this.#addLost(trace);
    return one;
  }

  #addLost(trace: Trace): void {
    const lost = this.#named && this.#findLost(trace, this.#named);
    if (lost === null) return;
    this.#losing++;
    if (this.#losing === 1) this.#firstLost = `trace "${trace.id}", step ${lost.step}, "${lost.name}"`;
  }

  /** An action that cannot be read is no finding here: whoever judges it says so. */
  #findLost(trace: Trace, named: ActionAbstraction): LostAction | null {
    try {
      return lostAction(trace, this.#period, named);
    } catch (error) {
      if (error instanceof EvaluationError) return null;
      throw error;
    }
  }

  /** Notes on actions of left-out steps, for those who run a guard along the traces. */
  lostActions(): string[] {
    if (this.#losing === 0) return [];
    return [
      `${plural(this.#losing, 'trace')} with an action in a step that was left out, the first: ${this.#firstLost}: the guard decides on it in the state of the step before, no rule sees it afterwards, and what it did is read as what came of the action before it; a samplingPeriod as short as actions follow each other keeps it`,
    ];
  }

  /** Passes the traces on and counts them. */
  async *counted(traces: AsyncIterable<Trace>): AsyncGenerator<Trace> {
    for await (const trace of traces) {
      this.add(trace);
      yield trace;
    }
  }

  describe(): string[] {
    const { leftOutMessages = 0 } = this.total;
    return [
      ...describeSampled({ ...this.total, leftOut: 0, leftOutMessages: 0, untimed: 0 }),
      ...describeSampled({ ...NO_STEPS, leftOut: this.total.leftOut - leftOutMessages }).map(
        (line) => line + this.#firstLeftOut,
      ),
      ...describeSampled({ ...NO_STEPS, leftOut: leftOutMessages, leftOutMessages }),
      ...describeSampled({ ...NO_STEPS, steps: this.total.steps, untimed: this.total.untimed ?? 0 }),
    ];
  }
}
