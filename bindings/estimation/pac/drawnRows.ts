import { InvalidDataError } from '../../base/errors.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { describeSampled } from '../../observations/trace/index.js';
import type { Annotation, Dtmc, Mdp } from '../../solvers/model/index.js';
import type { LearntMdpView, LearntView } from '../learning/index.js';

/**
 * The draws from each row of a model: a row is a state of a chain, or a state and an action of an MDP. Draws of a row are independent and
 * identically distributed, however traces decide how many of them are read.
 */
export interface DrawnRows {
  /** Uint32Array(rows + 1). */
  readonly rowStart: Uint32Array;
  /** Uint32Array(entries), ascending within a row: the possible successors if they are known, else the observed ones. */
  readonly columns: Uint32Array;
  /** Float64Array(entries): how often each was drawn. */
  readonly counts: Float64Array;
  /** Float64Array(entries): the draw of its row that first showed the entry, from 1; 0 if none did. */
  readonly firstDraws: Float64Array;
  /** Float64Array(rows): number of draws. */
  readonly draws: Float64Array;
  /** Float64Array(rows): draws after the last one that showed a new successor. */
  readonly drawsSinceNew: Float64Array;
  /** Float64Array(rows): place in the order of first draws, from 1; 0 if there is no draw. All nonzero places differ. */
  readonly rank: Float64Array;
  /** Whether the entries of a row are all of its successors, whatever the data. */
  readonly known: boolean;
  /** For an MDP: Uint32Array(states + 1), the rows of each state, one per action. Absent: row s is that of state s. */
  readonly rowGroupStart?: Uint32Array;
}

/**
 * Reads the draws behind a learnt chain; row s is that of model state s, and `end` has no draws.
 *
 * Under `states: valid` the successors are known: all valuations that the constraints allow, and `end`. They are not known if
 * contradictions of constraints are accepted, because the data then decide which successors exist.
 *
 * @throws InvalidDataError if data were forgotten, or counts are not whole numbers or disagree with the draws, naming the state
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
 * Reads the draws behind a learnt decision process: row r is that of model row r, a state and one of the actions with an observed outcome
 * there. States never left have one row, without a draw. Successors are known under the same conditions as for a chain.
 *
 * @throws as `drawnRows`
 */
export function drawnDecisions(view: LearntMdpView): DrawnRows {
  requireSample(view);
  return drawnFrom(view, 'choices', view.stateOf, { rowGroupStart: view.model.rowGroupStart });
}

/** @param stateOf the state of each row. */
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
  // `end` is left as often as it is entered, but nothing is drawn from its row.
  draws[draws.length - 1] = 0;
  const [drawsSinceNew, rank] = [perRow('drawsSinceNew'), perRow('rank')];
  const known = possible !== null;
  return checkDraws({ ...(possible ?? seen), draws, drawsSinceNew, rank, known, ...groups });
}

/**
 * Requires draws of the agent, all of them and each counted once, because bounds on the agent need them.
 * @throws InvalidDataError for a model learnt with forgetting, or if traces were, or may have been, left out because of their content
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
    `traces were left out for what they do, so that the others are not a sample of the agent, and nothing can be certified: ${found
      .map(([count, why]) => `${count} ${why}`)
      .join('; ')}`,
  );
}

/**
 * Requires that all steps were recorded: a held step certainly repeats the previous one, so it is no draw (docs/semantics/certificates.md).
 * @throws InvalidDataError if steps were held, or it is unknown whether any were
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
    `${held}: a step that is held repeats the one before it for certain, so that it is not a draw of the agent, and nothing can be certified; correct samplingPeriod to how the recording is spaced, cut traces where steps are missing, or learn with resample: skip, which does not count missing steps`,
  );
}

/** @throws InvalidDataError if counts are not whole numbers, or do not add up to the draws, naming the row */
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

/** The common part of a learnt chain and a learnt decision process. */
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
 * The rows with all successors that the constraints allow, including those not seen; null if they are not known: under `states: observed`,
 * or if another successor was seen.
 */
function possibleRows(
  { parameters, end, words, valuations }: Learnt,
  seen: Rows,
  stateOf: Uint32Array,
): Rows | null {
  const { predicates, constraints, learning } = parameters;
  // Accepting contradictions means that the constraints are not assumed to hold for the agent, whether or not it has violated one yet.
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
