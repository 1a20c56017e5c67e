import { type Formula, predicatesOf } from '../logic/index.js';
import type { Automaton } from './automaton.js';
import { responseAutomaton } from './boundedResponse.js';
import { conjoin } from './conjoin.js';
import { DecisionDiagram } from './decisionDiagram.js';
import { Effort } from './effort.js';
import { judged } from './judged.js';
import { minimise } from './minimise.js';
import { NormalForms, type Term } from './normalForm.js';
import { automatonOf } from './progression.js';
import type { Transitions } from './transitions.js';

/**
 * Builds the smallest deterministic automaton of a rule on finite traces: LTLf with past and discrete-time STL, with arbitrary nesting. X,
 * F, U, Y, O, S are strong (their promise must be met before the trace ends, or after it began); WX, G, W, R, WY, H are weak.
 *
 * A bounded response `G(p -> F[0,k] q)` costs k + 2 states, because only the earliest of several deadlines is kept. If a window opens late
 * (`F[a,b]` under G, with a > 0), each of the last a steps matters, and 2^a states may be needed.
 *
 * @param options.samplingPeriod Seconds between steps, needed for windows in time: `[a,b]` is the steps ceil(a/T)..floor(b/T), in
 * exact decimals.
 * @param options.maxStates Largest number of states before minimisation, default 100,000. It also limits the work: a construction that
 * takes more work than that many states should (about a second by default) is refused.
 * @returns Plain data. Predicates are numbered in order of appearance.
 * @throws NotSupportedError on P, on inline comparisons (see `deriveAbstraction`), and, with the size reached, if the automaton would be
 * too large; InvalidArgumentError on an empty window or on seconds without a sampling period.
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
  return judged(predicates, smallest(forms, forms.of(formula)));
}

/** Minimises the parts of a conjunction or disjunction before it combines them, smallest first; bounded responses are already minimal. */
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
