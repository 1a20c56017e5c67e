import { canonicalJson } from '../../../base/canonicalJson.js';
import type { DecidingSession, Inspection, ToolCall, ToolOutcome, Verdict } from '../../enforcement/index.js';

/** A call that the guard has permitted, or that a person is asked about, and that has not run yet. */
export interface OpenCall {
  /** As it was judged. */
  readonly call: ToolCall;
  readonly verdict: Verdict;
  /** What a person is asked and has not answered. */
  readonly inspection: Inspection | null;
}

/** The calls of a run between the hook before and the hook after them, by their ids. */
export class OpenCalls {
  readonly #open = new Map<string, OpenCall>();
  /** Ids of calls that are being decided on. */
  readonly #reserved = new Set<string>();
  readonly #session: DecidingSession;

  constructor(session: DecidingSession) {
    this.#session = session;
  }

  get(id: string): OpenCall | undefined {
    return this.#open.get(id);
  }

  /** While `decide` goes on, no other call can take the id. */
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

  /** Tells the session how a call went, if it was permitted. */
  async close(id: string, outcome: ToolOutcome): Promise<void> {
    const verdict = this.#open.get(id)?.verdict;
    this.#open.delete(id);
    if (verdict !== undefined && verdict.run !== null) await this.#session.ran(verdict, outcome);
  }
}

/** Whether the SDK means this call: the tool that was judged, with the arguments that were judged, or that are to run in their place. */
export function isMeant({ call, verdict }: OpenCall, name: string, input: unknown): boolean {
  if (name !== call.name) return false;
  try {
    const given = canonicalJson(input);
    return [call, verdict.run].some((one) => one !== null && canonicalJson(one.arguments) === given);
  } catch {
    return false;
  }
}
