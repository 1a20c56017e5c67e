import {
  dueNow,
  type Guard,
  type GuardProposal,
  isClosed,
  type JudgedRun,
  type JudgedWorld,
  type Judgement,
  keepsRules,
  messagesOf,
  type NamePredicates,
  namePredicates,
  type ProposalOptions,
  type ProposedCall,
  type ReadAction,
  type Readings,
  type RecordedStep,
  type Refusal,
  type RuleMessage,
  type RunJudge,
  type ShownCall,
  type StartedCall,
} from '../guard/index.js';
import { EarlyCalls } from './earlyCalls.js';
import { follows } from './followedRuns.js';
import { refusedBy } from './refusals.js';

/** A permitted call that has not come back. */
interface PendingCall {
  /** Number of the decision that permitted it. */
  readonly number: number;
  /** Null if only the records of the run have it. */
  readonly call: ProposedCall | null;
  /** Its abstraction as recorded. Undefined: of a call of a safe tool, beside which others are judged as if it were not there. */
  readonly recorded?: ReadAction | undefined;
  /** What the guard has read of it, as recorded. */
  readonly read: unknown;
  /** The rules whose violation by it a person has excused: wherever it is read again, it is excused again. */
  readonly excused: readonly string[];
  /** The step in which it was done is over, because the time of another has come. Calls with this flag were permitted before those without it. */
  isRead: boolean;
}

/** A guard in one run: its place in the steps of the world, and the calls that are still running. */
export class GuardRun implements Required<Omit<RunJudge, 'permits'>> {
  readonly #guard: Guard;
  readonly #mayQuote: boolean;
  readonly #earlyCalls: EarlyCalls;
  #pending: PendingCall[] = [];
  /** Calls that were running when the run was interrupted: they may have taken effect, may still do so, or never. */
  #unsettled: PendingCall[] = [];
  /** Calls given up since the last observation of the world: giving them up may depend on the effects of other calls. */
  #givenUp: PendingCall[] = [];
  /** As `PendingCall.excused`, also of a call that has come back and is read once more. */
  readonly #excused = new WeakMap<ProposedCall, readonly string[]>();
  #state: JudgedWorld['state'] = {};
  /** The time of that state. */
  #clock: { readonly time?: number } = NO_CLOCK;
  /** The guard's last step may still be given another action: nothing has come back since. */
  #isOpen = false;
  /** The run was interrupted while calls were running, which may have run since the last observation of the world. Only guards of chains look at this. */
  #wasCut = false;
  /** Calls cut off together, while rules have read nothing since, in the order of decision: those that have not run are taken back. The last step belongs to the first, the others' are not read yet. */
  #cutOff: readonly PendingCall[] = NONE;
  /** With a sampling period, the time of the last step on record. */
  #recordedTime: number | null = null;
  #namePredicates: NamePredicates | null = null;

  constructor(guard: Guard, { isSafe, mayQuote }: JudgedRun) {
    this.#guard = guard;
    this.#mayQuote = mayQuote;
    this.#earlyCalls = new EarlyCalls(guard);
    guard.reset();
    guard.trust(isSafe);
  }

  wantsWorld({ state, time }: JudgedWorld): boolean {
    return this.#guard.isStep(state, clockOf(time));
  }

  tooEarly(world: JudgedWorld): string | null {
    this.#see(world);
    return this.#earlyCalls.complaint(world.state, this.#clock);
  }

