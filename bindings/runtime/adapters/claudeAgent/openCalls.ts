import { canonicalJson } from '../../../base/canonicalJson.js';
import type { DecidingSession, Inspection, ToolCall, ToolOutcome, Verdict } from '../../enforcement/index.js';

/** A call that the guard has permitted, or that a person is asked about, and that has not run yet. */
export interface OpenCall {
  /** The call as it was judged. */
  readonly call: ToolCall;
  readonly verdict: Verdict;
  /** The question to a person that is not yet answered. */
  readonly inspection: Inspection | null;
}

/** The calls of a run between their pre- and post-hooks, by their ids. */
export class OpenCalls {
  readonly #open = new Map<string, OpenCall>();
  /** Ids of calls that are being decided. */
  readonly #reserved = new Set<string>();
  readonly #session: DecidingSession;

  constructor(session: DecidingSession) {
    this.#session = session;
  }

  get(id: string): OpenCall | undefined {
    return this.#open.get(id);
  }

  /** Reserves the id while `decide` runs: no other call can take it. */
  async reserve<T>(id: string, decide: () => Promise<T>): Promise<T> {
    this.#reserved.add(id);
    try {
      return await decide();
    } finally {
      this.#reserved.delete(id);
    }
  }

  isReserved(id: string): boolean {
    return this.#reserved.has(id);
  }

  add(id: string, call: OpenCall): void {
    this.#open.set(id, call);
  }

  /** Tells the session that a call does not run, if it was permitted. */
  async withdraw(id: string): Promise<void> {
    const verdict = this.#close(id);
    if (verdict !== undefined && verdict.run !== null) await this.#session.withdraw(verdict);
  }

  /** Reports the outcome of a call to the session, if it was permitted. */
  async close(id: string, outcome: ToolOutcome): Promise<void> {
    const verdict = this.#close(id);
    if (verdict !== undefined && verdict.run !== null) await this.#session.ran(verdict, outcome);
  }

  /** A call that is being decided under the id is over, too. */
  #close(id: string): Verdict | undefined {
    const verdict = this.#open.get(id)?.verdict;
    this.#open.delete(id);
    this.#reserved.delete(id);
    return verdict;
  }
}

/** Whether the SDK refers to this call: the judged tool, with the judged arguments or those that run in their place. */
export function isMeant({ call, verdict }: OpenCall, name: string, input: unknown): boolean {
  if (name !== call.name) return false;
  try {
    const given = canonicalJson(input);
    return [call, verdict.run].some((one) => one !== null && canonicalJson(one.arguments) === given);
  } catch {
    return false;
  }
}
