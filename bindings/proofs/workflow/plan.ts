import type { ValueType } from '../contract/index.js';

/** JSON data: numbers are finite, and none is negative zero. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json };

/**
 * What an agent will do, said before it has seen any data.
 *
 * Each name is given once in the whole plan, and is known in the steps that follow in its own list and within them. What a loop or a branch gives is known within it alone.
 *
 * @see E. Meijer (2026), Guardians of the Agents, doi:10.1145/3777544
 */
export interface Plan {
  readonly version: 1;
  /** What it is for, in the words of its author. */
  readonly goal: string;
  readonly inputs: Readonly<Record<string, ValueType>>;
  readonly steps: readonly Step[];
}

/** Ids differ within a plan. Notes are the author's words: they are shown in quotes and mean nothing. */
export type Step = { readonly id: string; readonly note?: string } & Action;

/** What a step does. */
export type Action =
  /** Calls a tool. A call that fails ends the run; with `skip` the run goes on, and the result has no name (no `as`). */
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly with: Readonly<Record<string, Value>>;
      readonly as?: string;
      readonly onError?: 'stop' | 'skip';
    }
  /** Asks a model that has no tools, about these values, for an answer of this type. */
  | {
      readonly kind: 'ask';
      readonly question: string;
      readonly about: readonly Value[];
      readonly type: ValueType;
      readonly as: string;
    }
  | { readonly kind: 'let'; readonly name: string; readonly be: Value }
  /** `yields` names a value for what follows: the first of the two if the condition holds, the second otherwise. No other name leaves a branch. */
  | {
      readonly kind: 'if';
      readonly condition: PlanExpression;
      readonly then: readonly Step[];
      readonly else: readonly Step[];
      readonly yields?: Readonly<Record<string, readonly [then: Value, otherwise: Value]>>;
    }
  /** For each element of a list, in order. If the list has more than `atMost` elements, the run ends before the first. `collect` names the list of a value of the body. */
  | {
      readonly kind: 'forEach';
      readonly in: Value;
      readonly item: string;
      readonly atMost?: number;
      readonly do: readonly Step[];
      readonly collect?: Readonly<Record<string, Value>>;
    }
  /** For each element of a list, with a value (`accumulator`, known in the body alone) that each round replaces by `next`. What it is at the end is called `as`. */
  | {
      readonly kind: 'fold';
      readonly in: Value;
      readonly item: string;
      readonly from: Value;
      readonly accumulator: string;
      readonly do: readonly Step[];
      readonly next: Value;
      readonly as: string;
    }
  /** Ends the run unless the condition holds. */
  | { readonly kind: 'require'; readonly condition: PlanExpression; readonly otherwise: string }
  /** Ends the run, and gives a value to the user. */
  | { readonly kind: 'return'; readonly value: Value };

/**
 * A value as a plan says it. Plans that were read say each value in one way: lists, records and texts of literals alone are literals, and an expression that
 * is a literal, a path, a list or a map is said as such (`canonical.ts`).
 */
export type Value =
  | { readonly kind: 'literal'; readonly value: Json }
  /** A name, or a part of what it names: a field, or an element counted from 0. */
  | { readonly kind: 'reference'; readonly name: string; readonly path: readonly (string | number)[] }
  | { readonly kind: 'list'; readonly of: readonly Value[] }
  | { readonly kind: 'record'; readonly fields: Readonly<Record<string, Value>> }
  /** Texts, numbers and truth values as JavaScript writes them, one behind another. */
  | { readonly kind: 'text'; readonly of: readonly Value[] }
  | { readonly kind: 'expression'; readonly expression: PlanExpression };

/** An expression of the expression language over the names of the plan, as that language prints it. It has no side effects. `parsed` gives its tree. */
export interface PlanExpression {
  readonly source: string;
}
