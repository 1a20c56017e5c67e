import { NotSupportedError } from '../../base/errors.js';
import {
  Combination,
  DecisionDiagram,
  FALSE_LEAF,
  leaf,
  Substitution,
  TRUE_LEAF,
} from './decisionDiagram.js';
import { FALSE_TERM, type NormalForms, type Term, TRUE_TERM } from './normalForm.js';
import type { Transitions } from './transitions.js';

/** `G (p -> F[0,k] q)` over Boolean p and q: the condition !p, the condition q, and k. */
interface Response {
  readonly idle: number;
  readonly answer: number;
  readonly deadline: number;
}

/** The effect of a step on the responses: `BROKEN` if an invariant fails, else 1 + the set of responses not answered. */
const BROKEN = 0;

/**
 * Builds the smallest automaton of the bounded responses and invariants (`G p` over a Boolean p) among the parts of a conjunction, and
 * returns it with the other parts. Null if there is no response, or if this automaton might not be the smallest.
 *
 * A state holds the number of positions that each response has left, 0 if none is due. Only the oldest open obligation is kept, because it
 * has the earliest deadline and one answer meets them all. The automaton is minimal if the guards allow two things, which are checked
 * below. First, all responses can be answered at once, which meets all obligations. Second, each response can be left unanswered
 * indefinitely while all others are answered and no invariant fails: two states that differ in a response then differ in the time until it
 * is violated (if nothing is due: after its whole deadline, or never).
 *
 * Progression finds the same automaton; this shortcut pays for deadlines of thousands of steps, which rules of the road have.
 *
 * @throws NotSupportedError if a response whose window opens late has too many states
 */
export function responseAutomaton(
  forms: NormalForms,
  parts: readonly Term[],
): { readonly automaton: Transitions; readonly others: readonly Term[] } | null {
  const responses: Response[] = [];
  const others: Term[] = [];
  const { diagram } = forms;
  const and = new Combination(diagram, (a, b) => a & b);
  let invariant = leaf(TRUE_LEAF);
  for (const part of parts) {
    const always = forms.node(part);
    const inner =
      always.kind === 'release' && always.left === FALSE_TERM && always.from === 0 && always.to === null
        ? always.right
        : null;
    const response = inner === null ? null : responseOf(forms, inner);
    const guard = inner === null ? null : forms.node(inner);
    if (response !== null) responses.push(response);
    else if (guard?.kind === 'guard') invariant = and.of(invariant, guard.root);
    else others.push(part);
  }
  const tuples = responses.reduce((product, { deadline }) => product * (deadline + 1), 1);
  if (responses.length === 0 || tuples > forms.effort.maxStates) return null;
  /** The valuations in which no invariant fails and every response, except perhaps `exception`, is answered. */
  const answered = (exception: number): number =>
    responses.reduce((all, { answer }, i) => (i === exception ? all : and.of(all, answer)), invariant);
  const isSmallest =
    answered(-1) !== leaf(FALSE_LEAF) &&
    responses.every(({ answer }, i) => and.of(answered(i), diagram.not(answer)) !== leaf(FALSE_LEAF));
  return isSmallest
    ? { automaton: together(effectsOf(diagram, responses, invariant), diagram, responses), others }
    : null;
}

/** The response that a term states at every position; null if it states none. */
function responseOf(forms: NormalForms, term: Term): Response | null {
  const response = forms.node(term);
  if (response.kind !== 'or' || response.operands.length !== 2) return null;
  const [idle, eventually] = response.operands.map((part) => forms.node(part));
  if (idle.kind !== 'guard' || eventually.kind !== 'until') return null;
  const answer = forms.node(eventually.right);
  const { left, from, to } = eventually;
  if (left !== TRUE_TERM || to === null || answer.kind !== 'guard') return null;
  if (from === 0) return { idle: idle.root, answer: answer.root, deadline: to };
  refuseLate(forms, idle.root, answer.root, from);
  return null;
}

