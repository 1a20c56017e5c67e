import { canonicalJson } from '../../base/canonicalJson.js';
import { printableName } from '../../base/words.js';
import { type GuardProposal, messagesOf, type RecordedStep, severity } from '../guard/index.js';
import type { DeclaredTools } from './declaredTools.js';
import { withHidden } from './editing.js';
import { type Judged, mostSevere } from './judges.js';
import { refusal, wordsOf } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import { type ReadCall, readCall } from './readCall.js';
import type { RunParts } from './runParts.js';
import { mostPending, type SessionOptions } from './sessionOptions.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { EnforcementFault } from './verdict.js';
import type { State } from './world.js';

const TAKEN = 'its guard follows another run; give each session a guard of its own, by guard.fork()';

/** The combined judgement of a call by the parts of a session. */
export class Judging {
  readonly #options: SessionOptions;
  readonly #tools: DeclaredTools;
  readonly #parts: RunParts;

  constructor(options: SessionOptions, tools: DeclaredTools, parts: RunParts) {
    this.#options = options;
    this.#tools = tools;
    this.#parts = parts;
  }

  /** Reads the call once into a frozen copy. */
  read(call: ToolCall): ReadCall {
    return call === IDLE
      ? { call, fault: null, given: call.arguments }
      : readCall(call, this.#tools.mostArguments);
  }

  /**
   * The call that a person's answer makes of the one that was asked about: with other arguments, in which what the person did not see is as it was.
   * @returns the fault of the answer if it cannot be taken; null if it changes nothing
   */
  async edited(
    call: ToolCall,
    given: unknown,
  ): Promise<{ readonly call: ToolCall } | readonly [EnforcementFault, string] | null> {
    const asGiven = this.read({ ...call, arguments: given as ToolCall['arguments'] });
    if (asGiven.fault !== null) return ['invalid-arguments', `the answer's own: ${asGiven.fault}`];
    try {
      const shown = this.#parts.journal.redactArguments(call.arguments);
      const meant = withHidden(call.arguments, shown, asGiven.call.arguments) as ToolCall['arguments'];
      if (canonicalJson(meant) === canonicalJson(call.arguments)) return null;
      if (this.#options.edits !== true || call === IDLE)
        return ['no-answer', 'it came with other arguments, which this session does not take (edits)'];
      const read = this.read({ ...call, arguments: meant });
      return this.#tools.faultOf(read) ?? (await this.#parts.detectors.read(read));
    } catch (error) {
      return ['invalid-arguments', `the answer's own: ${wordsOf(error)}`];
    }
  }

  /** Whether too many calls are running to decide this one beside them. */
  isCrowded(call: ToolCall): boolean {
    return this.#parts.judges.pending > (call === IDLE ? 0 : mostPending(this.#options));
  }

  /**
   * Writes the judgement of the guards and the reactive rules, or the call's fault, into `draft`.
   *
   * @param follows whether the guards still follow this run after the world has been observed
   */
  async judge(draft: PendingVerdict, read: ReadCall, follows: () => boolean): Promise<void> {
    const { call } = read;
    const wrong = call === IDLE ? null : this.#tools.faultOf(read);
    if (wrong !== null) return draft.fault(call, ...wrong);
    const { journal, judges, letThrough, reactions } = this.#parts;
    const before = this.#options.once ? letThrough.numberOf(call) : null;
    if (before !== null) return draft.block(call, 'repeated-call', `decision ${before} of the run`);
    if (this.isCrowded(call)) return draft.block(call, 'calls-running');
    let state: State;
    try {
      const seen = await judges.observe();
      if (!follows()) return draft.fault(call, 'run-over', TAKEN);
      const early = call === IDLE ? null : judges.tooEarly(seen);
      if (early !== null) return draft.block(call, 'too-early', early);
      state = seen[0].state;
      draft.judged = judges.propose(seen, call, draft.isSibling);
    } catch (error) {
      return draft.fault(call, 'state-failed', wordsOf(error));
    }
    draft.inputs = journal.inputs(state, call);
    this.#take(draft, call, mostSevere(draft.judged), state);
    if (call !== IDLE) reactions.decide(draft, call, state);
    if (draft.decision === 'replace') await this.#replace(draft, call, draft.judged, state);
  }

  /** Takes over what the guard says whose answer counts. */
  #take(draft: PendingVerdict, call: ToolCall, counts: Judged, state: State): void {
    const { redact = [] } = this.#options;
    const { guard, proposal } = counts;
    draft.counts = counts;
    draft.decision = proposal.decision;
    draft.reason = proposal.reason;
    draft.rule = proposal.rule;
    draft.action = proposal.action;
    // Explain a copy, so that predicate errors (which may quote values) are not included.
    draft.explanation = guard.explain(redact.length > 0 ? { ...proposal } : proposal);
    draft.granted = draft.lets;
    if (draft.lets) {
      draft.run = toRun(call);
      return;
    }
    draft.told = messagesOf(guard.file, proposal, () => this.#parts.journal.shown(call));
    const why = draft.told?.agent ?? null;
    draft.message = refusal(guard, proposal, draft.explanation, why, (tool) => this.#isOpen(tool, state));
  }

  /** Whether a tool is declared and no reactive rule refuses it, whatever its arguments; one that reads them cannot be asked. */
  #isOpen(name: string, state: State): boolean {
    if (!this.#tools.names.includes(name)) return false;
    try {
      return this.#parts.reactions.refusals({ id: '', name, arguments: {} }, state).length === 0;
    } catch {
      return false;
    }
  }

  async #replace(
    draft: PendingVerdict,
    call: ToolCall,
    judged: readonly Judged[],
    state: State,
  ): Promise<void> {
    const other = await this.#replacement(draft, call, judged, state);
    if (typeof other === 'string') {
      const failed = draft.reason === 'reactive-rule' || !draft.counts ? undefined : failedBy(draft.counts);
      draft.fault(call, 'replacement-failed', other, failed);
      return;
    }
    draft.run = other;
    draft.message = `This action was not run; ${printableName(other.name)} ran instead. ${draft.told?.agent ?? draft.explanation}`;
  }

  /**
   * The call that runs instead, or the reason why none can. Guards that judge actions, and reactive rules, judge it too; other guards have judged the state.
   */
  async #replacement(
    draft: PendingVerdict,
    call: ToolCall,
    judged: readonly Judged[],
    state: State,
  ): Promise<ToolCall | string> {
    const { replacements = {} } = this.#options;
    const { judges, reactions } = this.#parts;
    const name = draft.action ?? '';
    const found = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
    if (found === undefined) return `there is no replacement "${name}"`;
    try {
      const proposed = this.read({ id: call.id, ...(typeof found === 'function' ? found(call) : found) });
      const read = await this.#parts.detectors.read(proposed);
      const { call: other } = read;
      const wrong = this.#tools.faultOf(read);
      if (wrong !== null) return wrong[1];
      const readings: (RecordedStep | null)[] = judged.map(() => null);
      for (const [i, { guard, proposal }] of judged.entries()) {
        if (guard.file.actions !== undefined || guard.readsActions) {
          const checked = judges.proposeInstead(judges.runs[i], state, other, draft.isSibling);
          readings[i] = checked.observed;
          draft.replacement = readings;
          draft.granted = severity[checked.proposal.decision] <= severity.report;
          if (!draft.granted) return guard.explain({ ...checked.proposal });
        } else if (proposal.decision !== 'replace' && severity[proposal.decision] > severity.report) {
          // A guard that judges states permits nothing in this one.
          return guard.explain({ ...proposal });
        }
      }
      return reactions.refusals(other, state).length > 0 ? 'a reactive rule forbids it' : other;
    } catch (error) {
      return wordsOf(error);
    }
  }
}

/** The decision of the rule that decided, for one that could not be carried out. */
export function failedBy({ guard, proposal }: NonNullable<PendingVerdict['counts']>): GuardProposal {
  return guard.failed(proposal);
}

/** The call to run after a permission: doing nothing runs nothing. */
export function toRun(call: ToolCall): ToolCall | null {
  return call === IDLE ? null : call;
}
