import { canonicalJson } from '../../base/canonicalJson.js';
import { printableName } from '../../base/words.js';
import { type JudgedWorld, type Judgement, severity } from '../guard/index.js';
import type { DeclaredTools } from './declaredTools.js';
import { withHidden } from './editing.js';
import { guardsAnswer, type Judged, JudgeFault, mostSevereAt, readsOf, withholdsTurn } from './judged.js';
import { proposed } from './judges.js';
import { refusal, wordsOf } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import { type ReadCall, readCall } from './readCall.js';
import type { RunParts } from './runParts.js';
import { mostPending, type SessionOptions } from './sessionOptions.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { EnforcementFault } from './verdict.js';

const TAKEN = 'its run has ended';

/** The combined judgement of a call by the parts of a session. */
export class Judging {
  readonly #options: SessionOptions;
  readonly #tools: DeclaredTools;
  readonly #parts: RunParts;
  readonly #mostPending: number;

  constructor(options: SessionOptions, tools: DeclaredTools, parts: RunParts) {
    this.#options = options;
    this.#tools = tools;
    this.#parts = parts;
    this.#mostPending = mostPending(options);
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

  /** Why no call of this tool, or none with these arguments, may run as things are now; null if it may. */
  faultOf(call: ToolCall): readonly [fault: EnforcementFault, detail: string] | null {
    return call === IDLE ? null : this.#tools.faultOf(this.read(call));
  }

  /** Whether too many calls are running to decide this one beside them. */
  isCrowded(call: ToolCall): boolean {
    return this.#parts.judges.pending > (call === IDLE ? 0 : this.#mostPending);
  }

  /** Blocks a call in `draft` if one of its id was let through already, and each may run once. */
  blocksRepeated(draft: PendingVerdict, call: ToolCall): boolean {
    const before = this.#options.once ? this.#parts.letThrough.numberOf(call) : null;
    if (before !== null) draft.block(call, 'repeated-call', `decision ${before} of the run`);
    return before !== null;
  }

  /**
   * Writes the judgement of the judges, or the call's fault, into `draft`.
   *
   * @param follows whether the run still goes on after the world has been observed
   */
  async judge(draft: PendingVerdict, read: ReadCall, follows: () => boolean): Promise<void> {
    const { call } = read;
    const wrong = call === IDLE ? null : this.#tools.faultOf(read);
    if (wrong !== null) return draft.fault(call, ...wrong);
    const { journal, judges, reflections, world } = this.#parts;
    if (this.blocksRepeated(draft, call)) return;
    if (this.isCrowded(call)) return draft.block(call, 'calls-running');
    let seen: readonly JudgedWorld[];
    try {
      seen = await judges.observe(world);
      if (!follows()) return draft.fault(call, 'run-over', TAKEN);
      const early = call === IDLE ? null : judges.tooEarly(seen);
      if (early !== null) return draft.block(call, 'too-early', early);
      if (draft.isSibling) seen = seen.map((world) => ({ ...world, sibling: true }));
    } catch (error) {
      return draft.fault(call, 'state-failed', wordsOf(error));
    }
    const judged = judges.propose(seen, call);
    draft.judged = judged;
    draft.reads = readsOf(judged);
    draft.inputs = journal.inputs(seen[0].state, call);
    this.#take(draft, call, judged, seen);
    if (call !== IDLE) reflections.count(draft);
    if (draft.decision === 'replace') await this.#replace(draft, call, judged, seen);
    // Whichever answer counts: a turn is withheld for each judge that says so.
    if (judged.some(withholdsTurn)) draft.scope = 'turn';
  }

  /** Takes over what the judge says whose answer counts. */
  #take(
    draft: PendingVerdict,
    call: ToolCall,
    judged: readonly Judged[],
    seen: readonly JudgedWorld[],
  ): void {
    draft.step = guardsAnswer(judged)?.step ?? null;
    const at = mostSevereAt(judged, this.#options.onFault ?? 'stop');
    const counts = judged[at];
    if (counts instanceof JudgeFault) {
      draft.fault(call, 'rule-failed', counts.words);
      return;
    }
    draft.counts = counts;
    draft.decision = counts.decision;
    draft.reason = counts.reason ?? 'judged';
    draft.rule = counts.rule ?? '';
    draft.action = counts.action ?? null;
    draft.explanation = counts.explanation ?? inWords(this.#parts.judges.seats[at].judge.name, counts);
    draft.suggestion = counts.suggestion ?? null;
    draft.granted = draft.lets;
    if (draft.lets) {
      draft.run = toRun(call);
      return;
    }
    draft.told = counts.says?.(this.#parts.journal.shown(call)) ?? null;
    const why = draft.told?.agent ?? null;
    const isOpen = (tool: string) => this.#isOpen(tool, seen);
    const kept = draft.decision === 'stop' || call === IDLE ? [] : this.#kept(call.name, seen);
    draft.message = refusal(counts, draft.explanation, why, call === IDLE, isOpen, kept);
  }

  /** The other tools of which all judges would have let any call through. */
  #kept(called: string, seen: readonly JudgedWorld[]): string[] {
    const { seats } = this.#parts.judges;
    const letsAll = (tool: string): boolean =>
      seats.every(({ run }, i) => run.keeps?.(tool, seen[i]) ?? false);
    try {
      return this.#tools.names.filter((tool) => tool !== called && letsAll(tool));
    } catch {
      return [];
    }
  }

  /** Whether a tool is declared and no judge is against suggesting it; one that cannot be asked is. */
  #isOpen(tool: string, seen: readonly JudgedWorld[]): boolean {
    if (!this.#tools.names.includes(tool)) return false;
    try {
      return this.#parts.judges.seats.every(({ run }, i) => run.permits?.(tool, seen[i]) ?? true);
    } catch {
      return false;
    }
  }

  async #replace(
    draft: PendingVerdict,
    call: ToolCall,
    judged: readonly Judged[],
    seen: readonly JudgedWorld[],
  ): Promise<void> {
    // Judges that have let the call itself run judge another one in its place.
    this.#parts.judges.withhold(judged);
    const other = await this.#replacement(draft, call, judged, seen);
    if (typeof other === 'string') {
      draft.fault(call, 'replacement-failed', other, draft.counts?.onFailure);
      return;
    }
    draft.run = other;
    draft.reads = readsOf(draft.replacement ?? []);
    draft.message = `This action was not run; ${printableName(other.name)} ran instead. ${draft.told?.agent ?? draft.explanation}`;
  }

  /** The call that runs instead, or the reason why none can. Judges of calls judge it too; those that judge the world have. */
  async #replacement(
    draft: PendingVerdict,
    call: ToolCall,
    judged: readonly Judged[],
    seen: readonly JudgedWorld[],
  ): Promise<ToolCall | string> {
    const { replacements = {} } = this.#options;
    const name = draft.action ?? '';
    const found = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
    if (found === undefined) return `there is no replacement "${name}"`;
    try {
      const proposed = this.read({ id: call.id, ...(typeof found === 'function' ? found(call) : found) });
      const read = await this.#parts.detectors.read(proposed);
      const { call: other } = read;
      const wrong = this.#tools.faultOf(read);
      if (wrong !== null) return wrong[1];
      const answers: (Judged | null)[] = judged.map(() => null);
      for (const [i, seat] of this.#parts.judges.seats.entries()) {
        const own = judged[i];
        const answer = seat.askInstead(other, seen[i]);
        if (answer === null) {
          // A judge of the world permits nothing in this one.
          if (own instanceof JudgeFault) return own.words;
          if (own.decision !== 'replace' && severity[own.decision] > severity.report)
            return own.explanation ?? inWords(seat.judge.name, own);
          continue;
        }
        answers[i] = answer;
        draft.replacement = answers;
        if (answer instanceof JudgeFault) return answer.words;
        draft.granted = severity[answer.decision] <= severity.report;
        if (!draft.granted) return answer.explanation ?? inWords(seat.judge.name, answer);
      }
      return other;
    } catch (error) {
      return wordsOf(error);
    }
  }
}

/** A judgement without words of its own. */
function inWords(judge: string, { decision, rule = '' }: Judgement): string {
  const by = rule === '' || rule === judge ? '' : `, by rule "${rule}"`;
  return decision === 'allow' ? `${judge} permits it.` : `${judge} decides: ${decision}${by}.`;
}

/** The call to run after a permission: doing nothing runs nothing. */
export function toRun(call: ToolCall): ToolCall | null {
  return proposed(call);
}
