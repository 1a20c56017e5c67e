import { type Guard, type GuardProposal, type RecordedStep, severity } from '../guard/index.js';
import type { LetAction } from './runningCalls.js';
import { RunState, type Seen, type UnsettledCall, type Withdrawal } from './runState.js';
import type { ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';
import type { State, World } from './world.js';

/** A guard's answer to a call, and what it has read for it. */
export interface Judged {
  readonly guard: Guard;
  readonly proposal: GuardProposal;
  readonly observed: RecordedStep;
}

/** A guard's observation of the world between calls. */
export interface Between {
  /** Which of the run's guards, from 0. */
  readonly judge: number;
  readonly guard: Guard;
  readonly state: unknown;
  readonly observed: RecordedStep;
  readonly found: GuardProposal;
  /** The rules that the step's approved call breaks in it, and for which it was excused again. */
  readonly excused: readonly string[];
}

/** The guards that judge the calls of one run, each with its own place in it. They see the same world; the most severe decision counts. */
export class Judges {
  readonly runs: readonly RunState[];
  readonly #world: World;

  constructor(guards: readonly Guard[], world: World) {
    this.#world = world;
    this.runs = guards.map((guard) => new RunState(guard, world));
  }

  get guards(): Guard[] {
    return this.runs.map(({ guard }) => guard);
  }

  /** The last observation of the world. */
  get state(): State {
    return this.runs[0].state;
  }

  /** Number of running calls. */
  get pending(): number {
    return this.runs[0].pending;
  }

  /** As `RunState.unsettled`. */
  get unsettled(): readonly UnsettledCall[] {
    return this.runs[0].unsettled;
  }

  /** As `RunState.place`. */
  get place(): readonly number[] {
    return this.runs[0].place;
  }

  /** Observes the world once, for each guard whose next step it may be. @throws as `World` */
  async observe(): Promise<readonly Seen[]> {
    this.#world.refresh();
    const seen: Seen[] = [];
    for (const run of this.runs) seen.push(await run.observe());
    return seen;
  }

  /** Why a call cannot be judged yet, in words; null if it can. */
  tooEarly(seen: readonly Seen[]): string | null {
    return this.runs.map((run, i) => run.tooEarly(seen[i])).find((why) => why !== null) ?? null;
  }

  /** The answers to a call, judged as after the running calls have come back. @param sibling whether another call of its turn was refused before */
  propose(seen: readonly Seen[], call: ToolCall, sibling: boolean): readonly Judged[] {
    return this.runs.map((run, i) => judgedBy(run.guard, run.propose(seen[i], call, sibling)));
  }

  /** The answers to another call in place of the proposed one. */
  proposeInstead(run: RunState, state: State, call: ToolCall, sibling: boolean): Judged {
    return judgedBy(run.guard, run.proposeInstead(state, call, sibling));
  }

  /** As `RunState.approve`. */
  approve(call: ToolCall): readonly Judged[] {
    return this.runs.map((run) => {
      const { found, observed } = run.approve(call);
      return { guard: run.guard, proposal: found, observed };
    });
  }

  /** Excuses the violations that a person has approved; returns the names of the rules. */
  excuse(names: readonly string[]): string[] {
    return this.guards.flatMap((guard) => guard.excuse(names));
  }

  /** As `RunState.hasMoved`, for any guard. */
  async hasMoved(call: ToolCall): Promise<{ readonly moved: boolean; readonly early: string | null }> {
    this.#world.refresh();
    let [moved, early]: [boolean, string | null] = [false, null];
    for (const run of this.runs) {
      const found = await run.hasMoved(call);
      moved ||= found.moved;
      early ??= found.early;
    }
    return { moved, early };
  }

  /** Records that doing nothing was permitted: the world goes on. */
  passed(): void {
    for (const run of this.runs) run.passed();
  }

  /** Marks a call as running. @param recorded for each guard, as `RunState.start` */
  start(
    verdict: Pick<Verdict, 'number' | 'run'>,
    recorded?: readonly LetAction[],
    excused: readonly string[] = [],
  ): void {
    for (const [i, run] of this.runs.entries()) run.start(verdict, recorded?.[i], excused);
  }

  /** The guards whose last step belongs to another call than this one, which has run. */
  unread(number: number): readonly number[] {
    return this.runs.flatMap((run, i) => (run.isUnread(number) ? [i] : []));
  }

  /** As `RunState.readAgain`, of one guard. */
  readAgain(judge: number, call?: ToolCall): Between {
    const run = this.runs[judge];
    return { judge, guard: run.guard, state: null, ...run.readAgain(call) };
  }

  /** Marks a permitted call as returned; null if it had already come back. */
  complete(number: number): ToolCall | null {
    const calls = this.runs.map((run) => run.complete(number));
    return calls[0];
  }

  /** Gives up a call: what it was to each guard. */
  withdraw(number: number): readonly Withdrawal[] {
    return this.runs.map((run) => run.withdraw(number));
  }

  /** As `RunState.observeBetweenCalls`, of each guard. */
  async observeBetweenCalls(approved: ToolCall | null = null): Promise<readonly Between[]> {
    this.#world.refresh();
    const seen: Between[] = [];
    for (const [judge, run] of this.runs.entries())
      seen.push({ judge, guard: run.guard, ...(await run.observeBetweenCalls(approved)) });
    return seen;
  }

  /** As `RunState.forget`. */
  forget(): void {
    for (const run of this.runs) run.forget();
  }

  /** As `RunState.cut`. */
  cut(): void {
    for (const run of this.runs) run.cut();
  }

  /** Tells the guards that the action they permitted last does not run. */
  withhold(): void {
    for (const { guard } of this.runs) guard.withhold();
  }
}

/** The most severe of several answers; the first among equals. */
export function mostSevere(judged: readonly Judged[]): Judged {
  return judged.reduce((worst, one) =>
    severity[one.proposal.decision] > severity[worst.proposal.decision] ? one : worst,
  );
}

function judgedBy(guard: Guard, proposal: GuardProposal): Judged {
  return { guard, proposal, observed: guard.observed() };
}
