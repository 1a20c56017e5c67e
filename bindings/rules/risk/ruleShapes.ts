import { InvalidArgumentError } from '../../base/errors.js';
import { withContext } from '../../base/words.js';
import {
  type AtEnd,
  type Automaton,
  buildAutomaton,
  statesAfterWords,
  VIOLATED,
  violatedAtEnd,
} from '../../languages/automaton/index.js';
import {
  children,
  type Formula,
  periodInSeconds,
  printFormula,
  printWindow,
  windowInSteps,
} from '../../languages/logic/index.js';
import { requireViolable } from '../../solvers/checker/index.js';
import type { RuleSpecification, Specification } from '../specification/index.js';
import { type PossibleStates, possibleStates } from './possibleStates.js';

/** A window of a rule, in steps and seconds. */
export interface RuleWindow {
  /** The window as written in the rule's canonical form: `<=10s`. */
  readonly text: string;
  readonly fromSteps: number;
  /** Null is unbounded. */
  readonly toSteps: number | null;
  /** The bounds in seconds (steps times the sampling period); null if the specification has no sampling period. */
  readonly fromSeconds: number | null;
  readonly toSeconds: number | null;
}

/** The properties of a rule that are known before anything is learnt. */
export interface RuleShape {
  readonly name: string;
  /** The formula in canonical form, over named predicates. */
  readonly formula: string;
  readonly evaluation: 'trace' | 'state';
  /** Null for a rule P…[ ], whose formula itself defines what happens at a run's end. */
  readonly atEnd: AtEnd | null;
  /** States of the minimal automaton; 1 for a rule P…[ ], which has no history. */
  readonly automatonStates: number;
  /** Each window once, in order of appearance. */
  readonly windows: readonly RuleWindow[];
  /** A warning about a rule that can be judged but is odd; names the rule. Null: none. */
  readonly warning: string | null;
}

/**
 * Checks that every rule can be judged, and describes its shape: automata are built, nothing is solved.
 *
 * @throws InvalidArgumentError if no trace can violate a rule; NotSupportedError if its automaton would be too large. Both messages name
 * the rule
 */
export function ruleShapes(specification: Specification): RuleShape[] {
  return specification.rules.map((rule) => {
    try {
      return shapeOf(rule, specification);
    } catch (error) {
      throw withContext(error, `${specification.source}: rule "${rule.name}"`);
    }
  });
}

function shapeOf({ name, formula, atEnd }: RuleSpecification, specification: Specification): RuleShape {
  const shape = { name, formula: printFormula(formula), windows: windowsOf(formula, specification) };
  if (formula.kind === 'probability')
    return { ...shape, evaluation: 'state', atEnd: null, automatonStates: 1, warning: null };
  const automaton = buildAutomaton(formula, { samplingPeriod: specification.samplingPeriod });
  requireViolable(automaton, atEnd);
  const { states } = automaton;
  const violates = (q: number): boolean => violatedAtEnd(automaton, q, atEnd);
  const possible = possibleStates(specification, automaton);
  if (possible !== null) requirePossible(automaton, possible, violates);
  return {
    ...shape,
    evaluation: 'trace',
    atEnd,
    automatonStates: states,
    warning: [...(possible?.ends ?? statesAfterWords(automaton))].every(violates)
      ? `${specification.source}: rule "${name}": every trace violates it, so that its risk is 1 in every state: ${shape.formula}`
      : null,
  };
}

/** @throws InvalidArgumentError if comparisons and constraints leave no run that violates the rule */
function requirePossible(
  { verdict }: Automaton,
  { states, ends }: PossibleStates,
  violates: (state: number) => boolean,
): void {
  if ([...ends].some(violates) || [...states].some((q) => verdict[q] === VIOLATED)) return;
  throw new InvalidArgumentError(
    'no run that its comparisons and the constraints allow can violate this rule: it is vacuous',
  );
}

function windowsOf(formula: Formula, { samplingPeriod }: Specification): RuleWindow[] {
  const found = new Map<string, RuleWindow>();
  const inSeconds = (steps: number | null): number | null =>
    steps === null || samplingPeriod === null
      ? null
      : // 15 digits leave out what doubles add to decimals: 3 * 0.1 is 0.30000000000000004.
        Number((steps * periodInSeconds(samplingPeriod)).toPrecision(15));
  const visit = (part: Formula): void => {
    if ('window' in part && part.window !== null) {
      const { from, to } = windowInSteps(part.window, samplingPeriod ?? undefined);
      const text = printWindow(part.window);
      found.set(text, {
        text,
        fromSteps: from,
        toSteps: to,
        fromSeconds: inSeconds(from),
        toSeconds: inSeconds(to),
      });
    }
    children(part).forEach(visit);
  };
  visit(formula);
  return [...found.values()];
}
