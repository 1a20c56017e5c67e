import { InvalidArgumentError } from '../../base/errors.js';
import { withTimeout } from '../../base/withTimeout.js';
import { type Decision, type Judge, severity } from '../guard/index.js';
import { Answering, type Looked } from './answering.js';
import { DeclaredTools } from './declaredTools.js';
import { Detectors } from './detectors.js';
import type { Answer, Inspection } from './inspection.js';
import { inTurn } from './inTurn.js';
import { Journal, type Under } from './journal.js';
import { type Judged, JudgeFault, readsOf } from './judged.js';
import { type Between, Judges, type UnsettledCall } from './judges.js';
import { judgesOf, NOTHING } from './judgesOf.js';
import { Judging, toRun } from './judging.js';
import { LetThrough } from './letThrough.js';
import { wordsOf } from './messages.js';
import { Observers } from './observers.js';
import { PendingVerdict } from './pendingVerdict.js';
import type { PlacedQuestion } from './placedQuestions.js';
import { type Principal, readPrincipal, recordedPrincipal } from './principal.js';
import { Questions } from './questions.js';
import type { ReadCall } from './readCall.js';
import type { RunRecord } from './record.js';
import { RecordedWorld } from './recordedWorld.js';
import { Recording } from './recording.js';
import { Reflections } from './reflections.js';
import { resumeRun } from './resumption.js';
import { Room } from './room.js';
import type { RunParts } from './runParts.js';
import { type RunView, ViewedRun } from './runView.js';
import { checkOptions, mostPending, possibleDecisions, type SessionOptions } from './sessionOptions.js';
import { stoppedBetween } from './stoppedRun.js';
import { IDLE, readOutcome, type ToolCall, type ToolOutcome } from './toolCall.js';
import { type Proposed, Turns } from './turns.js';
import type { Verdict } from './verdict.js';
import { World } from './world.js';

/** Begins a run of an agent under a guard. @throws InvalidArgumentError if the options do not fit together, or a run that has not ended follows the guard */
export function createSession(options: SessionOptions): Session {
  return new Session(options);
}

/**
 * One run of an agent, between a framework and the guard: observes the world, decides on each proposed call before it runs, asks people, keeps records, and
 * never lets a fault become a call that runs.
 *
 * Calls are decided one after another. A permitted call that has not come back is pending: later calls are judged in the world as it will be once the pending
 * call has run.
 */
export class Session {
  /** Name of the run. */
  readonly id: string;
  /** Names of the declared tools. */
  readonly tools: readonly string[];
  /** All decisions that this session may make. */
  readonly strategies: ReadonlySet<Decision>;
  /** `turn` if a judge may withhold all calls of a turn because of one. */
  readonly scope: 'call' | 'turn';
  /** The hash of the first judge; of a guard, SHA-256 of the guard file's canonical JSON. */
  readonly guardHash: string;
  /** Whether the session itself asks people. */
  readonly asks: boolean;
  /** Whether an answer of a person may carry other arguments. */
  readonly edits: boolean;

  readonly #options: SessionOptions;
  readonly #principal: Principal | undefined;
  readonly #judging: Judging;
  readonly #world: World;
  readonly #recording: Recording | null;
  readonly #judges: Judges;
  readonly #reflections: Reflections;
  readonly #journal: Journal;
  readonly #letThrough = new LetThrough();
  readonly #questions: Questions;
  readonly #answering: Answering;
  readonly #room: Room;
  readonly #detectors: Detectors;
  readonly #observers: Observers;
  readonly #inTurn = inTurn();
  readonly #turns = new Turns();
  #stopped: Verdict | null = null;
  #ended = false;
  /** Number of decisions so far. */
  #number = 0;
  /** All that was decided has run or has come to nothing, so that the rules stand where the run does. */
  #isSettled = true;
  readonly #closed = new Set<string>();
  /** The judges have been told that the run has ended. */
  #released = false;
  /** What questions see of the run; null while nobody asks. */
  #viewed: ViewedRun | null = null;

