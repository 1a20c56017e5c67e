import type { AskedReading, AskedRecord, BeginRecord, RunRecord } from '../../runtime/enforcement/index.js';
import { hashOf } from '../../runtime/enforcement/index.js';
import type { GuardFile } from '../../runtime/guard/index.js';
import type { Specification } from '../specification/index.js';
import { answered, type Put, withCallAlone } from './answered.js';
import type { GuardAnswer } from './answers.js';
import { partsOf } from './asking.js';
import type { Reading } from './beliefs.js';
import { FollowedRun } from './followedRun.js';
import { NO_LIMITS } from './limits.js';
import { callText } from './moves.js';

/** An answer that is another when it is given again. */
export interface AskedDifference {
  readonly line: number;
  readonly run: string;
  readonly recorded: string;
  readonly replayed: string;
}

/**
 * Answers the recorded questions of runs again, from the records before each of them and what was read at the time. What the session would have decided on a call
 * (`decided`) is taken from the record.
 */
export class AskReplay {
  /** Answers that were the same. */
  same = 0;
  /** Answers that were not given again: they are hidden, or about another specification. */
  passedOver = 0;
  /** The first that was another; null if there is none. */
  difference: AskedDifference | null = null;
  readonly #specification: Specification;
  readonly #files: ReadonlyMap<string, GuardFile>;
  readonly #runs = new Map<string, FollowedRun>();
  #parts: ReturnType<typeof partsOf> | null = null;

  /** @param guards the files of the guards of the runs */
  constructor(specification: Specification, guards: readonly GuardFile[]) {
    this.#specification = specification;
    this.#files = new Map(guards.map((file) => [hashOf(file), file]));
  }

  /** @param line of the log, from 1 */
  take(record: RunRecord, line: number): void {
    const { kind, run } = record;
    if (kind === 'asked') this.#answer(record, line);
    else if (kind === 'begin') this.#runs.set(run, this.#followed());
    // A question may come after the end.
    if (kind !== 'asked') this.#runs.get(run)?.take(record);
  }

  #followed(): FollowedRun {
    this.#parts ??= partsOf(this.#specification);
    const { knowledge, beliefs } = this.#parts;
    const guardsOf = ({ guard, beside = [] }: BeginRecord) =>
      [guard, ...beside].map(({ file }) => this.#files.get(file) ?? null);
    return new FollowedRun(knowledge, beliefs, guardsOf);
  }

  #answer(record: AskedRecord, line: number): void {
    const {
      run,
      specification,
      question,
      about,
      said = [],
      text,
      read,
      calls = {},
      decided = {},
      limits,
    } = record;
    if (text === '[redacted]' || specification !== this.#specification.hash) {
      this.passedOver++;
      return;
    }
    // A question may come before the first record of its run.
    const followed = this.#runs.get(run) ?? this.#followed();
    this.#runs.set(run, followed);
    const parts = { ...(this.#parts as ReturnType<typeof partsOf>), limits: { ...NO_LIMITS, ...limits } };
    const now = readingOf(read);
    const present = {
      now,
      read: (call: Parameters<typeof callText>[0]) => {
        const own = calls[callText(call)];
        return own === undefined ? withCallAlone(parts.knowledge, now, call) : readingOf(own);
      },
    };
    const put = { question, about, said } as Put;
    const again = answered(
      parts,
      followed.situation(present),
      put,
      (call) => (decided[callText(call)] as GuardAnswer | undefined) ?? null,
    );
    if (again.text === text) this.same++;
    else this.difference ??= { line, run, recorded: text, replayed: again.text };
  }
}

function readingOf({ valuation, known }: AskedReading): Reading {
  return { valuation: Uint32Array.from(valuation), known: Uint32Array.from(known) };
}
