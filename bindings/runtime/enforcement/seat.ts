import { wordsOf } from '../../base/words.js';
import type { Judge, JudgedWorld, Judgement, ProposedCall, RunJudge, StartedCall } from '../guard/index.js';
import { type Judged, JudgeFault } from './judged.js';
import type { Clock, SeenWorld, State } from './world.js';

/** Judges may be anybody's: they get what they cannot change. */
const NONE: readonly StartedCall[] = Object.freeze([]);

/** A judge in a run: what it saw last, and what it has read of the calls that are running. */
export class Seat {
  readonly judge: Judge;
  readonly run: RunJudge;
  #state: State = {};
  #pending: readonly StartedCall[] = NONE;
  #unsettled: readonly StartedCall[] = NONE;
  /** Why it no longer knows where the run is: it failed when it was told of an event. Each of its answers is a fault from then on. */
  #lost: string | null = null;

  constructor(judge: Judge, run: RunJudge) {
    this.judge = judge;
    this.run = run;
  }

  /** The last observation of the world. */
  get state(): State {
    return this.#state;
  }

  /** Calls that were running when the run was interrupted, as the judge has read them. */
  get unsettled(): readonly StartedCall[] {
    return this.#unsettled;
  }

  /** As `Judges.observe`. */
  async observe(world: SeenWorld): Promise<JudgedWorld> {
    if (this.#pending.length > 0) {
      const seen = this.seen(world);
      if (!(this.run.wantsWorld?.(seen) ?? false)) return seen;
    }
    this.#state = (await world.observe()) as State;
    return this.seen(world);
  }

  /** The last observation, at the time that it is now. @throws any error of the clock */
  seen(world: SeenWorld): JudgedWorld {
    return this.#world(world.clock());
  }

  /** Observes the world also while calls are running; null if it cannot be observed. */
  async look(world: SeenWorld): Promise<JudgedWorld | null> {
    let seen: unknown = null;
    let clock: Clock = {};
    try {
      seen = await world.observe();
      clock = world.clock();
    } catch {
      seen = null;
    }
    this.#state = (seen ?? {}) as State;
    return seen === null ? null : this.#world(clock);
  }

  #world({ time }: Clock): JudgedWorld {
    const state = this.#state;
    const pending =
      this.#unsettled.length === 0 ? this.#pending : Object.freeze([...this.#unsettled, ...this.#pending]);
    return time === undefined ? { state, pending } : { state, time, pending };
  }

  /** What the judge says; a fault if it fails, or has lost track of the run. */
  ask(question: (run: RunJudge) => Judgement): Judged {
    if (this.#lost !== null) return new JudgeFault(this.#lost);
    try {
      return question(this.run);
    } catch (error) {
      return new JudgeFault(wordsOf(error));
    }
  }

  /** The judge decides again on what was recorded; it has lost track of the run if it cannot. */
  repeat(question: (run: RunJudge) => Judgement): Judged {
    return this.event(question) ?? new JudgeFault(this.#lost ?? 'it gave no judgement');
  }

  /** As `ask`, of the call that may run in place of the one proposed last. */
  askInstead(call: ProposedCall, seen: JudgedWorld): Judged | null {
    let found: Judgement | null = null;
    const answer = this.ask((run) => {
      found = run.instead === undefined ? run.propose(call, seen) : run.instead(call, seen);
      return found as Judgement;
    });
    return answer instanceof JudgeFault ? answer : found;
  }

  /** Tells the judge of an event; undefined if it fails. */
  event<T>(what: (run: RunJudge) => T): T | undefined {
    if (this.#lost !== null) return undefined;
    try {
      return what(this.run);
    } catch (error) {
      this.#lost = `it failed on an event before this call, and has not known the state of the run since: ${wordsOf(error)}`;
      return undefined;
    }
  }

  tell(what: (run: RunJudge) => unknown): void {
    this.event(what);
  }

  start(call: StartedCall): void {
    this.#pending = Object.freeze([...this.#pending, Object.freeze(call)]);
    this.event((run) => run.started?.(call));
  }

  /** Whether the judge reads its last step again. */
  complete(number: number, outcome: 'ran' | 'failed'): boolean {
    const call = this.#remove(number);
    return call !== undefined && this.event((run) => run.came?.(call, outcome)) === true;
  }

  /** As `complete`. */
  withdraw(number: number): boolean {
    const call = this.#remove(number);
    return call !== undefined && this.event((run) => run.withdrawn?.(call)) === true;
  }

  ending(): void {
    this.#pending = NONE;
    this.event((run) => run.ending?.());
  }

  /** Nothing follows. */
  end(): void {
    try {
      this.run.end?.();
    } catch {
      // Nothing of the run is left that this could change.
    }
  }

  cut(): void {
    if (this.#pending.length > 0) this.#unsettled = [...this.#unsettled, ...this.#pending];
    this.#pending = NONE;
    this.event((run) => run.interrupted?.());
  }

  #remove(number: number): StartedCall | undefined {
    const [first] = this.#pending;
    // As a rule, calls run one after another.
    if (this.#pending.length === 1 && first.number === number) {
      this.#pending = NONE;
      return first;
    }
    const one = [...this.#pending, ...this.#unsettled].find((call) => call.number === number);
    const others = (calls: readonly StartedCall[]) => Object.freeze(calls.filter((call) => call !== one));
    if (one === undefined) return undefined;
    [this.#pending, this.#unsettled] = [others(this.#pending), others(this.#unsettled)];
    return one;
  }
}
