import { InvalidDataError } from '../../base/errors.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { describeSampled } from '../../observations/trace/index.js';
import type { Annotation, Dtmc, Mdp } from '../../solvers/model/index.js';
import type { LearntMdpView, LearntView } from '../learning/index.js';

/**
 * What was drawn from each row of a model: a row is a state of a chain, or a state and an action of an MDP. Draws of a row are
 * independent and all from one distribution, however traces decide how many of them are read.
 */
export interface DrawnRows {
  /** Uint32Array(rows + 1). */
  readonly rowStart: Uint32Array;
  /** Uint32Array(entries), ascending within a row: the possible successors where they are known, else those seen. */
  readonly columns: Uint32Array;
  /** Float64Array(entries): how often each was drawn. */
  readonly counts: Float64Array;
  /** Float64Array(entries): the draw of its row that first showed it, from 1; 0 where none did. */
  readonly firstDraws: Float64Array;
  /** Float64Array(rows): draws. */
  readonly draws: Float64Array;
  /** Float64Array(rows): draws after the one that last showed a new successor. */
  readonly drawsSinceNew: Float64Array;
  /** Float64Array(rows): place in the order of first draws, from 1; 0 where there is none. No two are equal. */
  readonly rank: Float64Array;
  /** Whether the entries of a row are all of its successors, whatever the data. */
  readonly known: boolean;
  /** Of an MDP: Uint32Array(states + 1), the rows of a state, one for each of its actions. Absent: row s is that of state s. */
  readonly rowGroupStart?: Uint32Array;
}

/**
 * The draws behind a learnt chain, row s of model state s; `end` has none.
 *
 * Under `states: valid` successors are known: all valuations that the constraints allow, and `end`; not so where contradictions of
 * constraints are accepted, for then the data decide which they are.
 *
 * @throws InvalidDataError where something was forgotten, or counts are no whole numbers, or disagree with the draws, naming the state
 */
export function drawnRows(view: LearntView): DrawnRows {
  requireSample(view);
  if (view.parameters.learning.model === 'mdp') {
    throw new InvalidDataError(
      "the chain is the agent's own in a decision process, and does not keep in which order anything was seen: certify the decision process (certifyMdp); guards of one decide on upper, and drift is not watched",
    );
  }
  return drawnFrom(
    view,
    'states',
    Uint32Array.from({ length: view.states }, (_, s) => s),
  );
}

/**
 * The draws behind a learnt decision process: row r is that of model row r, a state and one of the actions that something came of there. States never left
 * have one row, without a draw. Successors are known as of a chain.
 *
 * @throws as `drawnRows`
 */
export function drawnDecisions(view: LearntMdpView): DrawnRows {
  requireSample(view);
  return drawnFrom(view, 'choices', view.stateOf, { rowGroupStart: view.model.rowGroupStart });
}

/** @param stateOf per row its state. */
function drawnFrom(
  view: Learnt,
  appliesTo: 'states' | 'choices',
  stateOf: Uint32Array,
  groups: Pick<DrawnRows, 'rowGroupStart'> = {},
): DrawnRows {
  const perRow = (name: string): Float64Array => annotation(view, appliesTo, name).slice();
  const seen = seenRows(view);
  const possible = possibleRows(view, seen, stateOf);
  const draws = perRow('draws');
  // `end` is left as often as it is entered: it is no row that anything is drawn from.
  draws[draws.length - 1] = 0;
  const [drawsSinceNew, rank] = [perRow('drawsSinceNew'), perRow('rank')];
  const known = possible !== null;
  return checkDraws({ ...(possible ?? seen), draws, drawsSinceNew, rank, known, ...groups });
}

/**
 * Bounds on the agent need draws of the agent: all that counted, each once.
 * @throws InvalidDataError for a model learnt with forgetting, or where traces were left out for what they do, or may have been
 */
export function requireSample({ forgetting, parameters }: Pick<Learnt, 'forgetting' | 'parameters'>): void {
  if (forgetting !== null) {
    throw new InvalidDataError(
      'the model was learnt with forgetting: certificates are stated for draws that all count once and from the first on; learn it without',
    );
  }
  const { leftOut } = parameters;
  if (!leftOut) {
    throw new InvalidDataError(
      'the model does not say whether traces were left out for what they do; learn it again with `foreguard learn`',
    );
  }
  requireRecorded(parameters);
  const reasons = [
    [leftOut.dropped, 'contradict a constraint: with learning.onContradiction: accept they count'],
    [
      leftOut.skipped,
      'have a predicate that fails or reads what is not recorded, or irregular times: mend the predicate or the recording, or resample',
    ],
    [leftOut.unreadable, 'could not be read: mend the recording'],
  ] as const;
  const found = reasons.filter(([count]) => count > 0);
  if (found.length === 0) return;
  throw new InvalidDataError(
    `traces were left out for what they do, so that the others are no sample of the agent, and nothing can be certified: ${found
      .map(([count, why]) => `${count} ${why}`)
      .join('; ')}`,
  );
}