  /** @throws InvalidArgumentError if the options do not fit together, or a run that has not ended follows the guard */
  constructor(options: SessionOptions) {
    checkOptions(options);
    const judges = judgesOf(options);
    const { id, guardHash, resume } = options;
    this.#options = options;
    this.id = id ?? resume?.[0]?.run ?? crypto.randomUUID();
    this.asks = options.ask !== undefined;
    this.edits = options.edits === true;
    this.strategies = possibleDecisions(options);
    const withholdsTurns = options.shadow !== true && judges.some(({ scope }) => scope === 'turn');
    this.scope = withholdsTurns ? 'turn' : 'call';
    this.guardHash = requireHash(judges[0] ?? NOTHING, guardHash);
    const tools = new DeclaredTools(options);
    this.tools = tools.names;
    const { record, principal, redact = [] } = options;
    this.#principal = principal === undefined ? undefined : readPrincipal(principal);
    this.#detectors = new Detectors(options);
    this.#recording = record === undefined ? null : new Recording(this.id, record, options);
    this.#world = this.#recording
      ? new RecordedWorld(options, tools.names, this.#detectors, this.#principal, this.#recording)
      : new World(options, tools.names, this.#detectors, this.#principal);
    this.#reflections = new Reflections(options);
    this.#journal = new Journal(this.id, options);
    this.#judges = new Judges(judges.length > 0 ? judges : [NOTHING], {
      id: this.id,
      isSafe: (tool) => tools.isSafe(tool),
      mayQuote: redact.length === 0,
    });
    const parts = {
      judges: this.#judges,
      reflections: this.#reflections,
      journal: this.#journal,
      letThrough: this.#letThrough,
      world: this.#world,
      detectors: this.#detectors,
    };
    this.#judging = new Judging(options, tools, parts);
    this.#questions = new Questions(this.#journal, options);
    this.#answering = new Answering(this.#judging, parts, {
      isOver: () => this.#isOver,
      lookAgain: (approved) => this.#lookAgain(approved),
    });
    this.#observers = new Observers([
      ...(this.#recording ? [this.#recording] : []),
      ...(options.observers ?? []),
    ]);
    this.#room = new Room(mostPending(options), () => this.#judges.pending);
    try {
      this.#begins(resume, parts);
    } catch (error) {
      this.#judges.end();
      throw error;
    }
  }

  /** Continues a run that began earlier, if there is one. */
  #begins(resume: SessionOptions['resume'], parts: RunParts): void {
    if (resume === undefined || resume.length === 0) return;
    const under = this.#under().options;
    const { number, stopped, ended } = resumeRun(resume, this.id, under, this.#principal, {
      ...parts,
      questions: this.#questions,
    });
    this.#number = number;
    this.#isSettled = false;
    this.#stopped = stopped;
    this.#ended = ended;
  }

  /** Number of times that an observer has thrown; observer errors have no other effect. */
  get observerFaults(): number {
    return this.#observers.faults;
  }

  /** Calls that were running when the run was interrupted, and have no outcome, in the order of decision; `settle` reports one. */
  get unsettled(): readonly UnsettledCall[] {
    return this.#judges.unsettled;
  }

  /**
   * The run as questions about it see it; looking at it changes nothing.
   *
   * @param follower is told each record of the run, also those so far
   * @throws InvalidArgumentError if the run has begun, and nobody followed it from its beginning
   */
  follow(follower: (record: RunRecord) => void): RunView {
    this.#viewed ??= new ViewedRun({
      id: this.id,
      options: this.#options,
      world: this.#world,
      judges: this.#judges,
      judging: this.#judging,
      journal: this.#journal,
      over: () =>
        this.#stopped !== null
          ? `The run was stopped: ${this.#stopped.explanation}`
          : this.#ended
            ? 'The run has ended.'
            : null,
      running: () => this.#judges.running,
      inTurn: this.#inTurn,
    });
    this.#viewed.follow(follower);
    return this.#viewed;
  }

  /** The verdict that ended the run; null while it goes on. */
  get stopped(): Verdict | null {
    return this.#stopped;
  }

  /**
   * The declared tools of which no call will be permitted any more, whatever its arguments: a rule is broken by their names alone, now and after whatever else
   * happens. Those for which that is not certain are left out, and what was certain once stays so.
   */
  get closed(): readonly string[] {
    if (this.#options.shadow !== true && this.#isSettled)
      for (const tool of this.tools) if (this.#judges.closes(tool)) this.#closed.add(tool);
    return [...this.#closed];
  }

  /**
   * Decides on a call before it runs. Never rejects: a failure becomes a verdict, too. The call is read once, immediately, into a frozen copy: `verdict.call`, and `verdict.run` unless another call replaces it. Run `verdict.run`, never the
   * object that was proposed.
   *
   * @param options `turn`: a name for the turn of the agent in which it proposed the call, another for each turn: calls of one turn that are refused count as one
   * reflection. Calls that are proposed before the refusal of another was returned are of its turn in any case.
   */
  check(call: ToolCall, { turn }: { readonly turn?: string } = {}): Promise<Verdict> {
    return this.#decideOn(this.#read(call), this.#turns.proposed(turn));
  }

  /** Decides on a call in turn, whenever the answers about it come. */
  #decideOn(read: Promise<ReadCall>, proposed: Proposed): Promise<Verdict> {
    return this.#inTurn(() => this.#timed(async () => this.#check(await read, proposed)));
  }

  /** Whether the maximum number of calls is running: one more call is blocked, or waits. */
  get isFull(): boolean {
    return this.#room.isFull;
  }

  /**
   * As `check`, but if the decision is to ask a person and the session can ask, returns the verdict after the answer. Never rejects.
   *
   * @param options `wait`: whether the call waits while too many calls are running, until one of them has come back; default false: it is blocked. Wait only if
   * the running calls proceed meanwhile. `signal`: when it aborts, the call stops waiting for room and is decided at once. `turn`: as of `check`.
   */
  async decide(
    call: ToolCall,
    {
      wait = false,
      signal,
      turn,
    }: { readonly wait?: boolean; readonly signal?: AbortSignal; readonly turn?: string } = {},
  ): Promise<Verdict> {
    const read = this.#read(call);
    const proposed = this.#turns.proposed(turn);
    const check = () => this.#decideOn(read, proposed);
    const verdict = await (wait ? this.#room.enter(check, signal) : check());
    const { ask } = this.#options;
    if (verdict.inspection === null || ask === undefined) return verdict;
    const { id, expiresAt } = verdict.inspection;
    try {
      const left = Math.max(1, expiresAt - this.#journal.now());
      const answer = await withTimeout(left, (signal) => ask(verdict.inspection as Inspection, signal));
      return await this.answer(id, answer);
    } catch {
      // If the question is closed, because the run has ended or someone else has answered, the call is decided anew.
      const settle = async () =>
        this.#questions.isOpen(id) ? this.#applyAnswer(id, null) : this.#check(await read, proposed);
      return this.#inTurn(() => this.#timed(settle));
    }
  }

  /**
   * Decides on doing nothing, as an agent does when it ends its turn without a call or lets a moment pass; asks a person if the decision says so. If a shield
   * refuses it, `onIdle` of the specification names the response: the run stops, a person is asked, or `verdict.run` is to run instead. While calls are running
   * it is blocked: the agent must wait until they have come back. Never rejects.
   */
  idle(): Promise<Verdict> {
    return this.decide(IDLE);
  }

  /**
   * Takes a person's answer. A late or unreadable answer counts as a refusal.
   *
   * @throws InvalidArgumentError if no such question is open; after a restart, check the call first
   */
  answer(inspectionId: string, answer: Answer): Promise<Verdict> {
    this.#questions.require(inspectionId);
    return this.#inTurn(() => this.#timed(() => this.#applyAnswer(inspectionId, answer)));
  }

  /**
   * Records the place in a list at which a framework will have the answer to a question; call it before anyone is asked there. The record tells `placed` after
   * a restart which question an answer belongs to.
   *
   * @param list the framework's name of the list; lists of the same run have different names
   * @param place from 0
   * @throws InvalidArgumentError (rejects) if no such question is open; any error of the log, after which nobody may be asked
   */
  place(inspectionId: string, list: string, place: number): Promise<void> {
    return this.#inTurn(() => this.#questions.place(inspectionId, list, place));
  }

  /** The questions of this run, including those from before a restart, whose answers a framework has in this list; oldest first. */
  placed(list: string): readonly PlacedQuestion[] {
    return this.#questions.placed.in(list);
  }

  /** Reports the outcome of a call that was to run. If other calls are still running, the world is observed between them. */
  ran(verdict: Verdict, outcome: ToolOutcome): Promise<void> {
    return this.#inTurn(() =>
      this.#ran(verdict.number, outcome, (came) => {
        this.#observers.tell((observer) => observer.ran?.(verdict, came, this.id));
      }),
    );
  }

  /**
   * Reports what became of a call that was running when the run was interrupted: later calls are no longer judged beside it.
   *
   * @param number of a call in `unsettled`
   * @param outcome as for `ran`, of a call that has come back; null for one that has not run and will not, which is then as withdrawn. Rules over the action take
   * a call back only if it was running at the last interruption, and nothing was decided or observed since; else they keep it as made.
   * @throws InvalidArgumentError (rejects) if no such call is unsettled
   */
  settle(number: number, outcome: ToolOutcome | null): Promise<void> {
    return this.#inTurn(async () => {
      const known = this.unsettled.map((one) => one.number);
      if (!known.includes(number))
        throw new InvalidArgumentError(
          `no call of decision ${number} is unsettled in run ${this.id}; unsettled: ${known.join(', ') || 'none'}`,
        );
      if (outcome === null) await this.#withdraw(number);
      else await this.#ran(number, outcome);
    });
  }

  /**
   * Cancels a permitted call: the framework, or a person there, gave it up. The budget returns to its value at the last observation of the world, but only once
   * nothing else is running and nothing has run since then. Until then later calls are judged as if this one might still run, because the cancellation may
   * depend on the effects of the others.
   */
  withdraw(verdict: Verdict): Promise<void> {
    const tell = () => this.#observers.tell((observer) => observer.withdrawn?.(verdict, this.id));
    return this.#inTurn(() => this.#withdraw(verdict.number, tell));
  }

  /**
   * Ends the run: the world is observed once more, and no further call is permitted.
   *
   * @param options `complete`: whether the run came to its end, for its recording; default true. A run that a time-out or a crash cut short did not.
   */
  end({ complete = true }: { readonly complete?: boolean } = {}): Promise<void> {
    return this.#inTurn(() => this.#end(complete));
  }

  /** Reads a call, and asks detectors about it at once: calls of one turn do not wait for each other's answers. */
  #read(call: ToolCall): Promise<ReadCall> {
    return this.#detectors.known(call) ?? this.#detectors.read(this.#judging.read(call));
  }

  async #timed(work: () => Promise<Verdict>): Promise<Verdict> {
    const began = performance.now();
    const verdict = await work();
    if (verdict.run !== null && this.#world instanceof RecordedWorld) await this.#world.beforeRun();
    this.#observers.tell((observer) =>
      observer.decided?.(verdict, this.id, (performance.now() - began) / 1000),
    );
    return verdict;
  }

  async #check(read: ReadCall, proposed: Proposed): Promise<Verdict> {
    const draft = this.#draft();
    draft.isSibling = this.#turns.isSibling(proposed);
    const { call } = read;
    this.#isSettled = false;
    try {
      await this.#begin();
      if (this.#isOver) draft.fault(call, 'run-over', '');
      else await this.#judging.judge(draft, read, () => !this.#released);
    } catch (error) {
      draft.fault(call, 'log-failed', wordsOf(error));
    }
    const isRefused = draft.judged !== null && !draft.lets;
    const verdict = await this.#conclude(draft, read);
    if (isRefused) this.#turns.refused(proposed);
    return verdict;
  }

  /** Records the decision and makes a verdict of it. */
  async #conclude(draft: PendingVerdict, { call, fault, given }: ReadCall): Promise<Verdict> {
    const { shadow = false } = this.#options;
    const inspection = shadow ? null : this.#questions.inspection(draft, call, this.#judges);
    const wouldDecide = draft.wouldDecide;
    if (shadow && !draft.lets) {
      draft.decision = 'report';
      // An unreadable call runs as it was given: shadow mode changes nothing.
      draft.run = fault === null ? toRun(call) : { ...call, arguments: given as ToolCall['arguments'] };
      draft.reads = readsOf(draft.judged ?? []);
      draft.message = draft.told = null;
    }
    const verdict: Verdict = {
      call,
      number: this.#number++,
      ...draft.outcome(),
      inspection,
      step: draft.step,
      wouldDecide,
    };
    try {
      await this.#journal.append(() => this.#journal.decision(draft, verdict));
    } catch (error) {
      // The judges have read what the log lacks: a replay, or a resumed run, would decide differently.
      if (draft.judged !== null) this.#journal.lose(error);
      if (draft.reason !== 'log-failed' && !shadow) {
        draft.fault(call, 'log-failed', wordsOf(error));
        return this.#enact({ ...verdict, ...draft.outcome(), inspection: null }, draft);
      }
    }
    // Tell the judges, so that an action that did not run counts for nothing.
    if (draft.run === null && draft.judged !== null && !(call === IDLE && draft.lets)) this.#withhold();
    // In shadow mode the call itself runs, but judges have read its replacement.
    if (shadow && draft.replacement !== undefined && call !== IDLE)
      await this.#readAgain(allOf(draft.replacement), call);
    return this.#enact(verdict, draft);
  }

  /** Puts the verdict into effect. */
  #enact(verdict: Verdict, draft: PendingVerdict): Verdict {
    if (verdict.call === IDLE && severity[verdict.decision] <= severity.report) this.#judges.idled();
    if (verdict.run !== null) {
      this.#judges.start(verdict.number, verdict.run, draft.reads, false, draft.excused);
      this.#letThrough.add(verdict.call, verdict.number);
    }
    this.#questions.ask(verdict, draft);
    if (verdict.ends) this.#stopped ??= verdict;
    this.#room.update(this.#stopped !== null);
    return verdict;
  }

  /** Makes a verdict of an answer; null means no answer. */
  async #applyAnswer(id: string, given: Answer | null): Promise<Verdict> {
    const question = this.#questions.take(id);
    const { verdict } = question;
    const draft = this.#draft();
    const { outcome, sawAgain, more } = await this.#answering.take(question, given, draft);
    this.#questions.placed.came(verdict.number, outcome, more.edited !== undefined);
    try {
      this.#journal.requireWhole();
      await this.#journal.append(() => this.#journal.outcome(verdict.number, outcome, more));
    } catch (error) {
      // The rules have read the call as done, but it does not run, and the log does not record that they have read it.
      const isRead = more.observed !== undefined;
      if (isRead) this.#journal.lose(error);
      if (draft.run !== null && (isRead || sawAgain)) this.#withhold();
      draft.fault(verdict.call, 'log-failed', wordsOf(error));
    }
    return this.#enact({ ...verdict, ...draft.outcome(), inspection: null }, draft);
  }

  async #ran(number: number, outcome: ToolOutcome, tell?: (came: ToolOutcome) => void): Promise<void> {
    const came = readOutcome(outcome);
    const kind = 'error' in came ? 'failed' : 'ran';
    const completed = this.#judges.complete(number, kind);
    if (completed === null) return;
    const { call, unread } = completed;
    const found = await this.#detectors.ofResult(call, came);
    const at = this.#world.record(number, call, came, found);
    tell?.(came);
    this.#questions.placed.came(number, kind);
    await this.#journal.keep(() =>
      this.#journal.outcome(number, kind, {
        ...('mayHaveRun' in came && { mayHaveRun: true }),
        ...at,
        ...(found && { detected: found }),
      }),
    );
    await this.#readAgain(unread, call);
    if (this.#judges.pending > 0) await this.#lookAgain();
    this.#isSettled = this.#judges.pending === 0 && this.unsettled.length === 0;
    this.#room.update(this.#stopped !== null);
  }

  /** @param tell called if the call was running */
  async #withdraw(number: number, tell?: () => void): Promise<void> {
    const unread = this.#judges.withdraw(number);
    if (unread === null) return;
    this.#world.withdraw(number);
    this.#letThrough.withdraw(number);
    tell?.();
    this.#questions.placed.came(number, 'withheld');
    await this.#journal.keep(() => this.#journal.outcome(number, 'withheld'));
    await this.#readAgain(unread);
    this.#room.update();
  }

  /** Judges that read the world do so again. */
  async #lookAgain(approved: ToolCall | null = null): Promise<Looked> {
    if (this.#released) return { found: [], isSeen: true };
    const { found, isSeen } = await this.#judges.look(this.#world, approved);
    for (const one of found) {
      await this.#keepObservation(one);
      if (one.found.decision === 'stop' && this.#options.shadow !== true)
        this.#stopped ??= stoppedBetween(one.found);
    }
    return { found: found.map((one) => one.found), isSeen };
  }

  /** Makes these judges read the last step again as the step of this call, which has run or will run. Default: as `WorldReader.readAgain`. */
  async #readAgain(judges: readonly number[], call?: ToolCall): Promise<void> {
    if (this.#released) return;
    for (const judge of judges) {
      const read = this.#judges.readAgain(judge, call);
      if (read !== null) await this.#keepObservation(read);
    }
  }

  #keepObservation(one: Between): Promise<void> {
    const inputs = one.again ? null : this.#journal.inputs(one.state, null);
    return this.#journal.keepObservation(inputs, one);
  }

  async #end(complete: boolean): Promise<void> {
    if (this.#ended) return;
    try {
      await this.#finish(complete);
    } finally {
      this.#released = true;
      this.#judges.end();
    }
  }

  async #finish(complete: boolean): Promise<void> {
    this.#ended = true;
    this.#recording?.ending();
    this.#questions.close();
    this.#judges.ending();
    this.#room.update(true);
    if (this.#journal.begun) {
      await this.#lookAgain();
      await this.#journal.keep(() => this.#journal.end(this.#number));
    }
    await this.#recording?.end(complete && this.#stopped === null);
    this.#observers.tell((observer) => observer.ended?.(this.id));
  }

  /** The judges, the options and the principal of the run, for its first record. */
  #under(): Under {
    const [guard, ...beside] = this.#judges.seats.map(({ judge: { name, hash, about } }) => ({
      ...about,
      name,
      file: hash,
    }));
    const { onFault = 'stop', shadow = false } = this.#options;
    return {
      guard,
      ...(beside.length > 0 && { beside }),
      options: { onFault, shadow, maxReflections: this.#reflections.most },
      ...recordedPrincipal(this.#principal, this.#journal),
    };
  }

  async #begin(): Promise<void> {
    const begins = await this.#journal.begin(this.#under());
    if (begins) this.#observers.tell((observer) => observer.begun?.(this.id));
  }

  #draft(): PendingVerdict {
    const { shadow = false, onFault } = this.#options;
    // In shadow mode every proposed call runs.
    return new PendingVerdict(shadow ? () => {} : () => this.#withhold(), onFault);
  }

  get #isOver(): boolean {
    return this.#stopped !== null || this.#ended;
  }

  /** Tells the judges that the call that they let run last does not run. */
  #withhold(): void {
    if (!this.#released) this.#judges.withhold();
  }
}

/** The places of the judges that have judged. */
function allOf(judged: readonly (Judged | null)[]): number[] {
  return judged.flatMap((one, i) => (one === null || one instanceof JudgeFault ? [] : [i]));
}

/** The hash of a judge. @throws InvalidArgumentError if it differs from the expected one */
function requireHash({ name, hash }: Judge, expected: string | undefined): string {
  if (expected === undefined || expected === hash) return hash;
  throw new InvalidArgumentError(
    `the hash of the ${name} is ${hash}, expected ${expected}: it is another file, or was altered`,
  );
}
