import { ForeguardError, InvalidDataError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { wordsOf } from '../../base/words.js';
import { frozenJson } from '../../runtime/enforcement/index.js';
import type { Given, Wanted } from '../workflow/index.js';
import type { ResultEntry, ResultStore } from './resultStore.js';

/** Greatest length of the JSON of an entry, in characters: that of a result, and what names it. */
const MOST_ENTRY = 11 * 1024 * 1024;

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
    const entries: unknown = store === null ? [] : await store.read(run);
    if (!Array.isArray(entries)) throw damaged(run, 'no list');
    // A copy: what is checked is what is used.
    return new Kept(
      store,
      run,
      entries.map((entry, i) => entryOf(entry, i, run)),
    );
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

function entryOf(value: unknown, i: number, run: string): ResultEntry {
  let entry: unknown;
  try {
    entry = frozenJson(value, MOST_ENTRY);
  } catch (error) {
    throw damaged(run, `entry ${i}: ${wordsOf(error)}`);
  }
  const isEntry =
    isObject(entry) &&
    typeof entry.step === 'string' &&
    Array.isArray(entry.rounds) &&
    entry.rounds.every((round) => Number.isSafeInteger(round)) &&
    (entry.kind === 'started' ||
      (entry.kind === 'result' && Object.hasOwn(entry, 'value')) ||
      (entry.kind === 'failed' && typeof entry.text === 'string'));
  if (!isEntry) throw damaged(run, `entry ${i}`);
  return entry as unknown as ResultEntry;
}

function damaged(run: string, what: string): InvalidDataError {
  return new InvalidDataError(
    `the results of run ${run} are damaged (${what}); restore them, or begin a run of another name`,
  );
}
