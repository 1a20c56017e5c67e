import type {
  ConstantDeclaration,
  FormulaDeclaration,
  LabelDeclaration,
  Place,
  PrismExpression,
} from '../../../languages/logic/index.js';

/** `x : [low..high] init initial;` or `b : bool;`. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: 'int' | 'bool';
  /** Null for Booleans and for `x : int`, which have no range. */
  readonly low: PrismExpression | null;
  readonly high: PrismExpression | null;
  /** Null for the default: the least value, or false. */
  readonly initial: PrismExpression | null;
  readonly place: Place;
}

/** `(x'=value)`. */
export interface Assignment {
  readonly variable: string;
  readonly value: PrismExpression;
  readonly place: Place;
}

/** One outcome of a command. An omitted probability is 1; `[l,u]` is an interval. */
export interface Update {
  readonly probability: PrismExpression | ProbabilityInterval | null;
  readonly assignments: readonly Assignment[];
  readonly place: Place;
}

/** `[lower,upper]` instead of a probability. */
export interface ProbabilityInterval {
  readonly kind: 'interval';
  readonly lower: PrismExpression;
  readonly upper: PrismExpression;
  readonly place: Place;
}

/** `[action] guard -> updates;`. */
export interface Command {
  /** Null for `[]`: it never synchronises. */
  readonly action: string | null;
  readonly guard: PrismExpression;
  readonly updates: readonly Update[];
  readonly place: Place;
}

/** `module name … endmodule`. */
export interface PrismModule {
  readonly name: string;
  readonly variables: readonly VariableDeclaration[];
  readonly commands: readonly Command[];
  readonly place: Place;
}

/** `guard : value;` for states, `[action] guard : value;` for transitions; `[]` means transitions without an action. */
export interface RewardItem {
  readonly kind: 'state' | 'transition';
  /** The action of transition rewards; null for `[]`. */
  readonly action: string | null;
  readonly guard: PrismExpression;
  readonly value: PrismExpression;
  readonly place: Place;
}

/** `rewards "name" … endrewards`. */
export interface RewardDeclaration {
  /** Empty if unnamed. */
  readonly name: string;
  readonly items: readonly RewardItem[];
  readonly place: Place;
}

/** The composition of modules. */
export type SystemExpression =
  | { readonly kind: 'module'; readonly name: string; readonly place: Place }
  | {
      /** `||` synchronises on all shared actions, `|||` on none, `|[a,b]|` on the listed ones. */
      readonly kind: 'parallel';
      readonly operands: readonly SystemExpression[];
      readonly actions: 'shared' | readonly string[];
      readonly place: Place;
    }
  | {
      readonly kind: 'hide';
      readonly operand: SystemExpression;
      readonly actions: readonly string[];
      readonly place: Place;
    }
  | {
      readonly kind: 'rename';
      readonly operand: SystemExpression;
      /** Old name to new. */
      readonly actions: ReadonlyMap<string, string>;
      readonly place: Place;
    };

/** A model in PRISM's language, renamed modules written out. Names are not resolved yet. */
export interface PrismModel {
  readonly type: 'dtmc' | 'mdp' | 'ctmc';
  readonly constants: readonly ConstantDeclaration[];
  readonly formulas: readonly FormulaDeclaration[];
  readonly labels: readonly LabelDeclaration[];
  readonly globals: readonly VariableDeclaration[];
  readonly modules: readonly PrismModule[];
  readonly rewards: readonly RewardDeclaration[];
  /** `init … endinit`: the initial states. Null: the state in which each variable has its initial value. */
  readonly initial: PrismExpression | null;
  /** `system … endsystem`. Null: all modules composed by `||`. */
  readonly system: SystemExpression | null;
  /** The text's name in messages. */
  readonly name: string;
  /** The text, for messages that show a line. */
  readonly source: string;
}
