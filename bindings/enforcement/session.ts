import { canonicalJson } from '../canonicalJson.js';
import { InvalidArgumentError } from '../errors.js';
import {
  createProposal,
  type Decision,
  type GuardProposal,
  type Observed,
  severity,
} from '../guard/index.js';
import { ToolHistory } from '../trace/index.js';
import { hashInputs } from './inputs.js';
import type { Answer, Inspection } from './inspection.js';
import { answerInWords, faultInWords, questionOf, refusal } from './messages.js';
import type { DecisionRecord, OutcomeRecord, RunRecord } from './record.js';
import { createRedaction } from './redaction.js';
import { checkOptions, type DeclaredTool, possibleDecisions, type SessionOptions } from './sessionOptions.js';
import type { ToolCall, ToolOutcome } from './toolCall.js';
import type { EnforcementFault, Verdict } from './verdict.js';
import { within } from './within.js';

type State = Readonly<Record<string, unknown>>;

/** A call that was let through and has not come back. */
interface Pending {
  readonly verdict: Verdict;
  readonly call: ToolCall;
}

/** A question that is open, and what it is about. */
interface Asked {
  readonly verdict: Verdict;
  readonly proposal: GuardProposal;
}

/** What a decision is made of, before it is recorded. */
interface Draft {
  decision: Decision;
  reason: Verdict['reason'];
  rule: string;
  run: ToolCall | null;
  message: string | null;
  explanation: string;
  proposal: GuardProposal | null;
  action: string | null;
  observed: Observed | null;
  replacement: Observed | undefined;
  reactive: Readonly<Record<string, boolean>>[] | undefined;
  inputs: string | null;
}

const DEFAULTS = { askTimeoutMs: 300_000, stateTimeoutMs: 10_000, maxArguments: 1 << 20, maxReflections: 2 };

/** Begins a run of an agent under a guard. @throws InvalidArgumentError where the options do not go together */
export function createSession(options: SessionOptions): Session {
  return new Session(options);
}

/**
 * One run of an agent under a guard, between a framework and the guard: it observes the world, has each proposed call decided before it runs, asks people,
 * records, and never lets a fault become a call that runs.
 *
 * Calls are decided one after another. One that is let through and has not come back is pending: those after it are judged where the world will be
 * once it has run.
 */
export class Session {
  /** Name of the run. */
  readonly id: string;
  /** All that this session may decide. */
  readonly strategies: ReadonlySet<Decision>;
  /** SHA-256 of the guard file's canonical JSON. */
  readonly guardHash: string;
  /** Observers that threw; nothing else comes of that. */
  observerFaults = 0;

  readonly #options: SessionOptions;
  readonly #tools: ReadonlyMap<string, DeclaredTool>;
  readonly #history: ToolHistory | null;
  readonly #redact: (value: unknown) => unknown;
  readonly #now: () => number;
  #queue: Promise<unknown> = Promise.resolve();
  #stopped: Verdict | null = null;
  #begun = false;
  /** Why a record of what has happened could not be kept; null while the log is whole. */
  #lost: string | null = null;
  #ended = false;
  #number = 0;
  #reactiveReflections = 0;
  /** The state observed last; its step may still be given another action. */
  #state: State = {};
  #isOpen = false;
  #pending: Pending[] = [];
  readonly #asked = new Map<string, Asked>();

  /** @throws InvalidArgumentError where the options do not go together */
  constructor(options: SessionOptions) {
    checkOptions(options);
    this.#options = options;
    const { guard, tools, state, id, now, redact = [], guardHash, resume } = options;
    this.#tools = new Map(isList(tools) ? tools.map((name) => [name, {}]) : Object.entries(tools));
    this.#history = state === undefined ? new ToolHistory([...this.#tools.keys()]) : null;
    this.#redact = createRedaction(redact);
    this.#now = now ?? Date.now;
    this.id = id ?? resume?.[0]?.run ?? crypto.randomUUID();
    this.strategies = possibleDecisions(options);
    this.guardHash = hashOf(guard.file);
    if (guardHash !== undefined && guardHash !== this.guardHash) {
      throw new InvalidArgumentError(
        `the guard file's SHA-256 is ${this.guardHash}, expected ${guardHash}: it is another file, or was altered`,
      );
    }
    guard.reset();
    if (resume !== undefined) this.#resume(resume);
  }

