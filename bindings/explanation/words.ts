import { periodInSeconds } from '../logic/index.js';
import type { Fact, Obligation } from './explanation.js';

/** Facts that a sentence holds; the rest is in the data. */
const FACTS_SHOWN = 6;
const OBLIGATIONS_SHOWN = 4;

/** Sentences about steps: numbers of steps, with seconds where there is a sampling period. */
export class Words {
  readonly #samplingPeriod: number | string | undefined;
  readonly #period: number | null;
  readonly #decimals: number;
  readonly #numberOf: (step: number) => number;

  /** @param numberOf the number that a step is given, of the steps as a rule reads them, from 0; default the same */
  constructor(
    samplingPeriod: number | string | undefined,
    numberOf: (step: number) => number = (step) => step,
  ) {
    this.#samplingPeriod = samplingPeriod;
    this.#numberOf = numberOf;
    this.#period = samplingPeriod === undefined ? null : periodInSeconds(samplingPeriod);
    const [, fraction = '', exponent = '0'] =
      /\.?(\d*)(?:e([+-]?\d+))?$/i.exec(String(samplingPeriod ?? '').replace(/^\d+/, '')) ?? [];
    const decimals = fraction.length - Number(exponent);
    // A thirtieth of a second has no decimal: milliseconds will do.
    this.#decimals = decimals > 9 || String(samplingPeriod).includes('/') ? 3 : Math.max(0, decimals);
  }

  /** The same sentences with other numbers of steps. */
  numbered(numberOf: (step: number) => number): Words {
    return new Words(this.#samplingPeriod, numberOf);
  }

  /** The number that a step is given. */
  number(step: number): number {
    return this.#numberOf(step);
  }

  /** So many steps in seconds; null without a sampling period. */
  seconds(steps: number): number | null {
    return this.#period === null ? null : Number((steps * this.#period).toFixed(this.#decimals));
  }

  /**
   * `step 130 (13.0 s)`: its number, and the seconds since the first step, those that were missing included. One that was missing has the number of the step that it
   * repeats: `step 130, held (13.1 s)`.
   */
  step(step: number): string {
    const number = this.#numberOf(step);
    const held = step > 0 && this.#numberOf(step - 1) === number;
    return `step ${number}${held ? ', held' : ''}${this.#inSeconds(step)}`;
  }

  /** `4 steps (0.4 s)` */
  steps(count: number): string {
    return `${count} step${count === 1 ? '' : 's'}${this.#inSeconds(count)}`;
  }

  #inSeconds(steps: number): string {
    return this.#period === null ? '' : ` (${(steps * this.#period).toFixed(this.#decimals)} s)`;
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

function fact({ formula, holds, from, to }: Fact): string {
  if (holds) {
    return from === to
      ? `at step ${from} \`${formula}\` held`
      : `\`${formula}\` held at all of the steps ${from} to ${to}`;
  }
  if (from === to) return `at step ${from} \`${formula}\` did not hold`;
  return `none of the steps ${from} to ${to} had \`${formula}\``;
}

export function enumerate(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}
