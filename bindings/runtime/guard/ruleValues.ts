import { bindAutomaton, OPEN, type Stepper, violatedAtEnd } from '../../languages/automaton/index.js';
import type { GuardFile, GuardRule } from './guardFile.js';
import { openTables, type RuleTables } from './ruleTables.js';

/**
 * One rule's automaton beside the learnt process, and the three risks at its positions: chain state s and automaton state q have number s * Q + q. The state
 * after the last is the end of the run.
 */
export class RuleValues {
  /** Q, the number of states of the automaton. */
  readonly columns: number;
  readonly initial: number;
  readonly #states: number;
  readonly #stepper: Stepper;
  readonly #verdict: ArrayLike<number>;
  readonly #valuations: Uint32Array;
  readonly #words: number;
  readonly #tables: RuleTables;
  /** By automaton state: whether a run that ends there violates the rule. */
  readonly #atEnd: readonly number[];

  constructor(rule: GuardRule, { states, predicates }: GuardFile, valuations: Uint32Array) {
    const { automaton } = rule;
    this.columns = automaton.states;
    this.initial = automaton.initial;
    this.#states = states.draws.length;
    this.#stepper = bindAutomaton(
      automaton,
      predicates.map(({ name }) => name),
    );
    this.#verdict = automaton.verdict;
    this.#valuations = valuations;
    this.#words = states.words;
    // A run that ends violates the rule if the rule is violated, or open and not satisfied by ending.
    this.#atEnd = Array.from(automaton.verdict, (_, q) => Number(violatedAtEnd(automaton, q, 'strong')));
    this.#tables = openTables(rule);
  }

  positionOf(s: number, q: number): number {
    return s * this.columns + q;
  }

  stateOf(position: number): number {
    return Math.floor(position / this.columns);
  }

  /** The position after the run has moved to chain state `t`, or to its end. */
  positionAfter(position: number, t: number): number {
    const q = position % this.columns;
    return this.positionOf(t, t === this.#states ? q : this.read(q, t));
  }

  /** The automaton's state after it has read the valuation of chain state `s` in state `q`. */
  read(q: number, s: number): number {
    return this.#stepper.step(q, this.#valuations, s * this.#words);
  }

  /** Whether no further action changes a risk: the run has ended, or the rule is violated or satisfied for good. */
  isDecided(position: number): boolean {
    return this.stateOf(position) === this.#states || this.#verdict[position % this.columns] !== OPEN;
  }

  /** Whether a run that ends at the position breaks the rule. */
  breaksAtEnd(position: number): boolean {
    return this.#atEnd[position % this.columns] === 1;
  }

  /** The upper bound on the least risk. */
  leastUpper(position: number): number {
    const s = this.stateOf(position);
    const q = position % this.columns;
    return s === this.#states ? this.#atEnd[q] : (this.#tables.least?.upper(s, q) ?? 1);
  }

  /** Writes lower and upper bound of `asAgent`, of `least` and of `most` into `bounds`. */
  risksAt(position: number, bounds: Float64Array): void {
    const s = this.stateOf(position);
    const q = position % this.columns;
    if (s === this.#states) {
      bounds.fill(this.#atEnd[q], 0, 6);
      return;
    }
    const { risk, least, most } = this.#tables;
    bounds[0] = risk.lower(s, q);
    bounds[1] = risk.upper(s, q);
    bounds[2] = least?.lower(s, q) ?? 0;
    bounds[3] = least?.upper(s, q) ?? 1;
    bounds[4] = most?.lower(s, q) ?? 0;
    bounds[5] = most?.upper(s, q) ?? 1;
  }
}