  /** Whether people are asked by the session itself. */
  get asks(): boolean {
    return this.#options.ask !== undefined;
  }

  /** The verdict that ended the run; null while it goes on. */
  get stopped(): Verdict | null {
    return this.#stopped;
  }

  /** Decides on a call, before it runs. Never rejects: whatever fails is a verdict, too. */
  check(call: ToolCall): Promise<Verdict> {
    return this.#inTurn(() => this.#check(call));
  }

  /** As `check`; and where a person is to be asked and the session can ask, the verdict after the answer. */
  async decide(call: ToolCall): Promise<Verdict> {
    const verdict = await this.check(call);
    const { ask } = this.#options;
    if (verdict.inspection === null || ask === undefined) return verdict;
    const { id, expiresAt } = verdict.inspection;
    try {
      const left = Math.max(1, expiresAt - this.#now());
      return await this.answer(
        id,
        await within(left, (signal) => ask(verdict.inspection as Inspection, signal)),
      );
    } catch {
      return this.#inTurn(() => this.#settle(id, null));
    }
  }

  /**
   * Takes a person's answer. One that comes too late, or is none, counts as a refusal.
   *
   * @throws InvalidArgumentError where no such question is open; after a restart, check the call first
   */
  answer(inspectionId: string, answer: Answer): Promise<Verdict> {
    if (!this.#asked.has(inspectionId)) {
      throw new InvalidArgumentError(
        `no question "${inspectionId}" is open in run ${this.id}; open: ${[...this.#asked.keys()].join(', ') || 'none'}`,
      );
    }
    return this.#inTurn(() => this.#settle(inspectionId, answer));
  }

  /** Tells what came of what was to run. Where other calls are still running, the world is observed as it is between them. */
  ran(verdict: Verdict, outcome: ToolOutcome): Promise<void> {
    return this.#inTurn(() => this.#ran(verdict, outcome));
  }

  /** The run is over: the world is observed once more, and nothing may be called any more. */
  end(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  /** One after another, in the order of the calls. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #check(call: ToolCall): Promise<Verdict> {
    const began = performance.now();
    const draft = createDraft();
    try {
      await this.#begin();
      await this.#draft(draft, call);
    } catch (error) {
      this.#fault(draft, call, 'log-failed', wordsOf(error));
    }
    const verdict = await this.#conclude(draft, call);
    this.#tell((observer) => observer.decided?.(verdict, this.id, (performance.now() - began) / 1000));
    return verdict;
  }

  async #draft(draft: Draft, call: ToolCall): Promise<void> {
    if (this.#stopped !== null || this.#ended) return this.#fault(draft, call, 'run-over', '');
    const wrong = this.#whatIsWrong(call);
    if (wrong !== null) return this.#fault(draft, call, ...wrong);
    let state: State;
    let proposal: GuardProposal;
    try {
      state = await this.#observe();
      proposal = this.#propose(state, call);
    } catch (error) {
      return this.#fault(draft, call, 'state-failed', wordsOf(error));
    }
    if (this.#options.log !== undefined) draft.inputs = this.#hashInputs(state, call);
    draft.proposal = proposal;
    draft.observed = this.#options.guard.observed();
    this.#take(draft, call, proposal);
    await this.#react(draft, call, state);
    if (draft.decision === 'replace') this.#replace(draft, call, proposal, state);
  }

  /** What the guard says. */
  #take(draft: Draft, call: ToolCall, proposal: GuardProposal): void {
    const { guard, redact = [] } = this.#options;
    draft.decision = proposal.decision;
    draft.reason = proposal.reason;
    draft.rule = proposal.rule;
    draft.action = proposal.action;
    // Of a copy only what is in it is told: no error of a predicate, which may cite a value.
    draft.explanation = guard.explain(redact.length > 0 ? { ...proposal } : proposal);
    if (severity[proposal.decision] <= severity.report) draft.run = call;
    else draft.message = refusal(guard, proposal, draft.explanation);
  }

  /** What reactive rules say, where that is more severe. */
  async #react(draft: Draft, call: ToolCall, state: State): Promise<void> {
    const { rules = [], maxReflections = DEFAULTS.maxReflections } = this.#options;
    if (rules.length === 0) return;
    const action = { name: call.name, arguments: call.arguments };
    draft.reactive = [];
    for (const one of rules) {
      let reaction: ReturnType<typeof one.decide>;
      try {
        reaction = one.decide(state, action);
      } catch (error) {
        // What is stopped anyway is not let off with a block.
        if (draft.decision === 'stop') return;
        return this.#fault(draft, call, 'rule-failed', wordsOf(error));
      }
      draft.reactive.push(reaction.values);
      const { strategy, rule, note } = reaction;
      if (strategy === null || severity[strategy.kind] <= severity[draft.decision]) continue;
      if (strategy.kind === 'report') [draft.decision, draft.reason] = ['report', 'reactive-rule'];
      else this.#refuse(draft, 'reactive-rule', strategy.kind);
      draft.rule = rule;
      draft.action = strategy.kind === 'replace' ? strategy.action : null;
      draft.explanation = `The rule "${rule}" applies to this action: ${strategy.kind}.${note === null ? '' : ` ${note}`}`;
      draft.message = draft.run === null ? draft.explanation : null;
    }
    if (severity[draft.decision] <= severity.report) this.#reactiveReflections = 0;
    else if (
      draft.reason === 'reactive-rule' &&
      draft.decision === 'reflect' &&
      ++this.#reactiveReflections > maxReflections
    ) {
      draft.decision = 'stop';
      draft.explanation += ` The agent was asked to reflect ${maxReflections} times.`;
      draft.message = draft.explanation;
    }
  }

