/** The type of an input: which values it may have. */
export type InputType =
  | { readonly kind: 'boolean' }
  /** One of these texts. */
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  /** Whole numbers from `least` to `most`, both within ±(2^53 - 1). */
  | { readonly kind: 'integer'; readonly least: number; readonly most: number }
  /** Finite doubles. */
  | { readonly kind: 'number' }
  /** Texts of at most `most` UTF-16 code units. */
  | { readonly kind: 'text'; readonly most: number }
  /** Lists of at most `most` elements. */
  | { readonly kind: 'list'; readonly of: ElementType | RecordType; readonly most: number };

/** The type of a list's elements. */
export type ElementType = Exclude<InputType, { kind: 'list' }>;

/** Records, as elements of lists: maps with these fields. */
export interface RecordType {
  readonly kind: 'record';
  readonly fields: Readonly<Record<string, Field>>;
  /** Whether a record with other fields fits, which conditions cannot read. */
  readonly others: 'denied' | 'ignored';
}

/** A field of a record. An optional one may be null or missing. */
export interface Field {
  readonly type: ElementType | RecordType;
  readonly optional?: boolean;
}

/** An input of a policy. An optional one may be null, which says that it is absent. */
export interface Input {
  readonly type: InputType;
  readonly optional?: boolean;
}

export type Inputs = Readonly<Record<string, Input>>;

/** Greatest length of a text, and number of elements of a list, unless an input says otherwise. */
export const MOST_TEXT = 100_000;
export const MOST_ELEMENTS = 1000;

/** Every whole number that a double tells apart from its neighbours. */
export const ANY_INTEGER = {
  kind: 'integer',
  least: Number.MIN_SAFE_INTEGER,
  most: Number.MAX_SAFE_INTEGER,
} as const;

/** Most values of a type that are looked at one by one. */
const MOST_ENUMERATED = 64;

/** All values of an input, if they are few; undefined otherwise. */
export function enumerated({
  type,
  optional = false,
}: Input): (string | number | boolean | null)[] | undefined {
  const values = valuesOf(type);
  return values && (optional ? [...values, null] : values);
}

function valuesOf(type: InputType): (string | number | boolean)[] | undefined {
  switch (type.kind) {
    case 'boolean':
      return [false, true];
    case 'enum':
      return [...type.values];
    case 'integer': {
      const count = type.most - type.least + 1;
      return count <= MOST_ENUMERATED ? Array.from({ length: count }, (_, i) => type.least + i) : undefined;
    }
    default:
      return undefined;
  }
}

/** The simplest value of a type. */
export function simplest(type: InputType | RecordType): unknown {
  switch (type.kind) {
    case 'boolean':
      return false;
    case 'enum':
      return type.values[0];
    case 'integer':
      return Math.min(Math.max(0, type.least), type.most);
    case 'number':
      return 0;
    case 'text':
      return '';
    case 'list':
      return [];
    case 'record': {
      const required = Object.entries(type.fields).filter(([, { optional }]) => optional !== true);
      return Object.fromEntries(required.map(([name, field]) => [name, simplest(field.type)]));
    }
  }
}
