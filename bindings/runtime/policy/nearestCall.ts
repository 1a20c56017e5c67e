import { type Expression, readExpressionTree } from '../../languages/expression/runtime/index.js';
import { enumerated, misfit } from '../../languages/inputs/index.js';
import { type Claim, Decider, substituted } from '../../solvers/decide/index.js';
import { type DecidedCall, PolicyDecider } from './decider.js';
import { ARGUMENT, readInput, STATE } from './inputReader.js';
import { keptElements, nearestNumber } from './nearerValues.js';
import type { Policy, PolicyInput, PolicyRule, PolicySet } from './policySet.js';

type State = Readonly<Record<string, unknown>>;

/** Most sets of inputs to change that are tried for one call. */
const MOST_TRIED = 32;
/** Most inputs and elements of lists that are decided on to bring a value nearer to the denied one: a call is looked for while its agent waits. */
const MOST_DECIDED = 10_000;
/** Longest call that is suggested, and that one is looked for, in characters of its JSON: long values make long searches. */
const LONGEST = 2000;
/** Most steps of the decider for one call: some hundredths of a second, as a rule. */
const STEPS = 200_000;

/**
 * Finds permitted calls that are near denied ones: of the same tool, with as few other inputs as possible. Each is decided by the policies before it is returned.
 *
 * It tells no more of the state than the policies' answer to that one call: what the state has is looked at only where an input has few values.
 */
export class NearestCalls {
  readonly #set: PolicySet;
  readonly #decider: PolicyDecider;

  /** @throws as `PolicyDecider` */
  constructor(set: PolicySet) {
    this.#set = set;
    this.#decider = new PolicyDecider(set);
  }

  /** The nearest permitted call; null if none is found within the steps of the decider and a bounded number of tries. */
  of(call: DecidedCall, state: State): DecidedCall | null {
    const policies = this.#set.policies.filter(({ tools }) => tools.includes(call.name));
    if (policies.length === 0) return null;
    // Of another call another answer would be given, which nobody has asked for.
    const isExtracted = ({ name, extract }: PolicyInput): boolean =>
      extract !== undefined && policies.some(({ reads }) => reads.includes(name));
    if (this.#set.inputs.some(isExtracted)) return null;
    const inputs = this.#set.inputs.map((input) => {
      const value = readInput(input, call, state) ?? null;
      return {
        input,
        value,
        wrong: misfit(value, input),
        isRead: policies.some(({ reads }) => reads.includes(input.name)),
      };
    });
    const changeable = inputs.filter(({ input, isRead }) => isRead && input.from.startsWith(ARGUMENT));
    const must = changeable.filter(({ wrong }) => wrong !== null);
    const may = changeable.filter(({ wrong }) => wrong === null);
    // The state is as it is, and so is the name of the tool.
    if (
      inputs.some(({ input, wrong, isRead }) => isRead && wrong !== null && !input.from.startsWith(ARGUMENT))
    )
      return null;
    const given = inputs.filter(({ input }) => input.from.startsWith(ARGUMENT));
    if (JSON.stringify(given.map(({ value }) => value)).length > LONGEST) return null;
    const kept = given.filter(({ wrong }) => wrong === null);
    const isHidden = (input: PolicyInput): boolean =>
      input.from.startsWith(STATE) && enumerated(input) === undefined;
    const maySearch = !inputs.some(({ input, isRead }) => isRead && isHidden(input));
    const types = Object.fromEntries(this.#set.inputs.map((input) => [input.name, input]));
    const decider = new Decider(types, { steps: STEPS, together: true });
    let tried = 0;
    for (const changed of subsets(may, must)) {
      if (++tried > MOST_TRIED) return null;
      const fixed = inputs.filter((one) => one.isRead && !changed.includes(one) && !isHidden(one.input));
      const found = changed.length === 0 ? {} : this.#values(policies, fixed, decider);
      if (found === null) continue;
      const known = Object.fromEntries(kept.map(({ input, value }) => [input.name, value]));
      const values = {
        ...known,
        ...Object.fromEntries(changed.map(({ input }) => [input.name, found[input.name]])),
      };
      const near = this.#callOf(call.name, values);
      if (this.#decider.denial(near, state) !== null) continue;
      let decided = 0;
      const permits = (name: string, value: unknown): boolean => {
        const other = { ...values, [name]: value };
        decided += sizeOf(other);
        return (
          decided <= MOST_DECIDED && this.#decider.denial(this.#callOf(call.name, other), state) === null
        );
      };
      if (maySearch)
        for (const { input, value } of changed)
          values[input.name] = nearer(input, value, values[input.name], (one) => permits(input.name, one));
      const nearest = this.#callOf(call.name, values);
      return JSON.stringify(nearest).length > LONGEST ? null : nearest;
    }
    return null;
  }

  /** Values of all inputs, of which the fixed ones are as given, such that all policies permit; null if none are found. */
  #values(
    policies: readonly Policy[],
    fixed: readonly Given[],
    decider: Decider,
  ): Readonly<Record<string, unknown>> | null {
    const given = (expression: Expression): Expression =>
      fixed.reduce((one, { input, value }) => substituted(one, input.name, value as never), expression);
    const is =
      (value: 'true' | 'false') =>
      (rule: PolicyRule): Claim => ({
        kind: 'is',
        values: [value],
        of: given(readExpressionTree(rule.tree, rule.expression, rule.name)),
      });
    const permits = ({ requires, permit, forbid }: Policy): Claim => ({
      kind: 'and',
      of: [
        ...(requires === null ? [] : [is('true')(requires)]),
        { kind: 'or', of: permit.map(is('true')) },
        ...forbid.map(is('false')),
      ],
    });
    const answer = decider.find({ kind: 'and', of: policies.map(permits) });
    return answer.kind === 'some' ? answer.input : null;
  }