  #replace(draft: Draft, call: ToolCall, proposal: GuardProposal, state: State): void {
    const other = this.#replacement(draft, call, state);
    if (typeof other === 'string') {
      const failed = draft.reason === 'reactive-rule' ? undefined : this.#options.guard.failed(proposal);
      this.#fault(draft, call, 'replacement-failed', other, failed);
      return;
    }
    draft.run = other;
    draft.message = `This action was not run; ${other.name} ran instead. ${draft.explanation}`;
  }

  /** What runs instead, or why nothing can. Guards that know actions, and reactive rules, are asked about it, too. */
  #replacement(draft: Draft, call: ToolCall, state: State): ToolCall | string {
    const { guard, replacements = {}, rules = [] } = this.#options;
    const name = draft.action ?? '';
    const found = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
    if (found === undefined) return `there is no replacement "${name}"`;
    try {
      const other = { id: call.id, ...(typeof found === 'function' ? found(call) : found) };
      const wrong = this.#whatIsWrong(other);
      if (wrong !== null) return wrong[1];
      if (guard.file.actions !== undefined) {
        const checked = guard.propose(state, other, { pending: this.#pendingActions() });
        draft.replacement = guard.observed();
        if (severity[checked.decision] > severity.report) return guard.explain({ ...checked });
      }
      const forbids = rules.some((rule) => {
        const { strategy } = rule.decide(state, other);
        return strategy !== null && strategy.kind !== 'report';
      });
      return forbids ? 'a reactive rule forbids it' : other;
    } catch (error) {
      return wordsOf(error);
    }
  }

  /** Withholds what the guard had let through. */
  #refuse(draft: Draft, reason: Verdict['reason'], decision: Decision): void {
    if (draft.run !== null && draft.proposal !== null) this.#options.guard.withhold();
    draft.run = null;
    draft.decision = decision;
    draft.reason = reason;
  }

  /** The configured safe decision; `failed` is the guard's own for a strategy that could not be carried out. */
  #fault(
    draft: Draft,
    call: ToolCall,
    fault: EnforcementFault,
    detail: string,
    failed?: GuardProposal,
  ): void {
    const chosen = failed?.decision ?? this.#options.onFault ?? 'stop';
    // What cannot be carried out cannot stand in for what could not.
    const decision = chosen === 'block' || chosen === 'reflect' ? chosen : 'stop';
    this.#refuse(draft, fault, fault === 'run-over' ? 'stop' : decision);
    const { name } = call ?? {};
    draft.explanation = `${typeof name === 'string' ? `${name.slice(0, 200)}: ` : ''}${faultInWords(fault, detail)}`;
    draft.message = draft.explanation;
    draft.action = null;
  }

  /** Records the decision, and makes a verdict of it. */
  async #conclude(draft: Draft, call: ToolCall): Promise<Verdict> {
    const { shadow = false } = this.#options;
    const wouldDecide = draft.decision;
    if (shadow && severity[wouldDecide] > severity.report) {
      draft.decision = 'report';
      draft.run = call;
      draft.message = null;
    }
    const verdict: Verdict = {
      call,
      number: this.#number++,
      decision: draft.decision,
      reason: draft.reason,
      rule: draft.rule,
      run: draft.run,
      message: draft.message,
      ends: draft.decision === 'stop',
      inspection: draft.decision === 'inspect' ? this.#inspect(draft, call) : null,
      step: draft.proposal,
      explanation: draft.explanation,
      wouldDecide,
    };
    try {
      await this.#append(() => this.#record(draft, verdict));
    } catch (error) {
      if (draft.reason !== 'log-failed' && !shadow) {
        this.#fault(draft, call, 'log-failed', wordsOf(error));
        return this.#enact(
          { ...verdict, ...pick(draft), ends: draft.decision === 'stop', inspection: null },
          draft,
        );
      }
    }
    return this.#enact(verdict, draft);
  }

  /** From here on the verdict holds. */
  #enact(verdict: Verdict, { proposal }: Draft): Verdict {
    if (verdict.run !== null) this.#pending.push({ verdict, call: verdict.run });
    if (verdict.inspection !== null && proposal !== null)
      this.#asked.set(verdict.inspection.id, { verdict, proposal });
    if (verdict.ends) this.#stopped ??= verdict;
    return verdict;
  }

  #record(draft: Draft, verdict: Verdict): DecisionRecord {
    const { proposal, observed, replacement, reactive, inputs, action } = draft;
    const { id, name, arguments: given } = (verdict.call ?? {}) as Partial<ToolCall>;
    return {
      kind: 'decision',
      run: this.id,
      time: this.#now(),
      number: verdict.number,
      call: {
        id: nameOf(id),
        name: nameOf(name),
        arguments: this.#redact({ arguments: given ?? null }),
      },
      inputs,
      observed,
      ...(replacement && { replacement }),
      ...(reactive && { reactive }),
      state: proposal?.state ?? -1,
      risk: numberOrNull(proposal?.risk),
      lower: numberOrNull(proposal?.lower),
      upper: numberOrNull(proposal?.upper),
      rule: verdict.rule,
      decision: verdict.decision,
      reason: verdict.reason,
      wouldDecide: verdict.wouldDecide,
      action,
    };
  }

  /** The question to a person: the same for the same call at the same place of the run. */
  #inspect(draft: Draft, call: ToolCall): Inspection {
    const place = [this.id, draft.proposal?.step ?? -1, this.#pending.length, call.name, call.arguments];
    const hash = (hashInputs(place) ?? crypto.randomUUID()).slice(0, 32);
    // Two calls of a turn may be equal: they are two questions.
    const isOther = (id: string) => (this.#asked.get(id)?.verdict.call.id ?? call.id) !== call.id;
    let id = hash;
    for (let next = 2; isOther(id); next++) id = `${hash}-${next}`;
    return {
      id,
      run: this.id,
      call: { ...call, arguments: this.#redactArguments(call) },
      question: questionOf(draft.explanation, call.name),
      rule: draft.rule,
      risk: draft.proposal?.risk ?? 1,
      expiresAt: this.#now() + (this.#options.askTimeoutMs ?? DEFAULTS.askTimeoutMs),
    };
  }

  #redactArguments({ arguments: given }: ToolCall): ToolCall['arguments'] {
    const copy = this.#redact({ arguments: given }) as { arguments?: ToolCall['arguments'] };
    return copy.arguments ?? {};
  }

  /** What an answer comes to; null is none. */
  async #settle(id: string, answer: Answer | null): Promise<Verdict> {
    const began = performance.now();
    const settled = await this.#settled(id, answer);
    this.#tell((observer) => observer.decided?.(settled, this.id, (performance.now() - began) / 1000));
    return settled;
  }

  async #settled(id: string, answer: Answer | null): Promise<Verdict> {
    const asked = this.#asked.get(id);
    if (asked === undefined) throw new InvalidArgumentError(`the question "${id}" has been answered already`);
    this.#asked.delete(id);
    const { verdict, proposal } = asked;
    const { guard } = this.#options;
    const draft = { ...createDraft(), proposal, rule: verdict.rule, explanation: verdict.explanation };
    const given = readAnswer(answer);
    const inTime = verdict.inspection !== null && this.#now() <= verdict.inspection.expiresAt;
    let outcome: OutcomeRecord['outcome'] = 'no-answer';
    if (this.#stopped !== null || this.#ended) this.#fault(draft, verdict.call, 'run-over', '');
    else if (given === null || !inTime) {
      const fell = verdict.reason === 'reactive-rule' ? undefined : guard.failed(proposal);
      this.#fault(
        draft,
        verdict.call,
        'no-answer',
        inTime ? 'the answer cannot be read' : 'the time is over',
        fell,
      );
    } else if (given.approved) {
      outcome = 'approved';
      draft.decision = 'allow';
      draft.reason = 'approved';
      draft.run = verdict.call;
    } else {
      outcome = 'refused';
      this.#fault(draft, verdict.call, 'refused', answerInWords(given));
      draft.decision = 'block';
    }
    const by = given?.by === undefined ? {} : { by: given.by.slice(0, 200) };
    const settled: Verdict = {
      ...verdict,
      ...pick(draft),
      ends: draft.decision === 'stop',
      inspection: null,
      wouldDecide: verdict.wouldDecide,
    };
    try {
      await this.#append(() => this.#outcome(settled.number, outcome, by));
    } catch (error) {
      this.#fault(draft, verdict.call, 'log-failed', wordsOf(error));
      return this.#enact({ ...settled, ...pick(draft), ends: draft.decision === 'stop' }, draft);
    }
    return this.#enact(settled, draft);
  }

  async #ran(verdict: Verdict, outcome: ToolOutcome): Promise<void> {
    const at = this.#pending.findIndex(({ verdict: { number } }) => number === verdict.number);
    if (at < 0) return;
    const [{ call }] = this.#pending.splice(at, 1);
    this.#history?.record(call, outcome);
    this.#isOpen = false;
    this.#tell((observer) => observer.ran?.(verdict, outcome, this.id));
    const failed = 'error' in outcome;
    await this.#keep(() => this.#outcome(verdict.number, failed ? 'failed' : 'ran'));
    if (this.#pending.length > 0) await this.#lookAgain(this.#pending[0].call);
  }

  /** Observes the world without a call to decide on: between calls of a turn, or at the end. */
  async #lookAgain(running: ToolCall | null): Promise<void> {
    const { guard } = this.#options;
    let state: unknown;
    let clock = {};
    try {
      state = await this.#readState();
      clock = this.#clock();
    } catch {
      // To the guard, a state that cannot be read is a fault like others.
      state = null;
    }
    this.#state = (state ?? {}) as State;
    guard.step(state as State, { ...(running && { action: running }), ...clock });
    const observed = guard.observed();
    // What runs was let through before; its share of a budget has been taken.
    guard.withhold();
    this.#isOpen = running !== null;
    const inputs = this.#options.log === undefined ? null : this.#hashInputs(state, null);
    await this.#keep(() => ({ kind: 'observation', run: this.id, time: this.#now(), inputs, observed }));
  }

  async #end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#asked.clear();
    this.#pending = [];
    if (this.#begun) {
      await this.#lookAgain(null);
      await this.#keep(() => ({ kind: 'end', run: this.id, time: this.#now(), decisions: this.#number }));
    }
    this.#tell((observer) => observer.ended?.(this.id));
  }

  async #begin(): Promise<void> {
    if (this.#lost !== null) throw new Error(`an earlier record was lost: ${this.#lost}`);
    if (this.#begun) return;
    const { specificationHash, modelHash } = this.#options.guard.file;
    await this.#append(() => ({
      kind: 'begin',
      run: this.id,
      time: this.#now(),
      guard: { file: this.guardHash, specification: specificationHash, model: modelHash },
    }));
    this.#begun = true;
    this.#tell((observer) => observer.begun?.(this.id));
  }

  /** The world as it is; as it was observed last, where calls are running. */
  async #observe(): Promise<State> {
    if (this.#pending.length > 0) return this.#state;
    this.#state = (await this.#readState()) as State;
    return this.#state;
  }

  #readState(): Promise<unknown> {
    const { state, stateTimeoutMs = DEFAULTS.stateTimeoutMs } = this.#options;
    if (this.#history !== null) return Promise.resolve(this.#history.state());
    const found = state?.();
    if (!isPromise(found)) return Promise.resolve(found);
    return within(stateTimeoutMs, () => found);
  }

  #propose(state: State, call: ToolCall): GuardProposal {
    const { guard } = this.#options;
    const action = { name: call.name, arguments: call.arguments };
    const clock = this.#clock();
    if (this.#isOpen) return guard.propose(state, action, { pending: this.#pendingActions(), ...clock });
    this.#isOpen = true;
    return guard.stepInto(state, { action, ...clock }, createProposal());
  }

  #clock(): { time?: number } {
    const { time } = this.#options;
    return time === undefined ? {} : { time: time() };
  }

  #pendingActions(): { name: string; arguments: ToolCall['arguments'] }[] {
    return this.#pending.map(({ call }) => ({ name: call.name, arguments: call.arguments }));
  }

  #whatIsWrong(call: ToolCall): [EnforcementFault, string] | null {
    const { maxArguments = DEFAULTS.maxArguments } = this.#options;
    try {
      const { name, arguments: given } = call;
      if (typeof name !== 'string') return ['unknown-tool', `its name is ${typeof name}, not text`];
      const tool = this.#tools.get(name);
      if (tool === undefined)
        return ['unknown-tool', `known are ${[...this.#tools.keys()].join(', ') || 'none'}`];
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        return [
          'invalid-arguments',
          `expected an object, found ${Array.isArray(given) ? 'a list' : String(given)}`,
        ];
      canonicalJson(given, maxArguments);
      const complaint = tool.check?.(given) ?? null;
      return complaint === null ? null : ['invalid-arguments', String(complaint).slice(0, 2000)];
    } catch (error) {
      return ['invalid-arguments', wordsOf(error)];
    }
  }

  #hashInputs(state: unknown, call: ToolCall | null): string | null {
    const { hashKey } = this.#options;
    const inputs = { state, call: call && { name: call.name, arguments: call.arguments } };
    return hashInputs(inputs, hashKey === undefined ? {} : { hashKey });
  }

  #outcome(number: number, outcome: OutcomeRecord['outcome'], by: { by?: string } = {}): OutcomeRecord {
    return { kind: 'outcome', run: this.id, time: this.#now(), number, outcome, ...by };
  }

  async #append(record: () => RunRecord): Promise<void> {
    const { log } = this.#options;
    if (log !== undefined) await log.append(record());
  }

  /** Records what has happened already. Where that fails, all decisions after it are faults: the log would not say what they were made on. */
  async #keep(record: () => RunRecord): Promise<void> {
    try {
      await this.#append(record);
    } catch (error) {
      this.#lost ??= wordsOf(error);
    }
  }

  #tell(what: (observer: NonNullable<SessionOptions['observers']>[number]) => void): void {
    for (const observer of this.#options.observers ?? []) {
      try {
        what(observer);
      } catch {
        this.observerFaults++;
      }
    }
  }

  /** Brings the guard to where the run was. Calls that never came back count as not run. */
  #resume(records: readonly RunRecord[]): void {
    const { guard } = this.#options;
    for (const record of records) {
      if (record.run !== this.id) continue;
      if (record.kind === 'begin') {
        if (record.guard.file !== this.guardHash) {
          throw new InvalidArgumentError(
            `run ${this.id} began with the guard file ${record.guard.file}; this one is ${this.guardHash}`,
          );
        }
        this.#begun = true;
      } else if (record.kind === 'decision') {
        if (record.observed !== null) guard.decideAgain(record.observed);
        if (record.replacement !== undefined) guard.decideAgain(record.replacement);
        this.#number = record.number + 1;
        if (record.observed !== null) this.#isOpen = true;
        if (record.decision === 'stop') this.#stopped = stoppedBefore(record);
      } else if (record.kind === 'observation') guard.decideAgain(record.observed);
      else if (record.kind === 'outcome') {
        if (record.outcome === 'ran' || record.outcome === 'failed') this.#isOpen = false;
      } else this.#ended = true;
    }
  }
}

