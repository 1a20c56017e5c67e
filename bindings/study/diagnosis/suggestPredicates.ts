import { Random } from '../../base/random.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { RuleSpecification, Specification } from '../../rules/specification/index.js';
import type { AbstractRun, AbstractRuns } from './abstractRuns.js';
import { type ForecastGain, Forecasts, LEAST_RUNS, type Split } from './forecastGain.js';
import { describe, requireLevel } from './orderDependence.js';
import { type Candidate, candidates, comparisons, type FailedCandidate } from './pool.js';
import { eventualViolation, nextValuation, type Target } from './target.js';

/** Options of the search for predicates. */
export interface SuggestOptions {
  /** Predicates that could be added. Default none. */
  readonly pool?: readonly PredicateDefinition[];
  /** Whether to try comparisons over the fields of steps too. Default true. */
  readonly compareFields?: boolean;
  /** The probability that anything is suggested although nothing in the pool is informative. Default 0.05. */
  readonly level?: number;
  /** Seed of the random split of the runs. Default 1. */
  readonly seed?: number;
  /** Maximal number of suggestions for each target. Default 3. */
  readonly most?: number;
}

/** The effect of a predicate in one state. */
export interface StateSplit {
  readonly state: number;
  readonly description: string;
  /** Steps in that state, and those at which the predicate holds. */
  readonly steps: number;
  readonly holding: number;
  /** The outcome that differs most: a state in words, `end`, or for rules `violated`; its share if the predicate holds, and if not. */
  readonly outcome: { readonly name: string; readonly ifTrue: number; readonly ifFalse: number };
}

/** A predicate that improves predictions on held-out runs. */
export interface SuggestedPredicate {
  /** Null if it was made from a field. */
  readonly name: string | null;
  readonly expression: string;
  /** Gain on the half of the runs that it was chosen on, in bits per step. */
  readonly chosenBits: number;
  /** Gain on the other half. */
  readonly heldOut: ForecastGain;
  /** The states in which it is most informative. */
  readonly splits: readonly StateSplit[];
}

/** The suggestions for one target. */
export interface TargetSuggestions {
  /** Null: the target is the next valuation; otherwise the rule whose violation is to be predicted. */
  readonly rule: string | null;
  /** Each suggestion is conditional on those before it. */
  readonly suggestions: readonly SuggestedPredicate[];
  /** The best remaining candidate, which is not suggested; null if there was none left. */
  readonly rejected: Pick<SuggestedPredicate, 'name' | 'expression' | 'chosenBits' | 'heldOut'> | null;
}

/** Predicates that would make an abstraction more informative. */
export interface PredicateSuggestions {
  readonly level: number;
  readonly seed: number;
  /** Number of different candidates tried. */
  readonly candidates: number;
  readonly failed: readonly FailedCandidate[];
  readonly chosenOn: number;
  readonly heldOut: number;
  /** Empty if there are too few runs. */
  readonly targets: readonly TargetSuggestions[];
}

/**
 * Suggests predicates from a pool that, given the current valuation, improve the prediction of the next one, or of a rule's violation. They
 * are chosen on one half of the runs, each given those before it, and judged on the other half, in that order, up to the first that is no
 * better than chance. This fixed order costs nothing, so only the targets share the level. Runs are the unit, because the value of a field
 * in a run is correlated with everything else particular to that run.
 *
 * @throws InvalidArgumentError for a level outside (0, 1); ParseError for a malformed expression of the pool
 */
export function suggestPredicates(
  abstracted: AbstractRuns,
  specification: Pick<Specification, 'samplingPeriod'> & { readonly rules?: readonly RuleSpecification[] },
  { pool = [], compareFields = true, level = 0.05, seed = 1, most = 3 }: SuggestOptions = {},
): PredicateSuggestions {
  requireLevel(level);
  const { runs } = abstracted;
  const split = halves(runs, seed);
  const made = compareFields ? comparisons(split.trained.map((r) => runs[r])) : [];
  const found = candidates(runs, pool, made);
  const rules = (specification.rules ?? []).filter(
    ({ exact, formula }) => !exact && formula.kind !== 'probability',
  );
  const targets = [
    { rule: null, target: nextValuation(abstracted) },
    ...rules.map((rule) => ({
      rule: rule.name,
      target: eventualViolation(abstracted, rule, specification),
    })),
  ];
  const enough = split.judged.length >= LEAST_RUNS;
  const share = level / targets.length;
  return {
    level,
    seed,
    candidates: found.candidates.length,
    failed: found.failed,
    chosenOn: split.trained.length,
    heldOut: split.judged.length,
    targets: enough
      ? targets.map(({ rule, target }, i) => ({
          rule,
          ...search(abstracted, target, found.candidates, split, share, most, new Random(seed, i + 1)),
        }))
      : [],
  };
}

