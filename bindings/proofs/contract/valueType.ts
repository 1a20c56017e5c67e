/** The type of a value that tools take or give: a part of JSON Schema. Numbers are no negative zeros, which are equal to zero and divide otherwise. */
export type ValueType =
  /** Any JSON value. */
  | { readonly kind: 'any' }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  /** Whole numbers from `least` to `most`; a missing bound is the last safe integer. */
  | { readonly kind: 'integer'; readonly least?: number; readonly most?: number }
  /** Finite doubles. */
  | { readonly kind: 'number'; readonly least?: number; readonly most?: number }
  | TextType
  /** `least` to `most` elements; default 0 to `MOST_ELEMENTS`. */
  | { readonly kind: 'list'; readonly of: ValueType; readonly least?: number; readonly most?: number }
  | {
      readonly kind: 'record';
      readonly fields: Readonly<Record<string, FieldType>>;
      readonly others: 'denied' | 'ignored';
    }
  /** A value of one of these types. */
  | { readonly kind: 'either'; readonly of: readonly ValueType[] };

/** Texts: all of them, those of a format, or these. */
export interface TextType {
  readonly kind: 'text';
  readonly format?: TextFormat;
  /** The only texts of the type. */
  readonly values?: readonly string[];
  /** Greatest length in UTF-16 code units; default `MOST_TEXT`. */
  readonly most?: number;
}

/** `id:STORE` is the key of an entry of a store: nothing is known of it but whether two are equal. */
export type TextFormat = 'email' | 'url' | 'path' | 'glob' | 'date-time' | `id:${string}`;

/** A field of a record. An optional one may be missing. */
export interface FieldType {
  readonly type: ValueType;
  readonly optional: boolean;
}
