import { InvalidArgumentError } from '../../base/errors.js';
import {
  compileCondition,
  type Evaluate,
  readExpressionTree,
} from '../../languages/expression/runtime/index.js';
import { misfit } from '../../languages/inputs/index.js';
import type { PolicyDenial } from './policyJudgement.js';
import type { Policy, PolicyInput, PolicyRule, PolicySet } from './policySet.js';

/** A proposed call. */
export interface DecidedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const ARGUMENT = 'action.arguments.';
const STATE = 'state.';

/**
 * Decides calls by policies. Total: every call gets an answer, and a fault is a denial. A decision that permits allocates nothing.
 */
export class PolicyDecider {
  readonly #set: PolicySet;
  readonly #policies: readonly CompiledPolicy[];
  readonly #byTool = new Map<string, readonly CompiledPolicy[]>();
  readonly #readers: readonly InputReader[];
  /** The arguments that inputs name, and what of them. */
  readonly #known: Seen;
  /** The inputs of the call that is decided; one object for all calls. */
  readonly #values: Record<string, unknown> = {};

  /** @throws InvalidArgumentError, ParseError if the set is damaged */
  constructor(set: PolicySet) {
    if (set?.format !== 'foreguard-policies' || set.version !== 1)
      throw new InvalidArgumentError(
        'found no policies of version 1; compile them anew with foreguard policy compile',
      );
    this.#set = set;
    this.#readers = set.inputs.map(inputReader);
    this.#policies = set.policies.map(compilePolicy);
    for (const { policy } of this.#policies)
      for (const tool of policy.tools)
        if (!this.#byTool.has(tool))
          this.#byTool.set(
            tool,
            this.#policies.filter((one) => one.policy.tools.includes(tool)),
          );
    this.#known = seenOf(set.inputs);
    for (const { name } of set.inputs) this.#values[name] = null;
  }

  /**
   * Decides on a call.
   *
   * @returns null if it is permitted; else why not, by the first policy that denies it
   */
  denial(call: DecidedCall, state: Readonly<Record<string, unknown>>): PolicyDenial | null {
    const policies = this.#byTool.get(call.name);
    if (policies === undefined)
      return this.#set.uncoveredTools === 'permit' ? null : { policy: '', denial: { kind: 'uncovered' } };
    const argument = unseen(call.arguments, this.#known);
    if (argument !== null) return { policy: '', denial: { kind: 'extra', argument } };
    for (let i = 0; i < this.#readers.length; i++) {
      const { input, read } = this.#readers[i];
      const value = read(call, state);
      const wrong = misfit(value, input);
      this.#values[input.name] = wrong === null ? (value ?? null) : null;
      if (wrong === null || (wrong === 'absent' && !isReadBy(policies, input.name))) continue;
      return { policy: '', denial: { kind: wrong, input: input.name } };
    }
    for (let i = 0; i < policies.length; i++) {
      const denial = this.#decide(policies[i]);
      if (denial !== null) return denial;
    }
    return null;
  }

  #decide({ policy, requires, permit, forbid }: CompiledPolicy): PolicyDenial | null {
    if (requires !== null && this.#valueOf(requires) !== true)
      return { policy: policy.name, denial: { kind: 'required' } };
    for (let i = 0; i < forbid.length; i++) {
      const found = this.#valueOf(forbid[i]);
      if (found === null)
        return { policy: policy.name, denial: { kind: 'unreadable', rule: policy.forbid[i].name } };
      if (found) return { policy: policy.name, denial: { kind: 'forbidden', rule: policy.forbid[i].name } };
    }
    let unread = -1;
    for (let i = 0; i < permit.length; i++) {
      const found = this.#valueOf(permit[i]);
      if (found === true) return null;
      if (found === null && unread < 0) unread = i;
    }
    if (unread >= 0)
      return { policy: policy.name, denial: { kind: 'unreadable', rule: policy.permit[unread].name } };
    return { policy: policy.name, denial: { kind: 'notPermitted' } };
  }

  #valueOf(evaluate: Evaluate<boolean>): boolean | null {
    try {
      return evaluate(this.#values, NO_CONTEXT);
    } catch {
      return null;
    }
  }
}

const NO_CONTEXT = {};

interface CompiledPolicy {
  readonly policy: Policy;
  readonly requires: Evaluate<boolean> | null;
  readonly permit: readonly Evaluate<boolean>[];
  readonly forbid: readonly Evaluate<boolean>[];
}

interface InputReader {
  readonly input: PolicyInput;
  readonly read: (call: DecidedCall, state: Readonly<Record<string, unknown>>) => unknown;
}

/** An input that no policy of the tool reads may be absent: it is an argument of another tool. */
function isReadBy(policies: readonly CompiledPolicy[], input: string): boolean {
  for (let i = 0; i < policies.length; i++) if (policies[i].policy.reads.includes(input)) return true;
  return false;
}

function compilePolicy(policy: Policy): CompiledPolicy {
  const compile = ({ name, expression, tree }: PolicyRule): Evaluate<boolean> =>
    compileCondition(readExpressionTree(tree, expression, `policy "${policy.name}", ${name}`));
  const requires = policy.requires === null ? null : compile(policy.requires);
  return { policy, requires, permit: policy.permit.map(compile), forbid: policy.forbid.map(compile) };
}

/** @throws InvalidArgumentError for a place that is none */
function inputReader(input: PolicyInput): InputReader {
  const { from } = input;
  if (from === 'action.name') return { input, read: ({ name }) => name };
  if (from.startsWith(ARGUMENT)) {
    const path = from.slice(ARGUMENT.length).split('.');
    return { input, read: (call) => valueAt(call.arguments, path) };
  }
  if (!from.startsWith(STATE))
    throw new InvalidArgumentError(
      `input "${input.name}" is read from "${from}"; expected action.name, action.arguments.NAME or state.FIELD`,
    );
  const path = from.slice(STATE.length).split('.');
  return { input, read: (_, state) => valueAt(state, path) };
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (let i = 0; i < path.length; i++) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, path[i])) return undefined;
    value = (value as Record<string, unknown>)[path[i]];
  }
  return value;
}

/** The fields of arguments that inputs name; null for one that an input reads as a whole. */
type Seen = ReadonlyMap<string, Seen | null>;

function seenOf(inputs: readonly PolicyInput[]): Seen {
  const root = new Map<string, Seen | null>();
  for (const { from } of inputs) {
    if (!from.startsWith(ARGUMENT)) continue;
    const path = from.slice(ARGUMENT.length).split('.');
    let at: Map<string, Seen | null> | null = root;
    for (let i = 0; i < path.length && at !== null; i++) {
      const last = i === path.length - 1;
      if (last || at.get(path[i]) === null) at.set(path[i], null);
      else if (!at.has(path[i])) at.set(path[i], new Map());
      at = at.get(path[i]) as Map<string, Seen | null> | null;
    }
  }
  return root;
}

/** The first argument, or field of one, that no input names; null if there is none. */
function unseen(value: Readonly<Record<string, unknown>>, seen: Seen): string | null {
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    const part = seen.get(name);
    if (part === undefined) return name;
    if (part === null) continue;
    const inner = value[name];
    if (inner === undefined || inner === null) continue;
    // What has no fields is seen by no input that reads one.
    if (typeof inner !== 'object' || Array.isArray(inner)) return name;
    const found = unseen(inner as Readonly<Record<string, unknown>>, part);
    if (found !== null) return `${name}.${found}`;
  }
  return null;
}
