import { type Formula, predicatesOf } from '../logic/index.js';
import { type Automaton, OPEN, SATISFIED, VIOLATED } from './automaton.js';
import { responseAutomaton } from './boundedResponse.js';
import { conjoin } from './conjoin.js';
import { DecisionDiagram } from './decisionDiagram.js';
import { Effort } from './effort.js';
import { minimise } from './minimise.js';
import { NormalForms, type Term } from './normalForm.js';
import { automatonOf } from './progression.js';
import { isDecided, type Transitions } from './transitions.js';

/**
 * The smallest deterministic automaton of a rule on finite traces: LTLf with past and discrete-time STL, nested as one likes. X, F, U,
 * Y, O, S are strong (what they promise must come before the trace ends, or after it began), WX, G, W, R, WY, H weak.
 *
 * A bounded response `G(p -> F[0,k] q)` costs k + 2 states: of several deadlines for the same thing the earliest is kept. Where a
 * window opens late (`F[a,b]` under G, with a > 0) each of the last a steps counts, and 2^a states may be needed.
 *
 * @param options.samplingPeriod Seconds between steps, needed for windows in time: `[a,b]` is the steps ceil(a/T)..floor(b/T), in
 * exact decimals.
 * @param options.maxStates States an automaton may have before it is minimised, default 100,000. Work is limited with it: what takes more of it than
 * so many states should, about a second by default, is refused too.
 * @returns Plain data. Predicates are numbered in order of appearance.
 * @throws NotSupportedError on P, inline comparisons (see `deriveAbstraction`), and where the automaton would be too large, with the size reached; InvalidArgumentError on an empty window or seconds without a sampling period.
 */
export function buildAutomaton(
  formula: Formula,
  options: { readonly samplingPeriod?: number | string | null; readonly maxStates?: number } = {},
): Automaton {
  const predicates = predicatesOf(formula);
  const variables = new Map(predicates.map((name, i) => [name, i]));
  const effort = new Effort(options.maxStates);
  const forms = new NormalForms(
    new DecisionDiagram(effort),
    variables,
    options.samplingPeriod ?? undefined,
    effort,
  );
  const automaton = smallest(forms, forms.of(formula));
  return {
    predicates,
    states: automaton.roots.length,
    initial: 0,
    // In a smallest automaton all states with one verdict are one state, which is never left.
    verdict: automaton.roots.map((_, q) =>
      !isDecided(automaton, q) ? OPEN : automaton.accepting[q] === 1 ? SATISFIED : VIOLATED,
    ),
    accepting: Array.from(automaton.accepting),
    roots: automaton.roots,
    nodes: automaton.diagram.nodes,
  };
}

/** Parts of a conjunction or disjunction are made small before they are put together, the small ones first; bounded responses are small as they are. */
function smallest(forms: NormalForms, term: Term): Transitions {
  const node = forms.node(term);
  const responses = responseAutomaton(forms, node.kind === 'and' ? node.operands : [term]);
  if (responses?.others.length === 0) return responses.automaton;
  if (node.kind !== 'and' && node.kind !== 'or') return minimise(automatonOf(forms, term));
  const parts = (responses?.others ?? node.operands).map((part) => smallest(forms, part));
  return (responses === null ? parts : [responses.automaton, ...parts])
    .sort((a, b) => a.roots.length - b.roots.length)
    .reduce((all, part) => minimise(conjoin(node.kind, all, part, forms.effort)));
}
