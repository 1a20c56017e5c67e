import { InvalidArgumentError } from '../../base/errors.js';
import type { GuardDrift, GuardFile } from './guardFile.js';
import type { Observer } from './observer.js';

/** The agent's next step is one that the data say nothing about. */
const NONE = -1;
/** The column of all successors that the data do not have. */
const UNSEEN = -2;
/** Window lengths, in draws of a row, of the frequencies that the bets use. */
const SPANS = [32, 512];
/** Capital above this is given away: products stay finite, and the alarm was raised long before. */
const MAX_CAPITAL = 1e150;

/** The transition that speaks most against the data. States are those of the guard file. */
export interface DriftFinding {
  /** The state left; null is the beginning of a run. */
  readonly from: number | null;
  /** The state entered; null stands for all that the data never show after `from`. */
  readonly to: number | null;
  /** How often the transition was taken, and the number of steps from there. */
  readonly inData: { readonly count: number; readonly draws: number };
  readonly live: { readonly count: number; readonly draws: number };
}

/** All observations of the agent, as JSON that `DriftTest.restore` reads. */
export interface DriftSnapshot {
  readonly modelHash: string;
  readonly alarm: boolean;
  readonly draws: readonly number[];
  readonly counts: readonly number[];
  readonly recent: readonly number[];
  readonly capital: readonly number[];
}

/**
 * Tests at run time whether an agent still behaves as in the data: each step from a state is compared with the steps from there in the data. If nothing has
 * changed, the evidence ever reaches 1 / `falseAlarmRate` with at most that probability, over all runs together, however many there are; no assumption is made
 * on the agent's behaviour, nor on when data or runs were cut off. Proof: docs/semantics/drift.md.
 *
 * For each transition and span, one capital bets on the transition's recent frequency against its frequency in data and runs together.
 */
export class DriftTest {
  readonly falseAlarmRate: number;
  readonly onDrift: GuardDrift['onDrift'];
  /** The evidence has reached 1 / `falseAlarmRate`, now or earlier. */
  alarm = false;
  /** Whether interventions are carried out, in which case the step after one is not the agent's own and is not read. Replays set it to false. */
  obeyed = true;

  readonly #modelHash: string;
  /** Row s has the entries rowStart[s] to rowStart[s + 1] - 1; the last is UNSEEN. The last row is the beginning of runs. */
  readonly #rowStart: Uint32Array;
  readonly #columns: Int32Array;
  /** Per row, its draws in the data, and the number of those after its last new successor. */
  readonly #dataDraws: Float64Array;
  readonly #sinceNew: Float64Array;
  readonly #dataCounts: Float64Array;
  /** The same for the agent since the watch began. */
  readonly #draws: Float64Array;
  readonly #counts: Float64Array;
  /** Per entry and span: the recent frequency, with older draws weighted less, and the capital that the bets have reached. */
  readonly #recent: Float64Array;
  readonly #capital: Float64Array;
  /** Per row, the logarithm of its factor in the evidence; the last entry is that of the evidence. */
  readonly #log: Float64Array;
  readonly #threshold: number;
  /** Per row and span, the number of draws in view, older ones weighted less; per row, the share not yet bet on a change; and the share bet now. */
  readonly #view: Float64Array;
  readonly #left: Float64Array;
  readonly #share = new Float64Array(1);
  #from: number;

  /** @internal */
  constructor(drift: GuardDrift, { states, seen, modelHash }: GuardFile) {
    this.falseAlarmRate = drift.falseAlarmRate;
    this.onDrift = drift.onDrift;
    this.#threshold = -Math.log(drift.falseAlarmRate);
    // Drift is watched of a model: `checkFile` requires one.
    this.#modelHash = modelHash ?? '';
    const rows = states.draws.length + 1;
    this.#rowStart = new Uint32Array(rows + 1);
    this.#dataDraws = new Float64Array(rows);
    this.#sinceNew = Float64Array.from(drift.drawsSinceNew);
    const columns: number[] = [];
    const counts: number[] = [];
    for (let row = 0; row < rows; row++) {
      const start = row === rows - 1;
      const [from, to] = start
        ? [0, drift.start.columns.length]
        : [seen.rowStart[row], seen.rowStart[row + 1]];
      for (let i = from; i < to; i++) {
        const count = start ? drift.start.counts[i] : drift.counts[i];
        columns.push(start ? drift.start.columns[i] : seen.columns[i]);
        counts.push(count);
        this.#dataDraws[row] += count;
      }
      columns.push(UNSEEN);
      counts.push(0);
      this.#rowStart[row + 1] = columns.length;
    }
    this.#columns = Int32Array.from(columns);
    this.#dataCounts = Float64Array.from(counts);
    this.#draws = new Float64Array(rows);
    this.#counts = new Float64Array(columns.length);
    this.#recent = new Float64Array(columns.length * SPANS.length);
    this.#capital = new Float64Array(columns.length * SPANS.length);
    this.#log = new Float64Array(rows + 1);
    this.#view = new Float64Array(rows * SPANS.length);
    this.#left = new Float64Array(rows);
    this.#from = rows - 1;
    this.restart();
  }

