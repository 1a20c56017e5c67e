import type { Place } from '../expression/index.js';

/** An expression of a script, as it is written. */
export type Written = { readonly place: Place } & (
  | { readonly kind: 'literal'; readonly value: number | string | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly object: Written; readonly field: string }
  | { readonly kind: 'list'; readonly elements: readonly Written[] }
  | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Written }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Written;
      readonly right: Written;
    }
  | { readonly kind: 'logical'; readonly operator: '&&' | '||'; readonly operands: readonly Written[] }
  | {
      readonly kind: 'conditional';
      readonly condition: Written;
      readonly whenTrue: Written;
      readonly whenFalse: Written;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Written[] }
  | {
      readonly kind: 'method';
      readonly object: Written;
      readonly method: string;
      readonly methodPlace: Place;
      readonly arguments: readonly Written[];
    }
  | {
      readonly kind: 'arrow';
      readonly parameter: string;
      readonly type: WrittenType | null;
      readonly body: Written;
    }
  /** A pattern in the syntax of the expression language. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  /** Something that a problem has been recorded of. */
  | { readonly kind: 'wrong' }
);

export type BinaryOperator = '===' | '!==' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '??';

/** A type, as it is written. */
export type WrittenType = { readonly place: Place } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'union'; readonly of: readonly WrittenType[] }
  | { readonly kind: 'array'; readonly of: WrittenType }
  | { readonly kind: 'object'; readonly fields: readonly WrittenField[] }
  | { readonly kind: 'wrong' }
);

export interface WrittenField {
  readonly name: string;
  readonly type: WrittenType;
  readonly place: Place;
}

/** `name`, or `name: as` in a pattern that takes fields apart. */
export interface Taken {
  readonly field: string;
  readonly as: string;
  readonly place: Place;
}

/** What a const or a parameter binds: a name, or fields. */
export type Target = string | readonly Taken[];

export type Statement = { readonly place: Place } & (
  | {
      readonly kind: 'const';
      readonly target: Target;
      readonly type: WrittenType | null;
      readonly value: Written;
    }
  | {
      readonly kind: 'if';
      readonly condition: Written;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'return'; readonly value: Written }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
);

export interface WrittenFunction {
  readonly name: string;
  readonly place: Place;
  readonly parameter: Target;
  readonly parameterPlace: Place;
  readonly type: WrittenType;
  readonly body: readonly Statement[];
  /** Where the body ends. */
  readonly end: Place;
}

/** A file. */
export interface Module {
  /** Names that are imported from `foreguard/policy`, with their places. */
  readonly imported: ReadonlyMap<string, Place>;
  /** Types that are imported from anywhere: they are not read. */
  readonly importedTypes: ReadonlySet<string>;
  readonly types: ReadonlyMap<string, WrittenType>;
  readonly consts: readonly (Statement & { readonly kind: 'const' })[];
  readonly functions: readonly WrittenFunction[];
}

/** An expression of one kind. */
export type WrittenOf<K extends Written['kind']> = Extract<Written, { kind: K }>;
