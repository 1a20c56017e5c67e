import type { ExpressionTree } from '../../languages/expression/runtime/index.js';
import type { Input } from '../../languages/inputs/index.js';

/** An input of policies, and where a call or the state has it. */
export interface PolicyInput extends Input {
  readonly name: string;
  /** `action.name`, `action.arguments.NAME`, a dotted path of the state that begins with `state.`, or `action.detected.NAME` of what is extracted. */
  readonly from: string;
  /** Whether what it says may be chosen by anybody, as what a model extracts from a page. Decisions are the same; `verifyPolicies` says where they depend on it. */
  readonly untrusted?: boolean;
  /** The question about the call that a language model answers with the value, before the call is decided. Such an input is untrusted. */
  readonly extract?: string;
}

/** A condition of a policy: as text for messages, and as the tree that decides. */
export interface PolicyRule {
  readonly name: string;
  readonly expression: string;
  readonly tree: ExpressionTree;
  /** What the agent is told where it denies, in place of the condition. */
  readonly reason?: string;
}

/**
 * A policy permits a call if one of `permit` is true of its inputs and each of `forbid` is false. All else is denied: by default, and where a condition has no
 * value.
 */
export interface Policy {
  readonly name: string;
  /** The tools whose calls it decides. A call that several policies decide must be permitted by each. */
  readonly tools: readonly string[];
  /** What is taken for granted of the inputs: a call of which it is not true is denied. Null: nothing. */
  readonly requires: PolicyRule | null;
  readonly permit: readonly PolicyRule[];
  readonly forbid: readonly PolicyRule[];
  /** The inputs that its conditions and properties read: a call must have them. */
  readonly reads: readonly string[];
  /** What becomes of a call that is denied. */
  readonly onDeny: OnDeny;
}

/** How a call is denied. */
export interface DenialStrategy {
  readonly kind: 'stop' | 'block' | 'inspect' | 'reflect';
}

/** What becomes of a call that a policy denies. */
export interface OnDeny {
  readonly strategy: DenialStrategy;
  /** What is withheld: the call, or all calls of its turn. */
  readonly scope: 'call' | 'turn';
  /** If the strategy is `reflect`: what it becomes once the agent has been asked to reflect as often as the session allows. */
  readonly escalate: readonly DenialStrategy[];
  /** Whether the agent is told the nearest permitted call. Absent: no. */
  readonly suggest?: true;
}

/** Policies over one list of inputs, as data: what is proved is what runs. */
export interface PolicySet {
  readonly format: 'foreguard-policies';
  readonly version: 1;
  readonly inputs: readonly PolicyInput[];
  readonly policies: readonly Policy[];
  /** Whether calls of tools that no policy decides are denied. */
  readonly uncoveredTools: 'deny' | 'permit';
}
