import type { Refusal } from '../guard/index.js';
import type { Inspection } from './inspection.js';
import type { Journal } from './journal.js';
import type { OutcomeRecord, QuestionRecord } from './record.js';
import { isBeyond } from './refusals.js';
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
  /** Whether a yes to it came with other arguments: without these, which a framework may not have kept, it is a yes to nothing. */
  readonly isEdited: boolean;
  /** Whether it was asked about this call: same id, name and arguments. */
  isAbout(call: ToolCall): boolean;
  /** Whether a yes to it counts for the open question: no more is against the call than people were told, and the time since they were first asked is not over. */
  covers(open: Inspection): boolean;
}

/** The questions of a run in frameworks that hand answers out by place, and the outcomes of their calls. */
export class PlacedQuestions {
  readonly #journal: Journal;
  readonly #shownBy: ShownBy;
  readonly #lists = new Map<string, Placed[]>();
  readonly #byNumber = new Map<number, Placed[]>();

  constructor(journal: Journal, shownBy: ShownBy) {
    this.#journal = journal;
    this.#shownBy = shownBy;
  }

  in(list: string): readonly PlacedQuestion[] {
    return this.#lists.get(list) ?? [];
  }

  has({ number, list, place }: Pick<QuestionRecord, 'number' | 'list' | 'place'>): boolean {
    return this.#lists.get(list)?.some((one) => one.place === place && one.number === number) ?? false;
  }

  add(record: QuestionRecord, inspection: Inspection): void {
    const placed = new Placed(this.#journal, this.#shownBy, record, inspection);
    append(this.#lists, record.list, placed);
    append(this.#byNumber, record.number, placed);
  }

  /** Takes the outcome of the call that a decision was about. */
  came(number: number, outcome: OutcomeRecord['outcome'], isEdited = false): void {
    for (const placed of this.#byNumber.get(number) ?? []) placed.came(outcome, isEdited);
  }
}

/** The rules against a call that an open question names; undefined if no such question is open. */
type ShownBy = (id: string) => readonly Refusal[] | undefined;

class Placed implements PlacedQuestion {
  readonly number: number;
  readonly place: number;
  readonly inspection: Inspection;
  readonly #journal: Journal;
  readonly #shownBy: ShownBy;
  /** The call's hash. */
  readonly #call: string | null;
  readonly #shown: readonly Refusal[];
  #status: PlacedQuestion['status'] = 'open';
  #isEdited = false;

  constructor(
    journal: Journal,
    shownBy: ShownBy,
    { number, place, call, shown = [] }: QuestionRecord,
    inspection: Inspection,
  ) {
    this.#journal = journal;
    this.#shownBy = shownBy;
    this.number = number;
    this.place = place;
    this.#call = call;
    this.#shown = shown;
    this.inspection = inspection;
  }

  get status(): PlacedQuestion['status'] {
    return this.#status;
  }

  get isEdited(): boolean {
    return this.#isEdited;
  }

  isAbout(call: ToolCall): boolean {
    return this.#call !== null && this.#call === this.#journal.hashOfCall(call);
  }

  covers({ id, expiresAt }: Inspection): boolean {
    const now = this.#shownBy(id);
    if (now === undefined || isBeyond(this.#shown, now)) return false;
    const own = this.inspection;
    // If the answer comes too late to the very question that is open, the session says so itself.
    return (id === own.id && expiresAt === own.expiresAt) || this.#journal.now() <= own.expiresAt;
  }

  came(outcome: OutcomeRecord['outcome'], isEdited: boolean): void {
    this.#isEdited ||= isEdited;
    if (outcome === 'refused' || outcome === 'no-answer') this.#status = 'refused';
    else if (outcome !== 'approved') this.#status = 'over';
  }
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
