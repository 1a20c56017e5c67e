import { type Automaton, VIOLATED } from '../../languages/automaton/index.js';
import {
  children,
  type Expression,
  type ExpressionNode,
  freePaths,
} from '../../languages/expression/index.js';
import { MOST_TEXT } from '../../languages/inputs/index.js';
import { toolsNamed } from '../../observations/abstraction/index.js';
import type { PolicyInput, PolicySet } from '../../runtime/policy/index.js';
import { type Answer, Decider } from '../../solvers/decide/index.js';
import { type Claim, Rechecker } from '../../solvers/recheck/index.js';
import { all, any, conditionOf, isTrue } from './claims.js';
import { compared, StepInputs, type StepPredicate } from './stepInputs.js';

const CALLS = 'state.calls.';
const LAST = 'state.lastTool';
/** Largest constant with which a count is told apart from larger ones. */
const MOST_COUNTED = 1000;
/** Parts of a diagram that a claim may have. */
const MOST_PARTS = 20_000;

/** How often a tool was called, as `state.calls` has it. */
export interface Counter {
  readonly tool: string;
  /** Counts from here on are not told apart. */
  readonly most: number;
}

/** What a session knows of its calls so far. */
export interface Past {
  /** How often each counter's tool was called. */
  readonly counts: readonly number[];
  /** The tool that was called last, empty before; null if nobody asks, or its name is not known. */
  readonly last: string | null;
}

/** A kind of step: calls of one tool (null: of one that nothing names), or a step without a call. */
export type StepKind = { readonly call: string | null } | 'idle';

/** The steps that policies let through, as questions about one of them: whether it can lead an automaton from a state to another, after so many calls. */
export class CallSteps {
  readonly counters: readonly Counter[];
  readonly kinds: readonly StepKind[];
  /** Predicates that read what no input has, so that they may have any value. */
  readonly free: readonly string[];
  /** Whether anything reads which tool was called last. */
  readonly readsLast: boolean;
  readonly #automaton: Automaton;
  /** The inputs of each counter, and those that are the tool called last. */
  readonly #counted: readonly (readonly string[])[];
  readonly #last: readonly string[];
  readonly #predicates: ReadonlyMap<string, StepPredicate>;
  readonly #by = new Map<StepKind, { steps: StepInputs; decider: Decider; rechecker: Rechecker }>();
  readonly #rechecks: boolean;