function together(
  effects: (due: number) => number,
  source: DecisionDiagram,
  responses: readonly Response[],
): Transitions {
  /** The remaining deadlines are the digits of one number; the number after the largest such number stands for a violation. */
  const weights: number[] = [];
  const violation = responses.reduce((weight, { deadline }) => {
    weights.push(weight);
    return weight * (deadline + 1);
  }, 1);
  const stateOf = new Int32Array(violation + 1).fill(-1);
  /** The tuple of each state; states are numbered in the order in which they are reached, as in every minimised automaton. */
  const tupleOf = new Int32Array(violation + 1);
  let states = 1;
  stateOf[0] = 0;
  const left = new Int32Array(responses.length);
  const tupleAfter = (effect: number): number => {
    if (effect === BROKEN) return violation;
    let tuple = 0;
    for (let i = 0; i < left.length; i++) {
      if ((((effect - 1) >>> i) & 1) === 0) continue;
      const rest = left[i] === 0 ? responses[i].deadline : left[i] - 1;
      if (rest === 0) return violation;
      tuple += rest * weights[i];
    }
    return tuple;
  };
  const diagram = new DecisionDiagram();
  const successors = new Substitution(source, diagram, (effect) => {
    const tuple = tupleAfter(effect);
    if (stateOf[tuple] < 0) {
      tupleOf[states] = tuple;
      stateOf[tuple] = states++;
    }
    return stateOf[tuple];
  });
  const roots: number[] = [];
  for (let state = 0; state < states; state++) {
    if (tupleOf[state] === violation) {
      roots.push(leaf(state));
      continue;
    }
    let due = 0;
    let rest = tupleOf[state];
    for (let i = 0; i < left.length; i++) {
      const base = responses[i].deadline + 1;
      left[i] = rest % base;
      rest = (rest - left[i]) / base;
      if (left[i] > 0) due |= 1 << i;
    }
    successors.forget();
    roots.push(successors.of(effects(due)));
  }
  return {
    diagram,
    roots,
    accepting: Uint8Array.from({ length: states }, (_, state) => Number(state === 0)),
  };
}

/** The effect of a step, as a function of its valuation, when the given set of responses is due. */
function effectsOf(
  diagram: DecisionDiagram,
  responses: readonly Response[],
  invariant: number,
): (due: number) => number {
  const unless = new Combination(diagram, (a, b) => a | b);
  const known: (number | undefined)[] = [];
  const compute = (due: number): number => {
    const start = new Substitution(diagram, diagram, (holds) => (holds === TRUE_LEAF ? 1 : BROKEN)).of(
      invariant,
    );
    return responses.reduce((all, { idle, answer }, i) => {
      const quiet = (due >>> i) & 1 ? answer : unless.of(idle, answer);
      const withUnanswered = (effect: number, settled: number): number =>
        effect === BROKEN || settled === TRUE_LEAF ? effect : effect + (1 << i);
      return new Combination(diagram, withUnanswered).of(all, quiet);
    }, start);
  };
  return (due) => (known[due] ??= compute(due));
}

/**
 * `G (p -> F[a,b] q)` needs 2^a states: any set of the last a steps may have been triggers. Two such sets are distinguished by a
 * continuation with q at all times except a..b after a trigger that only one set has, if that is possible without new triggers.
 *
 * @throws NotSupportedError if these states alone exceed the limit, before any are built
 */
function refuseLate({ diagram, effort }: NormalForms, idle: number, answer: number, late: number): void {
  if (2 ** late <= effort.maxStates || idle === leaf(TRUE_LEAF)) return;
  const quietly = (connect: (a: number, b: number) => number): boolean =>
    new Combination(diagram, connect).of(idle, answer) !== leaf(FALSE_LEAF);
  if (!quietly((a, b) => a & b) || !quietly((a, b) => a & (1 - b))) return;
  throw new NotSupportedError(
    `the rule's automaton has more than 2^${late} states, for its window begins ${late} steps after what asks for it, and each of them may have asked: ` +
      `at most ${effort.maxStates} are made; let the window begin earlier, or sample less often`,
  );
}
