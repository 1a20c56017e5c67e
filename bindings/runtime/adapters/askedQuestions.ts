import type { Answer, DecidingSession, Inspection, ToolCall } from '../enforcement/index.js';

/** What the agent is told where a framework has kept a yes that was not said to the question at hand. */
export const TO_ANOTHER: Answer = {
  approved: false,
  comment:
    'what was answered is not known to be about this call; propose it again, to have a person asked anew',
};

/**
 * Which questions a framework has put to people that keeps answers by the call: a yes that it has kept is one to the question that was asked, and after a restart more may be
 * against the call.
 */
export class AskedQuestions {
  readonly #session: DecidingSession;
  readonly #framework: string;

  /** @param framework what the records call it */
  constructor(session: DecidingSession, framework: string) {
    this.#session = session;
    this.#framework = framework;
  }

  /** Records that a person is about to be asked. @throws what the log throws, and then nobody is to be asked */
  async add({ id }: Inspection, call: ToolCall): Promise<void> {
    await this.#session.place?.(id, this.#listOf(call), 0);
  }

  /** Whether a person was asked this question, also before the run was resumed, and its time is not over. */
  has(inspection: Inspection, call: ToolCall): boolean {
    return this.#session.placed?.(this.#listOf(call)).some((one) => one.asks(inspection)) ?? false;
  }

  #listOf({ id }: ToolCall): string {
    return `${this.#framework} call ${id}`;
  }
}
