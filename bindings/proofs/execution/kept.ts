import { ForeguardError, InvalidDataError } from '../../base/errors.js';
import type { Given, Wanted } from '../workflow/index.js';
import type { ResultEntry, ResultStore } from './resultStore.js';

/** The name of a call of a run: its step, with the rounds around it. It is the id of the call in a session. */
export function callId({ step, rounds }: Pick<Wanted, 'step' | 'rounds'>): string {
  return step + rounds.map((round) => `[${round}]`).join('');
}

/** What is kept of one run, as it was when the run went on, and what is added. */
export class Kept {
  readonly #store: ResultStore | null;
  readonly #run: string;
  readonly #last = new Map<string, ResultEntry>();
  #position = 0;

  private constructor(store: ResultStore | null, run: string, entries: readonly ResultEntry[]) {
    this.#store = store;
    this.#run = run;
    for (const entry of entries) this.#last.set(callId(entry), entry);
    this.#position = entries.length;
  }

  /** @throws any error of the store; InvalidDataError if it gives what are no entries */
  static async open(store: ResultStore | null, run: string): Promise<Kept> {
    const entries = store === null ? [] : await store.read(run);
    for (const [i, { kind, step, rounds }] of entries.entries())
      if (
        !['started', 'result', 'failed'].includes(kind) ||
        typeof step !== 'string' ||
        !Array.isArray(rounds)
      )
        throw new InvalidDataError(
          `entry ${i} of the results of run ${run} is damaged; restore it, or begin a run of another name`,
        );
    return new Kept(store, run, entries);
  }

  /** What came of a step; `started` if the run ended while it ran, so that nobody knows; undefined if it has not begun. */
  of(wanted: Wanted): Given | 'started' | undefined {
    const entry = this.#last.get(callId(wanted));
    if (entry === undefined) return undefined;
    if (entry.kind === 'started') return 'started';
    return entry.kind === 'result'
      ? { kind: 'result', value: entry.value }
      : { kind: 'failed', text: entry.text };
  }

  /** @throws any error of the store; a ForeguardError with code `run-taken` if another process has gone on with the run */
  async add({ step, rounds }: Wanted, what: Given | { readonly kind: 'started' }): Promise<void> {
    if (this.#store === null) return;
    if (!(await this.#store.add(this.#run, this.#position, { step, rounds, ...what })))
      throw new ForeguardError(
        'run-taken',
        `another process has continued run ${this.#run}, from its result ${this.#position} on; read the run again and continue from there`,
      );
    this.#position++;
  }
}
