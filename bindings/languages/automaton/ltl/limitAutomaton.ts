import type { Guess } from './guesses.js';
import { LtlAutomaton } from './ltlAutomaton.js';
import { FALSE_TERM, type Term, TRUE_TERM } from './terms.js';

/**
 * A deterministic Büchi automaton that checks, from the position where it is entered, whether a guess is right and the rest of the formula
 * holds. It accepts words that avoid `REFUSED` and visit states with `confirms` infinitely often. The formulas that must hold infinitely
 * often are awaited in turn, one after another.
 *
 * Together with `LtlAutomaton` as the part before the guess, it forms a limit-deterministic automaton for the formula.
 */
export class LimitAutomaton {
  static readonly REFUSED = 0;

  /**
   * For each state: the safety condition, the index of the formula of `often` that is awaited, the rest of that formula, and whether a
   * formula has just been satisfied.
   */
  readonly #contents: (readonly [safe: number, turn: number, awaited: number, came: boolean])[] = [
    [LtlAutomaton.FALSE_STATE, 0, LtlAutomaton.FALSE_STATE, false],
  ];
  readonly #numbers = new Map<string, number>();
  readonly #next: (Int32Array | undefined)[] = [];
  /** For each turn, the state that awaits its formula from the next position on; without formulas, the true state. */
  readonly #turns: number[];
  readonly #automaton: LtlAutomaton;
  readonly #guess: Guess;

  constructor(automaton: LtlAutomaton, guess: Guess) {
    this.#automaton = automaton;
    this.#guess = guess;
    const { terms } = automaton;
    this.#turns = guess.often.map((term) => automaton.stateOf(terms.until(TRUE_TERM, term, null)));
    if (this.#turns.length === 0) this.#turns.push(LtlAutomaton.TRUE_STATE);
  }

  /** The initial state when `formula`, one of the formulas of the guess, remains to be shown. */
  enter(formula: Term): number {
    const safe = this.#guess.safe.get(formula) ?? FALSE_TERM;
    return this.#intern(this.#automaton.stateOf(safe), 0, this.#turns[0], false);
  }

  /** The state after a letter, created on first request. */
  step(state: number, letter: number): number {
    this.#next[state] ??= new Int32Array(this.#automaton.letters.count).fill(-1);
    const successors = this.#next[state];
    if (successors[letter] < 0) successors[letter] = this.#successor(state, letter);
    return successors[letter];
  }

  /** Whether the awaited formula has just been satisfied; if that happens infinitely often, every awaited formula is satisfied infinitely often. */
  confirms(state: number): boolean {
    return this.#contents[state][3];
  }

  #successor(state: number, letter: number): number {
    const [safe, turn, awaited] = this.#contents[state];
    const stillSafe = this.#automaton.step(safe, letter);
    const left = this.#automaton.step(awaited, letter);
    if (left !== LtlAutomaton.TRUE_STATE) return this.#intern(stillSafe, turn, left, false);
    const nextTurn = (turn + 1) % this.#turns.length;
    return this.#intern(stillSafe, nextTurn, this.#turns[nextTurn], true);
  }

  #intern(safe: number, turn: number, awaited: number, came: boolean): number {
    if (safe === LtlAutomaton.FALSE_STATE) return LimitAutomaton.REFUSED;
    const key = `${safe},${turn},${awaited},${came}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const state = this.#contents.length;
    this.#contents.push([safe, turn, awaited, came]);
    this.#numbers.set(key, state);
    return state;
  }
}
