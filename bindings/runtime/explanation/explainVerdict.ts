import { type Automaton, buildAutomaton } from '../../languages/automaton/index.js';
import type { PredicateWords } from '../../languages/english/index.js';
import { type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import { Explainer } from './explainer.js';
import type { Explanation } from './explanation.js';
import { packPrefix } from './prefix.js';
import { runAlong } from './run.js';

/** Options of `explainVerdict`, beside the formula and the steps. */
export interface ExplainOptions {
  /**
   * The predicates' definitions. Comparisons in the formula become the predicates that read them; a comparison that none of them reads is a predicate named by
   * its source, `speed > 0.5`. Default none.
   */
  readonly predicates?: readonly PredicateDefinition[];
  /** How people say predicates, by their names; texts speak the words of those that have some. Default none. */
  readonly words?: Readonly<Record<string, PredicateWords>>;
  /** Seconds between steps; required for windows in time, and for texts that mention seconds. */
  readonly samplingPeriod?: number | string | null;
  /** The formula's automaton, if it is available; default: it is built. */
  readonly automaton?: Automaton;
  /** Whether the run ended with the last step; default false. */
  readonly ended?: boolean;
  /** Number of the first step in texts; default 0. */
  readonly firstStep?: number;
}

/**
 * Explains why a formula is open, violated or satisfied after the first steps of a trace: which steps decided it, or what is still due, by when, and what would
 * settle or break it, in words.
 *
 * The verdict is that of the formula's automaton; with `ended`, whether the steps satisfy the formula as they are. The reasons follow the formula's definition,
 * with three values (true, false, open) for each part at each step.
 *
 * @param formula a rule on finite traces, or its text.
 * @param steps the value of each predicate per step; a missing or undefined value could not be read.
 * @returns the explanation, in time linear in parts of the formula times steps
 * @throws ParseError, NotSupportedError, InvalidArgumentError as `parseFormula` and `buildAutomaton`, and for a value that is not a Boolean or a predicate that
 * no step names
 */
export function explainVerdict(
  formula: Formula | string,
  steps: readonly Readonly<Record<string, boolean | undefined>>[],
  options: ExplainOptions = {},
): Explanation {
  const { predicates = [], ended = false, firstStep = 0 } = options;
  const samplingPeriod = options.samplingPeriod ?? undefined;
  const parsed = typeof formula === 'string' ? parseFormula(formula) : formula;
  const explainer = new Explainer(parsed, predicates, samplingPeriod, undefined, options.words);
  const automaton =
    options.automaton ??
    buildAutomaton(explainer.formula, samplingPeriod === undefined ? {} : { samplingPeriod });
  const prefix = packPrefix(steps, predicatesOf(explainer.formula));
  return explainer.explain(prefix, { run: runAlong(automaton, prefix), ended, firstStep });
}
