import { InvalidModelError } from '../../base/errors.js';
import type { HistoryCounts } from '../../estimation/learning/index.js';
import { type Automaton, bindAutomaton, buildAutomaton, OPEN } from '../../languages/automaton/index.js';
import type { RiskBounds } from '../../rules/risk/index.js';
import {
  predictedRules,
  type RuleSpecification,
  type Specification,
} from '../../rules/specification/index.js';
import { type ChainView, violationRisk } from '../../solvers/checker/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import { describe, type OrderDependence } from './orderDependence.js';

/** A risk that changes when the previous state is known. */
export interface RiskShift {
  readonly state: number;
  readonly description: string;
  /** The previous state in words; `start` if there is none. */
  readonly after: string;
  /** How often the state was left after it. */
  readonly draws: number;
  readonly automatonState: number;
  /** The risk without smoothing, in the chain and with histories. */
  readonly firstOrder: RiskBounds;
  readonly secondOrder: RiskBounds;
}

/** The effect of history on the risks of one rule. */
export interface RuleHistory {
  readonly rule: string;
  /** Before the first step. */
  readonly start: { readonly firstOrder: RiskBounds; readonly secondOrder: RiskBounds } | null;
  /** The largest shifts first. */
  readonly shifts: readonly RiskShift[];
  /** Why there are no risks; null if there are. */
  readonly reason: string | null;
}

/** A history seen less often gives too little evidence of its successors. */
const LEAST_DRAWS = 10;
const SHOWN = 10;

/**
 * Computes how much the risks of rules change when the previous state is known, in the states that depend on it. There the successors of
 * each history seen at least ten times are taken from that history, everywhere else from all draws of the state.
 */
export function historyRisk(
  history: HistoryCounts,
  { states }: Pick<OrderDependence, 'states'>,
  { rules, samplingPeriod }: Pick<Specification, 'rules' | 'samplingPeriod'>,
  options: SolveOptions = {},
): RuleHistory[] {
  const dependent = new Set(states.filter((state) => state.dependent).map(({ state }) => state + 1));
  const plain = pairChain(history, new Set());
  const informed = pairChain(history, dependent);
  return predictedRules({ rules }).map((rule) => {
    if (rule.formula.kind === 'probability') {
      return refused(rule, 'it bounds a probability in each state, without history');
    }
    try {
      return compare(history, plain, informed, rule, samplingPeriod, options);
    } catch (error) {
      if (!(error instanceof InvalidModelError)) throw error;
      return refused(rule, error.message);
    }
  });
}

function refused({ name }: RuleSpecification, reason: string): RuleHistory {
  return { rule: name, start: null, shifts: [], reason };
}

function compare(
  history: HistoryCounts,
  plain: PairChain,
  informed: PairChain,
  rule: RuleSpecification,
  samplingPeriod: string | null,
  options: SolveOptions,
): RuleHistory {
  const automaton = buildAutomaton(rule.formula, { samplingPeriod });
  const { atEnd, horizonSteps } = rule;
  const solve = ({ chain }: PairChain) => violationRisk({ chain, automaton, atEnd, horizonSteps }, options);
  const [first, second] = [solve(plain), solve(informed)];
  const { from, to } = history.tally.transitions;
  const shifts: RiskShift[] = [];
  for (const node of reached(informed.chain, automaton)) {
    const entry = informed.enteredBy[Math.floor(node / automaton.states)];
    const draws = drawsAfter(history, entry);
    const firstOrder = { lower: first.lower[node], upper: first.upper[node] };
    const secondOrder = { lower: second.lower[node], upper: second.upper[node] };
    const apart = secondOrder.lower > firstOrder.upper || secondOrder.upper < firstOrder.lower;
    if (draws < LEAST_DRAWS || !apart) continue;
    shifts.push({
      state: to[entry] - 1,
      description: describe(history, to[entry], 'end'),
      after: describe(history, from[entry], 'start'),
      draws,
      automatonState: node % automaton.states,
      firstOrder,
      secondOrder,
    });
  }
  const size = ({ firstOrder, secondOrder }: RiskShift): number =>
    Math.abs(firstOrder.upper - secondOrder.upper);
  return {
    rule: rule.name,
    start: { firstOrder: first.start, secondOrder: second.start },
    shifts: shifts.sort((a, b) => size(b) - size(a)).slice(0, SHOWN),
    reason: null,
  };
}

