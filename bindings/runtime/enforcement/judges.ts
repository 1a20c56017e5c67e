import type { Judge, JudgedRun, JudgedWorld, Judgement } from '../guard/index.js';
import { type Judged, lets } from './judged.js';
import { Seat } from './seat.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { SeenWorld, State, World } from './world.js';

/** What a judge has read of the world without a call to decide on. */
export interface Between {
  /** Place of the judge, from 0. */
  readonly judge: number;
  /** What was observed; null if nothing was. */
  readonly state: unknown;
  readonly found: Judgement;
  /** It has read the last step again. */
  readonly again: boolean;
}

/** A call that was running when the run was interrupted, and has no outcome: it may have taken effect, may still do so, or never. */
export interface UnsettledCall {
  /** Number of the decision that permitted it. */
  readonly number: number;
  /** The call's id and tool, as it was proposed: another may have run in its place. */
  readonly id: string;
  readonly name: string;
}

/** A call that was let through. */
interface RunningCall {
  readonly number: number;
  readonly call: ToolCall;
}

/** What judges the calls of one run, in order, and the calls that are running. All see the same world; the most severe decision counts. */
export class Judges {
  readonly seats: readonly Seat[];
  #pending: RunningCall[] = [];
  #unsettled: RunningCall[] = [];
  /** Number of calls that have come back. */
  #returned = 0;
  /** Number of calls that were permitted, whatever became of them. */
  #letThrough = 0;

  /** @throws InvalidArgumentError if one of them cannot begin a run; none has begun one then */
  constructor(judges: readonly Judge[], run: JudgedRun) {
    const seats: Seat[] = [];
    try {
      for (const judge of judges) seats.push(new Seat(judge, judge.begin(run)));
    } catch (error) {
      for (const seat of seats) seat.end();
      throw error;
    }
    this.seats = seats;
  }

  /** The last observation of the world, by the first judge. */
  get state(): State {
    return this.seats[0].state;
  }

  /** Number of running calls. */
  get pending(): number {
    return this.#pending.length;
  }

  /** The running calls, in the order of decision. */
  get running(): readonly ToolCall[] {
    return this.#pending.map(({ call }) => call);
  }

  /** Calls that were running when the run was interrupted, and have no outcome, in the order of decision. */
  get unsettled(): readonly UnsettledCall[] {
    return this.#unsettled.map(({ number, call: { id, name } }) => ({ number, id, name }));
  }

