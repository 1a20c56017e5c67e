import { type LearntMdpView, readLearntMdp } from '../../estimation/learning/index.js';
import { parseExpression } from '../../languages/expression/index.js';
import { type AbstractCall, abstractCall } from '../../observations/abstraction/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { loadParts, type PolicySet } from '../../runtime/policy/index.js';
import { Decider } from '../../solvers/decide/index.js';
import type { Mdp } from '../../solvers/model/index.js';
import { all } from './claims.js';
import { StepInputs, type StepPredicate } from './stepInputs.js';

/**
 * The rows of a learnt decision process that policies forbid: those of actions of which every call is denied, whatever its arguments, in every state of the world
 * that has the row's valuation. A row of which a call is or may be permitted is none of them, and neither is doing nothing.
 *
 * @returns rows of the model; none if the specification has no policies
 * @throws InvalidModelError (rejects) if the model is no learnt decision process
 */
export async function forbiddenPairs(specification: Specification, mdp: Mdp): Promise<ReadonlySet<number>> {
  const { policies, abstraction, resample } = specification;
  const view = readLearntMdp(mdp);
  if (policies === null) return new Set();
  // Between two samples the world may have left the state that was read: there a call is only what it is itself.
  const predicates = resample === 'error' ? abstraction.predicates : [];
  const parsed = new Map(
    predicates.map(({ name, expression }): [string, StepPredicate] => [
      stateKey(name),
      { parsed: parseExpression(expression, { name }), of: 'step' },
    ]),
  );
  await loadParts(
    policies.set,
    [...parsed.values()].map((one) => one.parsed),
  );
  const definition = abstraction.actions ?? {};
  const tools = new Map<string, ToolCalls>();
  const forbidden = new Set<number>();
  for (const { row, call, state } of callsIn(view, definition)) {
    let calls = tools.get(call.tool);
    if (calls === undefined) {
      calls = new ToolCalls(policies.set, call.tool, parsed, definition[call.tool] ?? []);
      tools.set(call.tool, calls);
    }
    const bit = (i: number): boolean =>
      ((view.valuations[state * view.words + (i >>> 5)] >>> (i & 31)) & 1) === 1;
    if (
      calls.isForbidden(
        call.values,
        predicates.map((_, i) => bit(i)),
      )
    )
      forbidden.add(row);
  }
  return forbidden;
}

/** The rows of a process that are calls of tools. */
function callsIn(
  { actions, stateOf }: LearntMdpView,
  definition: Parameters<typeof abstractCall>[1],
): { row: number; call: AbstractCall; state: number }[] {
  return actions.flatMap((name, row) => {
    const call = name === null ? null : abstractCall(name, definition);
    return call === null ? [] : [{ row, call, state: stateOf[row] }];
  });
}

const stateKey = (name: string): string => `state ${name}`;
const argumentKey = (name: string): string => `argument ${name}`;

/** The calls of one tool, by the values of predicates. */
class ToolCalls {
  readonly #steps: StepInputs;
  readonly #decider: Decider;
  /** Names of the predicates that say something of calls, in the order of their values. */
  readonly #ofArguments: readonly string[];
  readonly #ofState: readonly string[];
  readonly #known = new Map<string, boolean>();

  constructor(
    set: PolicySet,
    tool: string,
    ofState: ReadonlyMap<string, StepPredicate>,
    ofArguments: readonly { readonly name: string; readonly expression: string }[],
  ) {
    const predicates = new Map([
      ...ofState,
      ...ofArguments.map(({ name, expression }): [string, StepPredicate] => [
        argumentKey(name),
        { parsed: parseExpression(expression, { name }), of: 'arguments' },
      ]),
    ]);
    this.#steps = new StepInputs(set, tool, predicates);
    this.#decider = new Decider(this.#steps.inputs);
    this.#ofState = [...ofState.keys()];
    this.#ofArguments = ofArguments.map(({ name }) => argumentKey(name));
    const claims = [...predicates.keys()].map((name) => this.#steps.claim(name, ['true']));
    this.#decider.foresee(this.#steps.permits, ...claims);
  }

  /** Whether every call is denied whose arguments and state have these values. */
  isForbidden(ofArguments: readonly boolean[], ofState: readonly boolean[]): boolean {
    const literals = [
      ...this.#ofArguments.map((name, i) => [name, ofArguments[i]] as const),
      ...this.#ofState.map((name, i) => [name, ofState[i]] as const),
    ].filter(([name]) => this.#steps.follows(name));
    const key = literals.map(([, value]) => Number(value)).join('');
    let found = this.#known.get(key);
    if (found === undefined) {
      const claims = literals.map(([name, value]) => this.#steps.claim(name, [value ? 'true' : 'false']));
      found = this.#decider.find(all(this.#steps.permits, ...claims)).kind === 'none';
      this.#known.set(key, found);
    }
    return found;
  }
}