  /** The evidence that the agent has changed: 1000 speaks as strongly for a change as 1 / 1000 against one. */
  get evalue(): number {
    return Math.min(Number.MAX_VALUE, Math.exp(this.#log[this.#draws.length]));
  }

  /** Begins a run. */
  begin(): void {
    this.#from = this.#draws.length - 1;
  }

  /** Skips the agent's next step: it could not be observed, or is not the agent's own. */
  lose(): void {
    this.#from = NONE;
  }

  /** @internal Reads an observation that counts as a step. */
  read({ complete, irregular, state }: Pick<Observer, 'complete' | 'irregular' | 'state'>): void {
    if (complete && !irregular) this.#enter(state);
    else this.#from = complete && state >= 0 ? state : NONE;
  }

  /** The agent is now in state `to` of the chain, or in none of them (negative). */
  #enter(to: number): void {
    const row = this.#from;
    this.#from = to < 0 ? NONE : to;
    if (row === NONE || this.#dataDraws[row] === 0) return;
    const live = this.#draws[row];
    const last = this.#rowStart[row + 1] - 1;
    let unseen = true;
    // The share of the capital that is bet on a change before this draw; the shares of all draws sum to 1. It is kept in an array rather than passed, because a
    // number that is not whole would be allocated.
    const left = 1 / (1 + Math.log(live + 2));
    this.#share[0] = (this.#left[row] - left) / SPANS.length;
    this.#left[row] = left;
    for (let e = this.#rowStart[row]; e < last; e++) {
      const taken = this.#columns[e] === to;
      if (taken) unseen = false;
      this.#bet(row, e, taken, this.#dataDraws[row] + live);
    }
    this.#bet(row, last, unseen, this.#sinceNew[row] + live);
    for (let i = 0; i < SPANS.length; i++) {
      this.#view[row * SPANS.length + i] = this.#view[row * SPANS.length + i] * (1 - 1 / SPANS[i]) + 1;
    }
    this.#draws[row]++;
    this.#weigh(row);
    if (this.#log[this.#draws.length] >= this.#threshold) this.alarm = true;
  }

  /** Forgets all observations of the agent: the test begins again, and with it the chance of a false alarm. */
  restart(): void {
    for (const seen of [this.#draws, this.#counts, this.#recent, this.#capital]) seen.fill(0);
    this.alarm = false;
    this.#weighAll();
  }

  /** Returns the state to keep between processes; JSON. */
  save(): DriftSnapshot {
    return {
      modelHash: this.#modelHash,
      alarm: this.alarm,
      draws: [...this.#draws],
      counts: [...this.#counts],
      recent: [...this.#recent],
      capital: [...this.#capital],
    };
  }

  /**
   * Continues from a snapshot, with a new run.
   * @throws InvalidArgumentError if the snapshot belongs to a guard of another model, or is not as `save` wrote it
   */
  restore(snapshot: DriftSnapshot): void {
    if (snapshot?.modelHash !== this.#modelHash) {
      throw new InvalidArgumentError(
        `the snapshot of drift belongs to model ${snapshot?.modelHash}, this guard to ${this.#modelHash}; a new model begins without one`,
      );
    }
    const parts = { draws: this.#draws, counts: this.#counts, recent: this.#recent, capital: this.#capital };
    for (const [name, target] of Object.entries(parts)) {
      const found = snapshot[name as keyof typeof parts];
      if (
        !Array.isArray(found) ||
        found.length !== target.length ||
        !found.every((value) => Number.isFinite(value) && value >= 0)
      ) {
        throw new InvalidArgumentError(
          `the snapshot of drift: ${name} must be ${target.length} numbers from 0 up, as save() wrote them`,
        );
      }
    }
    for (let row = 0; row < this.#draws.length; row++) {
      for (let e = this.#rowStart[row]; e < this.#rowStart[row + 1]; e++) {
        if (!(snapshot.counts[e] <= snapshot.draws[row])) {
          throw new InvalidArgumentError(
            `the snapshot of drift: a step is counted ${snapshot.counts[e]} times of ${snapshot.draws[row]}; it is damaged`,
          );
        }
        for (const [i, span] of SPANS.entries()) {
          // Frequencies above 1 would make the capital negative and the evidence NaN.
          const recent = snapshot.recent[e * SPANS.length + i];
          if (recent <= inView(snapshot.draws[row], span) * (1 + 1e-9)) continue;
          throw new InvalidArgumentError(
            `the snapshot of drift: a step was taken ${recent} times of late, of ${snapshot.draws[row]} in all; it is damaged`,
          );
        }
      }
    }
    for (const [name, target] of Object.entries(parts)) target.set(snapshot[name as keyof typeof parts]);
    this.alarm = snapshot.alarm === true;
    this.#weighAll();
    this.begin();
  }

  /** The transition on which bets have won most, preferring transitions that are taken; null if nothing has been read yet. */
  strongest(): DriftFinding | null {
    let best = 0;
    let found: DriftFinding | null = null;
    for (let row = 0; row < this.#draws.length; row++) {
      for (let e = this.#rowStart[row]; e < this.#rowStart[row + 1]; e++) {
        // If a row has two successors, one loses what the other wins: report the one that is taken now.
        const won = this.#won(e) * (this.#counts[e] + 0.5);
        if (won <= best) continue;
        best = won;
        found = {
          from: row === this.#draws.length - 1 ? null : row,
          to: this.#columns[e] === UNSEEN ? null : this.#columns[e],
          inData: { count: this.#dataCounts[e], draws: this.#dataDraws[row] },
          live: { count: this.#counts[e], draws: this.#draws[row] },
        };
      }
    }
    return found;
  }

  /** Describes in words the strength of the evidence for a change of the agent, and the transition with the strongest evidence; `inWords` names states. */
  describe(inWords: (state: number) => string): string {
    const { alarm, evalue, falseAlarmRate } = this;
    const evidence = `the evidence is ${Number(evalue.toPrecision(3))}`;
    const found = this.strongest();
    const verdict = alarm
      ? `The agent no longer behaves as in the data: ${evidence}, and if nothing had changed it would ever have reached ${Number((1 / falseAlarmRate).toPrecision(6))} with a probability of at most ${falseAlarmRate}`
      : `Nothing shows that the agent has changed: ${evidence}`;
    if (found === null) return `${verdict}.`;
    const { from, to, inData, live } = found;
    const left = from === null ? 'at the beginning of runs' : `after "${inWords(from)}"`;
    const entered = to === null ? 'what the data never show there' : `"${inWords(to)}"`;
    return `${verdict}. What stands out most: ${left} comes ${entered} in ${live.count} of ${live.draws} steps, in the data in ${inData.count} of ${inData.draws}.`;
  }

  /** Bets on entry `e` of a row, which was taken or not, after `trials` draws in all. */
  #bet(row: number, e: number, taken: boolean, trials: number): void {
    const pooled = (this.#dataCounts[e] + this.#counts[e] + 0.5) / (trials + 1);
    for (let i = 0; i < SPANS.length; i++) {
      const at = e * SPANS.length + i;
      const recent = (this.#recent[at] + 0.5) / (this.#view[row * SPANS.length + i] + 1);
      const ratio = taken ? recent / pooled : (1 - recent) / (1 - pooled);
      this.#capital[at] = Math.min(MAX_CAPITAL, (this.#capital[at] + this.#share[0]) * ratio);
      const older = this.#recent[at] * (1 - 1 / SPANS[i]);
      // Denormal numbers are slow to calculate with.
      this.#recent[at] = taken ? older + 1 : older > 1e-9 ? older : 0;
    }
    if (taken) this.#counts[e]++;
  }

  /** Sets a row's part of the evidence: the proof by the bets on its entries, whatever the probabilities of the entries are. */
  #weigh(row: number): void {
    const live = this.#draws[row];
    const draws = this.#dataDraws[row] + live;
    const last = this.#rowStart[row + 1] - 1;
    let common = 0;
    for (let e = this.#rowStart[row]; e < last; e++) {
      common += this.#won(e) * (this.#dataCounts[e] + this.#counts[e] - 0.5);
    }
    const known = last - this.#rowStart[row];
    const since = this.#sinceNew[row];
    const unseen = (this.#won(last) * Math.sqrt(Math.PI * (since + 0.25))) / (known * (known + 1));
    const evidence = (common * discount(draws - 1)) / draws + unseen * discount(since + live);
    // The later a row was discovered, the less is bet on its change; the row of beginnings comes first.
    const rows = this.#draws.length;
    const part = 1 / (2 * (row === rows - 1 ? 1 : row + 2));
    const before = this.#log[row];
    this.#log[row] = Math.log(1 - part + (part * evidence) / 2);
    this.#log[rows] += this.#log[row] - before;
  }

  #won(e: number): number {
    let capital = 0;
    for (let i = 0; i < SPANS.length; i++) capital += this.#capital[e * SPANS.length + i];
    return capital;
  }

  /** Recomputes all values derived from the counts. */
  #weighAll(): void {
    const rows = this.#draws.length;
    this.#log.fill(0);
    for (let row = 0; row < rows; row++) {
      const live = this.#draws[row];
      this.#left[row] = 1 / (1 + Math.log(live + 1));
      SPANS.forEach((span, i) => {
        this.#view[row * SPANS.length + i] = inView(live, span);
      });
      if (this.#dataDraws[row] > 0) this.#weigh(row);
    }
  }
}

/** The total weight of `live` draws, each weighing 1 - 1/span of the next. */
function inView(live: number, span: number): number {
  return span * (1 - (1 - 1 / span) ** live);
}

/** At most Γ(n+½) / (Γ(½) n!), and at least 0.93 of it: the cost of not knowing a probability after n draws. */
function discount(draws: number): number {
  return 1 / Math.sqrt(Math.PI * draws + 1);
}
