import { canonicalJson } from '../../../base/canonicalJson.js';
import {
  type Answer,
  type Carried,
  carryOut,
  type DecidingSession,
  type RunTool,
  type Session,
  type ToolCall,
  type Verdict,
} from '../../enforcement/index.js';
import { reporting } from '../reporting.js';
import { isPause, type LangChainRuntime, plainOutcome } from './messages.js';
import { NodeAnswers } from './nodeAnswers.js';

/** A call of a step. LangGraph runs a node again from its begin after each pause: the call is decided once, and takes its answer at the same place again. */
class Decision {
  readonly call: ToolCall;
  #verdict: Verdict | null = null;
  #isAnswered = false;

  constructor(call: ToolCall) {
    this.call = { ...call, arguments: copyOf(call.arguments) };
  }

  /** @throws what LangGraph pauses a node with, while a person is asked by an interrupt */
  async verdict(session: Session, answers: NodeAnswers): Promise<Verdict> {
    this.#verdict ??= await session.decide(this.call);
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

  /** The call will not run. */
  async withdraw(session: Session): Promise<void> {
    if (this.#verdict !== null && this.#verdict.run !== null) {
      await session.withdraw(this.#verdict);
    }
  }
}

/** A call that a person was asked about before a restart, and need not be any more. Their yes changes nothing; their no holds. What replaces the call they were not asked about. */
async function withheldWhereRefused(
  session: Session,
  verdict: Verdict,
  { approved, comment }: Answer,
): Promise<Verdict> {
  if (approved || verdict.run === null || verdict.decision === 'replace') return verdict;
  await session.withdraw(verdict);
  const why = typeof comment === 'string' ? `: ${comment.slice(0, 2000)}` : '.';
  const told = `${verdict.call.name}: A person refused the call${why}`;
  return { ...verdict, decision: 'block', reason: 'refused', run: null, message: told, explanation: told };
}

/** One run of the agent: what of its step is decided and not carried out yet. */
export class GuardedRun {
  readonly session: Session;
  /** By what LangGraph gives a node each time it runs: calls that run side by side in one take answers from the same list. */
  readonly #answers = new WeakMap<object, NodeAnswers>();
  #deciding: Decision[] = [];
  #decided: Decision[] = [];

  constructor(session: Session) {
    this.session = session;
  }

  /** Decides on the calls of a step, in their order, until one ends the run. What was decided before and not carried out will not run any more. */
  async decideAll(calls: readonly ToolCall[], runtime: LangChainRuntime): Promise<void> {
    for (const decision of this.#decided.splice(0)) await decision.withdraw(this.session);
    const deciding = this.#deciding;
    for (const [i, call] of calls.entries()) {
      if (deciding[i] === undefined || !isSame(deciding[i].call, call)) {
        for (const other of deciding.splice(i)) await other.withdraw(this.session);
        deciding.push(new Decision(call));
      }
      await deciding[i].verdict(this.session, this.#answersIn(runtime, false));
      if (this.session.stopped !== null) break;
    }
    this.#decided = deciding.splice(0);
  }

  /** Carries out what was decided on this call; decides now where nothing was, as when it was changed since. */
  async carryOut<T>(call: ToolCall, runtime: LangChainRuntime, run: RunTool<T>): Promise<Carried<T>> {
    const at = this.#decided.findIndex((decision) => isSame(decision.call, call));
    const decision = at < 0 ? new Decision(call) : this.#decided.splice(at, 1)[0];
    try {
      return await carryOut(
        this.#reporting(runtime),
        await decision.verdict(this.session, this.#answersIn(runtime, true)),
        run,
      );
    } catch (error) {
      if (isPause(error)) this.#decided.push(decision);
      throw error;
    }
  }

  /** @param isShared tools and other middleware may ask in the node, too */
  #answersIn(runtime: LangChainRuntime, isShared: boolean): NodeAnswers {
    const { configurable } = runtime;
    const known = configurable && this.#answers.get(configurable);
    if (known !== undefined) return known;
    const answers = new NodeAnswers(this.session, runtime, isShared);
    if (configurable !== undefined) this.#answers.set(configurable, answers);
    return answers;
  }

  /** Of a run that is aborted LangChain waits for no tool: what it says then is not how the call ended, and it goes on to count as running. */
  #reporting({ signal }: LangChainRuntime): DecidingSession {
    return reporting(this.session, async (verdict, outcome) => {
      if ('error' in outcome && (isPause(outcome.error) || signal?.aborted)) return;
      await this.session.ran(verdict, plainOutcome(outcome));
    });
  }
}

function isSame(one: ToolCall, other: ToolCall): boolean {
  if (one.id !== other.id || one.name !== other.name) return false;
  try {
    return canonicalJson(one.arguments) === canonicalJson(other.arguments);
  } catch {
    return false;
  }
}

/** What is decided on is what runs, although other middleware may change the message's own arguments in place. */
function copyOf(values: ToolCall['arguments']): ToolCall['arguments'] {
  try {
    return JSON.parse(JSON.stringify(values)); // a tenth of structuredClone's time
  } catch {
    return values; // no plain data, which the session refuses
  }
}
