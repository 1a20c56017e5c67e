import type { Random } from '../../bindings/base/random.js';
import {
  createGuard,
  type Guard,
  type GuardFile,
  openTables,
  type RecordedStep,
} from '../../bindings/runtime/guard/index.js';
import { BAD, below, stateOf } from './actionWorlds.js';

/** One thing that a guard was told, to bring another to the same place. */
type Told = RecordedStep;

/** Where an attack has come to: the process, and what the guard was told. */
interface Place {
  /** The chain state that the process is in; its number of states is the end. */
  readonly s: number;
  readonly told: readonly Told[];
  /** What was given up after the last of `told`. */
  readonly withheld: 'all' | null;
  /** Calls that the guard counts on: let through and not come back, by name, and whether they have run all the same. Null is doing nothing. */
  readonly running: readonly { readonly name: string | null; readonly done: boolean }[];
  /** Calls given up since the world was observed. */
  readonly givenUp: readonly string[];
  /** Something has come back since the world was observed. */
  readonly closed: boolean;
}

/**
 * Plays an agent and its framework against a budget: which calls are proposed side by side, in which order they run, which come back late, are given up or fail. The
 * outcomes of calls are all followed, with their probabilities; of the attacker's moves a few are drawn and the worst counts. No move depends on what a call has done
 * that has not come back, except which running call runs next.
 */
export class Attack {
  readonly #file: GuardFile;
  readonly #random: Random;
  readonly #guard: Guard;
  readonly #moves: number;
  /** How many calls the guard let through while others were running. */
  beside = 0;
  refused = 0;
  /** How often doing nothing was let through while calls were running. */
  idled = 0;

  /** @param moves of the attacker that are tried at each place */
  constructor(file: GuardFile, random: Random, moves = 3) {
    this.#file = file;
    this.#random = random;
    this.#guard = createGuard(file);
    this.#moves = moves;
  }

  /** The probability of a violation that the attack comes to within so many turns, or what it is sure to have by then. */
  worst(turns: number): number {
    const { columns, values } = this.#file.actions!.start;
    return columns.reduce((sum, s, i) => {
      const place: Place = { s, told: [], withheld: null, running: [], givenUp: [], closed: true };
      return sum + values[i] * this.#worstOf(place, turns);
    }, 0);
  }

