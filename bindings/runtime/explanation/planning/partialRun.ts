import { successorsUnder, VIOLATED } from '../../../languages/automaton/index.js';
import type { ActionModel } from '../../../observations/effects/index.js';
import { isLost, type PlannedRule, type RuleReader, readerOf } from './foresight.js';

/** A step as it was read: packed values, and which of them are known; with the valuations that may follow, or null if that is not known. */
export interface PartialStep {
  readonly values: readonly number[];
  readonly known: readonly number[];
  readonly after: readonly (readonly number[])[] | null;
}

/** A rule that may be broken for good after a step. */
export interface ForeseenBreach {
  /** Its place. */
  readonly rule: number;
  /** Whether it is broken however the step turns out. */
  readonly certain: boolean;
  /** A valuation after which it is broken, and the values before; packed. */
  readonly after: readonly number[];
  readonly values: readonly number[];
  readonly known: readonly number[];
}

/** Rules along a run of which some steps were read in part: each automaton is in one of several states. */
export class PartialRun {
  readonly #model: ActionModel;
  readonly #readers: readonly RuleReader[];
  #states: readonly (readonly number[])[];
  #before: readonly (readonly number[])[] | null = null;

  constructor(model: ActionModel, rules: readonly PlannedRule[]) {
    this.#model = model;
    this.#readers = rules.map((rule) => readerOf(rule, model, null));
    this.#states = this.#readers.map(({ automaton }) => [automaton.initial]);
  }

  /** The rules that may be broken by a step or by what may follow it; those that are broken already are none of them. */
  broken(step: PartialStep): ForeseenBreach[] {
    const next = this.#after(step);
    const outcomes = (step.after ?? []).map((one) => Uint32Array.from(one));
    return this.#readers.flatMap((reader, rule): ForeseenBreach[] => {
      const isOpen = (q: number): boolean => reader.automaton.verdict[q] !== VIOLATED;
      if (!this.#states[rule].some(isOpen)) return [];
      const ways = next[rule].flatMap((q) => outcomes.map((after) => ({ q, after })));
      const lost = ways.filter(({ q, after }) => isLost(reader, q, after, this.#model));
      if (lost.length === 0) return [];
      const [{ after }] = lost;
      const { values, known } = step;
      return [{ rule, certain: lost.length === ways.length, after: [...after], values, known }];
    });
  }

  advance(step: PartialStep): void {
    this.#before = this.#states;
    this.#states = this.#after(step);
  }

  /** The step read last was none. */
  takeBack(): void {
    if (this.#before === null) this.loseTrack();
    else this.#states = this.#before;
    this.#before = null;
  }

  /** A step is over of which nothing is known. */
  loseTrack(): void {
    this.#before = null;
    this.#states = this.#readers.map((reader, rule) => {
      const reached = this.#states[rule].flatMap((q) =>
        successorsUnder(reader.automaton, q, () => undefined),
      );
      return [...new Set(reached)];
    });
  }

  /** The states after a step, of those that are not violated: a rule that is broken once is against nothing. */
  #after({ values, known }: PartialStep): number[][] {
    const bit = (words: readonly number[], i: number): boolean => ((words[i >>> 5] >>> (i & 31)) & 1) === 1;
    return this.#readers.map(({ automaton, numbers }, rule) => {
      const value = (predicate: number): boolean | undefined =>
        bit(known, numbers[predicate]) ? bit(values, numbers[predicate]) : undefined;
      return [...new Set(this.#states[rule].flatMap((q) => successorsUnder(automaton, q, value)))];
    });
  }
}