/** A chain of pairs: a state and the one before it. */
interface PairChain {
  readonly chain: ChainView;
  /** For each state of the chain, the tally entry by which its state was entered; -1 at start and end. */
  readonly enteredBy: readonly number[];
}

/** Rows of `dependent` states are those of the history if it was seen often enough; others are those of all draws of the state. */
function pairChain(history: HistoryCounts, dependent: ReadonlySet<number>): PairChain {
  const { abstraction, table, transitions, draws: drawn } = history.tally;
  const { to, counts } = transitions;
  const { words, predicates } = abstraction;
  const entering = Array.from({ length: transitions.size }, (_, entry) => entry).filter(
    (entry) => to[entry] > 0,
  );
  const pairOf = new Map(entering.map((entry, i) => [entry, i + 1]));
  const end = entering.length + 1;
  const rowStart = [0];
  const columns: number[] = [];
  const values: number[] = [];
  const write = (row: number, count: (entry: number) => number): void => {
    const entries = transitions.leaving(row).filter((entry) => count(entry) > 0);
    const all = entries.reduce((sum, entry) => sum + count(entry), 0);
    const targets = entries.map((entry) => [pairOf.get(entry) ?? end, count(entry) / all] as const);
    for (const [target, value] of targets.sort(([a], [b]) => a - b)) {
      columns.push(target);
      values.push(value);
    }
    rowStart.push(columns.length);
  };
  const ofState = (entry: number): number => counts[entry];
  write(0, ofState);
  for (const entered of entering) {
    const informed = dependent.has(to[entered]) && drawsAfter(history, entered) >= LEAST_DRAWS;
    write(to[entered], informed ? (entry) => history.count(entered, entry) : ofState);
  }
  columns.push(end);
  values.push(1);
  rowStart.push(columns.length);
  const rows = [0, ...entering.map((entry) => to[entry]), 0];
  return {
    chain: {
      states: end + 1,
      rowStart: Uint32Array.from(rowStart),
      columns: Uint32Array.from(columns),
      values: Float64Array.from(values),
      start: 0,
      end,
      predicates,
      words,
      valuations: Uint32Array.from(
        rows.flatMap((row) =>
          Array.from({ length: words }, (_, i) => (row === 0 ? 0 : table.valuations[(row - 1) * words + i])),
        ),
      ),
      // Counted for the state, whatever the history: both chains know the same states.
      draws: rows.map((row) => (row === 0 ? 0 : drawn[row])),
    },
    enteredBy: [-1, ...entering, -1],
  };
}

/** How often a state was left after it was entered by an entry of the tally. */
function drawsAfter(history: HistoryCounts, entered: number): number {
  const { to } = history.tally.transitions;
  return history.tally.transitions
    .leaving(to[entered])
    .reduce((sum, entry) => sum + history.count(entered, entry), 0);
}

/** Entries state * automaton.states + q, q undecided, that runs of the chain reach. */
function reached(
  { start, end, rowStart, columns, predicates, words, valuations }: ChainView,
  automaton: Automaton,
): number[] {
  const stepper = bindAutomaton(automaton, predicates);
  const found = new Set<number>();
  const waiting: (readonly [state: number, q: number])[] = [[start, automaton.initial]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [state, q] = next;
    for (let i = rowStart[state]; i < rowStart[state + 1]; i++) {
      const target = columns[i];
      if (target === end) continue;
      const moved = stepper.step(q, valuations, target * words);
      const node = target * automaton.states + moved;
      if (automaton.verdict[moved] !== OPEN || found.has(node)) continue;
      found.add(node);
      waiting.push([target, moved]);
    }
  }
  return [...found];
}
