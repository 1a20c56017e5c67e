import { InvalidArgumentError } from '../../base/errors.js';
import type { BitSet } from './bitSet.js';
import { checkSets } from './sets.js';

/** Frees memory that its owner forgot. A safety net only: it may run late or never. */
const forgotten = new FinalizationRegistry((held: { free(): void }) => held.free());

/** Owns an engine's copy of a model until it is freed; every use checks that it still does. */
export abstract class Handle<Held extends { free(): void }> {
  abstract readonly states: number;
  readonly #name: string;
  readonly #work: string;
  #held: Held | undefined;
  /** The number of calls under way: their callbacks run while the engine works on the held model. */
  #working = 0;

  /**
   * @param name the model's name in messages, such as `chain`
   * @param work the verb for work on it in messages
   */
  constructor(name: string, held: Held, work = 'solved') {
    this.#name = name;
    this.#work = work;
    this.#held = held;
    forgotten.register(this, held, this);
  }

  free(): void {
    const held = this.held();
    this.requireIdle();
    this.#held = undefined;
    forgotten.unregister(this);
    held.free();
  }

  [Symbol.dispose](): void {
    this.free();
  }

  /** Returns the held model. @throws InvalidArgumentError unless this handle still owns it and all sets are over its states */
  protected held(sets?: Readonly<Record<string, BitSet>>): Held {
    if (this.#held === undefined)
      throw new InvalidArgumentError(
        `this ${this.#name} was freed already: free it once, after its last use`,
      );
    if (sets !== undefined) checkSets(sets, this.states, `the ${this.#name}`);
    return this.#held;
  }

  /** Runs `work` on the held model; callbacks cannot free it meanwhile. */
  protected working<Result>(work: () => Result): Result {
    this.#working++;
    try {
      return work();
    } finally {
      this.#working--;
    }
  }

  /** @throws InvalidArgumentError while it is worked on */
  protected requireIdle(): void {
    if (this.#working > 0)
      throw new InvalidArgumentError(
        `this ${this.#name} is being ${this.#work}: change or free it after that`,
      );
  }
}
