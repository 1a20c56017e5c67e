/** A dialect's functions on JSON values. Arguments and results are SQL; a NULL argument gives NULL. */
export interface JsonFunctions {
  /** Tests of a value's kind, which give true or false. */
  readonly isNumber: (value: string) => string;
  readonly isText: (value: string) => string;
  readonly isBoolean: (value: string) => string;
  readonly isNull: (value: string) => string;
  readonly isList: (value: string) => string;
  readonly isMap: (value: string) => string;
  /** Converts a JSON value of the kind to an SQL value. */
  readonly number: (value: string) => string;
  readonly text: (value: string) => string;
  readonly boolean: (value: string) => string;
  /** Converts an SQL value to JSON. */
  readonly of: (value: string) => string;
  /** The JSON value null. */
  readonly null: string;
  /** A map's field with this name; NULL if there is none. */
  readonly field: (map: string, name: string) => string;
  /** The same for a name that is an SQL expression. */
  readonly entry: (map: string, name: string) => string;
  /** A list's element at an integral index >= 0; NULL if there is none. */
  readonly element: (list: string, index: string) => string;
  /** The number of a list's elements, and of a map's fields. */
  readonly length: (list: string) => string;
  readonly fields: (map: string) => string;
  /** The SQL list of a list's elements, and of a map's keys as JSON. */
  readonly elements: (list: string) => string;
  readonly keys: (map: string) => string;
  /** Functions on SQL lists; `body` is the body of a function of `variable`. */
  readonly transform: (list: string, variable: string, body: string) => string;
  readonly filter: (list: string, variable: string, body: string) => string;
  readonly least: (list: string) => string;
  readonly greatest: (list: string) => string;
  readonly sum: (list: string) => string;
  /** Aborts the statement with an error message. */
  readonly error: (message: string) => string;
}