  #callOf(name: string, values: Readonly<Record<string, unknown>>): DecidedCall {
    const args: Record<string, unknown> = {};
    for (const { name: input, from } of this.#set.inputs)
      if (from.startsWith(ARGUMENT) && values[input] != null)
        put(args, from.slice(ARGUMENT.length).split('.'), values[input]);
    return { name, arguments: args };
  }
}

/** Puts a value at a place inside of arguments. If another value is in the way, the arguments stay as they are, and the policies decide on them. */
function put(args: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = args;
  for (const field of path.slice(0, -1)) {
    if (!Object.hasOwn(at, field)) Object.defineProperty(at, field, { ...OWN, value: {} });
    const inner = at[field];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return;
    at = inner as Record<string, unknown>;
  }
  Object.defineProperty(at, path[path.length - 1], { ...OWN, value });
}

/** A field may have any name, `__proto__` included. */
const OWN = { enumerable: true, writable: true, configurable: true };

interface Given {
  readonly input: PolicyInput;
  readonly value: unknown;
}

/** Sets of inputs to change, all of which have what must be changed, the smallest first. */
function* subsets<T>(may: readonly T[], must: readonly T[]): Generator<readonly T[]> {
  const chosen = function* (from: number, count: number): Generator<readonly T[]> {
    if (count === 0) yield [];
    else
      for (let i = from; i + count <= may.length; i++)
        for (const rest of chosen(i + 1, count - 1)) yield [may[i], ...rest];
  };
  for (let count = 0; count <= may.length; count++)
    for (const more of chosen(0, count)) yield [...must, ...more];
}

/** How much there is to decide on in values: inputs, and elements of their lists. */
function sizeOf(values: Readonly<Record<string, unknown>>): number {
  return Object.values(values).reduce<number>(
    (sum, one) => sum + 1 + (Array.isArray(one) ? one.length : 0),
    0,
  );
}

/** A permitted value that is nearer to the one that was denied, if there is one. */
function nearer(
  { type }: PolicyInput,
  denied: unknown,
  permitted: unknown,
  permits: (value: unknown) => boolean,
): unknown {
  if (type.kind === 'list' && Array.isArray(denied)) return keptElements(denied, permits) ?? permitted;
  if (
    (type.kind === 'integer' || type.kind === 'number') &&
    typeof denied === 'number' &&
    typeof permitted === 'number'
  )
    return nearestNumber(denied, permitted, permits);
  return permitted;
}
