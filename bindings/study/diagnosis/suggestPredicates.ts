import { Random } from '../../base/random.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { RuleSpecification, Specification } from '../../rules/specification/index.js';
import type { AbstractRun, AbstractRuns } from './abstractRuns.js';
import { type ForecastGain, Forecasts, LEAST_RUNS, type Split } from './forecastGain.js';
import { describe, requireLevel } from './orderDependence.js';
import { type Candidate, candidates, comparisons, type FailedCandidate } from './pool.js';
import { eventualViolation, nextValuation, type Target } from './target.js';

/** Where predicates are looked for, and how surely. */
export interface SuggestOptions {
  /** Predicates that could be added. Default none. */
  readonly pool?: readonly PredicateDefinition[];
  /** Whether comparisons over the fields of steps are made, too. Default true. */
  readonly compareFields?: boolean;
  /** The chance that anything is suggested though nothing in the pool tells more. Default 0.05. */
  readonly level?: number;
  /** Of how runs are parted. Default 1. */
  readonly seed?: number;
  /** Suggestions for each target at most. Default 3. */
  readonly most?: number;
}

/** What a predicate tells in one state. */
export interface StateSplit {
  readonly state: number;
  readonly description: string;
  /** Steps in that state, and those at which the predicate holds. */
  readonly steps: number;
  readonly holding: number;
  /** The outcome that differs most: a state in words, `end`, or of rules `violated`; its share where the predicate holds, and where not. */
  readonly outcome: { readonly name: string; readonly ifTrue: number; readonly ifFalse: number };
}

/** A predicate that makes outcomes better foreseen, on runs that it was not chosen on. */
export interface SuggestedPredicate {
  /** Null where it was made from a field. */
  readonly name: string | null;
  readonly expression: string;
  /** On the half of the runs that it was chosen on, in bits a step. */
  readonly chosenBits: number;
  /** On the other half. */
  readonly heldOut: ForecastGain;
  /** Where it tells most. */
  readonly splits: readonly StateSplit[];
}

/** What was found for one thing to be foreseen. */
export interface TargetSuggestions {
  /** Null: the next valuation; else the rule whose violation is to be foreseen. */
  readonly rule: string | null;
  /** Each given those before it. */
  readonly suggestions: readonly SuggestedPredicate[];
  /** The best of the others, which is not suggested; null where nothing was left to try. */
  readonly rejected: Pick<SuggestedPredicate, 'name' | 'expression' | 'chosenBits' | 'heldOut'> | null;
}

/** Predicates that would make an abstraction tell more. */
export interface PredicateSuggestions {
  readonly level: number;
  readonly seed: number;
  /** Different ones that were tried. */
  readonly candidates: number;
  readonly failed: readonly FailedCandidate[];
  readonly chosenOn: number;
  readonly heldOut: number;
  /** Empty where there are too few runs. */
  readonly targets: readonly TargetSuggestions[];
}

/**
 * Predicates from a pool that, given the valuation at hand, tell more of the next one, or of whether a rule will be broken. They are chosen on one half of the
 * runs, each given those before it, and judged on the other half, in that order, up to the first that is no better than chance: so the order costs nothing, and
 * the level is shared by the targets alone. Runs are the unit, as what one field is in a run goes together with all that is particular to it.
 *
 * @throws InvalidArgumentError for a level outside (0, 1); ParseError for an expression of the pool that is malformed
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
  const rules = (specification.rules ?? []).filter(({ formula }) => formula.kind !== 'probability');
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

/** Two halves of the runs by chance, groups undivided. */
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

/** The candidate that adds most on the runs to choose on, each half of them judging what the other half teaches; null where none adds anything. */
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
    // Of equals the first: those named come first.
    if (chosenBits > (best?.chosenBits ?? 0) * (1 + 1e-9)) best = { candidate, chosenBits };
  }
  return best;
}

/** The target with a predicate's value known. */
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

/** The states in which a predicate tells most of the next state, or of a violation. */
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
