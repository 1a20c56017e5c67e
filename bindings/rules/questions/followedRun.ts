import type { Step } from '../../observations/trace/index.js';
import {
  type BeginRecord,
  type DecisionRecord,
  isIdle,
  isLet,
  type ObservationRecord,
  type OutcomeRecord,
  type RunRecord,
  startsCall,
} from '../../runtime/enforcement/index.js';
import type { GuardFile, RecordedStep } from '../../runtime/guard/index.js';
import type { Beliefs, Reading, Tuple } from './beliefs.js';
import type { Knowledge } from './knowledge.js';
import { nothing, Present, type Situation, tuplesAfter } from './run.js';

/** A step of a run, as its guard has read it. */
interface FollowedStep {
  readonly reading: Reading;
  /** Of the decision on its call; null for one without a call. */
  readonly number: number | null;
}

/** The files of the guards of a run, by their places among its judges, as its first record names them; null for another judge. */
export type GuardsOf = (begin: BeginRecord) => readonly (GuardFile | null)[];

/**
 * Follows a run by its records. Each call that was let through is a step, in the order of the decisions, with what the guard has read of it. If it was let through
 * while others were running, its state is not known. A call that did not run leaves its step to the next one.
 */
export class FollowedRun {
  readonly #knowledge: Knowledge;
  readonly #beliefs: Beliefs;
  readonly #guardsOf: GuardsOf;
  /** Place among the judges of the guard that reads for the rules, and for each of its predicates the place among those of the knowledge, -1 for none. */
  #reader: { readonly at: number; readonly places: readonly number[] } | null = null;
  #shadow = false;
  #steps: FollowedStep[] = [];
  /** The last step has no call yet. */
  #isOpen = false;
  #running = new Set<number>();
  readonly #decided = new Map<number, DecisionRecord>();
  /** The combinations of states after so many steps, as far as they are known. */
  #after: (readonly Tuple[])[];

  constructor(knowledge: Knowledge, beliefs: Beliefs, guardsOf: GuardsOf) {
    this.#knowledge = knowledge;
    this.#beliefs = beliefs;
    this.#guardsOf = guardsOf;
    this.#after = [[beliefs.initial]];
  }

  take(record: RunRecord): void {
    if (record.kind === 'begin') this.#begin(record);
    else if (record.kind === 'decision') this.#decide(record);
    else if (record.kind === 'outcome') this.#came(record);
    else if (record.kind === 'observation') this.#observe(record);
    else if (record.kind === 'resume') {
      for (const number of record.unsettled) this.#doubt(number);
      this.#running.clear();
    }
  }

  /** The situation of a question. @throws InvalidDataError if the assumptions exclude a step of the run */
  situation(present: Pick<Present, 'now' | 'read'>): Situation {
    const done = this.#isOpen ? this.#steps.slice(0, -1) : this.#steps;
    const tuples = this.#tuplesAfter(done.length);
    return {
      tuples,
      ...this.#beliefs.lost(tuples),
      history: done.map(({ reading }) => reading),
      step: done.length,
      now: present.now,
      read: (call) => present.read(call),
    };
  }

