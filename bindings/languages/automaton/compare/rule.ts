import type { Formula } from '../../logic/index.js';
import { aligned } from '../aligned.js';
import type { AtEnd } from '../atEnd.js';
import { type Automaton, VIOLATED } from '../automaton.js';
import { buildAutomaton } from '../buildAutomaton.js';
import { DecisionDiagram, Substitution } from '../decisionDiagram.js';
import { judged } from '../judged.js';
import { minimise } from '../minimise.js';
import type { Transitions } from '../transitions.js';

/** A rule to be compared: its formula, or an automaton that was built before. */
export type ComparedRule = Formula | Automaton;

/** How rules are compared. */
export interface CompareOptions {
  /** How the end of a run is judged, for the rules and not for the constraints. Default `strong`: the formula must hold. */
  readonly atEnd?: AtEnd;
  /** Only runs that satisfy all of these are considered. Default: all runs. */
  readonly constraints?: readonly ComparedRule[];
  /** Seconds between steps, for windows in time. Default: such windows are refused. */
  readonly samplingPeriod?: number | string | null;
  /** Largest number of states of one automaton. Default 100,000, as of `buildAutomaton`. */
  readonly maxStates?: number;
  /** Largest number of tuples of states, one of each automaton; it bounds the work too. Default 100,000. */
  readonly maxTuples?: number;
}

/** The automaton that accepts the runs that the rule lets end, at the end asked for. */
export function automatonOfRule(rule: ComparedRule, options: CompareOptions): Automaton {
  const automaton = automatonOfFormula(rule, options);
  return options.atEnd === 'weak' ? withWeakEnd(automaton) : automaton;
}

/** The automata of the constraints; their end is strong. */
export function automataOfConstraints(options: CompareOptions): Automaton[] {
  return (options.constraints ?? []).map((constraint) => automatonOfFormula(constraint, options));
}

function automatonOfFormula(rule: ComparedRule, options: CompareOptions): Automaton {
  if ('roots' in rule) return rule;
  const { samplingPeriod = null, maxStates } = options;
  return buildAutomaton(rule, { samplingPeriod, ...(maxStates !== undefined && { maxStates }) });
}

/** The smallest automaton of the runs that end in any state that is not violated. */
function withWeakEnd(automaton: Automaton): Automaton {
  const { predicates, verdict } = automaton;
  return judged(predicates, minimise(transitionsOf(automaton, predicates, (q) => verdict[q] !== VIOLATED)));
}

/** An automaton with its predicates numbered as in `variables`, and with the states for which `isAccepting` holds as accepting ones. */
export function transitionsOf(
  automaton: Automaton,
  variables: readonly string[],
  isAccepting = (q: number): boolean => automaton.accepting[q] === 1,
): Transitions {
  const diagram = new DecisionDiagram();
  const roots = aligned(automaton, variables, diagram);
  // State 0 changes places with the initial one, because it is the initial one of transitions.
  const { initial } = automaton;
  const changed = (q: number): number => (q === 0 ? initial : q === initial ? 0 : q);
  const change = new Substitution(diagram, diagram, changed);
  return {
    diagram,
    roots: initial === 0 ? roots : roots.map((_, q) => change.of(roots[changed(q)])),
    accepting: Uint8Array.from(roots, (_, q) => Number(isAccepting(changed(q)))),
  };
}
