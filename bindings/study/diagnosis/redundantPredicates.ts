import { Random } from '../../base/random.js';
import { freePaths, parseExpression } from '../../languages/expression/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import { type Certificate, type CertifiedEntry, certify, riskTable } from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { type AbstractRuns, abstractRuns } from './abstractRuns.js';
import { type ForecastGain, Forecasts, LEAST_RUNS } from './forecastGain.js';
import { requireLevel } from './orderDependence.js';
import { halves } from './suggestPredicates.js';
import { nextValuation } from './target.js';

/** The effect of dropping one predicate on risks. */
export interface PredicateRole {
  readonly name: string;
  /** Why the predicate must stay: the rule or constraint that reads it; null if nothing does. */
  readonly readBy: string | null;
  /** Null if the predicate is read. */
  readonly evidence: {
    /** Whether its value follows from those of the others in all states seen: then nothing is merged, and nothing changes. */
    readonly follows: boolean;
    /**
     * Groups of risks in two or more states that differ only in this predicate, with the automaton in one state: how many were compared,
     * and how many have certified intervals that share a point.
     */
    readonly compared: number;
    readonly overlapping: number;
    /** Risks of the chain without the predicate, and those that lie within the certified intervals of all merged states. */
    readonly merged: number;
    readonly within: number;
    /** The largest change of a learnt risk by dropping the predicate, and the change of the risk before the first step. */
    readonly largestChange: number;
    readonly startChange: number;
    /** The fraction of steps, among those in merged states, for which the data exclude that merged risks differ by more than the tolerance. */
    readonly supported: number;
    /** Whether its value predicts the other predicates' next values, given their current ones, on held-out runs. */
    readonly foretells: ForecastGain;
  } | null;
  /**
   * `keep`: the predicate is read, or a certified interval shows that a risk differs, or it predicts the other predicates. `drop`: its
   * value follows from the others', or none of this holds, and the data exclude larger differences in nine steps of ten. `undecided`: no
   * difference was found, but the data are too few to exclude one.
   */
  readonly verdict: 'keep' | 'drop' | 'undecided';
}

/** Options of the search for redundant predicates. */
export interface RedundancyOptions {
  /** The probability that certified intervals are wrong, and that a predicate is reported to predict something although it does not. Default 0.05. */
  readonly level?: number;
  /** The largest irrelevant difference of risks. Default 0.2. */
  readonly tolerance?: number;
  readonly seed?: number;
}

const SUPPORTED = 0.9;

/**
 * Finds predicates that change no risk and could be dropped, one at a time: after dropping one, the others have to be examined again.
 *
 * @throws InvalidArgumentError for a level outside (0, 1); as `certify` and `learn` otherwise
 */
export async function redundantPredicates(
  specification: Specification,
  abstracted: AbstractRuns,
  { level = 0.05, tolerance = 0.2, seed = 1 }: RedundancyOptions = {},
): Promise<PredicateRole[]> {
  requireLevel(level);
  const { predicates } = specification.abstraction;
  const readers = new Map(predicates.map(({ name }) => [name, readerOf(specification, name)]));
  if (predicates.length < 2 || [...readers.values()].every((reader) => reader !== null)) {
    return predicates.map(({ name }) => ({
      name,
      readBy: readers.get(name) ?? null,
      evidence: null,
      verdict: 'keep',
    }));
  }
  const { model } = abstracted.counter.finish();
  const certificate = certify(specification, model, { delta: level });
  const free = [...readers.values()].filter((reader) => reader === null).length;
  const roles: PredicateRole[] = [];
  for (const [index, { name }] of predicates.entries()) {
    const readBy = readers.get(name) ?? null;
    const evidence =
      readBy === null
        ? await evidenceOf(specification, abstracted, certificate, index, tolerance, seed)
        : null;
    const few = halves(abstracted.runs, seed).judged.length < LEAST_RUNS;
    roles.push({ name, readBy, evidence, verdict: verdictOf(evidence, few, level / free) });
  }
  return roles;
}

function verdictOf(
  evidence: PredicateRole['evidence'],
  few: boolean,
  level: number,
): PredicateRole['verdict'] {
  if (evidence === null) return 'keep';
  if (few || evidence.follows) return few ? 'undecided' : 'drop';
  const { compared, overlapping, merged, within, supported, foretells } = evidence;
  const tells = foretells.pValue !== null && foretells.pValue <= level;
  if (overlapping < compared || within < merged || tells) return 'keep';
  return supported >= SUPPORTED && foretells.pValue !== null ? 'drop' : 'undecided';
}