/** Splits the runs into two random halves; groups stay together. */
export function halves(runs: readonly Pick<AbstractRun, 'group'>[], seed: number): Split {
  const random = new Random(seed);
  const groups = [...new Set(runs.map(({ group }) => group))];
  for (let i = groups.length - 1; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    [groups[i], groups[j]] = [groups[j], groups[i]];
  }
  const first = new Set(groups.slice(0, Math.ceil(groups.length / 2)));
  const all = runs.map((_, r) => r);
  return {
    trained: all.filter((r) => first.has(runs[r].group)),
    judged: all.filter((r) => !first.has(runs[r].group)),
  };
}

function search(
  abstracted: AbstractRuns,
  target: Target,
  all: readonly Candidate[],
  split: Split,
  level: number,
  most: number,
  random: Random,
): Omit<TargetSuggestions, 'rule'> {
  const suggestions: SuggestedPredicate[] = [];
  let refined = target;
  while (suggestions.length < most) {
    const best = choose(refined, all, split);
    if (best === null) break;
    const { candidate, chosenBits } = best;
    const heldOut = new Forecasts(refined, split).judge(candidate.holds, random);
    const { name, expression } = candidate;
    const judged = { name, expression, chosenBits, heldOut };
    if (heldOut.pValue === null || heldOut.pValue > level) return { suggestions, rejected: judged };
    suggestions.push({ ...judged, splits: splitsOf(abstracted, target, candidate.holds) });
    refined = refine(refined, candidate.holds);
  }
  return { suggestions, rejected: null };
}

/** The candidate that adds most on the runs for choosing, by cross-validation between their halves; null if none adds anything. */
function choose(
  target: Target,
  all: readonly Candidate[],
  { trained }: Split,
): { candidate: Candidate; chosenBits: number } | null {
  const [a, b] = [0, 1].map((parity) => trained.filter((_, i) => i % 2 === parity));
  const folds = [
    new Forecasts(target, { trained: a, judged: b }),
    new Forecasts(target, { trained: b, judged: a }),
  ];
  let best: { candidate: Candidate; chosenBits: number } | null = null;
  for (const candidate of all) {
    const chosenBits = (folds[0].gainBits(candidate.holds) + folds[1].gainBits(candidate.holds)) / 2;
    // The first of equals wins, so named predicates are preferred.
    if (chosenBits > (best?.chosenBits ?? 0) * (1 + 1e-9)) best = { candidate, chosenBits };
  }
  return best;
}

/** Refines the target's context by a predicate's value. */
function refine(target: Target, holds: Uint8Array): Target {
  const context = target.context.map((known, i) => (known < 0 ? -1 : 2 * known + holds[i]));
  return { ...target, context: renumbered(context) };
}

function renumbered(context: Int32Array): Int32Array {
  const numbers = new Map<number, number>();
  return context.map((known) => {
    if (known < 0) return -1;
    const number = numbers.get(known) ?? numbers.size;
    numbers.set(known, number);
    return number;
  });
}

const SHOWN = 3;

/** The states in which a predicate is most informative about the next state, or about a violation. */
function splitsOf(
  { runs, history }: AbstractRuns,
  { runStart, context, outcome, ofRun }: Target,
  holds: Uint8Array,
): StateSplit[] {
  const counts = new Map<number, Map<number, [number, number]>>();
  runs.forEach(({ rows }, r) => {
    rows.forEach((row, i) => {
      const at = runStart[r] + i;
      if (context[at] < 0 || outcome[at] < 0) return;
      const outcomes = counts.get(row) ?? new Map<number, [number, number]>();
      counts.set(row, outcomes);
      const pair = outcomes.get(outcome[at]) ?? [0, 0];
      outcomes.set(outcome[at], pair);
      pair[holds[at]]++;
    });
  });
  const splits = [...counts].flatMap(([row, outcomes]) => {
    const draws = [0, 1].map((b) => [...outcomes.values()].reduce((sum, pair) => sum + pair[b], 0));
    if (draws[0] === 0 || draws[1] === 0) return [];
    const shares = [...outcomes].map(([one, pair]) => ({
      name: ofRun ? (one === 1 ? 'violated' : 'kept') : describe(history, one, 'end'),
      ifTrue: pair[1] / draws[1],
      ifFalse: pair[0] / draws[0],
    }));
    const difference = (share: { ifTrue: number; ifFalse: number }): number =>
      Math.abs(share.ifTrue - share.ifFalse);
    const [widest] = shares
      .filter(({ name }) => name !== 'kept')
      .sort((a, b) => difference(b) - difference(a));
    if (widest === undefined) return [];
    return [
      {
        weight: difference(widest) ** 2 / (1 / draws[0] + 1 / draws[1]),
        split: {
          state: row - 1,
          description: describe(history, row, 'end'),
          steps: draws[0] + draws[1],
          holding: draws[1],
          outcome: widest,
        },
      },
    ];
  });
  return splits
    .sort((a, b) => b.weight - a.weight)
    .filter(({ weight }, i) => i === 0 || weight >= 1)
    .slice(0, SHOWN)
    .map(({ split }) => split);
}
