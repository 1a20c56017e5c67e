import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { OPEN } from '../../languages/automaton/index.js';
import { parseFormula } from '../../languages/logic/index.js';
import type { Guard, GuardFile, GuardRule, GuardStep, RuleStatus } from '../guard/index.js';
import { Explainer } from './explainer.js';
import type { Explanation } from './explanation.js';
import type { PredicateWordsByName } from './predicateNames.js';
import { recordedPrefix } from './recordedPrefix.js';

const explainers = new WeakMap<Guard, Map<string, Explainer>>();

/**
 * Explains why a guard's rule is open, violated or satisfied after the last observation: which steps broke it, or what is due and by when. Steps have the
 * numbers of `GuardStep.step`: the observations of the run, from 0. A held step has the number of the observation that it repeats; the text places a missing
 * step of which nothing is known between two observations. Seconds are sampling periods; with `resample: skip`, under which a step may span several periods,
 * they are those of `secondsOf`, or left out. They are also left out once the number of missing steps is unknown.
 *
 * @param options.ended Whether the run ended with the last observation; default false.
 * @param options.numberOf Maps an observation to another number, such as that of a recording's step; default its own.
 * @param options.secondsOf With `resample: skip`, the seconds from the first observation to the given one; NaN if unknown. Default: always unknown.
 * @returns null for a rule on probabilities (`P<0.1 [ … ]`), which has no verdict on a run
 * @throws InvalidArgumentError if the guard has no such rule
 */
export function explainRule(
  guard: Guard,
  name: string,
  options: {
    readonly ended?: boolean;
    readonly numberOf?: (observation: number) => number;
    readonly secondsOf?: (observation: number) => number;
  } = {},
): Explanation | null {
  const r = guard.rules.findIndex((rule) => rule.name === name);
  if (r < 0) {
    const names = guard.rules.map((rule) => rule.name);
    const nearest = nearestName(name, names);
    throw new InvalidArgumentError(
      `the guard has no rule "${name}"; ${nearest === undefined ? `it has ${names.join(', ')}` : `did you mean "${nearest}"?`}`,
    );
  }
  const rule = guard.file.rules[r];
  if (rule.evaluation === 'state') return null;
  const { prefix, firstStep, origin, numberOf, isMissing, keptFrom } = recordedPrefix(
    guard.history,
    r,
    guard.file.predicates.map((predicate) => predicate.name),
  );
  const { verdict, verdictAtEnd } = guard.rules[r];
  const run = { verdict, step: prefix.length - 1, verdictAtEnd };
  const { ended = false, numberOf: named = (observation) => observation, secondsOf } = options;
  const { gapAt } = guard.history;
  const since = guard.history.owesSinceGap(r);
  if (since !== null && (ended ? verdictAtEnd : verdict) === OPEN) {
    const last = named(numberOf(guard.history.length - 1));
    return openAcrossGap(last, named(numberOf(since)), since === gapAt);
  }
  const explanation = explainerOf(guard, rule).explain(prefix, {
    run,
    ended,
    firstStep,
    origin,
    keptFrom,
    numberOf: (step) => named(numberOf(step)),
    nextTo: (step) => (isMissing(step) ? named(numberOf(step) + 1) : null),
    ...(secondsOf !== undefined && { secondsOf: (step: number) => secondsOf(numberOf(step)) }),
    isTimed: gapAt === null,
  });
  return explanation.verdict === 'open' && firstStep + origin > 0 && isInDoubt(guard.rules[r])
    ? { ...explanation, text: `${explanation.text}${IN_DOUBT}` }
    : explanation;
}

const IN_DOUBT = '; whether a step before, which nobody read, has broken it is not known';

/** Of steps before those from which a rule is explained: whether one that could not be read or is missing may have broken the rule: its automaton is in one state, and still no verdict would be certain. */
function isInDoubt({ automatonState, verdictAtEnd }: RuleStatus): boolean {
  return automatonState >= 0 && verdictAtEnd === OPEN;
}

/** Explains a rule across a gap, in which anything may have become due and anything may have been done. */
function openAcrossGap(step: number, since: number, isUncounted: boolean): Explanation {
  const missing = isUncounted
    ? 'nobody knows how many steps there were'
    : 'steps that nobody observed are missing';
  const text = `open after step ${step}: ${missing} before step ${since}, so neither whether one of them broke it nor what is still due is known`;
  return { verdict: 'open', step, evidence: [], obligations: [], text };
}

/** Explains the last answer of a guard: the answer in words, and why the rule that decided, if one did, is open, violated or satisfied. */
export function explainStep(guard: Guard, result: GuardStep): string {
  if (result.rule === '') return guard.explain(result);
  const explanation = explainRule(guard, result.rule);
  const answer = guard.explain(result);
  return explanation === null ? answer : `${answer} The rule is ${explanation.text}.`;
}

function wordsOf(words: NonNullable<GuardFile['words']>): PredicateWordsByName {
  return Object.fromEntries(
    Object.entries(words).map(([name, { holds, not }]) => [name, { say: holds, not }]),
  );
}

/** Returns the explainer of a rule; the formula is parsed once, on first use. */
export function explainerOf(guard: Guard, { name, formula }: GuardRule): Explainer {
  let known = explainers.get(guard);
  if (known === undefined) {
    known = new Map();
    explainers.set(guard, known);
  }
  let explainer = known.get(name);
  if (explainer === undefined) {
    const { predicates, samplingPeriodSeconds, resample, words = {} } = guard.file;
    const parsed = parseFormula(formula, { name: `rule "${name}"` });
    explainer = new Explainer(
      parsed,
      predicates,
      samplingPeriodSeconds ?? undefined,
      resample,
      wordsOf(words),
    );
    known.set(name, explainer);
  }
  return explainer;
}