  #see({ state, time }: JudgedWorld): void {
    this.#state = state;
    this.#clock = clockOf(time);
  }

  propose(call: ProposedCall | null, world: JudgedWorld): Judgement {
    const { state, sibling = false } = world;
    const guard = this.#guard;
    const isBehind = this.#isBehind;
    this.#see(world);
    this.#readCutOff();
    if (isBehind || guard.isStep(state, this.#clock)) this.#leaveStep();
    this.#isOpen = true;
    const options = { ...this.#beside(), isStep: isBehind, ...this.#clock };
    const found =
      call === null
        ? guard.idle(state, options)
        : guard.propose(state, actionOf(call), { ...options, sibling });
    return this.#judgement(found, this.#mayQuote);
  }

  /**
   * Leaves the current step, because the world is observed anew. If a call of that step is still running, it has been read and does not belong to later steps.
   */
  #leaveStep(): void {
    if (this.#isOpen) this.#readFirst();
    this.#wasCut = false;
    this.#givenUp = [];
  }

  #readFirst(): void {
    const first = this.#firstUnread;
    if (first !== undefined) first.isRead = true;
  }

  /** The call that the current step belongs to, if predicates read the action. */
  get #firstUnread(): PendingCall | undefined {
    return this.#pending.find(({ isRead }) => !isRead);
  }

  instead(call: ProposedCall, { state, time, sibling = false }: JudgedWorld): Judgement | null {
    const guard = this.#guard;
    if (guard.file.actions === undefined && !guard.readsActions) return null;
    return this.#judgement(
      guard.instead(state, actionOf(call), { ...this.#beside(), ...clockOf(time), sibling }),
    );
  }

  /**
   * Judges a call that a person has approved although the guard had not. Others may have come back since the question, or be running: the guard judges this
   * call in the current situation, beside the running ones; if predicates read the action, it becomes the action of the current step.
   */
  approve(call: ProposedCall | null): Judgement {
    const action = call === null ? null : actionOf(call);
    this.#readCutOff();
    return this.#judgement(this.#guard.approve(this.#state, action, { ...this.#beside(), ...this.#clock }));
  }

  excuse(rules: readonly string[]): readonly string[] {
    return this.#guard.excuse(rules);
  }

  /** A call has come back since, the world reads differently, or the time of another step has come. */
  hasMoved(call: ProposedCall | null, world: JudgedWorld): boolean {
    this.#see(world);
    const context = { ...(call !== null && { action: actionOf(call) }), ...this.#clock };
    return this.#isBehind || this.#guard.isStep(world.state, context);
  }

  /** A call has come back since the last observation of the world, and nothing is running: an action now would take place in an unobserved world. */
  get #isBehind(): boolean {
    return !this.#isOpen && this.#pending.length === 0;
  }

  withheld(): void {
    this.#guard.withhold();
  }

  idled(): void {
    this.#isOpen = false;
  }

  started({ number, call, read, excused }: StartedCall): void {
    if (call !== null && excused.length > 0) this.#excused.set(call, excused);
    const recorded = call === null ? actionIn(read) : undefined;
    this.#pending.push({ number, call, recorded, read, excused, isRead: false });
  }

  /** @returns whether the guard's last step belongs to another call: calls come back in any order, and one permitted beside others has only been read ahead */
  came({ number }: StartedCall): boolean {
    const wasOpen = this.#guard.readsActions && this.#isOpen;
    const first = this.#firstUnread;
    const one = this.#remove(number);
    if (one === undefined) return false;
    // The current step belongs to another call, and ends now.
    if (one.isRead) this.#leaveStep();
    this.#isOpen = false;
    this.#wasCut = false;
    this.#givenUp = [];
    return wasOpen && one.wasPending && !one.isRead && one.number !== first?.number;
  }

  /**
   * Later calls are judged as if this one might still run, until the world is observed again. If nothing else is running, however, nothing has run since the
   * last observation, and the run is in the same state as then. A call that was cut off was read as done by rules over the action: they take it back only if
   * they have read nothing since.
   *
   * @returns whether the guard has read the current step as that of this call, and others are running
   */
  withdrawn({ number }: StartedCall): boolean {
    const wasRead = this.#guard.readsActions && this.#isOpen && this.#firstUnread?.number === number;
    const one = this.#remove(number);
    if (one === undefined) return false;
    if (this.#cutOff.some((other) => other.number === number)) {
      this.#takeBack(number);
      return false;
    }
    const others = this.#mayRun || !this.#isOpen;
    this.#givenUp = others ? [...this.#givenUp, one] : [];
    if (!others) this.#guard.withhold('all');
    return others && wasRead;
  }

  readAgain(call: ProposedCall | null = this.#firstUnread?.call ?? null): Judgement {
    const found = this.#guard.readAgain(this.#state, call === null ? null : actionOf(call), this.#clock);
    return this.#excusing(found, call);
  }

  observe(world: JudgedWorld | null, approved?: ProposedCall | null): Judgement {
    const guard = this.#guard;
    this.#see(world ?? UNSEEN);
    this.#readCutOff();
    this.#leaveStep();
    // A person has decided on the approved call; a shield is not asked about it.
    const running = guard.readsActions
      ? (this.#firstUnread?.call ?? approved ?? null)
      : (this.#pending[0]?.call ?? null);
    // A running call was permitted earlier, and has already been charged to a budget.
    const found = guard.observe((world?.state ?? null) as JudgedWorld['state'], {
      ...(running !== null && { action: actionOf(running) }),
      ...this.#clock,
    });
    this.#isOpen = this.#pending.length > 0 || approved !== undefined;
    return this.#excusing(found, guard.readsActions ? running : null);
  }

  /** Excuses once more what a person has approved of a call, if it was read as the action of the last step. */
  #excusing(found: GuardProposal, call: ProposedCall | null): Judgement {
    const read = this.#guard.observed();
    const names = call === null ? undefined : this.#excused.get(call);
    const excused = names === undefined ? [] : this.#guard.excuse(names);
    return this.#judgement(found, false, read, excused);
  }

  ending(): void {
    this.#pending = [];
  }

  interrupted(): void {
    this.#wasCut ||= this.#pending.length > 0;
    // A guard that does not know what actions do has read the call as done, and keeps that: the next call is a step of its own.
    if (this.#pending.length > 0 && this.#guard.readsActions && this.#guard.file.actions === undefined)
      this.#readAllAsDone();
    this.#unsettled = [...this.#unsettled, ...this.#pending];
    this.#pending = [];
  }

  /** The running calls may all have run, and nobody waits for them: each is read as a step of its own. */
  #readAllAsDone(): void {
    this.#readCutOff();
    this.#cutOff = this.#pending.filter(({ isRead }) => !isRead);
    if (!this.#isOpen && this.#cutOff.length > 0) this.#readAsDone(this.#cutOff[0]);
    this.#isOpen = false;
  }

  /** From now on the calls that were cut off count as made. */
  #readCutOff(): void {
    if (this.#cutOff.length === 0) return;
    for (const one of this.#cutOff.slice(1)) this.#readAsDone(one);
    this.#cutOff = NONE;
  }

  /** A call of those that were cut off last has not run. */
  #takeBack(number: number): void {
    const wasFirst = this.#cutOff[0].number === number;
    this.#cutOff = this.#cutOff.filter((other) => other.number !== number);
    const [first] = this.#cutOff;
    if (first !== undefined) {
      if (wasFirst) this.#readAsDone(first, 'approve');
      return;
    }
    // As for a call that is given up when nothing else runs: the next observation takes the place of its step.
    this.#isOpen = true;
    this.#wasCut = this.#unsettled.length > 0;
    this.#guard.withhold('all');
  }

  /** @param as `approve`: in place of the last step */
  #readAsDone({ read, excused }: PendingCall, as: 'observe' | 'approve' = 'observe'): void {
    this.#guard.decideAgain(this.#stepOf(read, as));
    if (excused.length > 0) this.#guard.excuse(excused);
  }

  /** A step with the action that was read at a decision; nothing of it can be read if the records lack that. */
  #stepOf(read: unknown, call: 'observe' | 'approve'): RecordedStep {
    const { samplingPeriodSeconds: period, predicates } = this.#guard.file;
    const nothing = Array.from({ length: Math.max(1, Math.ceil(predicates.length / 32)) }, () => 0);
    const unknown = { valuation: nothing, known: nothing, predicate: predicates[0].name, irregular: false };
    const { valuation, known, predicate, irregular } = (read ?? unknown) as Readings;
    return {
      ...{ call, valuation, known, predicate, irregular },
      // Calls of one period are at the same time: this may be a step more, or in place of the one before.
      ...(period !== null && call === 'observe' && { time: this.#recordedTime, lost: 'early' }),
      ...{ held: 0, idle: false, action: null, pending: NONE, earlier: NONE, withheld: null },
    };
  }

  decideAgain(read: unknown, where: 'call' | 'between' | 'again'): Judgement {
    const observed = read as RecordedStep;
    const { call, time } = observed;
    this.#readCutOff();
    if (time !== undefined) this.#recordedTime = time;
    const found = this.#guard.decideAgain(observed);
    if (call === 'step' || call === 'observe' || (call !== 'approve' && this.#isBehind)) this.#leaveStep();
    this.#isOpen ||= where !== 'again';
    return this.#judgement(found, false, observed);
  }

  closes(tool: string): boolean {
    this.#namePredicates ??= namePredicates(this.#guard.file);
    return isClosed(this.#guard, this.#namePredicates, tool);
  }

  keeps(tool: string, { state, time }: JudgedWorld): boolean {
    return this.#beside() === NOTHING_BESIDE && keepsRules(this.#guard, tool, state, time);
  }

  end(): void {
    follows.delete(this.#guard);
  }

  #remove(number: number): (PendingCall & { readonly wasPending: boolean }) | undefined {
    for (const calls of [this.#pending, this.#unsettled]) {
      const at = calls.findIndex((one) => one.number === number);
      if (at >= 0) return { ...calls.splice(at, 1)[0], wasPending: calls === this.#pending };
    }
    return undefined;
  }

  /** Whether calls may have run since the last observation of the world. A guard that judges actions reckons with those that were cut off until they are settled. */
  get #mayRun(): boolean {
    if (this.#pending.length > 0) return true;
    return this.#guard.file.actions === undefined ? this.#wasCut : this.#unsettled.length > 0;
  }

  /** The calls beside which a call is judged. */
  #beside(): Pick<ProposalOptions, 'pending' | 'read' | 'excused' | 'unsettled'> {
    if (this.#pending.length + this.#unsettled.length + this.#givenUp.length === 0) return NOTHING_BESIDE;
    const earlier = [...this.#unsettled, ...this.#givenUp].filter(({ call }) => call === null);
    return {
      pending: [...this.#pending, ...this.#givenUp].flatMap(({ call }) =>
        call === null ? [] : [actionOf(call)],
      ),
      excused: [...this.#pending, ...this.#givenUp].flatMap(({ call, excused }) =>
        call === null ? [] : [excused],
      ),
      read: this.#pending.filter(({ isRead }) => isRead).length,
      unsettled: earlier.flatMap(({ recorded }) => (recorded === undefined ? [] : [recorded])),
    };
  }

  #judgement(
    found: GuardProposal,
    mayQuote = false,
    read = this.#guard.observed(),
    excused: readonly string[] = NONE,
  ): Judgement {
    return new GuardJudgement(this.#guard, found, read, mayQuote, excused);
  }
}

/** A guard's answer. What only the answer that counts needs is made when it is read. */
class GuardJudgement implements Judgement {
  readonly decision: Judgement['decision'];
  readonly wouldDecide: Judgement['decision'];
  readonly reason: string;
  readonly rule: string;
  readonly action: string | null;
  readonly read: RecordedStep;
  readonly step: GuardProposal;
  readonly excused: readonly string[];
  readonly #guard: Guard;
  readonly #mayQuote: boolean;

  constructor(
    guard: Guard,
    step: GuardProposal,
    read: RecordedStep,
    mayQuote: boolean,
    excused: readonly string[],
  ) {
    this.decision = step.decision;
    this.wouldDecide = step.wouldDecide;
    this.reason = step.reason;
    this.rule = step.rule;
    this.action = step.action;
    this.read = read;
    this.step = step;
    this.excused = excused;
    this.#guard = guard;
    this.#mayQuote = mayQuote;
  }

  get explanation(): string {
    return this.#guard.explain(this.step, this.#mayQuote);
  }

  message(why: string | null): string | undefined {
    return this.decision === 'reflect' ? this.#guard.reflection(this.step, why) : undefined;
  }

  says(call: ShownCall): RuleMessage | null {
    return messagesOf(this.#guard.file, this.step, () => call);
  }

  get due(): readonly string[] {
    return dueNow(this.#guard, this.rule);
  }

  get alternatives(): readonly (string | null)[] {
    const { name, alternatives } = this.step;
    return alternatives.filter((one) => one !== name);
  }

  get onFailure(): Judgement['decision'] {
    return this.#guard.failed({ ...this.step }).decision;
  }

  /** Of the rules as they stand, which is after this answer until the guard is asked again. */
  get against(): readonly Refusal[] {
    return refusedBy(this.#guard);
  }
}

/** The recorded action of a call: undefined for one of a safe tool. One that the records lack, or that cannot be read there, may be any. */
export function actionIn(read: unknown): ReadAction | undefined {
  const { safe, action } = (read ?? {}) as { readonly safe?: unknown; readonly action?: unknown };
  if (safe === true) return undefined;
  return typeof action === 'string' ? action : { failed: '?' };
}

const NONE: readonly never[] = Object.freeze([]);
const NOTHING_BESIDE = Object.freeze({ pending: NONE, read: 0, excused: NONE, unsettled: NONE });
const NO_CLOCK = Object.freeze({});
const UNSEEN: JudgedWorld = Object.freeze({ state: NO_CLOCK, pending: NONE });

function clockOf(time: number | undefined): { readonly time?: number } {
  return time === undefined ? NO_CLOCK : { time };
}

function actionOf({ name, arguments: given, detected }: ProposedCall): Omit<ProposedCall, 'id'> {
  return detected === undefined ? { name, arguments: given } : { name, arguments: given, detected };
}
