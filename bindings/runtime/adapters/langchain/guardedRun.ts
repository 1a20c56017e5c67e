import { printableName } from '../../../base/words.js';
import {
  type Answer,
  type Carried,
  carryOut,
  type DecidingSession,
  inTurn,
  type RunTool,
  type Session,
  type ToolCall,
  turnRefusal,
  type Verdict,
  withheldAlone,
  withheldBeside,
} from '../../enforcement/index.js';
import { reporting } from '../reporting.js';
import { isSameCall } from '../sameCall.js';
import { isPause, type LangChainRuntime, plainOutcome } from './messages.js';
import { NodeAnswers } from './nodeAnswers.js';

/** A call of a step. LangGraph reruns a node from its beginning after each pause: the call is decided once, and takes its answer at the same place again. */
class Decision {
  readonly call: ToolCall;
  #verdict: Verdict | null = null;
  #isAnswered = false;

  constructor(call: ToolCall) {
    this.call = { ...call, arguments: copyOf(call.arguments) };
  }

  /** @throws LangGraph's pause signal, while an interrupt asks a person */
  async verdict(session: Session, answers: NodeAnswers, turn?: string): Promise<Verdict> {
    this.#verdict ??= await session.decide(this.call, turn === undefined ? {} : { turn });
    const inspection = this.#isAnswered ? null : this.#verdict.inspection;
    const found = await answers.find(this.call, inspection);
    if (this.#isAnswered) return this.#verdict;
    const answer = found ?? (inspection && (await answers.ask(inspection)));
    if (answer === null) return this.#verdict;
    this.#verdict =
      inspection === null
        ? await withheldWhereRefused(session, this.#verdict, answer)
        : await session.answer(inspection.id, answer);
    this.#isAnswered = true;
    return this.#verdict;
  }

  /** The verdict, once there is one. */
  get decided(): readonly Verdict[] {
    return this.#verdict === null ? [] : [this.#verdict];
  }

  /** Withholds the call, because another of its step was refused for all. */
  async withhold(session: Session, refused: Verdict): Promise<void> {
    if (this.#verdict !== null) this.#verdict = await withheldBeside(session, this.#verdict, refused);
  }

  /** Withdraws the call, which will not run. */
  async withdraw(session: Session): Promise<void> {
    if (this.#verdict !== null && this.#verdict.run !== null) {
      await session.withdraw(this.#verdict);
    }
  }
}

/**
 * Withholds a call if a person refused it before a restart, although no question is needed any more. A yes changes nothing; a no stands. The person was not
 * asked about a replacement of the call.
 */
async function withheldWhereRefused(
  session: Session,
  verdict: Verdict,
  { approved, comment: said, arguments: edited }: Answer,
): Promise<Verdict> {
  // A yes to other arguments is none to those that were proposed.
  const isNo =
    !approved || (edited !== undefined && !isSameCall({ ...verdict.call, arguments: edited }, verdict.call));
  if (!isNo || verdict.run === null || verdict.decision === 'replace') return verdict;
  await session.withdraw(verdict);
  const comment = approved ? 'only with other arguments; propose it with those' : said;
  const why = typeof comment === 'string' ? `: ${comment.slice(0, 2000)}` : '.';
  const told = `${printableName(verdict.call.name)}: A person refused the call${why}`;
  return { ...verdict, decision: 'block', reason: 'refused', run: null, message: told, explanation: told };
}

/** One run of the agent: the calls of its step that are decided and not yet carried out. */
export class GuardedRun {
  readonly session: Session;
  /** Keyed by the object that LangGraph passes to a node each time it runs: concurrent calls in one node take answers from the same list. */
  readonly #answers = new WeakMap<object, NodeAnswers>();
  /** The turn of those: a node that pauses decides on the rest of them when it runs again. */
  #turn = '';
  #deciding: Decision[] = [];
  #decided: Decision[] = [];
  /** Two runs of an agent that share a session share these lists: one decides on all of its step before the other does. */
  readonly #inTurn = inTurn();

  constructor(session: Session) {
    this.session = session;
  }

  /** Decides on the calls of a step, in their order, until one ends the run. Calls decided earlier and not carried out will not run any more. */
  decideAll(calls: readonly ToolCall[], runtime: LangChainRuntime): Promise<void> {
    return this.#inTurn(() => this.#decideAll(calls, runtime));
  }

  async #decideAll(calls: readonly ToolCall[], runtime: LangChainRuntime): Promise<void> {
    for (const decision of this.#decided.splice(0)) await decision.withdraw(this.session);
    const deciding = this.#deciding;
    if (deciding.length === 0) this.#turn = crypto.randomUUID();
    for (const [i, call] of calls.entries()) {
      if (deciding[i] === undefined || !isSame(deciding[i].call, call)) {
        for (const other of deciding.splice(i)) await other.withdraw(this.session);
        deciding.push(new Decision(call));
      }
      await deciding[i].verdict(this.session, this.#answersIn(runtime, false), this.#turn);
      if (this.session.stopped !== null) break;
    }
    const refused = turnRefusal(
      this.session,
      deciding.flatMap(({ decided }) => decided),
    );
    if (refused !== undefined) for (const one of deciding) await one.withhold(this.session, refused);
    this.#decided = deciding.splice(0);
  }

  /** Carries out the decision on this call; decides now if there is none, for example because the call was changed since. */
  async carryOut<T>(call: ToolCall, runtime: LangChainRuntime, run: RunTool<T>): Promise<Carried<T>> {
    const at = this.#decided.findIndex((decision) => isSame(decision.call, call));
    const decision = at < 0 ? new Decision(call) : this.#decided.splice(at, 1)[0];
    try {
      const verdict = await decision.verdict(this.session, this.#answersIn(runtime, true));
      // A call that other middleware has changed is none of those that were decided together.
      const alone = at < 0 ? await withheldAlone(this.session, verdict) : verdict;
      return await carryOut(this.#reporting(runtime), alone, run);
    } catch (error) {
      if (isPause(error)) this.#decided.push(decision);
      throw error;
    }
  }

  /** @param isShared whether tools and other middleware may ask in the node, too */
  #answersIn(runtime: LangChainRuntime, isShared: boolean): NodeAnswers {
    const { configurable } = runtime;
    const known = configurable && this.#answers.get(configurable);
    if (known !== undefined) return known;
    const answers = new NodeAnswers(this.session, runtime, isShared);
    if (configurable !== undefined) this.#answers.set(configurable, answers);
    return answers;
  }

  /** When a run is aborted, LangChain waits for no tool: an outcome reported then is not the call's own, and the call still counts as running. */
  #reporting({ signal }: LangChainRuntime): DecidingSession {
    return reporting(this.session, async (verdict, outcome) => {
      if ('error' in outcome && (isPause(outcome.error) || signal?.aborted)) return;
      await this.session.ran(verdict, plainOutcome(outcome));
    });
  }
}

function isSame(one: ToolCall, other: ToolCall): boolean {
  return one.id === other.id && isSameCall(one, other);
}

/** Copies the arguments, so that the decided ones run although other middleware may change the message's own in place. */
function copyOf(values: ToolCall['arguments']): ToolCall['arguments'] {
  try {
    return JSON.parse(JSON.stringify(values)); // takes a tenth of structuredClone's time
  } catch {
    return values; // not plain data: the session refuses it
  }
}
