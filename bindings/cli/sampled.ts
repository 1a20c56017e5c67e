import type { LearningParameters } from '../learning/index.js';
import type { Model } from '../model/index.js';
import type { Specification } from '../specification/index.js';
import {
  addSampled,
  describeSampled,
  NO_STEPS,
  type SampledSteps,
  sampledSteps,
  type Trace,
} from '../trace/index.js';

/** How many of the steps that a model was learnt from were held, not counted, or left out; null where the model does not say. */
export function sampledOf({ parameters }: Model): SampledSteps | null {
  const learnt = (parameters as { foreguard?: Partial<LearningParameters> } | undefined)?.foreguard;
  return learnt?.resampled ?? null;
}

/** The same in words, for whoever reads figures of the model; empty where all steps were recorded in time. */
export function describeSampledModel(model: Model): string[] {
  const sampled = sampledOf(model);
  return sampled === null
    ? []
    : describeSampled(sampled).map((line) => `learnt from resampled traces: ${line}`);
}

/** How many steps a recording has, and how many nobody recorded: `20, 5 held`. */
export function describeSteps({ steps, held }: { readonly steps: number; readonly held: number }): string {
  return held === 0 ? String(steps) : `${steps}, ${held} held`;
}

/** Counts over traces as they are read. */
export class SampledTraces {
  total = NO_STEPS;
  readonly #period: Specification['learning']['period'];

  constructor({ learning: { period } }: Specification) {
    this.#period = period;
  }

  /** Counts one trace, and says what it adds. */
  add(trace: Trace): SampledSteps {
    const one = sampledSteps(trace, this.#period);
    this.total = addSampled(this.total, one);
    return one;
  }

  /** The same traces, counted as they pass. */
  async *counted(traces: AsyncIterable<Trace>): AsyncGenerator<Trace> {
    for await (const trace of traces) {
      this.add(trace);
      yield trace;
    }
  }

  describe(): string[] {
    return describeSampled(this.total);
  }
}