/**
 * A step that is held repeats the one before it for certain: it is a draw of nothing (docs/semantics/certificates.md).
 * @throws InvalidDataError where steps were held, or it was not told whether any were
 */
function requireRecorded({ resampled }: LearntView['parameters']): void {
  if (!resampled) {
    throw new InvalidDataError(
      'the model does not say whether steps were held that nobody recorded; learn it again with `foreguard learn`',
    );
  }
  if (resampled.held === 0) return;
  const [held] = describeSampled(resampled);
  throw new InvalidDataError(
    `${held}: a step that is held repeats the one before it for certain, so that it is no draw of the agent, and nothing can be certified; correct samplingPeriod to how the recording is spaced, cut traces where steps are missing, or learn with resample: skip, which does not count missing steps`,
  );
}

/** @throws InvalidDataError where counts are no whole numbers, or do not add up to the draws, naming the row */
export function checkDraws(rows: DrawnRows): DrawnRows {
  const { rowStart, counts, draws } = rows;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    let sum = 0;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
      if (!(Number.isSafeInteger(counts[e]) && counts[e] >= 0)) {
        throw new InvalidDataError(
          `${nameOf(rows, row)} has a transition that was seen ${counts[e]} times: certificates are made from whole numbers of draws; weights, as forgetting leaves, bound nothing`,
        );
      }
      sum += counts[e];
    }
    if (sum !== draws[row]) {
      throw new InvalidDataError(
        `${nameOf(rows, row)} was left ${draws[row]} times, but its transitions were seen ${sum} times in all: each draw is one transition`,
      );
    }
  }
  return rows;
}

function nameOf({ rowGroupStart }: DrawnRows, row: number): string {
  if (rowGroupStart === undefined) return `state ${row}`;
  const state = rowGroupStart.findLastIndex((start) => start <= row);
  return `choice ${row - rowGroupStart[state]} of state ${state}`;
}

type Rows = Pick<DrawnRows, 'rowStart' | 'columns' | 'counts' | 'firstDraws'>;

/** A learnt chain or decision process: what both are read from alike. */
type Learnt = LearntView<Dtmc | Mdp>;

function seenRows(view: Learnt): Rows {
  const { model, counts } = view;
  const firstDraws = annotation(view, 'branches', 'firstDraw');
  const kept = Uint32Array.from(model.columns.keys()).filter((e) => counts[e] > 0);
  const rowStart = new Uint32Array(model.rowStart.length);
  let e = 0;
  for (let row = 0; row + 1 < rowStart.length; row++) {
    while (e < kept.length && kept[e] < model.rowStart[row + 1]) e++;
    rowStart[row + 1] = e;
  }
  return {
    rowStart,
    columns: Uint32Array.from(kept, (at) => model.columns[at]),
    counts: Float64Array.from(kept, (at) => counts[at]),
    firstDraws: Float64Array.from(kept, (at) => firstDraws[at]),
  };
}

/**
 * The rows with all successors that the constraints allow, those not seen too; null where they are not known: under `states: observed`, or
 * where something else was seen.
 */
function possibleRows(
  { parameters, end, words, valuations }: Learnt,
  seen: Rows,
  stateOf: Uint32Array,
): Rows | null {
  const { predicates, constraints, learning } = parameters;
  // Who accepts contradictions does not take the constraints for true of the agent, whether or not it has broken one yet.
  if (learning.states !== 'valid' || learning.onContradiction === 'accept') return null;
  const abstraction = new Abstraction({ predicates, constraints });
  const valid = (t: number): boolean => abstraction.validState(valuations, t * words);
  const allows = (s: number, t: number): boolean => {
    if (s === end) return false;
    if (t === end) return s > 0 && abstraction.validEnd(valuations, s * words);
    return valid(t) && (s === 0 || abstraction.validTransition(valuations, s * words, valuations, t * words));
  };
  const rowStart = new Uint32Array(seen.rowStart.length);
  const columns: number[] = [];
  const counts: number[] = [];
  const firstDraws: number[] = [];
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const s = stateOf[row];
    let e = seen.rowStart[row];
    for (let t = 1; t <= end; t++) {
      const wasSeen = e < seen.rowStart[row + 1] && seen.columns[e] === t;
      if (!allows(s, t)) {
        if (wasSeen) return null;
        continue;
      }
      columns.push(t);
      counts.push(wasSeen ? seen.counts[e] : 0);
      firstDraws.push(wasSeen ? seen.firstDraws[e] : 0);
      if (wasSeen) e++;
    }
    rowStart[row + 1] = columns.length;
  }
  return {
    rowStart,
    columns: Uint32Array.from(columns),
    counts: Float64Array.from(counts),
    firstDraws: Float64Array.from(firstDraws),
  };
}

function annotation({ model }: Learnt, appliesTo: Annotation['appliesTo'], name: string): Float64Array {
  const found = model.annotations?.find((one) => one.appliesTo === appliesTo && one.name === name);
  if (found) return found.values;
  throw new InvalidDataError(
    `the model's ${appliesTo} have no annotation "${name}": certificates need the order of what was seen; learn it again with \`foreguard learn\``,
  );
}