/** The rule or the constraint that reads a predicate. */
function readerOf({ rules, abstraction }: Specification, predicate: string): string | null {
  const rule = rules.find(({ formula }) => predicatesOf(formula).includes(predicate));
  if (rule !== undefined) return `rule "${rule.name}"`;
  const constraint = Object.entries(abstraction.constraints ?? {}).find(([, expression]) =>
    freePaths(parseExpression(expression)).some(({ path }) => path.split('.').at(-1) === predicate),
  );
  return constraint === undefined ? null : `constraints.${constraint[0]}`;
}

async function evidenceOf(
  specification: Specification,
  abstracted: AbstractRuns,
  certificate: Certificate,
  index: number,
  tolerance: number,
  seed: number,
): Promise<NonNullable<PredicateRole['evidence']>> {
  const { abstraction, rules } = specification;
  const without = {
    ...specification,
    abstraction: { ...abstraction, predicates: abstraction.predicates.filter((_, i) => i !== index) },
  };
  const merged = await abstractRuns(
    without,
    abstracted.runs.map(({ id, complete, steps }) => ({ id, complete, steps })),
  );
  const groupOf = mergedStates(abstracted, merged);
  const tables = riskTable(without, merged.counter.finish().model).rules;
  const evidence = {
    follows: new Set(groupOf).size === groupOf.length,
    compared: 0,
    overlapping: 0,
    merged: 0,
    within: 0,
    largestChange: 0,
    startChange: 0,
    supported: 0,
  };
  const steps = stepsOf(abstracted);
  const supportedIn = new Map<number, boolean>();
  rules.forEach((_, r) => {
    const groups = new Map<string, CertifiedEntry[]>();
    for (const entry of certificate.rules[r].entries) {
      if (entry.verdict !== 'open') continue;
      const key = `${groupOf[entry.state]} ${entry.automatonState}`;
      groups.set(key, [...(groups.get(key) ?? []), entry]);
    }
    for (const { state, automatonState, lower, upper } of tables[r].entries) {
      const members = groups.get(`${state} ${automatonState}`);
      if (members === undefined) continue;
      const low = Math.max(...members.map(({ confidenceLower }) => confidenceLower));
      const high = Math.min(...members.map(({ confidenceUpper }) => confidenceUpper));
      evidence.merged++;
      // Solvers are only exact to their precision.
      if (members.every((one) => upper >= one.confidenceLower && lower <= one.confidenceUpper))
        evidence.within++;
      for (const { risk, draws } of members) {
        if (draws === 0) continue;
        evidence.largestChange = Math.max(evidence.largestChange, lower - risk.upper, risk.lower - upper);
      }
      if (members.length < 2) continue;
      evidence.compared++;
      if (low <= high) evidence.overlapping++;
      const widest =
        Math.max(...members.map(({ confidenceUpper }) => confidenceUpper)) -
        Math.min(...members.map(({ confidenceLower }) => confidenceLower));
      for (const member of members) {
        supportedIn.set(member.state, (supportedIn.get(member.state) ?? true) && widest <= tolerance);
      }
    }
    const [before, after] = [certificate.rules[r].start.risk, tables[r].start];
    evidence.startChange = Math.max(
      evidence.startChange,
      after.lower - before.upper,
      before.lower - after.upper,
    );
  });
  const of = (states: Iterable<number>): number => [...states].reduce((sum, state) => sum + steps[state], 0);
  const all = of(supportedIn.keys());
  evidence.supported =
    all === 0 ? 1 : of([...supportedIn].filter(([, supported]) => supported).map(([state]) => state)) / all;
  const groups = abstracted.runs.map(({ group }) => group);
  const target = { ...nextValuation(merged), groups };
  const forecasts = new Forecasts(target, halves(abstracted.runs, seed));
  return {
    ...evidence,
    foretells: forecasts.judge(valuesOf(abstracted, index), new Random(seed, index + 1)),
  };
}

/** The state without the predicate that each chain state becomes. */
function mergedStates(abstracted: AbstractRuns, merged: AbstractRuns): Int32Array {
  const states = new Int32Array(abstracted.counter.tally.table.size).fill(-1);
  abstracted.runs.forEach(({ rows }, r) => {
    rows.forEach((row, i) => {
      states[row - 1] = merged.runs[r].rows[i] - 1;
    });
  });
  return states;
}

function stepsOf({ runs, counter }: AbstractRuns): Float64Array {
  const steps = new Float64Array(counter.tally.table.size);
  for (const { rows } of runs) for (const row of rows) steps[row - 1]++;
  return steps;
}

/** The value of predicate `index` at every step, runs one after the other. */
function valuesOf({ runs, counter }: AbstractRuns, index: number): Uint8Array {
  const { valuations, words } = counter.tally.table;
  return Uint8Array.from(
    runs.flatMap(({ rows }) =>
      Array.from(rows, (row) => (valuations[(row - 1) * words + (index >>> 5)] >>> (index & 31)) & 1),
    ),
  );
}
