import type { Answer, DecidingSession, Inspection, PlacedQuestion, ToolCall } from '../enforcement/index.js';

/** The agent's answer if a framework has kept a yes that does not cover the open question. */
export const TO_ANOTHER: Answer = {
  approved: false,
  comment:
    'what was answered is not known to be about this call; propose it again, to have a person asked anew',
};

/**
 * The questions that people were asked through a framework that keeps answers by call, not by question: after a restart more may be against the call than
 * people were told, and then their yes does not count.
 */
export class AskedQuestions {
  readonly #session: DecidingSession;
  readonly #framework: string;

  /** @param framework its name in the records */
  constructor(session: DecidingSession, framework: string) {
    this.#session = session;
    this.#framework = framework;
  }

  /** Records that a person is about to be asked. @throws any error of the log; then nobody may be asked */
  async add({ id }: Inspection, call: ToolCall): Promise<void> {
    await this.#session.place?.(id, this.#listOf(call.name), 0);
  }

  /** Whether a person was asked about this call, even before the run was resumed, and a yes counts for the open question. */
  isCovered(open: Inspection, call: ToolCall): boolean {
    return this.#about(call.name).some(
      (one) => one.status === 'open' && !one.isEdited && one.isAbout(call) && one.covers(open),
    );
  }

  /** Whether a person was asked about any call of this tool, even before the run was resumed. */
  isAskedAbout(tool: string): boolean {
    return this.#about(tool).length > 0;
  }

  #about(tool: string): readonly PlacedQuestion[] {
    return this.#session.placed?.(this.#listOf(tool)) ?? [];
  }

  #listOf(tool: string): string {
    return `${this.#framework} ${tool}`;
  }
}
