import type { Guess } from './guesses.js';
import { LtlAutomaton } from './ltlAutomaton.js';
import { FALSE_TERM, type Term, TRUE_TERM } from './terms.js';

/**
 * Watches whether a guess is right from where it is entered on, and what is left of the formula holds then: a deterministic
 * Büchi automaton. It accepts what stays out of `REFUSED` and comes through `confirms` again and again. What has to hold again and
 * again is awaited in turns, one formula after the other.
 *
 * With `LtlAutomaton` as the part before the guess this is a limit-deterministic automaton for the formula.
 */
export class LimitAutomaton {
  static readonly REFUSED = 0;

  /** Per state what must go on to hold, which of `often` is awaited, what is left of that, and whether one has just come. */
  readonly #contents: (readonly [safe: number, turn: number, awaited: number, came: boolean])[] = [
    [LtlAutomaton.FALSE_STATE, 0, LtlAutomaton.FALSE_STATE, false],
  ];
  readonly #numbers = new Map<string, number>();
  readonly #next: (Int32Array | undefined)[] = [];
  /** Per turn the state that awaits its formula from the next position on; without any formula, one that is always reached. */
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

  /** The state that begins to watch, where one of the formulas that the guess is about is left to be shown. */
  enter(formula: Term): number {
    const safe = this.#guess.safe.get(formula) ?? FALSE_TERM;
    return this.#intern(this.#automaton.stateOf(safe), 0, this.#turns[0], false);
  }

  /** The state after a letter, made when it is first asked for. */
  step(state: number, letter: number): number {
    this.#next[state] ??= new Int32Array(this.#automaton.letters.count).fill(-1);
    const successors = this.#next[state];
    if (successors[letter] < 0) successors[letter] = this.#successor(state, letter);
    return successors[letter];
  }

  /** Whether what was awaited has just come; if that happens again and again, so does all that is awaited in turns. */
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
