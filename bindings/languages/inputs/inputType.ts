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
  | { readonly kind: 'list'; readonly of: ElementType; readonly most: number };

/** The type of a list's elements. */
export type ElementType = Exclude<InputType, { kind: 'list' }>;

/** An input of a policy. An optional one may be null, which says that it is absent. */
export interface Input {
  readonly type: InputType;
  readonly optional?: boolean;
}

export type Inputs = Readonly<Record<string, Input>>;

/** Greatest length of a text, and number of elements of a list, unless an input says otherwise. */
export const MOST_TEXT = 100_000;
export const MOST_ELEMENTS = 1000;

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
