import type { Random } from '../../bindings/base/random.js';
import {
  createSession,
  type RunRecord,
  type Session,
  type Verdict,
} from '../../bindings/runtime/enforcement/index.js';
import { createGuard, type Guard, type GuardFile, openTables } from '../../bindings/runtime/guard/index.js';
import { BAD, below, stateOf } from './actionWorlds.js';

/** What happens to a run, in order. Numbers are those of decisions. */
type Event =
  | { readonly kind: 'world'; readonly s: number }
  | { readonly kind: 'propose'; readonly name: string | null }
  | { readonly kind: 'back' | 'failed' | 'given-up'; readonly number: number }
  /** A call that was cut off has run, or is sure never to. */
  | { readonly kind: 'settled'; readonly number: number; readonly ran: boolean }
  | { readonly kind: 'cut' };

/** A call that was let through; null is doing nothing. */
interface Call {
  readonly number: number;
  readonly name: string | null;
  /** It has taken effect, whether or not anyone knows. */
  readonly done: boolean;
}

interface Place {
  /** The chain state that the process is in; its number of states is the end. */
  readonly s: number;
  readonly events: readonly Event[];
  readonly running: readonly Call[];
  /** Calls that were running when the run was cut off. */
  readonly lost: readonly Call[];
  readonly cuts: number;
}

/** A run that is brought to a place anew. */
export interface Brought {
  readonly session: Session;
  readonly verdict: Verdict | null;
  readonly records: readonly RunRecord[];
}

/**
 * Plays an agent, its framework and crashes against sessions under a budget, as `Attack` does against a guard: the process is killed at any place while calls are
 * running, the run is resumed from its records, and any of the calls that were cut off takes effect at any later time, or never.
 */
export class CutAttack {
  readonly #file: GuardFile;
  readonly #guard: Guard;
  readonly #random: Random;
  readonly #moves: number;
  readonly #forgets: boolean;
  cuts = 0;
  /** How many calls were let through, and refused, while one that was cut off had not run. */
  beside = 0;
  refused = 0;
  settled = 0;
  /** The longest run so far. */
  longest: readonly Event[] = [];
  /** Runs whose last event is a proposal that nothing was running beside, though calls may have been cut off or given up before. */
  readonly quiet: (readonly Event[])[] = [];

  /**
   * @param moves of the attacker that are tried at each place
   * @param forgets whether the records lose what was running, as a check of the attack
   */
  constructor(file: GuardFile, random: Random, { moves = 2, forgets = false } = {}) {
    this.#file = file;
    this.#guard = createGuard(file);
    this.#random = random;
    this.#moves = moves;
    this.#forgets = forgets;
  }

