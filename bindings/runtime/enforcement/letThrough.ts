import { textOf } from './journal.js';
import { IDLE, type ToolCall } from './toolCall.js';

/** The calls of a run that were let through, by id: each may run once, whichever process decides. */
export class LetThrough {
  readonly #numbers = new Map<string, number>();

  /** A decision has let a call through, or another in its place. */
  add({ id }: Pick<ToolCall, 'id'>, number: number): void {
    this.#numbers.set(textOf(id), number);
  }

  /** The call of a decision was given up: it has not run, and may be proposed again. */
  withdraw(number: number): void {
    for (const [id, known] of this.#numbers) if (known === number) this.#numbers.delete(id);
  }

  /** Number of the decision that let a call of this id through; null if none has. */
  numberOf(call: ToolCall): number | null {
    return call === IDLE ? null : (this.#numbers.get(textOf(call.id)) ?? null);
  }
}
