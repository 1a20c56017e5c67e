import { ForeguardError, InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { wordsOf } from '../../base/words.js';
import { frozenJson } from '../../runtime/enforcement/index.js';
import type { Given, Wanted } from '../workflow/index.js';
import type { ResultEntry, ResultStore, StepEntry } from './resultStore.js';

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
  readonly #last = new Map<string, StepEntry>();
  #position = 0;

  private constructor(store: ResultStore | null, run: string, entries: readonly ResultEntry[]) {
    this.#store = store;
    this.#run = run;
    for (const entry of entries) if (entry.kind !== 'begin') this.#last.set(callId(entry), entry);
    this.#position = entries.length;
  }

  /**
   * Begins a run, or goes on with it.
   *
   * @param plan of the plan with its contracts and inputs, as `BeginEntry` has it
   * @throws any error of the store; InvalidDataError for what are no entries; InvalidArgumentError for a run of another plan
   */
  static async open(store: ResultStore | null, run: string, plan: string): Promise<Kept> {
    if (store === null) return new Kept(null, run, []);
    const read: unknown = await store.read(run);
    if (!Array.isArray(read)) throw damaged(run, 'no list');
    // A copy: what is checked is what is used.
    const entries = read.map((entry, i) => entryOf(entry, i, run));
    const kept = new Kept(store, run, entries);
    const [begin] = entries;
    if (begin === undefined) await kept.#append({ kind: 'begin', plan });
    else if (begin.kind !== 'begin') throw damaged(run, 'entry 0 does not say of which plan they are');
    else if (begin.plan !== plan)
      throw new InvalidArgumentError(
        `run ${run} was begun with another plan, other contracts or other inputs; go on with those, or begin a run of another name`,
      );
    return kept;
  }

  /** What came of a step; `started` if the run ended while it ran, so that nobody knows; undefined if it has not begun. */
  of(wanted: Wanted): Given | 'started' | undefined {
    if (this.#last.size === 0) return undefined;
    const entry = this.#last.get(callId(wanted));
    if (entry === undefined) return undefined;
    if (entry.kind === 'started') return 'started';
    return entry.kind === 'result'
      ? { kind: 'result', value: entry.value }
      : { kind: 'failed', text: entry.text };
  }

  /** Whether anything is kept; without a store there is nothing to wait for. */
  get isKeeping(): boolean {
    return this.#store !== null;
  }

  /** @throws any error of the store; a ForeguardError with code `run-taken` if another process has gone on with the run */
  add({ step, rounds }: Wanted, what: Given | { readonly kind: 'started' }): Promise<void> {
    return this.#append({ step, rounds, ...what });
  }

  async #append(entry: ResultEntry): Promise<void> {
    if (this.#store === null) return;
    if (!(await this.#store.add(this.#run, this.#position, entry)))
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
  if (isObject(entry) && entry.kind === 'begin' && typeof entry.plan === 'string' && i === 0)
    return { kind: 'begin', plan: entry.plan };
  const isEntry =
    isObject(entry) &&
    typeof entry.step === 'string' &&
    Array.isArray(entry.rounds) &&
    entry.rounds.every((round) => Number.isSafeInteger(round)) &&
    (entry.kind === 'started' ||
      (entry.kind === 'result' && Object.hasOwn(entry, 'value')) ||
      (entry.kind === 'failed' && typeof entry.text === 'string'));
  if (!isEntry) throw damaged(run, `entry ${i}`);
  return entry as unknown as StepEntry;
}

function damaged(run: string, what: string): InvalidDataError {
  return new InvalidDataError(
    `the results of run ${run} are damaged (${what}); restore them, or begin a run of another name`,
  );
}