  /**
   * @param predicates those of the automaton, as they are written
   * @param options `idle`: whether there are steps without a call; `steps`, `recheck`: as of `verifyPolicies`
   */
  constructor(
    set: PolicySet,
    automaton: Automaton,
    predicates: ReadonlyMap<string, Expression>,
    options: { readonly idle: boolean; readonly steps: number; readonly recheck: boolean },
  ) {
    this.#automaton = automaton;
    this.#rechecks = options.recheck;
    this.#predicates = new Map(
      [...predicates].map(([name, parsed]) => [name, { parsed, of: 'step' as const }]),
    );
    this.counters = countersOf(set, [...predicates.values()]);
    const own = this.counters.map(
      ({ tool }, i): PolicyInput => ({
        name: freshName(set, `calls${i}`),
        from: `${CALLS}${tool}`,
        type: { kind: 'integer', least: 0, most: Number.MAX_SAFE_INTEGER },
      }),
    );
    const reading = (from: string): string[] =>
      [...set.inputs, ...own].filter((input) => input.from === from).map(({ name }) => name);
    this.#counted = this.counters.map(({ tool }) => reading(`${CALLS}${tool}`));
    this.readsLast =
      reading(LAST).length > 0 ||
      [...predicates.values()].some((parsed) => pathsOf(parsed).includes('lastTool'));
    if (this.readsLast)
      own.push({ name: freshName(set, 'last'), from: LAST, type: { kind: 'text', most: MOST_TEXT } });
    this.#last = reading(LAST);
    const tools = new Set([
      ...set.policies.flatMap((policy) => policy.tools),
      ...this.counters.map(({ tool }) => tool),
      ...[...predicates.values()].flatMap((parsed) => toolsNamed(parsed).map(({ name }) => name)),
    ]);
    const isOpen = set.uncoveredTools === 'permit';
    const calls = [...tools, ...(isOpen ? [null] : [])].map((call) => ({ call }));
    this.kinds = [...calls, ...(options.idle ? (['idle'] as const) : [])];
    for (const kind of this.kinds) {
      const steps = new StepInputs(set, kind === 'idle' ? null : kind.call, this.#predicates, own);
      const decider = new Decider(steps.inputs, { steps: options.steps });
      const claims = automaton.predicates.map((name) => steps.claim(name, ['true']));
      decider.foresee(steps.permits, ...claims);
      this.#by.set(kind, { steps, decider, rechecker: new Rechecker(steps.inputs) });
    }
    const first = [...this.#by.values()].map(({ steps }) => steps);
    this.free = automaton.predicates.filter((name) => first.every((steps) => !steps.follows(name)));
  }

  /** The states to which a step may lead from one. */
  targets(q: number): readonly number[] {
    const { roots, nodes } = this.#automaton;
    const seen = new Set<number>();
    const visit = (reference: number): void => {
      if (seen.has(reference)) return;
      seen.add(reference);
      if (reference < 0) return;
      visit(nodes[3 * reference + 1]);
      visit(nodes[3 * reference + 2]);
    };
    visit(roots[q]);
    return [...seen].filter((reference) => reference < 0).map((reference) => -1 - reference);
  }

  /**
   * Whether a step of this kind can lead from q to `target`.
   *
   * @param past what came before the step; counts that are `most` may be more, unless `isExact`
   * @param options `isExact`: predicates have values, and counts are as given: for an example. Else a predicate may also have no value, and stand for both: for a
   * proof. `isPermitted`: whether policies decide
   */
  find(
    kind: StepKind,
    q: number,
    target: number,
    past: Past,
    options: { readonly isExact: boolean; readonly isPermitted: boolean },
  ): Answer {
    const { steps, decider, rechecker } = this.#by.get(kind)!;
    const parts = { left: MOST_PARTS };
    const way = this.#toward(steps, kind, this.#automaton.roots[q], target, options.isExact, parts);
    if (parts.left <= 0) return { kind: 'unknown', reason: 'the formula has too many cases' };
    const known = (names: readonly string[]): string[] =>
      names.filter((name) => Object.hasOwn(steps.inputs, name));
    const counted = this.#counted.flatMap((names, i) => {
      const isThis = past.counts[i] < this.counters[i].most || options.isExact;
      return known(names).map((name) => isTrue(compared(name, isThis ? '==' : '>=', past.counts[i])));
    });
    const { last } = past;
    const called = last === null ? [] : known(this.#last).map((name) => isTrue(compared(name, '==', last)));
    const decides = kind === 'idle' || !options.isPermitted ? [] : [steps.permits];
    const claim = all(...decides, ...counted, ...called, way);
    const answer = decider.find(claim);
    if (answer.kind !== 'none' || !this.#rechecks || options.isExact) return answer;
    const wrong = rechecker.check(claim, decider.certificate(claim));
    return wrong === null ? answer : { kind: 'unknown', reason: `the checker does not confirm it: ${wrong}` };
  }

  /** That a step has a valuation that leads from a node of the diagram to a state. */
  #toward(
    steps: StepInputs,
    kind: StepKind,
    reference: number,
    target: number,
    isExact: boolean,
    parts: { left: number },
  ): Claim {
    if (reference < 0) return -1 - reference === target ? all() : any();
    if (parts.left-- <= 0) return all();
    const { nodes, predicates } = this.#automaton;
    const name = predicates[nodes[3 * reference]];
    const [no, yes] = [1, 2].map((at) =>
      this.#toward(steps, kind, nodes[3 * reference + at], target, isExact, parts),
    );
    const literal = (value: 'true' | 'false'): Claim => {
      // Without a call such a predicate has no value, and the step is none that a rule reads.
      if (kind === 'idle' && needsAction(this.#predicates.get(name)!.parsed.root)) return any();
      return steps.claim(name, isExact || kind === 'idle' ? [value] : [value, 'none'], isExact);
    };
    const ways = [
      ...(isNever(no) ? [] : [all(literal('false'), no)]),
      ...(isNever(yes) ? [] : [all(literal('true'), yes)]),
    ];
    return any(...ways);
  }
}

/** Whether a state of the automaton breaks what it says: for good, or, if a run may not end there, at the end. */
export function isBroken({ verdict, accepting }: Automaton, q: number, judgesEnd: boolean): boolean {
  return verdict[q] === VIOLATED || (judgesEnd && accepting[q] !== 1);
}

const isNever = (claim: Claim): boolean => claim.kind === 'or' && claim.of.length === 0;

function freshName({ inputs }: PolicySet, wanted: string): string {
  let name = wanted;
  while (inputs.some((input) => input.name === name)) name += '_';
  return name;
}

const pathsOf = (parsed: Expression): string[] => freePaths(parsed).map(({ path }) => path);

/** The counts that policies or predicates read. */
function countersOf({ inputs, policies }: PolicySet, predicates: readonly Expression[]): Counter[] {
  const conditions = policies.flatMap(({ permit, forbid, requires }) =>
    [...permit, ...forbid, ...(requires === null ? [] : [requires])].map(conditionOf),
  );
  const counted = inputs.filter(({ from }) => from.startsWith(CALLS));
  const read = predicates.flatMap((parsed) =>
    freePaths(parsed).flatMap(({ path }) => (path.startsWith('calls.') ? [path.slice(6)] : [])),
  );
  const tools = new Set([...counted.map(({ from }) => from.slice(CALLS.length)), ...read]);
  return [...tools]
    .filter((tool) => !tool.includes('.'))
    .map((tool) => {
      const own = counted.filter(({ from }) => from === `${CALLS}${tool}`).map(({ name }) => name);
      const reads = (parsed: Expression, paths: readonly string[]): boolean =>
        freePaths(parsed).some(({ path }) => paths.includes(path));
      const bounds = [
        ...conditions.filter((parsed) => reads(parsed, own)),
        ...predicates.filter((parsed) => reads(parsed, [`calls.${tool}`])),
      ].map(({ root }) => largest(root));
      return { tool, most: Math.min(MOST_COUNTED, 1 + Math.max(0, ...bounds)) };
    });
}

/** The largest number in an expression, rounded up. */
function largest(node: ExpressionNode): number {
  const own = node.kind === 'literal' && typeof node.value === 'number' ? Math.ceil(node.value) : 0;
  return children(node).reduce((most, child) => Math.max(most, largest(child)), own);
}

/** Whether an expression has no value where a step has no action. */
function needsAction(node: ExpressionNode): boolean {
  switch (node.kind) {
    case 'name':
      return node.name === 'action';
    case 'literal':
      return false;
    case 'logical':
      return node.operands.every(needsAction);
    case 'conditional':
      return needsAction(node.condition) || (needsAction(node.whenTrue) && needsAction(node.whenFalse));
    case 'macro':
      return needsAction(node.list);
    case 'list':
    case 'map':
      return false;
    default:
      return children(node).some(needsAction);
  }
}
