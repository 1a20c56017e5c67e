import { conjoin } from '../conjoin.js';
import { contentOf } from '../decisionDiagram.js';
import { Effort } from '../effort.js';
import { minimise } from '../minimise.js';
import type { Transitions } from '../transitions.js';
import {
  automataOfConstraints,
  automatonOfRule,
  type ComparedRule,
  type CompareOptions,
  transitionsOf,
} from './rule.js';

/**
 * A text that two rules share if and only if they hold on the same finite runs of at least one step, among those that satisfy the constraints. Keys are
 * compared under the same constraints and the same end; one automaton is read once, so many rules are sorted into classes without a comparison of every two.
 *
 * @throws NotSupportedError as `buildAutomaton`, for the rule with the constraints
 */
export function canonicalKey(rule: ComparedRule, options: CompareOptions = {}): string {
  const automata = [automatonOfRule(rule, options), ...automataOfConstraints(options)];
  const predicates = [...new Set(automata.flatMap((automaton) => automaton.predicates))].sort();
  const all = automata
    .map((automaton) => minimise(transitionsOf(automaton, predicates)))
    .reduce((one, other) => minimise(conjoin('and', one, other, new Effort(options.maxStates))));
  return serialised(all, predicates);
}

/**
 * The states after words, and the nodes that they read, numbered as they are met from the root of the initial state on. What the initial state accepts is left
 * out: it speaks of the run without a step.
 */
function serialised(
  { diagram: { nodes }, roots, accepting }: Transitions,
  predicates: readonly string[],
): string {
  const states: number[] = [];
  const numberOf = new Map<number, number>();
  const triples: (readonly [variable: number, low: number, high: number])[] = [];
  const referenceOf = new Map<number, number>();
  const state = (q: number): number => {
    const known = numberOf.get(q);
    if (known !== undefined) return known;
    numberOf.set(q, states.length);
    return states.push(q) - 1;
  };
  const reference = (of: number): number => {
    if (of < 0) return -state(contentOf(of)) - 1;
    let known = referenceOf.get(of);
    if (known === undefined) {
      const at = 3 * of;
      known = triples.push([nodes[at], reference(nodes[at + 1]), reference(nodes[at + 2])]) - 1;
      referenceOf.set(of, known);
    }
    return known;
  };
  const start = reference(roots[0]);
  const rows: number[] = [];
  // The list grows during the iteration.
  for (const q of states) rows.push(reference(roots[q]));
  const used = [...new Set(triples.map(([variable]) => variable))].sort((a, b) => a - b);
  const place = new Map(used.map((variable, i) => [variable, i]));
  return JSON.stringify([
    used.map((variable) => predicates[variable]),
    start,
    rows,
    states.map((q) => accepting[q]).join(''),
    triples.flatMap(([variable, low, high]) => [place.get(variable), low, high]),
  ]);
}
