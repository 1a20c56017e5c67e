import type { Expression } from '../../languages/expression/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { Language } from '../../languages/regular/index.js';
import type { ValueType } from './valueType.js';

/** What the operator says of the tools of an agent: whose data they give, who sees what they are given, and what they do. Neither a server nor a model writes it. */
export interface Contracts {
  /** Groups of readers by name: sets of addresses, or of other names of readers. */
  readonly readers: ReadonlyMap<string, Language>;
  readonly stores: ReadonlyMap<string, Store>;
  /** The only tools that a plan may call. */
  readonly tools: ReadonlyMap<string, ToolContract>;
  readonly flows: ReadonlyMap<string, FlowRule>;
  readonly events: ReadonlyMap<string, CallEvent>;
  readonly rules: ReadonlyMap<string, OrderRule>;
  /** `full`: a call that happens only if data say so tells of these data. `data`: only arguments do (said in each verdict). Default `full`. */
  readonly implicit: 'full' | 'data';
  /** SHA-256 of the canonical JSON of what was declared. */
  readonly hash: string;
}

/** Data that tools read and write: keys with values. */
export interface Store {
  readonly name: string;
  /** The type of its keys. */
  readonly key: ValueType;
  /** Whether everyone reads what is written there. */
  readonly public: boolean;
}

/** What the operator says of one tool. `undeclared(name)` makes the contract of a tool of which nothing is known. */
export interface ToolContract {
  readonly name: string;
  /** SHA-256 of name, description and input schema as the server gives them (`toolPin`); null: not pinned. */
  readonly pin: string | null;
  readonly description: string | null;
  readonly arguments: ReadonlyMap<string, ArgumentContract>;
  readonly result: ResultContract;
  /** The stores whose values its result may depend on, beside its arguments. */
  readonly reads: readonly string[];
  /** The stores that it may change. */
  readonly writes: readonly string[];
  /** What must hold of the arguments (by name) before a call. */
  readonly requires: readonly Condition[];
  /** What holds of the arguments and of `result` after a call that succeeded. Each run monitors it. */
  readonly ensures: readonly Condition[];
  readonly effects: readonly Effect[];
  /** The flow rules that allow what went through this tool. */
  readonly endorses: readonly string[];
  /** Whether the result depends on the arguments alone, so that the result has their labels. Otherwise the result has the labels of the arguments and those declared. */
  readonly pure: boolean;
  /** Whether it matters that the call happens: then data that are not trusted may not decide it. */
  readonly consequential: boolean;
  /** Who notices that the call happened; null: nobody but those who read its arguments. */
  readonly observable: ReaderTerm | null;
  readonly idempotent: boolean;
  /** Whether a person is asked about a call whose data are not trusted, or not for those who would see them, in place of a refusal. The yes is to that call with its values. */
  readonly asks: boolean;
}

/** An argument of a tool. An argument that the contract does not list must be trusted and public. */
export interface ArgumentContract {
  readonly type: ValueType;
  readonly optional: boolean;
  /** `trusted`: data from sources that are not trusted may not stand here. */
  readonly integrity: 'trusted' | 'any';
  /** Who is shown the value; null: nobody. */
  readonly readers: ReaderTerm | null;
  /** Whether flow rules to "all sinks" mean it. */
  readonly sink: boolean;
}

/** What a tool gives: its type, whose data it is, and who may read it. */
export interface ResultContract {
  readonly type: ValueType;
  /** Names by which flow rules speak of the results of several tools. */
  readonly labels: readonly string[];
  readonly integrity: 'trusted' | 'untrusted';
  /** Who may read the result, or for lists each element; null: nobody but the user. */
  readonly readers: ReaderTerm | null;
  /** Labels and terms of parts of the result, by path: `["from"]`, and `["*"]` for each element of a list. */
  readonly parts: readonly ResultPart[];
}

/** A part of a result that differs from the whole; null: as the whole. */
export interface ResultPart {
  readonly path: readonly string[];
  readonly integrity: 'trusted' | 'untrusted' | null;
  readonly readers: ReaderTerm | null;
}

/** Who reads: everyone, a group by name, single readers, those whom a value names, or all of several terms together. */
export type ReaderTerm =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'names'; readonly of: readonly string[] }
  /** The reader, or the list of readers, that an argument (`["to"]`) or a part of the result (`["result", "*", "from"]`) is. */
  | { readonly kind: 'value'; readonly path: readonly string[] }
  | { readonly kind: 'union'; readonly of: readonly ReaderTerm[] };

/** An expression that must be true, as it was written. */
export interface Condition {
  readonly name: string;
  readonly expression: Expression;
  /** Checked before the call where it is not proved, in place of a refusal. */
  readonly atRunTime: boolean;
}

/** What a call does to a store: to each key for which `keys` is true, over `key` and the arguments. What no effect names stays as it is. */
export interface Effect {
  readonly kind: 'removes' | 'writes' | 'creates';
  readonly store: string;
  readonly keys: Expression;
}

/** Data of a source may not reach a sink. */
export interface FlowRule {
  readonly name: string;
  /** Tools whose results are meant, or labels of theirs; `*` is every tool. */
  readonly from: readonly string[];
  /** `argument` null: all arguments that are sinks. */
  readonly to: readonly { readonly tool: string; readonly argument: string | null }[];
  /** Over the arguments of the receiving call: where it is true, the flow is allowed. */
  readonly unless: Expression | null;
  /** Tools through which data may pass. */
  readonly through: readonly string[];
}

/** An event of rules of order: a call of one of these tools (null: of any) for whose arguments `when` holds. */
export interface CallEvent {
  readonly name: string;
  readonly tools: readonly string[] | null;
  readonly when: Expression | null;
}

/** What must hold of the sequence of calls: a formula over events, or an automaton with states of error. */
export type OrderRule =
  | {
      readonly kind: 'formula';
      readonly name: string;
      readonly formula: Formula;
      readonly message: string | null;
    }
  | {
      readonly kind: 'automaton';
      readonly name: string;
      readonly automaton: ExplicitAutomaton;
      readonly message: string | null;
    };

/** The first transition of a state whose event happens is taken; where none happens, the state stays. */
export interface ExplicitAutomaton {
  readonly states: readonly string[];
  readonly initial: string;
  readonly errors: readonly string[];
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly event: CallEvent }[];
}
