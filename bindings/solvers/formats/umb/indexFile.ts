import { InvalidModelError, NotSupportedError, ParseError } from '../../../base/errors.js';

/** A value type; sizes are in bits. */
export interface UmbType {
  readonly type: (typeof TYPES)[number];
  readonly size: number;
}

/** The parts of `index.json` that are used; see the UMB specification, version 1. */
export interface IndexFile {
  readonly 'format-version': number;
  readonly 'file-data'?: { readonly parameters?: unknown };
  readonly 'transition-system': TransitionSystem;
  /** Group → identifier → annotation. */
  readonly annotations: ReadonlyMap<string, ReadonlyMap<string, UmbAnnotation>>;
  readonly valuations: ReadonlyMap<string, UmbValuations>;
}

export interface TransitionSystem {
  readonly time: 'discrete' | 'stochastic' | 'urgent-stochastic';
  readonly '#players': number;
  readonly '#states': number;
  readonly '#initial-states': number;
  readonly '#choices': number;
  readonly '#choice-actions': number;
  readonly '#branches': number;
  readonly '#branch-actions': number;
  readonly '#observations': number;
  readonly 'branch-probability-type'?: UmbType;
}

export interface UmbAnnotation {
  readonly alias?: string;
  readonly description?: string;
  readonly 'applies-to': readonly string[];
  readonly type: UmbType;
  /** Whether each entity has a distribution over values instead of one value. */
  readonly stochastic: boolean;
}

export interface UmbValuations {
  readonly '#strings': number;
  readonly classes: readonly { readonly variables: readonly (UmbPadding | UmbVariable)[] }[];
}

export interface UmbPadding {
  readonly padding: number;
}

export interface UmbVariable {
  readonly name: string;
  readonly 'is-optional': boolean;
  readonly type: UmbType;
  readonly offset: number;
}

const TYPES = [
  'bool',
  'int',
  'uint',
  'int-interval',
  'uint-interval',
  'double',
  'double-interval',
  'rational',
  'rational-interval',
  'string',
] as const;
const DEFAULT_SIZES = [1, 64, 64, 128, 128, 64, 128, 128, 256, 64];
const TIMES = ['discrete', 'stochastic', 'urgent-stochastic'] as const;

/** Version 0 preceded the specification; tools that still write it use the layout of version 1. */
const LATEST_VERSION = 1;

type Json = unknown;

/**
 * Reads and checks `index.json`.
 *
 * @throws ParseError if it is not JSON, InvalidModelError naming the key if a value violates UMB, NotSupportedError for another
 * major version of the format
 */
export function parseIndex(bytes: Uint8Array, source: string): IndexFile {
  const file = `${source}/index.json`;
  const index = new Checked(file, '', parseJson(bytes, file));
  const version = index.get('format-version').count();
  if (version > LATEST_VERSION) {
    throw new NotSupportedError(
      `${file}: format-version is ${version}; this version of Foreguard reads version ${LATEST_VERSION}`,
    );
  }
  const annotations = [...index.entries('annotations')].map(
    ([group, members]) =>
      [group, new Map([...members.entries()].map(([id, a]) => [id, annotation(a)]))] as const,
  );
  const valuations = [...index.entries('valuations')].map(([entity, v]) => [entity, valuation(v)] as const);
  return {
    'format-version': version,
    'file-data': { parameters: index.optional('file-data')?.optional('parameters')?.value },
    'transition-system': transitionSystem(index.get('transition-system')),
    annotations: new Map(annotations),
    valuations: new Map(valuations),
  };
}

function transitionSystem(given: Checked): TransitionSystem {
  const probability = given.optional('branch-probability-type');
  return {
    time: given.get('time').oneOf(TIMES),
    '#players': given.get('#players').count(),
    '#states': given.get('#states').count(1),
    '#initial-states': given.get('#initial-states').count(),
    '#choices': given.get('#choices').count(),
    '#choice-actions': given.get('#choice-actions').count(),
    '#branches': given.get('#branches').count(),
    '#branch-actions': given.get('#branch-actions').count(),
    '#observations': given.get('#observations').count(),
    ...(probability && { 'branch-probability-type': umbType(probability) }),
  };
}

