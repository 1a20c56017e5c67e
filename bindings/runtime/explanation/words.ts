import { periodInSeconds } from '../../languages/logic/index.js';
import type { GuardFile } from '../guard/index.js';
import type { Fact, Obligation } from './explanation.js';

type Resample = GuardFile['resample'];

/** Facts that a sentence holds; the rest is in the data. */
const FACTS_SHOWN = 6;
const OBLIGATIONS_SHOWN = 4;

/** How steps, as a rule reads them, from 0, are numbered for people. */
export interface Numbers {
  readonly numberOf: (step: number) => number;
  /** Of a step that was missing, and of which nothing is known, the number of the next that was observed; null of others. */
  readonly nextTo: (step: number) => number | null;
  /** Under `skip`, the seconds from the first step to one; NaN is not known. Absent: of none. */
  readonly secondsOf?: ((step: number) => number) | undefined;
  /** The last step that was read; those after it are to come. */
  readonly last: number;
}

/** Sentences about steps: numbers of steps, with seconds where there is a sampling period. */
export class Words {
  readonly #samplingPeriod: number | string | undefined;
  readonly #period: number | null;
  readonly #decimals: number;
  readonly #resample: Resample;
  readonly #numbers: Numbers;

  /**
   * @param resample what becomes of steps that come early or are missing. Under `hold` and `skip` nobody knows the numbers of steps to come; under `skip`,
   * where a step may stand for more than a sampling period, how many steps there are does not tell seconds
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
    // A thirtieth of a second has no decimal: milliseconds will do.
    this.#decimals = decimals > 9 || String(samplingPeriod).includes('/') ? 3 : Math.max(0, decimals);
  }

  /** The same sentences with other numbers of steps. Not `isTimed`: the number of steps does not tell seconds. */
  numbered(numbers: Numbers, isTimed = true): Words {
    // Where nobody knows how many steps are missing, steps do not tell seconds either.
    return new Words(this.#samplingPeriod, isTimed ? this.#resample : 'skip', numbers);
  }

  get #stretches(): boolean {
    return this.#resample === 'skip';
  }

  /** The number that a step is given; one that was missing, and of which nothing is known, has that of the step before it. */
  number(step: number): number {
    return this.#numbers.numberOf(step);
  }

  /** Whether a step was missing, and nothing is known of it. */
  isMissing(step: number): boolean {
    return this.#numbers.nextTo(step) !== null;
  }

  /** So many steps in seconds; null without a sampling period, and where steps stretch. */
  seconds(steps: number): number | null {
    return this.#period === null || this.#stretches
      ? null
      : Number((steps * this.#period).toFixed(this.#decimals));
  }

  /**
   * `step 130 (13.0 s)`: its number, and the seconds since the first step, those that were missing included. One that was missing has the number of the step that it
   * repeats: `step 130, held (13.1 s)`; one of which nothing is known is `a step missing between step 130 and step 131 (13.1 s)`. Where steps stretch, the seconds are those recorded, or none. One that is to come where steps may be missing or left out has no
   * number yet: `the step due at 13.1 s`, or where steps stretch `the step 3 further on`.
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

  /** The steps between two, both included, as a rule reads them, that were left out: their numbers. */
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

  /** Facts as the parts of one sentence. */
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

function fact({ formula, holds, from, to, leftOut = [] }: Fact): string {
  if (from === to) return `at step ${from} \`${formula}\` ${holds ? 'held' : 'did not hold'}`;
  const range = `steps ${from} to ${to}`;
  const steps = leftOut.length === 0 ? range : `${range} that count (${withoutSteps(leftOut)})`;
  return holds ? `\`${formula}\` held at all of the ${steps}` : `none of the ${steps} had \`${formula}\``;
}

/** Which steps were left out, since they came before their time. */
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
