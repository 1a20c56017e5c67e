import type { Judge } from '../guard/index.js';
import { type Judged, JudgeFault } from './judged.js';
import type { Judges } from './judges.js';
import type { BeginRecord, DecisionRecord, ObservationRecord, OutcomeRecord, RunRecord } from './record.js';
import { isIdle, isLet, startsCall } from './startedCalls.js';
import type { ToolCall } from './toolCall.js';

/** Whether a judge is a guard, as logs of earlier releases mean it. */
export function isGuard({ about }: Judge): boolean {
  return about?.specification !== undefined;
}

/** The hash of the guard that permitted everything, which stood in the logs of earlier releases for sessions that only reactive rules judged. */
export const STAND_IN = 'ffcc4dd36516cd288785dd45f8e759723ce20e669e2d7b5c608e94c098d958e4';

/** What a decision's judges have read, by their places: undefined for one that was not asked, null for one that failed. */
interface Reading {
  readonly observed: unknown;
  readonly replacement: unknown;
}

/**
 * Tells judges again what the records of a run say: each decides again from what it had read, and hears again what became of each call. A run that is resumed and
 * one that is replayed come to the same state so.
 */
export class RepeatedRun {
  readonly #judges: Judges;
  readonly #shadow: boolean;
  readonly #decided = new Map<number, DecisionRecord>();
  /** In the log of an earlier release: the places of the guards, in the order in which it has them, and of the reactive rules. Null in a log of this one. */
  readonly #earlier: { readonly guards: readonly number[]; readonly rules: readonly number[] } | null;

  constructor(judges: Judges, begin: BeginRecord) {
    this.#judges = judges;
    this.#shadow = begin.options.shadow;
    this.#earlier = begin.guard.name === undefined ? placesIn(judges, begin) : null;
  }

  /** The decision of this number, if it was told. */
  decision(number: number): DecisionRecord | undefined {
    return this.#decided.get(number);
  }

  /** Repeats a record; returns what each judge decides, null for those that it does not concern. */
  take(record: RunRecord): readonly (Judged | null)[] {
    switch (record.kind) {
      case 'decision':
        this.#decided.set(record.number, record);
        return this.#decide(record);
      case 'observation':
        return this.#observe(record);
      case 'outcome':
        this.#came(record);
        return [];
      case 'resume':
        this.#judges.cut();
        return [];
      default:
        return [];
    }
  }

  #decide(record: DecisionRecord): readonly (Judged | null)[] {
    const judges = this.#judges;
    const readings = this.#readingsOf(record);
    const judged = readings.map(({ observed }, i) => this.#again(i, observed, 'call'));
    const isReplaced = readings.some(({ replacement }) => replacement !== undefined);
    if (isReplaced && this.#earlier === null) judges.withhold(judged.map((one) => one ?? NOT_ASKED));
    for (const [i, { replacement }] of readings.entries()) this.#again(i, replacement, 'call');
    const isAsked = judged.some((one) => one !== null);
    const decision = this.#shadow ? record.wouldDecide : record.decision;
    if (isAsked && !isLet(record, this.#shadow)) judges.withhold();
    else if (isAsked && isIdle(record) && decision !== 'replace') judges.idled();
    if (startsCall(record, this.#shadow)) {
      const isOther = record.decision === 'replace';
      const reads = readings.map(({ observed, replacement }) => (isOther ? replacement : observed));
      judges.start(record.number, callOf(record), reads, true);
    }
    return judged;
  }

  #observe(record: ObservationRecord): readonly (Judged | null)[] {
    const { judge = 0, observed, excused = [] } = record;
    const at = this.#earlier === null ? judge : this.#earlier.guards[judge];
    const found = this.#judges.seats.map((): Judged | null => null);
    if (at === undefined) return found;
    found[at] = this.#again(at, observed, this.isAgain(record) ? 'again' : 'between');
    if (excused.length > 0) this.#judges.seats[at].tell((run) => run.excuse?.(excused));
    return found;
  }

  /** Whether a judge has read its last step again. */
  isAgain({ again, observed }: ObservationRecord): boolean {
    return this.#earlier === null ? again === true : observed.call === 'approve';
  }

  #came(record: OutcomeRecord): void {
    const judges = this.#judges;
    const { number, outcome, excused = [], unread } = record;
    this.#edit(record);
    const decision = this.#decided.get(number);
    if (outcome === 'ran' || outcome === 'failed') judges.complete(number, outcome);
    const readings = this.#approvedReadings(record);
    for (const [i, read] of readings.entries()) this.#again(i, read, 'call');
    judges.excuse(excused);
    if (unread) judges.withhold();
    if (outcome === 'approved' && decision !== undefined) {
      if (isIdle(decision)) judges.idled();
      else {
        const own = this.#readingsOf(decision);
        const reads = own.map(({ observed }, i) => readings[i] ?? observed);
        judges.start(number, callOf(decision), reads, true, excused);
      }
    }
    if (outcome === 'withheld') judges.withdraw(number);
  }

  /** From the answer on the call is the one that the person made of it. */
  #edit({ number, edited }: OutcomeRecord): void {
    const decision = this.#decided.get(number);
    if (edited === undefined || decision === undefined) return;
    this.#decided.set(number, { ...decision, call: { ...decision.call, arguments: edited.arguments } });
  }

  /** @param read undefined if the judge was not asked */
  #again(at: number, read: unknown, where: 'call' | 'between' | 'again'): Judged | null {
    if (read === undefined) return null;
    if (read === null) return new JudgeFault('it failed');
    return this.#judges.seats[at].repeat((run) => run.decideAgain(read, where));
  }