  /** The attacker is to move: it has seen the place. */
  #worstOf(place: Place, turns: number): number {
    if (place.s === this.#end) return 0;
    if (stateOf(this.#file, place.s).x === BAD) return 1;
    let worst = this.#sure(place.s);
    if (turns === 0) return worst;
    for (let move = 0; move < this.#moves; move++) worst = Math.max(worst, this.#turn(place, turns));
    return worst;
  }

  /** Proposes one to four calls, then has what is running run. */
  #turn(before: Place, turns: number): number {
    let place = before;
    for (let proposals = 1 + below(this.#random, 4); proposals > 0; proposals--) {
      place = this.#propose(place, 'abc'[below(this.#random, 3)]);
      if (place.running.length > 1 && below(this.#random, 6) === 0) place = this.#giveUp(place);
    }
    if (below(this.#random, 4) === 0) place = this.#idle(place);
    if (place.running.length === 0) return this.#sure(place.s);
    const all = place.running.length < 3 && below(this.#random, 3) === 0;
    return this.#run(place, turns, all ? null : below(this.#random, 1000));
  }

  /** The guard decides on a call; one that it lets through is running. */
  #propose(place: Place, name: string): Place {
    const guard = this.#bring(place);
    const state = stateOf(this.#file, place.s);
    const pending = pendingAt(place);
    const { decision } = place.closed
      ? guard.step(state, { action: { name } })
      : guard.propose(state, { name }, { pending });
    const told = [...place.told, guard.observed()];
    const next = { ...place, told, withheld: null, closed: false };
    if (decision !== 'allow') {
      this.refused++;
      return next;
    }
    if (pending.length > 0) this.beside++;
    return { ...next, running: [...place.running, { name, done: false }] };
  }

  /** The guard decides on doing nothing while calls are running; the world then goes on by itself, before, between or after them. */
  #idle(place: Place): Place {
    if (place.closed) return place;
    const guard = this.#bring(place);
    const pending = pendingAt(place);
    const { decision } = guard.idle(stateOf(this.#file, place.s), { pending });
    const next = { ...place, told: [...place.told, guard.observed()], withheld: null };
    if (decision !== 'allow') return next;
    if (pending.length > 0) this.idled++;
    return { ...next, running: [...place.running, { name: null, done: false }] };
  }

  /** A running call is given up, if it has not run. */
  #giveUp(place: Place): Place {
    const at = below(this.#random, place.running.length);
    const { name, done } = place.running[at];
    if (done || name === null) return place;
    const running = place.running.filter((_, i) => i !== at);
    return running.length === 0
      ? { ...place, running, givenUp: [], withheld: 'all' }
      : { ...place, running, givenUp: [...place.givenUp, name] };
  }

  /**
   * Running calls run, one after another. `plan` draws the attacker's choices; without one all of them are tried, and the worst counts, by what came of those before.
   */
  #run(place: Place, turns: number, plan: number | null): number {
    if (place.s === this.#end) return 0;
    if (stateOf(this.#file, place.s).x === BAD) return 1;
    const open = place.running.flatMap(({ done }, i) => (done ? [] : [i]));
    // Nothing comes back before doing nothing has: the state is observed after it.
    const waits = place.running.some(({ name, done }) => name === null && !done);
    const moves: (() => number)[] = waits ? [] : [() => this.#comeBack(place, turns)];
    for (const i of open) moves.push(() => this.#runOne(place, i, turns, plan));
    if (plan !== null) return moves[(plan * (open.length + 1) + place.s) % moves.length]();
    return Math.max(...moves.map((move) => move()));
  }

  #runOne(place: Place, i: number, turns: number, plan: number | null): number {
    const { taken, outcomes, names } = this.#file.actions!;
    const { name } = place.running[i];
    const action = name === null ? -1 : names.indexOf(name);
    let pair = taken.rowStart[place.s];
    while (pair < taken.rowStart[place.s + 1] && taken.actions[pair] !== action) pair++;
    // Of what was never tried the learnt process says nothing: the worst.
    if (pair === taken.rowStart[place.s + 1]) return 1;
    const running = place.running.map((one, k) => (k === i ? { ...one, done: true } : one));
    let sum = 0;
    for (let k = outcomes.rowStart[pair]; k < outcomes.rowStart[pair + 1]; k++)
      sum += outcomes.values[k] * this.#run({ ...place, s: outcomes.columns[k], running }, turns, plan);
    return sum;
  }

  /** Some of the calls that have run come back, and some of the others fail; the world is observed, and the attacker sees it. */
  #comeBack(before: Place, turns: number): number {
    const hasIdled = before.running.some(({ name }) => name === null);
    const place = { ...before, running: before.running.filter(({ name }) => name !== null) };
    if (hasIdled) return this.#observe(place, turns, place.running, place.givenUp);
    const back = place.running.findIndex(({ done }) => done);
    // Nothing has run: all is given up, or the first fails.
    const failed = back < 0 ? below(this.#random, place.running.length) : back;
    const late = (below(this.#random, 3) === 0 && place.running.length > 1) || back < 0;
    const running = place.running.filter(({ done }, i) => i !== failed && (late || !done));
    return this.#observe(place, turns, running, []);
  }

  /** The world is observed between the calls that are still running, or before the next. */
  #observe(place: Place, turns: number, running: Place['running'], givenUp: Place['givenUp']): number {
    if (running.length + givenUp.length === 0)
      return this.#worstOf({ ...place, running: [], givenUp: [], closed: true }, turns - 1);
    const guard = this.#bring(place);
    const name = running[0]?.name;
    guard.observe(stateOf(this.#file, place.s), name ? { action: { name } } : {});
    const told = [...place.told, guard.observed()];
    return this.#worstOf({ s: place.s, told, withheld: null, running, givenUp, closed: false }, turns - 1);
  }

  /** What an attacker has for sure who does the least harm from here on. */
  #sure(s: number): number {
    const [rule] = this.#file.rules;
    return s === this.#end ? 0 : openTables(rule).least!.upper(s, rule.automaton.initial);
  }

  get #end(): number {
    return this.#file.states.draws.length;
  }

  #bring({ told, withheld }: Place): Guard {
    const guard = this.#guard;
    guard.reset();
    for (const one of told) guard.decideAgain(one);
    if (withheld !== null) guard.withhold(withheld);
    return guard;
  }
}

/** What the guard counts on that has not come back, doing nothing aside. */
function pendingAt({ running, givenUp }: Place): { name: string }[] {
  return [...running.flatMap(({ name }) => (name === null ? [] : [name])), ...givenUp].map((name) => ({
    name,
  }));
}
