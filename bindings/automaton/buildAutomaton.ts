import { NotSupportedError } from '../errors.js';
import {
  type Formula,
  isBoolean,
  predicatesOf,
  printFormula,
  untilForm,
  windowInSteps,
} from '../logic/index.js';
import { type Automaton, OPEN, SATISFIED, VIOLATED } from './automaton.js';
import { DecisionDiagram, leaves } from './decisionDiagram.js';
import {
  complement,
  type LetterAutomaton,
  responseAutomaton,
  restrict,
  untilAutomaton,
} from './letterAutomaton.js';
import { minimise } from './minimise.js';

/**
 * The smallest deterministic automaton of a rule on finite traces (LTLf, discrete-time STL): X, F, U are strong (what they
 * promise must come before the trace ends), G, W, R their duals.
 *
 * Supported: one temporal operator over Boolean combinations of predicates, with or without a window; bounded response
 * `G(p -> F[0,k] q)` (at most k + 2 states); Boolean formulas, read at position 0; and negations of these.
 *
 * @param options.samplingPeriod Seconds between steps, needed for windows in time: `[a,b]` is the steps ceil(a/T)..floor(b/T), in
 * exact decimals.
 * @returns Plain data. Predicates are numbered in order of appearance.
 * @throws NotSupportedError on nested or combined temporal operators, P, inline comparisons (see `deriveAbstraction`), and
 * windows above a million steps; InvalidArgumentError on an empty window or seconds without a sampling period.
 */
export function buildAutomaton(
  formula: Formula,
  options: { readonly samplingPeriod?: number | string | null } = {},
): Automaton {
  const { automaton, p, q } = skeleton(formula, options.samplingPeriod ?? undefined);
  const predicates = predicatesOf(formula);
  const variables = new Map(predicates.map((name, i) => [name, i]));
  const guards = new DecisionDiagram();
  const letterOf = guards.combine(
    guards.boolean(p, variables),
    guards.boolean(q, variables),
    (a, b) => a + 2 * b,
  );
  // A letter that no valuation gives (p and q exclude each other, say) must not keep states or verdicts apart.
  const letters = leaves(guards.nodes, letterOf);
  const smallest = restrict(
    minimise(restrict(automaton, letters)),
    letters.map((_, i) => i),
  );
  const diagram = new DecisionDiagram();
  const roots = Array.from({ length: smallest.states }, (_, state) =>
    diagram.import(
      guards,
      letterOf,
      (letter) => smallest.next[state * letters.length + letters.indexOf(letter)],
    ),
  );
  return {
    predicates,
    states: smallest.states,
    initial: 0,
    verdict: verdicts(smallest),
    accepting: Array.from(smallest.accepting),
    roots,
    nodes: diagram.nodes,
  };
}

/** The automaton over the truth values of two Boolean formulas p and q. */
function skeleton(
  formula: Formula,
  samplingPeriod: number | string | undefined,
): { automaton: LetterAutomaton; p: Formula; q: Formula } {
  if (formula.kind === 'not' && !isBoolean(formula)) {
    const inner = skeleton(formula.operand, samplingPeriod);
    return { ...inner, automaton: complement(inner.automaton) };
  }
  const response = asResponse(formula);
  if (response !== undefined) {
    const window = windowInSteps(response.eventually.window, samplingPeriod);
    if (window.from !== 0) {
      throw new NotSupportedError(
        `${printFormula(formula)}: a response window that starts after step 0 is not supported; start it at 0`,
      );
    }
    return { automaton: responseAutomaton(window.to), p: response.trigger, q: response.eventually.operand };
  }
  const form = untilForm(formula, samplingPeriod);
  const automaton = untilAutomaton(form.window.from, form.window.to);
  return { automaton: form.negated ? complement(automaton) : automaton, p: form.left, q: form.right };
}

type Eventually = Formula & { kind: 'unary' };

/** Trigger and answer of `G(p -> F q)`, also where it is written `G(!p | F q)` or `G F q`. */
function asResponse(formula: Formula): { trigger: Formula; eventually: Eventually } | undefined {
  if (formula.kind !== 'unary' || formula.operator !== 'G' || formula.window !== null) return undefined;
  const { operand, place } = formula;
  const always: Formula = { kind: 'constant', value: true, place };
  let parts: [Formula, Formula];
  if (operand.kind === 'implies') parts = [operand.left, operand.right];
  else if (operand.kind === 'or' && isBoolean(operand.left)) parts = [negation(operand.left), operand.right];
  else if (operand.kind === 'or') parts = [negation(operand.right), operand.left];
  else parts = [always, operand];
  const [trigger, answer] = parts;
  if (
    !isBoolean(trigger) ||
    answer.kind !== 'unary' ||
    answer.operator !== 'F' ||
    !isBoolean(answer.operand)
  ) {
    return undefined;
  }
  return { trigger, eventually: answer };
}

function negation(operand: Formula): Formula {
  return { kind: 'not', operand, place: operand.place };
}

/** Violated: no accepting state can be reached, the state itself included; satisfied: no other kind can. */
function verdicts(automaton: LetterAutomaton): number[] {
  const good = canReach(automaton, 1);
  const bad = canReach(automaton, 0);
  return Array.from({ length: automaton.states }, (_, state) =>
    !good[state] ? VIOLATED : !bad[state] ? SATISFIED : OPEN,
  );
}

function canReach({ states, letters, next, accepting }: LetterAutomaton, kind: 0 | 1): Uint8Array {
  const reaches = accepting.map((accepts) => Number(accepts === kind));
  // Breadth-first numbers: most edges go up, so a few downward passes are enough.
  for (let changed = true; changed; ) {
    changed = false;
    for (let state = states - 1; state >= 0; state--) {
      if (reaches[state]) continue;
      for (let letter = 0; letter < letters && !reaches[state]; letter++) {
        if (reaches[next[state * letters + letter]]) changed = Boolean((reaches[state] = 1));
      }
    }
  }
  return reaches;
}