  #readingsOf(record: DecisionRecord): readonly Reading[] {
    const { observed, replacement, beside = [], reactive, call, reason } = record;
    const { seats } = this.#judges;
    const all = [{ observed, replacement }, ...beside];
    if (this.#earlier !== null) {
      const { guards, rules } = this.#earlier;
      const readings = seats.map((): Reading => ({ observed: undefined, replacement: undefined }));
      for (const [i, at] of guards.entries())
        readings[at] = { observed: all[i]?.observed ?? undefined, replacement: all[i]?.replacement };
      for (const [i, at] of rules.entries()) {
        const values = reactive?.[i];
        readings[at] = {
          observed: values == null ? values : { action: call.name, values },
          replacement: undefined,
        };
      }
      return readings;
    }
    // Where all have failed there is no reading, as where none was asked.
    const isAsked = reason === 'rule-failed' || all.some((one) => one.observed !== null);
    return seats.map((_, i) => ({
      observed: isAsked ? (all[i]?.observed ?? null) : undefined,
      replacement: all[i]?.replacement,
    }));
  }

  #approvedReadings({ observed, beside = [] }: OutcomeRecord): readonly unknown[] {
    if (observed === undefined) return [];
    const all = [observed, ...beside];
    if (this.#earlier === null) return all;
    const readings: unknown[] = this.#judges.seats.map(() => undefined);
    for (const [i, at] of this.#earlier.guards.entries()) readings[at] = all[i];
    return readings;
  }
}

const NOT_ASKED = new JudgeFault('it was not asked');

function placesIn({ seats }: Judges, { guard }: BeginRecord): { guards: number[]; rules: number[] } {
  const all = seats.map((_, i) => i);
  const guards = all.filter((i) => isGuard(seats[i].judge));
  return {
    guards: guard.file === STAND_IN ? [] : guards,
    rules: all.filter((i) => !isGuard(seats[i].judge)),
  };
}

/** The hashes of the judges that the record of a beginning names, and of those of them that it names in the same way. */
export function hashesIn(
  begin: Pick<BeginRecord, 'guard' | 'beside'>,
  judges: readonly Judge[],
): {
  readonly begun: readonly string[];
  readonly now: readonly string[];
} {
  const begun = [begin.guard, ...(begin.beside ?? [])].map(({ file }) => file);
  const named = begin.guard.name === undefined ? judges.filter(isGuard) : judges;
  return { begun: begun.filter((file) => file !== STAND_IN), now: named.map(({ hash }) => hash) };
}

/** A recorded call that ran. Its arguments may be hidden: judges judge others beside it by what they have read of it. */
function callOf({ call }: DecisionRecord): ToolCall {
  return { id: call.id, name: call.name, arguments: {} };
}