  /** The step at hand. @param step null: nothing is known of it */
  present(step: Step | null): Present {
    return new Present(this.#knowledge, step);
  }

  #begin(begin: BeginRecord): void {
    this.#steps = [];
    this.#isOpen = false;
    this.#running.clear();
    this.#decided.clear();
    this.#after = [[this.#beliefs.initial]];
    this.#shadow = begin.options.shadow;
    const { definitions, places } = this.#knowledge;
    let most = -1;
    this.#guardsOf(begin).forEach((file, at) => {
      const found = (file?.predicates ?? []).map(({ name, expression }) => {
        const i = places.get(name) ?? -1;
        return i >= 0 && definitions[i].expression === expression ? i : -1;
      });
      const read = found.filter((i) => i >= 0).length;
      if (file === null || read <= most) return;
      most = read;
      this.#reader = { at, places: found };
    });
  }

  #decide(record: DecisionRecord): void {
    this.#decided.set(record.number, record);
    const own = this.#own(record);
    const reading = this.#readingOf(own?.replacement ?? own?.observed ?? null);
    const isDone = startsCall(record, this.#shadow);
    // What no judge has read, and does not run, is no step.
    if (own?.observed == null && !isDone) return;
    this.#put(reading, record.number);
    this.#isOpen = !isDone && !(isIdle(record) && isLet(record, this.#shadow));
    if (isDone) this.#running.add(record.number);
  }

  #came({ number, outcome, observed, beside = [] }: OutcomeRecord): void {
    if (outcome === 'approved') {
      const decision = this.#decided.get(number);
      const all = observed === undefined ? [] : [observed, ...beside];
      const read = all[this.#reader?.at ?? 0] ?? (decision && this.#own(decision)?.observed) ?? null;
      this.#put(this.#readingOf(read), number);
      this.#isOpen = false;
      if (decision === undefined || !isIdle(decision)) this.#running.add(number);
    } else if (outcome === 'ran' || outcome === 'failed') this.#running.delete(number);
    else if (outcome === 'withheld') {
      this.#running.delete(number);
      if (this.#steps.at(-1)?.number === number) this.#isOpen = true;
      else this.#doubt(number);
    }
  }

  /** The world without a call to decide on: read between running calls, it is no step of its own. */
  #observe({ judge = 0, again, observed }: ObservationRecord): void {
    if (this.#running.size > 0 || judge !== (this.#reader?.at ?? 0)) return;
    const reading = this.#readingOf(observed);
    if (again) {
      const last = this.#steps.pop();
      if (last === undefined) return;
      this.#after.length = Math.min(this.#after.length, this.#steps.length + 1);
      this.#steps.push({ ...last, reading });
      return;
    }
    this.#put(reading, null);
    this.#isOpen = true;
  }

  /** The next step, or the last one anew if its call did not run. */
  #put(reading: Reading, number: number | null): void {
    if (this.#isOpen) this.#steps.pop();
    this.#after.length = Math.min(this.#after.length, this.#steps.length + 1);
    this.#steps.push({ reading: this.#running.size > 0 ? this.#ofCall(reading) : reading, number });
  }

  /** Whether the call of a decision was made is not known. */
  #doubt(number: number): void {
    const at = this.#steps.findLastIndex((step) => step.number === number);
    if (at < 0) return;
    const { ofCall } = this.#knowledge;
    const { valuation, known } = this.#steps[at].reading;
    const reading = {
      valuation: valuation.map((word, w) => word & ~ofCall[w]),
      known: known.map((word, w) => word & ~ofCall[w]),
    };
    this.#steps[at] = { reading, number };
    this.#after.length = Math.min(this.#after.length, at + 1);
  }

  #ofCall({ valuation, known }: Reading): Reading {
    const { ofCall } = this.#knowledge;
    return {
      valuation: valuation.map((word, w) => word & ofCall[w]),
      known: known.map((word, w) => word & ofCall[w]),
    };
  }

  #own({ observed, replacement, beside = [] }: DecisionRecord) {
    return [{ observed, replacement }, ...beside][this.#reader?.at ?? 0];
  }

  /** What a guard has read, in the order of the knowledge's predicates. */
  #readingOf(read: RecordedStep | null): Reading {
    const reading = nothing(this.#knowledge);
    if (read === null || this.#reader === null) return reading;
    this.#reader.places.forEach((place, i) => {
      const [word, bit] = [i >>> 5, 1 << (i & 31)];
      if (place < 0 || (read.known !== null && (read.known[word] & bit) === 0)) return;
      reading.known[place >>> 5] |= 1 << (place & 31);
      if ((read.valuation[word] & bit) !== 0) reading.valuation[place >>> 5] |= 1 << (place & 31);
    });
    return reading;
  }

  #tuplesAfter(count: number): readonly Tuple[] {
    for (let n = this.#after.length; n <= count; n++)
      this.#after.push(tuplesAfter(this.#beliefs, this.#after[n - 1], this.#steps[n - 1].reading, n - 1));
    return this.#after[count];
  }
}
