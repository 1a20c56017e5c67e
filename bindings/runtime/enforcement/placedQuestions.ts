import type { Inspection } from './inspection.js';
import type { Journal } from './journal.js';
import type { OutcomeRecord, QuestionRecord } from './record.js';
import type { ToolCall } from './toolCall.js';

/** A question whose answer a framework has at a place of a list. */
export interface PlacedQuestion {
  /** From 0. */
  readonly place: number;
  /** The question to the person; for a question from before a restart, as far as the records have it. */
  readonly inspection: Inspection;
  /**
   * `open`: not answered, or approved and not yet carried out; `refused`: by a person, or because nobody answered; `over`: the call came back, or was given up.
   */
  readonly status: 'open' | 'refused' | 'over';
  /** Whether it was asked about this call: same id, name and arguments. */
  isAbout(call: ToolCall): boolean;
  /** Whether an answer to this question is one to that: it has the same id, and the time of this one, from when it was first asked, is not over. */
  asks(inspection: Inspection): boolean;
}

/** The questions of a run in frameworks that hand answers out by place, and the outcomes of their calls. */
export class PlacedQuestions {
  readonly #journal: Journal;
  readonly #lists = new Map<string, Placed[]>();
  readonly #byNumber = new Map<number, Placed[]>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  in(list: string): readonly PlacedQuestion[] {
    return this.#lists.get(list) ?? [];
  }

  has({ number, list, place }: Pick<QuestionRecord, 'number' | 'list' | 'place'>): boolean {
    return this.#lists.get(list)?.some((one) => one.place === place && one.number === number) ?? false;
  }

  add({ number, list, place, call }: QuestionRecord, inspection: Inspection): void {
    const placed = new Placed(this.#journal, number, place, call, inspection);
    append(this.#lists, list, placed);
    append(this.#byNumber, number, placed);
  }

  /** Takes the outcome of the call that a decision was about. */
  came(number: number, outcome: OutcomeRecord['outcome']): void {
    for (const placed of this.#byNumber.get(number) ?? []) placed.came(outcome);
  }
}

class Placed implements PlacedQuestion {
  readonly number: number;
  readonly place: number;
  readonly inspection: Inspection;
  readonly #journal: Journal;
  /** The call's hash. */
  readonly #call: string | null;
  #status: PlacedQuestion['status'] = 'open';

  constructor(journal: Journal, number: number, place: number, call: string | null, inspection: Inspection) {
    this.#journal = journal;
    this.number = number;
    this.place = place;
    this.#call = call;
    this.inspection = inspection;
  }

  get status(): PlacedQuestion['status'] {
    return this.#status;
  }

  isAbout(call: ToolCall): boolean {
    return this.#call !== null && this.#call === this.#journal.hashOfCall(call);
  }

  asks({ id, expiresAt }: Inspection): boolean {
    const own = this.inspection;
    // That an answer to the very question at hand comes late the session tells itself.
    return id === own.id && (expiresAt === own.expiresAt || this.#journal.now() <= own.expiresAt);
  }

  came(outcome: OutcomeRecord['outcome']): void {
    if (outcome === 'refused' || outcome === 'no-answer') this.#status = 'refused';
    else if (outcome !== 'approved') this.#status = 'over';
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
