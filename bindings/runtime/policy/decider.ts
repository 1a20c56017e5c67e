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
  /** The arguments that calls of a tool may have, by tool. */
  readonly #known = new Map<string, ReadonlySet<string>>();
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
    for (const tool of new Set(set.policies.flatMap(({ tools }) => tools))) {
      const own = this.#policies.filter(({ policy }) => policy.tools.includes(tool));
      this.#byTool.set(tool, own);
      this.#known.set(tool, this.#argumentsOf(own));
    }
    for (const { name } of set.inputs) this.#values[name] = null;
  }

  /**
   * Decides on a call.
   *
   * @returns null if it is permitted; else why not, by the first policy that denies it
   */
  denial(call: DecidedCall, state: Readonly<Record<string, unknown>>): PolicyDenial | null {
    return this.denials(call, state)[0] ?? null;
  }

  /**
   * Decides on a call.
   *
   * @returns all that is against it: nothing if it is permitted; what denies it before any policy, alone; else what each policy has against it, in their order
   */
  denials(call: DecidedCall, state: Readonly<Record<string, unknown>>): readonly PolicyDenial[] {
    const policies = this.#byTool.get(call.name);
    if (policies === undefined)
      return this.#set.uncoveredTools === 'permit' ? NONE : [{ policy: '', denial: { kind: 'uncovered' } }];
    const known = this.#known.get(call.name) as ReadonlySet<string>;
    for (const argument in call.arguments)
      if (Object.hasOwn(call.arguments, argument) && !known.has(argument))
        return [{ policy: '', denial: { kind: 'extra', argument } }];
    for (let i = 0; i < this.#readers.length; i++) {
      const { input, read } = this.#readers[i];
      const value = read(call, state);
      const wrong = misfit(value, input);
      this.#values[input.name] = wrong === null ? (value ?? null) : null;
      if (wrong === null || (wrong === 'absent' && !isReadBy(policies, input.name))) continue;
      return [{ policy: '', denial: { kind: wrong, input: input.name } }];
    }
    let found = NONE;
    for (let i = 0; i < policies.length; i++) found = this.#decide(policies[i], found);
    return found;
  }

  /** The arguments that policies of a tool read, and those that no policy reads at all. What only policies of other tools read, these do not see. */
  #argumentsOf(own: readonly CompiledPolicy[]): ReadonlySet<string> {
    const read = this.#set.inputs.filter(
      ({ name }) => isReadBy(own, name) || !isReadBy(this.#policies, name),
    );
    return new Set(
      read.flatMap(({ from }) => (from.startsWith(ARGUMENT) ? [from.slice(ARGUMENT.length)] : [])),
    );
  }

  /** @param before what others have against the call. @returns the same with what this policy has against it */
  #decide(
    { policy, requires, permit, forbid }: CompiledPolicy,
    before: readonly PolicyDenial[],
  ): readonly PolicyDenial[] {
    if (requires !== null && this.#valueOf(requires) !== true)
      return denied(before, policy, { kind: 'required' });
    let found = before;
    for (let i = 0; i < forbid.length; i++) {
      const holds = this.#valueOf(forbid[i]);
      const rule = policy.forbid[i].name;
      if (holds !== false)
        found = denied(found, policy, { kind: holds === null ? 'unreadable' : 'forbidden', rule });
    }
    let unread = -1;
    for (let i = 0; i < permit.length; i++) {
      const holds = this.#valueOf(permit[i]);
      if (holds === true) return found;
      if (holds === null && unread < 0) unread = i;
    }
    return unread < 0
      ? denied(found, policy, { kind: 'notPermitted' })
      : denied(found, policy, { kind: 'unreadable', rule: policy.permit[unread].name });
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
const NONE: readonly PolicyDenial[] = Object.freeze([]);

function denied(
  before: readonly PolicyDenial[],
  { name }: Policy,
  denial: PolicyDenial['denial'],
): readonly PolicyDenial[] {
  return [...before, { policy: name, denial }];
}

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
    const argument = from.slice(ARGUMENT.length);
    return {
      input,
      read: (call) => (Object.hasOwn(call.arguments, argument) ? call.arguments[argument] : undefined),
    };
  }
  if (!from.startsWith(STATE))
    throw new InvalidArgumentError(
      `input "${input.name}" is read from "${from}"; expected action.name, action.arguments.NAME or state.FIELD`,
    );
  const path = from.slice(STATE.length).split('.');
  return {
    input,
    read: (_, state) => {
      let value: unknown = state;
      for (let i = 0; i < path.length; i++) {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, path[i])) return undefined;
        value = (value as Record<string, unknown>)[path[i]];
      }
      return value;
    },
  };
}