  /** The probability of a violation that the attack comes to within so many turns, or what it is sure to have by then. */
  async worst(turns: number): Promise<number> {
    const { columns, values } = this.#file.actions!.start;
    let sum = 0;
    for (const [i, s] of columns.entries())
      sum += values[i] * (await this.#worstOf({ s, events: [], running: [], lost: [], cuts: 0 }, turns));
    return sum;
  }

  /** Brings a session to the place after these events. @param whole whether to record what follows the last cut, too */
  async bring(events: readonly Event[], whole = false): Promise<Brought> {
    let s = -1;
    let cuts = events.filter(({ kind }) => kind === 'cut').length;
    const records: RunRecord[] = [];
    const verdicts: Verdict[] = [];
    const begin = (resume?: readonly RunRecord[]): Session =>
      createSession({
        guard: this.#guard.fork(),
        tools: ['a', 'b', 'c'],
        id: 'run',
        state: () => stateOf(this.#file, s),
        ...((whole || cuts > 0) && { log: { append: (record) => void records.push(record) } }),
        ...(resume && { resume: structuredClone(resume) as RunRecord[] }),
      });
    let session = begin();
    for (const event of events) {
      if (event.kind === 'world') s = event.s;
      else if (event.kind === 'cut') {
        cuts--;
        session = begin(this.#forgets ? withoutRunning(records) : records);
      } else if (event.kind === 'propose') {
        const { name } = event;
        const id = String(verdicts.length);
        verdicts.push(await (name === null ? session.idle() : session.check({ id, name, arguments: {} })));
      } else if (event.kind === 'given-up') await session.withdraw(verdicts[event.number]);
      else if (event.kind === 'settled') await session.settle(event.number, event.ran ? { result: 0 } : null);
      else await session.ran(verdicts[event.number], event.kind === 'back' ? { result: 0 } : { error: 0 });
    }
    return { session, verdict: verdicts.at(-1) ?? null, records };
  }

  /** The attacker is to move: it has seen the place. */
  async #worstOf(place: Place, turns: number): Promise<number> {
    if (place.s === this.#end) return 0;
    if (this.#isBad(place.s)) return 1;
    let worst = this.#sure(place.s);
    if (turns === 0) return worst;
    for (let move = 0; move < this.#moves; move++) worst = Math.max(worst, await this.#turn(place, turns));
    return worst;
  }

  /** Proposes one to three calls, chosen before any of them runs, or does nothing; then lets what may run take its course. */
  async #turn(before: Place, turns: number): Promise<number> {
    let place: Place = { ...before, events: [...before.events, { kind: 'world', s: before.s }] };
    const names = Array.from({ length: 1 + below(this.#random, 3) }, () => 'abc'[below(this.#random, 3)]);
    for (const name of names) {
      place = await this.#propose(place, name);
      if (place.running.length > 0 && below(this.#random, 6) === 0) place = this.#giveUp(place);
    }
    if (place.running.length === 0 && below(this.#random, 3) === 0) place = await this.#propose(place, null);
    const all = place.running.length + place.lost.length < 3 && below(this.#random, 3) === 0;
    return this.#run(place, turns, all ? null : below(this.#random, 1000));
  }

  /** The session decides on a call, or on doing nothing; one that it lets through is running. */
  async #propose(before: Place, name: string | null): Promise<Place> {
    const place: Place = { ...before, events: [...before.events, { kind: 'propose', name }] };
    const { session, verdict } = await this.bring(place.events);
    const number = place.events.filter(({ kind }) => kind === 'propose').length - 1;
    if (place.events.length > this.longest.length) this.longest = place.events;
    if (before.running.length === 0 && before.events.length > 3) this.quiet.push(place.events);
    const isBeside = place.lost.some(({ done }) => !done);
    if (verdict?.decision !== 'allow' || session.stopped !== null) {
      if (isBeside) this.refused++;
      return place;
    }
    if (isBeside) this.beside++;
    return { ...place, running: [...place.running, { number, name, done: false }] };
  }

  #giveUp(place: Place): Place {
    const { number } = place.running[below(this.#random, place.running.length)];
    const running = place.running.filter((one) => one.number !== number);
    return { ...place, running, events: [...place.events, { kind: 'given-up', number }] };
  }

  /**
   * Running calls, and those that were cut off, run one after another, until one comes back or the process is killed. `plan` draws the attacker's choices; without one
   * all of them are tried, and the worst counts.
   */
  async #run(place: Place, turns: number, plan: number | null): Promise<number> {
    if (place.s === this.#end) return 0;
    if (this.#isBad(place.s)) return 1;
    const open = [...place.running, ...place.lost].filter(({ done }) => !done);
    // Nothing comes back before doing nothing has: the state is observed after it.
    const waits = place.running.some(({ name, done }) => name === null && !done);
    const moves = waits ? [] : [() => this.#comeBack(place, turns)];
    if (!waits && place.running.length > 0 && place.cuts < 2) moves.push(() => this.#cut(place, turns));
    for (const one of open) moves.push(() => this.#runOne(place, one, turns, plan));
    if (plan !== null) return moves[(plan * (open.length + 1) + place.s) % moves.length]();
    let worst = 0;
    for (const move of moves) worst = Math.max(worst, await move());
    return worst;
  }

  async #runOne(place: Place, { number, name }: Call, turns: number, plan: number | null): Promise<number> {
    const { taken, outcomes, names } = this.#file.actions!;
    const action = name === null ? -1 : names.indexOf(name);
    let pair = taken.rowStart[place.s];
    while (pair < taken.rowStart[place.s + 1] && taken.actions[pair] !== action) pair++;
    // Of what was never tried the learnt process says nothing: the worst.
    if (pair === taken.rowStart[place.s + 1]) return 1;
    const done = (one: Call): Call => (one.number === number ? { ...one, done: true } : one);
    const after = { ...place, running: place.running.map(done), lost: place.lost.map(done) };
    let sum = 0;
    for (let k = outcomes.rowStart[pair]; k < outcomes.rowStart[pair + 1]; k++) {
      const s = outcomes.columns[k];
      const seen: Place = { ...after, s, events: [...after.events, { kind: 'world', s }] };
      sum += outcomes.values[k] * (await this.#run(seen, turns, plan));
    }
    return sum;
  }

  /** The process is killed, and the run resumed; now and then the outcome of a call that was cut off becomes known. */
  #cut(place: Place, turns: number): Promise<number> {
    this.cuts++;
    const events: Event[] = [...place.events, { kind: 'cut' }];
    let lost = [...place.lost, ...place.running.filter(({ name }) => name !== null)];
    if (lost.length > 0 && below(this.#random, 5) === 0) {
      const { number, done } = lost[below(this.#random, lost.length)];
      events.push({ kind: 'settled', number, ran: done });
      lost = lost.filter((one) => one.number !== number);
      this.settled++;
    }
    const cuts = place.cuts + 1;
    return this.#worstOf(
      { ...place, events: this.#forgets ? known(events) : events, running: [], lost, cuts },
      turns - 1,
    );
  }

  /** Calls come back, fail or are given up: all of them, or the first that has run, beside the others. */
  #comeBack(place: Place, turns: number): Promise<number> {
    const calls = place.running.filter(({ name }) => name !== null);
    const first = calls.find(({ done }) => done) ?? calls[0];
    const late = calls.length > 1 && below(this.#random, 3) === 0;
    const back = late ? [first] : calls;
    const events = back.map(({ number, done }): Event => {
      if (done) return { kind: 'back', number };
      // The world is observed where a call comes back, not where it is given up.
      return { kind: late || below(this.#random, 2) === 0 ? 'failed' : 'given-up', number };
    });
    const running = calls.filter((one) => !back.includes(one));
    return this.#worstOf({ ...place, events: [...place.events, ...events], running }, turns - 1);
  }

  /** What an attacker has for sure who does the least harm from here on. */
  #sure(s: number): number {
    const [rule] = this.#file.rules;
    return s === this.#end ? 0 : openTables(rule).least!.upper(s, rule.automaton.initial);
  }

  #isBad(s: number): boolean {
    return stateOf(this.#file, s).x === BAD;
  }

  get #end(): number {
    return this.#file.states.draws.length;
  }
}

/** Events without reports on what was cut off, for a session that has forgotten it. */
function known(events: readonly Event[]): Event[] {
  return events.filter(({ kind }) => kind !== 'settled');
}

/** The records of a run, in which every call that was running has come back. */
function withoutRunning(records: readonly RunRecord[]): RunRecord[] {
  const back = new Set(records.flatMap((one) => (one.kind === 'outcome' ? [one.number] : [])));
  return records.flatMap((record): RunRecord[] => {
    if (record.kind !== 'decision' || back.has(record.number)) return [record];
    const { run, time, number } = record;
    return [record, { kind: 'outcome', run, time, number, outcome: 'failed' }];
  });
}
