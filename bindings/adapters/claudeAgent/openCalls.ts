import type { DecidingSession, Inspection, ToolOutcome, Verdict } from '../../enforcement/index.js';

/** A call that the guard has permitted, or that a person is asked about, and that has not run yet. */
export interface OpenCall {
  readonly verdict: Verdict;
  /** What a person is asked and has not answered. */
  readonly inspection: Inspection | null;
}

/** The calls of a run between the hook before and the hook after them, by their ids. */
export class OpenCalls {
  private readonly open = new Map<string, OpenCall>();

  constructor(private readonly session: DecidingSession) {}

  get(id: string): OpenCall | undefined {
    return this.open.get(id);
  }

  add(id: string, verdict: Verdict, inspection: Inspection | null): void {
    this.open.set(id, { verdict, inspection });
  }

  /** Tells the session how a call went, if it was permitted. */
  async close(id: string, outcome: ToolOutcome): Promise<void> {
    const verdict = this.open.get(id)?.verdict;
    this.open.delete(id);
    if (verdict !== undefined && verdict.run !== null) await this.session.ran(verdict, outcome);
  }
}