function createDraft(): Draft {
  return {
    decision: 'stop',
    reason: 'state-failed',
    rule: '',
    run: null,
    message: null,
    explanation: '',
    proposal: null,
    action: null,
    observed: null,
    replacement: undefined,
    reactive: undefined,
    inputs: null,
  };
}

function pick({
  decision,
  reason,
  rule,
  run,
  message,
  explanation,
}: Draft): Pick<Verdict, 'decision' | 'reason' | 'rule' | 'run' | 'message' | 'explanation'> {
  return { decision, reason, rule, run, message, explanation };
}

function stoppedBefore({ call, number, rule }: DecisionRecord): Verdict {
  const explanation = faultInWords('run-over', 'it was stopped before');
  return {
    call: { id: call.id, name: call.name, arguments: {} },
    number,
    decision: 'stop',
    reason: 'run-over',
    rule,
    run: null,
    message: explanation,
    ends: true,
    inspection: null,
    step: null,
    explanation,
    wouldDecide: 'stop',
  };
}

const hashes = new WeakMap<object, string>();

/** Large files take long, and many sessions have the same. */
function hashOf(file: object): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const hash = hashInputs(file, { maxLength: Number.POSITIVE_INFINITY });
  if (hash === null) throw new InvalidArgumentError('the guard file is no JSON');
  hashes.set(file, hash);
  return hash;
}

function isList(tools: SessionOptions['tools']): tools is readonly string[] {
  return Array.isArray(tools);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** What a person said, as far as it can be read; null is no answer. */
function readAnswer(answer: Answer | null): Answer | null {
  try {
    const { approved, by, comment } = (answer ?? {}) as Partial<Record<keyof Answer, unknown>>;
    if (typeof approved !== 'boolean') return null;
    return {
      approved,
      ...(typeof by === 'string' && { by }),
      ...(typeof comment === 'string' && { comment }),
    };
  } catch {
    return null;
  }
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1000) : `[${typeof value}]`;
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2000);
}
