import type { Expression } from '../../languages/expression/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { PolicySet } from '../../runtime/policy/index.js';

/** Something that a policy must ensure: an expression over its inputs and `permitted`. */
export interface PolicyProperty {
  readonly name: string;
  readonly policy: string;
  readonly expression: string;
  readonly parsed: Expression;
  readonly line: number;
}

/** An input of a policy and what it must decide of it. */
export interface PolicyExample {
  readonly policy: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expect: 'permit' | 'deny';
  readonly line: number;
}

/** Something that all policies together must ensure of a session: a formula over its calls, in their order. */
export interface SessionProperty {
  readonly name: string;
  /** Over named predicates; comparisons have become predicates. */
  readonly formula: Formula;
  /** The formula as written. */
  readonly formulaText: string;
  /** The predicates that it reads. */
  readonly predicates: readonly PredicateDefinition[];
  readonly line: number;
}

/** Policies as they are written, with what they must ensure. */
export interface PolicySpecification {
  readonly source: string;
  /** SHA-256 of inputs, policies and `uncoveredTools`. */
  readonly hash: string;
  readonly set: PolicySet;
  readonly ensures: readonly PolicyProperty[];
  readonly examples: readonly PolicyExample[];
  readonly session: readonly SessionProperty[];
  /** The line of each policy, and of each condition by `policy/condition`. */
  readonly lines: ReadonlyMap<string, number>;
  /** What becomes of policies of which something is unproved, but nothing refuted: they guard nothing, or guard and say so. */
  readonly unproved: 'refuse' | 'report';
  /** Of each policy that is a function of a script: the file, and the line of each return by the name of its condition. */
  readonly scripts: ReadonlyMap<string, PolicyScript>;
}

/** Where a policy is written that is a function of a script. */
export interface PolicyScript {
  readonly source: string;
  /** The line of the function. */
  readonly line: number;
  readonly lines: ReadonlyMap<string, number>;
}
