import { periodInSeconds } from '../../languages/logic/index.js';
import type { GuardFile } from '../guard/index.js';
import type { Fact, Obligation } from './explanation.js';

type Resample = GuardFile['resample'];

/** Maximum number of facts in a sentence; the data hold the rest. */
const FACTS_SHOWN = 6;
const OBLIGATIONS_SHOWN = 4;

/** The numbering of steps for people; the rule itself reads them from 0. */
export interface Numbers {
  readonly numberOf: (step: number) => number;
  /** For a missing step of which nothing is known, the number of the next observed step; null for all others. */
  readonly nextTo: (step: number) => number | null;
  /** With `skip`, seconds from the first step to the given one; NaN if unknown. Absent: always unknown. */
  readonly secondsOf?: ((step: number) => number) | undefined;
  /** The last step that was read; later ones are in the future. */
  readonly last: number;
}

/** Builds sentences about steps: step numbers, with seconds if there is a sampling period. */
export class Words {
  readonly #samplingPeriod: number | string | undefined;
  readonly #period: number | null;
  readonly #decimals: number;
  readonly #resample: Resample;
  readonly #numbers: Numbers;

  /**
   * @param resample how early and missing steps are treated. With `hold` and `skip` the numbers of future steps are unknown; with `skip`, under which a step
   * may span several periods, the number of steps does not determine seconds
   * @param numbers default: the steps as a rule reads them, from 0, all read
   */
  constructor(
    samplingPeriod: number | string | undefined,
    resample: Resample = 'error',
    numbers: Numbers = { numberOf: (step) => step, nextTo: () => null, last: Number.POSITIVE_INFINITY },
  ) {
    this.#samplingPeriod = samplingPeriod;
    this.#resample = resample;
    this.#numbers = numbers;
    this.#period = samplingPeriod === undefined ? null : periodInSeconds(samplingPeriod);
    const [, fraction = '', exponent = '0'] =
      /\.?(\d*)(?:e([+-]?\d+))?$/i.exec(String(samplingPeriod ?? '').replace(/^\d+/, '')) ?? [];
    const decimals = fraction.length - Number(exponent);
    // A period such as a thirtieth of a second has no finite decimal: round to milliseconds.
    this.#decimals = decimals > 9 || String(samplingPeriod).includes('/') ? 3 : Math.max(0, decimals);
  }

  /** The same sentences with other numbers of steps. Without `isTimed`, the number of steps does not determine seconds. */
  numbered(numbers: Numbers, isTimed = true): Words {
    // If the number of missing steps is unknown, steps do not determine seconds either.
    return new Words(this.#samplingPeriod, isTimed ? this.#resample : 'skip', numbers);
  }

  get #stretches(): boolean {
    return this.#resample === 'skip';
  }

  /** The number used for a step; a missing step of which nothing is known has the number of the step before it. */
  number(step: number): number {
    return this.#numbers.numberOf(step);
  }

  /** Whether a step was missing and nothing is known of it. */
  isMissing(step: number): boolean {
    return this.#numbers.nextTo(step) !== null;
  }

  /** Converts a number of steps to seconds; null without a sampling period, or if steps may span several periods. */
  seconds(steps: number): number | null {
    return this.#period === null || this.#stretches
      ? null
      : Number((steps * this.#period).toFixed(this.#decimals));
  }

  /**
   * `step 130 (13.0 s)`: the number of a step, and the seconds since the first step, including missing steps. A held step has the number of the step that it
   * repeats: `step 130, held (13.1 s)`; a step of which nothing is known is `a step missing between step 130 and step 131 (13.1 s)`. If steps may span several
   * periods, the seconds are the recorded ones, or left out. A future step has no number if steps may be missing or left out: it is `the step due at 13.1 s`,
   * or `the step 3 further on` if steps may span several periods.
   */
  step(step: number): string {
    const { numberOf, nextTo, secondsOf, last } = this.#numbers;
    if (step > last && this.#resample !== 'error') {
      return this.#stretches || this.#period === null
        ? `the step ${step - last} further on`
        : `the step due at ${(step * this.#period).toFixed(this.#decimals)} s`;
    }
    const number = numberOf(step);
    const next = nextTo(step);
    const held = next === null && step > 0 && numberOf(step - 1) === number && nextTo(step - 1) === null;
    const name =
      next === null
        ? `step ${number}${held ? ', held' : ''}`
        : `a step missing between step ${number} and step ${next}`;
    return name + (this.#stretches ? this.#written(secondsOf?.(step) ?? Number.NaN) : this.#inSeconds(step));
  }

  /** The numbers of the left-out steps between two steps, both included, as a rule reads them. */
  leftOut(from: number, to: number): number[] {
    const numbers: number[] = [];
    for (let step = from; step < to; step++) {
      for (let number = this.number(step) + 1; number < this.number(step + 1); number++) numbers.push(number);
    }
    return numbers;
  }

  /** `4 steps (0.4 s)` */
  steps(count: number): string {
    return `${count} step${count === 1 ? '' : 's'}${this.#inSeconds(count)}`;
  }

  #inSeconds(steps: number): string {
    return this.#period === null || this.#stretches ? '' : this.#written(steps * this.#period);
  }

  #written(seconds: number): string {
    return Number.isNaN(seconds) ? '' : ` (${seconds.toFixed(this.#decimals)} s)`;
  }

  /** Joins facts into one sentence. */
  facts(facts: readonly Fact[]): string {
    const shown = facts.slice(0, FACTS_SHOWN).map(fact);
    if (facts.length > FACTS_SHOWN) shown.push(`${facts.length - FACTS_SHOWN} more`);
    return enumerate(shown);
  }

  obligations(obligations: readonly Obligation[]): string {
    const due = obligations.filter(({ standing }) => !standing);
    const told = due.length > 0 ? due : obligations;
    const shown = told.slice(0, OBLIGATIONS_SHOWN).map((obligation) => this.#obligation(obligation));
    if (told.length > OBLIGATIONS_SHOWN) shown.push(`${told.length - OBLIGATIONS_SHOWN} more are due`);
    return (due.length > 0 ? '' : 'nothing is due, but ') + shown.join('; ');
  }

  #obligation(obligation: Obligation): string {
    const { because, phrase, standing, stepsLeft } = obligation;
    const due = because.length > 0 ? `${this.facts(because)}, so ` : '';
    const left = stepsLeft !== null && stepsLeft > 0 && !standing ? `: ${this.steps(stepsLeft)} left` : '';
    return `${due}${phrase}${left}`;
  }
}

function fact({ formula, said = `\`${formula}\``, holds, from, to, leftOut = [] }: Fact): string {
  if (from === to) return `at step ${from} ${said} ${holds ? 'held' : 'did not hold'}`;
  const range = `steps ${from} to ${to}`;
  const steps = leftOut.length === 0 ? range : `${range} that count (${withoutSteps(leftOut)})`;
  return holds ? `${said} held at all of the ${steps}` : `none of the ${steps} had ${said}`;
}

/** Describes the steps that were left out because they came before their time. */
function withoutSteps(leftOut: readonly number[]): string {
  if (leftOut.length === 1) return `step ${leftOut[0]} was left out`;
  const shown = leftOut.slice(0, FACTS_SHOWN).map(String);
  if (leftOut.length > FACTS_SHOWN) shown.push(`${leftOut.length - FACTS_SHOWN} more`);
  return `steps ${enumerate(shown)} were left out`;
}

export function enumerate(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}