  /**
   * The place in the run, as two counts that only grow: the same call has another place once another call was permitted or has come back, even if no judge has
   * read anything.
   */
  get place(): readonly number[] {
    return [this.#letThrough, this.#returned];
  }

  /**
   * Observes the world once, for each judge. While calls are running its state is unknown, and a judge sees what it saw last, unless it wants to see the world
   * between the calls.
   * @throws as `World`; any error of a judge
   */
  async observe(world: SeenWorld): Promise<readonly JudgedWorld[]> {
    world.refresh();
    const seen: JudgedWorld[] = [];
    for (const seat of this.seats) seen.push(await seat.observe(world));
    return seen;
  }

  /** Why a call cannot be judged yet, in words; null if it can. @throws any error of a judge */
  tooEarly(seen: readonly JudgedWorld[]): string | null {
    let early: string | null = null;
    for (const [i, { run }] of this.seats.entries()) {
      const why = run.tooEarly?.(seen[i]) ?? null;
      early ??= why;
    }
    return early;
  }

  /** The judges' answers to a call, in their order. */
  propose(seen: readonly JudgedWorld[], call: ToolCall): readonly Judged[] {
    return this.seats.map((seat, i) => seat.ask((run) => run.propose(proposed(call), seen[i])));
  }

  /** The judges' answers to a call that a person has approved. */
  approve(world: World, call: ToolCall): readonly Judged[] {
    const one = proposed(call);
    return this.seats.map((seat) =>
      seat.ask((run) => {
        const seen = seat.seen(world);
        return run.approve === undefined ? run.propose(one, seen) : run.approve(one, seen);
      }),
    );
  }

  /** Excuses the violations that a person has approved; returns the names of the rules. */
  excuse(names: readonly string[]): string[] {
    return this.seats.flatMap((seat) => {
      const found: string[] = [];
      seat.tell((run) => void found.push(...(run.excuse?.(names) ?? [])));
      return found;
    });
  }

  /** Whether a call would run in a world that a judge has not read, and why it must wait, if it must. */
  async hasMoved(
    world: World,
    call: ToolCall,
  ): Promise<{ readonly moved: boolean; readonly early: string | null }> {
    world.refresh();
    let [moved, early]: [boolean, string | null] = [false, null];
    for (const seat of this.seats) {
      try {
        const seen = await seat.observe(world);
        const why = call === IDLE ? null : (seat.run.tooEarly?.(seen) ?? null);
        const hasMoved = seat.run.hasMoved?.(proposed(call), seen) ?? false;
        early ??= why;
        moved ||= hasMoved;
      } catch {
        moved = true;
      }
    }
    return { moved, early };
  }

  /** Doing nothing was permitted: the world goes on. */
  idled(): void {
    for (const seat of this.seats) seat.tell((run) => run.idled?.());
  }

  /**
   * A call runs.
   *
   * @param reads what each judge has read of it
   * @param isRecorded whether only records have the call
   * @param excused the rules whose violation by it a person has excused
   */
  start(
    number: number,
    call: ToolCall,
    reads: readonly unknown[],
    isRecorded = false,
    excused: readonly string[] = [],
  ): void {
    this.#letThrough++;
    this.#pending.push({ number, call });
    const started = { number, name: call.name, call: isRecorded ? null : call, excused };
    for (const [i, seat] of this.seats.entries()) seat.start({ ...started, read: reads[i] ?? null });
  }

  /** A call has come back: the call, and the judges that read their last step again once that is recorded; null if it was not running. */
  complete(
    number: number,
    outcome: 'ran' | 'failed',
  ): { readonly call: ToolCall; readonly unread: readonly number[] } | null {
    const one = this.#remove(number);
    if (one === null) return null;
    this.#returned++;
    const unread = this.seats.flatMap((seat, i) => (seat.complete(number, outcome) ? [i] : []));
    return { call: one.call, unread };
  }

  /** A call was given up: the judges that read their last step again once that is recorded; null if it was not running. */
  withdraw(number: number): readonly number[] | null {
    if (this.#remove(number) === null) return null;
    return this.seats.flatMap((seat, i) => (seat.withdraw(number) ? [i] : []));
  }

  /** A judge reads its last step again, as that of another call; null if it has none, or fails. */
  readAgain(judge: number, call?: ToolCall): Between | null {
    const seat = this.seats[judge];
    const found = seat.event((run) => run.readAgain?.(call));
    return found === undefined ? null : { judge, state: null, found, again: true };
  }

  /**
   * The judges that read the world between calls do so.
   *
   * @param approved a call that a person has approved
   * @returns what they found, and whether the world could be observed
   */
  async look(
    world: World,
    approved: ToolCall | null = null,
  ): Promise<{ readonly found: readonly Between[]; readonly isSeen: boolean }> {
    world.refresh();
    const found: Between[] = [];
    let isSeen = true;
    for (const [judge, seat] of this.seats.entries()) {
      const seen = await seat.look(world);
      isSeen &&= seen !== null;
      const one = seat.event((run) =>
        run.observe?.(seen, ...(approved === null ? [] : ([proposed(approved)] as const))),
      );
      if (one !== undefined) found.push({ judge, state: seen?.state ?? null, found: one, again: false });
    }
    return { found, isSeen };
  }

  /** The run ends. */
  ending(): void {
    this.#pending = [];
    for (const seat of this.seats) seat.ending();
  }

  /** The run has ended. */
  end(): void {
    for (const seat of this.seats) seat.end();
  }

  /** The run was interrupted, and goes on: nobody waits for the calls that were running. */
  cut(): void {
    this.#unsettled = [...this.#unsettled, ...this.#pending];
    this.#pending = [];
    for (const seat of this.seats) seat.cut();
  }

  /** The call judged last does not run. @param judged if given, only the judges that let it run are told */
  withhold(judged?: readonly Judged[]): void {
    for (const [i, seat] of this.seats.entries())
      if (judged === undefined || lets(judged[i])) seat.tell((run) => run.withheld?.());
  }

  /** Whether one of the judges refuses all calls of a tool from now on. */
  closes(tool: string): boolean {
    return this.seats.some(({ run }) => {
      try {
        return run.closes?.(tool) ?? false;
      } catch {
        return false;
      }
    });
  }

  #remove(number: number): RunningCall | null {
    for (const calls of [this.#pending, this.#unsettled]) {
      const at = calls.findIndex((one) => one.number === number);
      if (at >= 0) return calls.splice(at, 1)[0];
    }
    return null;
  }
}

/** A call as judges see it; null for doing nothing. */
export function proposed(call: ToolCall): ToolCall | null {
  return call === IDLE ? null : call;
}