function annotation(given: Checked): UmbAnnotation {
  const alias = given.optional('alias')?.string();
  const description = given.optional('description')?.string();
  return {
    ...(alias !== undefined && { alias }),
    ...(description !== undefined && { description }),
    'applies-to': given
      .get('applies-to')
      .list()
      .map((entity) => entity.string()),
    type: umbType(given.get('type')),
    stochastic: given.optional('probability-type') !== undefined,
  };
}

function valuation(given: Checked): UmbValuations {
  const classes = given
    .get('classes')
    .list()
    .map((description) => ({
      variables: description.get('variables').list().map(variableOrPadding),
    }));
  return { '#strings': given.optional('#strings')?.count() ?? 0, classes };
}

function variableOrPadding(given: Checked): UmbPadding | UmbVariable {
  const padding = given.optional('padding');
  if (padding) return { padding: padding.count(1) };
  return {
    name: given.get('name').string(),
    'is-optional': given.optional('is-optional')?.boolean() ?? false,
    type: umbType(given.get('type')),
    offset: given.optional('offset')?.integer() ?? 0,
  };
}

function umbType(given: Checked): UmbType {
  const type = given.get('type').oneOf(TYPES);
  return { type, size: given.optional('size')?.count(1) ?? DEFAULT_SIZES[TYPES.indexOf(type)] };
}

/** A JSON value with its path, so that every failed check can name it. */
class Checked {
  constructor(
    readonly file: string,
    readonly path: string,
    readonly value: Json,
  ) {}

  get(key: string): Checked {
    return this.optional(key) ?? this.#fail(`has no "${key}"`);
  }

  optional(key: string): Checked | undefined {
    const members = this.#members();
    return Object.hasOwn(members, key) ? this.#child(key, members[key]) : undefined;
  }

  /** The members of this object, none if it is absent; with `key`, the members of that member. */
  entries(key?: string): [string, Checked][] {
    const object = key === undefined ? this : this.optional(key);
    return object
      ? Object.entries(object.#members()).map(([name, value]) => [name, object.#child(name, value)])
      : [];
  }

  list(): Checked[] {
    if (!Array.isArray(this.value)) return this.#fail('is not a list');
    return this.value.map((value, i) => this.#child(String(i), value));
  }

  string(): string {
    return typeof this.value === 'string' ? this.value : this.#fail(`is ${this.#shown()}; expected a string`);
  }

  boolean(): boolean {
    return typeof this.value === 'boolean'
      ? this.value
      : this.#fail(`is ${this.#shown()}; expected true or false`);
  }

  integer(): number {
    if (Number.isSafeInteger(this.value)) return this.value as number;
    return this.#fail(`is ${this.#shown()}; expected an integer between -2^53 and 2^53`);
  }

  count(least = 0): number {
    const count = this.integer();
    return count >= least ? count : this.#fail(`is ${count}; expected at least ${least}`);
  }

  oneOf<T extends string>(words: readonly T[]): T {
    const found = words.find((word) => word === this.value);
    return found ?? this.#fail(`is ${this.#shown()}; expected one of ${words.join(', ')}`);
  }

  #members(): Record<string, Json> {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) {
      return this.#fail(`is ${this.#shown()}; expected an object`);
    }
    return this.value as Record<string, Json>;
  }

  #child(key: string, value: Json): Checked {
    return new Checked(this.file, this.path === '' ? key : `${this.path}.${key}`, value);
  }

  #shown(): string {
    const text = JSON.stringify(this.value);
    return text.length > 40 ? `${text.slice(0, 40)}…` : text;
  }

  #fail(problem: string): never {
    throw new InvalidModelError(`${this.file}: ${this.path || 'the document'} ${problem}`);
  }
}

function parseJson(bytes: Uint8Array, file: string): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    const expected = 'a JSON document';
    throw new ParseError(`not JSON: ${(cause as Error).message}`, {
      source: file,
      line: 1,
      column: 1,
      expected,
      cause,
    });
  }
}
