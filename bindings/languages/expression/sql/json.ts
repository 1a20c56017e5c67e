/** What a dialect does with values of JSON. Arguments and results are SQL; NULL in gives NULL. */
export interface JsonFunctions {
  /** Tests of a value's kind, true or false. */
  readonly isNumber: (value: string) => string;
  readonly isText: (value: string) => string;
  readonly isBoolean: (value: string) => string;
  readonly isNull: (value: string) => string;
  readonly isList: (value: string) => string;
  readonly isMap: (value: string) => string;
  /** A value of the kind as SQL's. */
  readonly number: (value: string) => string;
  readonly text: (value: string) => string;
  readonly boolean: (value: string) => string;
  /** SQL's value as JSON's. */
  readonly of: (value: string) => string;
  /** The JSON value null. */
  readonly null: string;
  /** A map's field of a name; NULL where there is none. */
  readonly field: (map: string, name: string) => string;
  /** The same where the name is a text of SQL. */
  readonly entry: (map: string, name: string) => string;
  /** A list's element at an integral number >= 0; NULL where there is none. */
  readonly element: (list: string, index: string) => string;
  /** Number of a list's elements, and of a map's fields. */
  readonly length: (list: string) => string;
  readonly fields: (map: string) => string;
  /** SQL's list of a list's elements, and of a map's keys as JSON. */
  readonly elements: (list: string) => string;
  readonly keys: (map: string) => string;
  /** Functions on SQL's lists, with the body of a function of `variable`. */
  readonly transform: (list: string, variable: string, body: string) => string;
  readonly filter: (list: string, variable: string, body: string) => string;
  readonly least: (list: string) => string;
  readonly greatest: (list: string) => string;
  readonly sum: (list: string) => string;
  /** Ends the statement with a message. */
  readonly error: (message: string) => string;
}
