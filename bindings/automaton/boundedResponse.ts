import { NotSupportedError } from '../errors.js';
import { Combination, type DecisionDiagram, FALSE, leaf, Substitution, TRUE } from './decisionDiagram.js';
import { FALSE_TERM, type NormalForms, type Term, TRUE_TERM } from './normalForm.js';
import { MAX_STATES, type Transitions } from './transitions.js';

const VIOLATED = 1;

/**
 * The automaton of `G (p -> F[0,k] q)` over Boolean p and q, in one go: idle (state 0), violated (1), and wait(r) with r further
 * positions left in which q may come (state r + 1). The oldest open obligation has the earliest deadline and one q meets them
 * all, so it alone is kept. Null for any other term.
 *
 * Progression finds the same automaton; deadlines of thousands of steps, which rules of the road have, make this worth having.
 */
export function responseAutomaton(forms: NormalForms, term: Term): Transitions | null {
  const { diagram } = forms;
  const always = forms.node(term);
  if (always.kind !== 'release' || always.left !== FALSE_TERM || always.from !== 0 || always.to !== null)
    return null;
  const response = forms.node(always.right);
  if (response.kind !== 'or' || response.operands.length !== 2) return null;
  const [idle, eventually] = response.operands.map((part) => forms.node(part));
  if (idle.kind !== 'guard' || eventually.kind !== 'until') return null;
  const answer = forms.node(eventually.right);
  const { left, from, to } = eventually;
  if (left !== TRUE_TERM || to === null || answer.kind !== 'guard') return null;
  if (from > 0) {
    refuseLate(diagram, idle.root, answer.root, from);
    return null;
  }
  let [whenAnswered, whenNot] = [0, 0];
  const answered = new Substitution(diagram, diagram, (value) => (value === TRUE ? whenAnswered : whenNot));
  const ifAnswered = (then: number, otherwise: number): number => {
    [whenAnswered, whenNot] = [then, otherwise];
    answered.forget();
    return answered.of(answer.root);
  };
  const waits = Array.from({ length: to }, (_, i) => ifAnswered(0, i === 0 ? VIOLATED : i + 1));
  const triggered = ifAnswered(0, to === 0 ? VIOLATED : to + 1);
  const whenIdle = new Combination(diagram, (untriggered, otherwise) =>
    untriggered === TRUE ? 0 : otherwise,
  );
  return {
    diagram,
    roots: [whenIdle.of(idle.root, triggered), leaf(VIOLATED), ...waits],
    accepting: Uint8Array.from({ length: to + 2 }, (_, state) => Number(state === 0)),
  };
}

/**
 * `G (p -> F[a,b] q)` needs 2^a states: any set of the last a steps may have been the triggers, and of two such sets one is broken
 * by q at all times but those within a..b of a trigger that only it has, where that can be said without triggering anew.
 *
 * @throws NotSupportedError where that alone is more than `MAX_STATES`, before so many are made
 */
function refuseLate(diagram: DecisionDiagram, idle: number, answer: number, late: number): void {
  if (2 ** late <= MAX_STATES || idle === leaf(TRUE)) return;
  const quietly = (connect: (a: number, b: number) => number): boolean =>
    new Combination(diagram, connect).of(idle, answer) !== leaf(FALSE);
  if (!quietly((a, b) => a & b) || !quietly((a, b) => a & (1 - b))) return;
  throw new NotSupportedError(
    `the rule's automaton has more than 2^${late} states, for its window begins ${late} steps after what asks for it, and each of them may have asked: ` +
      `at most ${MAX_STATES} are made; let the window begin earlier, or sample less often`,
  );
}
