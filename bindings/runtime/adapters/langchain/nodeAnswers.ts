import { canonicalJson } from '../../../base/canonicalJson.js';
import type { Answer, Inspection, PlacedQuestion, Session, ToolCall } from '../../enforcement/index.js';
import { idOf, inspectionRequest, readAnswer } from './inspection.js';
import type { LangChainRuntime } from './messages.js';

/**
 * Separator in the name of a node's run, after the names of the enclosing graphs. Within a subgraph, an answer may be repeated to a node that never received
 * it.
 */
const WITHIN = '|';

/**
 * The answers that a node of the graph has received during one run. LangGraph hands them out by place: the nth `interrupt` gets the nth answer, whatever it
 * asks, and after a restart in a changed world other calls are asked about. Here an answer belongs only to the question that was asked at its place, as the
 * session has recorded it.
 */
export class NodeAnswers {
  readonly #session: Session;
  readonly #interrupt: LangChainRuntime['interrupt'];
  /** LangGraph's name of the node's run, the same after each pause; null if there is none, and nothing can be recorded. */
  readonly #list: string | null;
  /** The owner of a place, or whether LangGraph's answer there was used before, is unknown: only a question's id shows that a yes belongs to it. */
  readonly #needsIds: boolean;
  /** The questions by place; several if it is unknown which of them was answered. */
  readonly #asked = new Map<number, PlacedQuestion[]>();
  readonly #taken = new Set<number>();
  /** By place. */
  readonly #values: unknown[] = [];
  /** The pending pause of the node: nothing more is asked until it runs again. */
  #pause: Promise<never> | null = null;

  /** @param isShared whether tools or other middleware may ask in this node, too */
  constructor(session: Session, { interrupt, configurable }: LangChainRuntime, isShared: boolean) {
    this.#session = session;
    this.#interrupt = interrupt;
    const name = configurable?.checkpoint_ns;
    this.#list = typeof name === 'string' && name !== '' ? name : null;
    this.#needsIds = isShared || this.#list?.includes(WITHIN) === true;
    for (const question of this.#list === null ? [] : session.placed(this.#list)) {
      const others = this.#asked.get(question.place);
      if (others === undefined) this.#asked.set(question.place, [question]);
      else others.push(question);
    }
  }

  /**
   * Finds the answer to a question about this call that was asked in this node before, even if the call needs none by now. Each answer is found once.
   *
   * @param inspection what a person is asked now; null where nobody is
   * @returns null where the call was not asked about, has been carried out since, or a yes was to another question than this one
   * @throws what LangGraph pauses a node with, where the question is not answered yet; what the log throws
   */
  async find(call: ToolCall, inspection: Inspection | null): Promise<Answer | null> {
    const [place, ...later] = this.#placesOf(call);
    if (place === undefined || this.#list === null) return null;
    this.#taken.add(place);
    await this.#readUpTo(place, inspection);
    const answer = this.#answerAt(place, [place, ...later], inspection);
    if (inspection === null) return answer;
    if (answer.approved && !this.#covers(place, inspection)) return this.find(call, inspection);
    await this.#session.place(inspection.id, this.#list, place);
    return answer;
  }

  /** @param places all that are about the call: where it was refused at one, no yes at another counts */
  #answerAt(place: number, places: readonly number[], inspection: Inspection | null): Answer {
    const about = (one: number) => this.#asked.get(one) ?? [];
    if (places.flatMap(about).some(({ status }) => status === 'refused')) return { approved: false };
    const needsId = inspection !== null && (this.#needsIds || this.#hasRepeated(place));
    const ids = about(place).map((question) => question.inspection.id);
    const tool = this.#session.edits ? about(place)[0]?.inspection.call.name : undefined;
    return readAnswer(this.#values[place], ids, { needsId, tool });
  }

  /** Whether the answer at a place counts for the open question: before a restart people may have been told of less against the call. Without an id the answer may be to any question that was asked there. */
  #covers(place: number, open: Inspection): boolean {
    const id = idOf(this.#values[place]);
    const answered = (this.#asked.get(place) ?? []).filter((one) => id === null || one.inspection.id === id);
    return answered.length > 0 && answered.every((one) => one.covers(open));
  }

  /**
   * Asks a question that was not asked in this node before, after all that were.
   *
   * @returns LangGraph's answer if it has one although nobody was asked: a no, unless it has the id of this question
   * @throws LangGraph's pause signal, once the question at this place is recorded; any error of the log
   */
  async ask(inspection: Inspection): Promise<Answer> {
    await this.#readUpTo(Math.max(-1, ...this.#asked.keys()), null);
    if (this.#pause !== null) return this.#pause;
    let value: unknown;
    try {
      value = this.#interrupt?.(inspectionRequest(inspection));
    } catch (pause) {
      return this.#pauseWith(pause, inspection);
    }
    this.#values.push(value);
    const tool = inspection.editable ? inspection.call.name : undefined;
    return readAnswer(value, [inspection.id], { needsId: true, tool });
  }

  /** Where this call was asked about and no answer was found yet; several where it was asked about anew after a restart. */
  #placesOf(call: ToolCall): number[] {
    return [...this.#asked].flatMap(([place, asked]) => {
      const isFree = !this.#taken.has(place);
      return isFree && asked.every((one) => one.status !== 'over' && one.isAbout(call)) ? [place] : [];
    });
  }

  /**
   * Whether an answer was repeated. If the run continues without an answer, for example by `invoke(null)`, LangGraph repeats the previous answer for the next
   * question; from then on people and the graph may be at different questions.
   */
  #hasRepeated(place: number): boolean {
    const values = this.#values.slice(0, place + 1);
    return new Set(values.map(textOf)).size < values.length;
  }

  /** Reads answers in their order, including those that no call waits for any more: otherwise the next question would get them. */
  async #readUpTo(place: number, shown: Inspection | null): Promise<void> {
    if (this.#pause !== null) return this.#pause;
    while (this.#values.length <= place) {
      const next = this.#values.length;
      const asked = this.#asked.get(next) ?? this.#asked.get(place);
      const inspection = (next === place ? shown : null) ?? asked?.at(-1)?.inspection;
      try {
        this.#values.push(this.#interrupt?.(inspection && inspectionRequest(inspection)));
      } catch (pause) {
        return this.#pauseWith(pause, next === place ? shown : null);
      }
    }
  }

  /** @param inspection the question at a new place: it is recorded before anyone sees it */
  #pauseWith(pause: unknown, inspection: Inspection | null): Promise<never> {
    const place = this.#values.length;
    const recorded =
      inspection === null || this.#list === null
        ? Promise.resolve()
        : this.#session.place(inspection.id, this.#list, place);
    this.#pause = recorded.then(() => {
      throw pause;
    });
    return this.#pause;
  }
}

/** Gives values without JSON one common text: they count as repeated. */
function textOf(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return '';
  }
}
