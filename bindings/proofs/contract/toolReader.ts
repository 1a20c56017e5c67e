import { isScalar, type Node } from 'yaml';
import { isObject } from '../../base/objectKind.js';
import { nearestName } from '../../base/suggest.js';
import type { Entry, SpecificationDocument } from '../../rules/specification/index.js';
import { ConditionReader } from './conditionReader.js';
import type {
  ArgumentContract,
  Effect,
  ReaderTerm,
  ResultContract,
  ResultPart,
  Store,
  ToolContract,
} from './contract.js';
import { typeOfSchema } from './jsonSchema.js';
import { isNothing, ReaderTerms, type Spoken } from './readerTerms.js';
import { neverHold, type Typed } from './satisfiable.js';
import { type ListedTool, toolPin } from './toolList.js';
import { TYPE_KEYS, type TypeReader } from './typeReader.js';
import { undeclared, undeclaredArgument } from './undeclared.js';
import type { ValueType } from './valueType.js';

const TOOL_KEYS = [
  'pin',
  'description',
  'arguments',
  'result',
  'reads',
  'writes',
  'requires',
  'ensures',
  'effects',
  'endorses',
  'pure',
  'consequential',
  'observable',
  'idempotent',
  'ask',
] as const;
const ARGUMENT_KEYS = [...TYPE_KEYS, 'optional', 'integrity', 'readers', 'sink'] as const;
const RESULT_KEYS = [...TYPE_KEYS, 'labels', 'integrity', 'readers', 'parts'] as const;
const PART_KEYS = ['integrity', 'readers'] as const;
/** The readers of a part that nobody may read; null would say nothing of it. */
const NOBODY: ReaderTerm = { kind: 'union', of: [] };
const EFFECTS = ['removes', 'writes', 'creates'] as const;

/** What the sections before the tools say. */
interface Known {
  readonly types: TypeReader;
  readonly stores: ReadonlyMap<string, Store>;
  readonly groups: readonly string[];
  /** The tools as servers list them. */
  readonly listed: ReadonlyMap<string, ListedTool>;
}

interface Typing {
  readonly type: ValueType;
  readonly optional: boolean;
}

/** Reads the contract of each tool. */
export class ToolReader {
  readonly #document: SpecificationDocument;
  readonly #known: Known;
  readonly #terms: ReaderTerms;
  readonly #conditions: ConditionReader;

  constructor(document: SpecificationDocument, known: Known) {
    this.#document = document;
    this.#known = known;
    this.#terms = new ReaderTerms(document, known.groups);
    this.#conditions = new ConditionReader(document);
  }

  tool(name: string, { key, value: node }: Entry): ToolContract {
    const document = this.#document;
    const { stores, listed } = this.#known;
    const what = `tool "${name}"`;
    const tool = listed.get(name);
    if (listed.size > 0 && tool === undefined) {
      const nearest = nearestName(name, listed.keys());
      document.problem(
        key,
        `${what} is not in the list of tools${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
      );
    }
    const fields = isNothing(node) ? new Map<string, Entry>() : document.entries(node, what, TOOL_KEYS);
    const value = (of: (typeof TOOL_KEYS)[number]): Node | null => fields.get(of)?.value ?? null;
    const typed = new Map(tool === undefined ? [] : this.#listedArguments(tool, value('arguments'), key));
    const result = this.#listedResult(tool);
    const description = fields.has('description')
      ? (document.text(value('description'), `${what}: description`) ?? null)
      : typeof tool?.description === 'string'
        ? tool.description
        : null;
    const pin = fields.has('pin') ? this.#pin(value('pin'), what, tool) : null;
    const nothing = undeclared(name, { stores: stores.keys(), arguments: typed, result, pin, description });
    if (fields.size === 0) return nothing;

    const pure = this.#flag(fields, 'pure', what) ?? false;
    const types = this.#argumentTypes(fields.get('arguments'), typed, what, tool !== undefined);
    const spoken = {
      arguments: new Map([...types].map(([argument, { type }]) => [argument, type])),
      result: null,
    };
    const found = this.#arguments(fields.get('arguments'), types, spoken, what);
    const resultContract = this.#result(fields.get('result'), result, spoken, what, pure);
    const effects = this.#effects(fields.get('effects'), types, what);
    const writes = [
      ...new Set([
        ...this.#stores(fields.get('writes'), `${what}: writes`),
        ...effects.map(({ store }) => store),
      ]),
    ];
    const reads = this.#stores(fields.get('reads'), `${what}: reads`);
    if (pure && reads.length + writes.length > 0)
      document.problem(
        fields.get('pure')!.key,
        `${what} is pure, so its result depends on its arguments alone, but it ${reads.length > 0 ? `reads ${reads.join(', ')}` : `writes ${writes.join(', ')}`}; leave out one of them`,
      );
    const observable = fields.has('observable')
      ? (this.#terms.read(value('observable'), `${what}: observable`, spoken) ?? null)
      : null;
    const requires = this.#checked(value('requires'), fields.has('requires'), what, 'requires', types);
    const withResult: Typed = new Map([...types, ['result', { type: resultContract.type, optional: false }]]);
    const ensures = this.#checked(value('ensures'), fields.has('ensures'), what, 'ensures', withResult);
    const asks = this.#choice(fields, 'ask', what, ['person', 'nobody'] as const) === 'person';
    const matters = writes.length > 0 || observable !== null || asks;
    return {
      name,
      pin,
      description,
      arguments: found,
      result: resultContract,
      reads,
      writes,
      requires,
      ensures,
      effects,
      endorses: fields.has('endorses') ? this.#texts(value('endorses'), `${what}: endorses`) : [],
      pure,
      consequential: this.#flag(fields, 'consequential', what) ?? matters,
      observable,
      idempotent: this.#flag(fields, 'idempotent', what) ?? false,
      asks,
    };
  }

  /** The arguments that the server describes; one whose schema cannot be read is a problem unless the contract says its type. */
  #listedArguments(tool: ListedTool, given: Node | null, key: Node): [string, Typing][] {
    const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    return properties.map(([argument, property]): [string, Typing] => {
      const optional = !required.includes(argument);
      const own = this.#own(given, argument);
      if (own) return [argument, { type: { kind: 'any' }, optional }];
      const name = `tool "${tool.name}": the server's schema of "${argument}"`;
      const type = this.#document.attempt(key, () => typeOfSchema(property, { root: schema, name }));
      return [argument, { type: type ?? { kind: 'any' }, optional }];
    });
  }

  /** Whether a contract says the type of an argument. */
  #own(given: Node | null, argument: string): boolean {
    const json = isNothing(given) ? {} : given!.toJSON();
    const own = isObject(json) && Object.hasOwn(json, argument) ? json[argument] : undefined;
    return (
      typeof own === 'string' ||
      (isObject(own) && TYPE_KEYS.some((key) => key !== 'description' && key in own))
    );
  }

  #listedResult(tool: ListedTool | undefined): ValueType | undefined {
    if (tool === undefined || !isObject(tool.outputSchema)) return undefined;
    try {
      return typeOfSchema(tool.outputSchema);
    } catch {
      // Nothing is known of a result whose description cannot be read.
      return undefined;
    }
  }

  #pin(node: Node | null, what: string, tool: ListedTool | undefined): string | null {
    const text = this.#document.text(node, `${what}: pin`);
    if (text === undefined) return null;
    const pin = /^(?:sha256:)?([0-9a-f]{64})$/.exec(text)?.[1];
    if (pin === undefined) {
      this.#document.problem(node, `${what}: pin is "${text}"; expected sha256: and 64 hexadecimal digits`);
      return null;
    }
    if (tool !== undefined && toolPin(tool) !== pin)
      this.#document.problem(
        node,
        `${what} is not what was pinned: its definition now has the SHA-256 ${toolPin(tool)}; look at what the server says of it, then pin it anew`,
      );
    return pin;
  }

  #argumentTypes(
    entry: Entry | undefined,
    listed: ReadonlyMap<string, Typing>,
    what: string,
    isListed: boolean,
  ): Map<string, Typing> {
    const types = new Map(listed);
    if (entry === undefined || isNothing(entry.value)) return types;
    for (const [argument, { key, value }] of this.#document.entries(entry.value, `${what}: arguments`)) {
      const of = `${what}: argument "${argument}"`;
      if (isListed && !listed.has(argument)) {
        const nearest = nearestName(argument, listed.keys());
        const known = [...listed.keys()].join(', ') || 'none';
        this.#document.problem(
          key,
          `${of} is none of the tool's; ${nearest === undefined ? `known: ${known}` : `did you mean "${nearest}"?`}`,
        );
      }
      const usual = listed.get(argument) ?? { type: { kind: 'any' }, optional: false };
      if (isScalar(value) && value.value !== null) types.set(argument, this.#known.types.type(value, of));
      else if (isNothing(value)) types.set(argument, usual);
      else {
        const fields = this.#document.entries(value, of, ARGUMENT_KEYS);
        const said = this.#known.types.typeIn(fields, value, of);
        const optional = this.#flag(fields, 'optional', of);
        types.set(argument, {
          type: said?.type ?? usual.type,
          optional: optional ?? (said?.optional === true || usual.optional),
        });
      }
    }
    return types;
  }

  #arguments(
    entry: Entry | undefined,
    types: ReadonlyMap<string, Typing>,
    spoken: Spoken,
    what: string,
  ): Map<string, ArgumentContract> {
    // Arguments that only the server describes are not declared.
    const found = new Map([...types].map(([argument, typing]) => [argument, undeclaredArgument(typing)]));
    if (entry === undefined || isNothing(entry.value)) return found;
    for (const [argument, { value }] of this.#document.entries(entry.value, `${what}: arguments`)) {
      const typing = types.get(argument);
      if (typing === undefined) continue;
      const of = `${what}: argument "${argument}"`;
      const fields =
        isNothing(value) || isScalar(value)
          ? new Map<string, Entry>()
          : this.#document.entries(value, of, ARGUMENT_KEYS);
      const readers = fields.has('readers')
        ? (this.#terms.read(fields.get('readers')!.value, `${of}: readers`, spoken) ?? null)
        : null;
      found.set(argument, {
        ...typing,
        integrity: this.#choice(fields, 'integrity', of, ['trusted', 'any'] as const) ?? 'any',
        readers,
        sink: this.#flag(fields, 'sink', of) ?? readers !== null,
      });
    }
    return found;
  }

  #result(
    entry: Entry | undefined,
    listed: ValueType | undefined,
    spoken: Spoken,
    what: string,
    pure: boolean,
  ): ResultContract {
    const of = `${what}: result`;
    const everyone: ReaderTerm = { kind: 'everyone' };
    // What a pure tool gives has the labels of its arguments, and adds none.
    const usual = { integrity: pure ? 'trusted' : 'untrusted', readers: pure ? everyone : null } as const;
    const type = listed ?? ({ kind: 'any' } as const);
    if (entry === undefined || isNothing(entry.value)) return { type, labels: [], ...usual, parts: [] };
    if (isScalar(entry.value))
      return { type: this.#known.types.type(entry.value, of).type, labels: [], ...usual, parts: [] };
    const fields = this.#document.entries(entry.value, of, RESULT_KEYS);
    const said = this.#known.types.typeIn(fields, entry.value, of)?.type ?? type;
    const withResult = { ...spoken, result: said };
    return {
      type: said,
      labels: fields.has('labels') ? this.#texts(fields.get('labels')!.value, `${of}: labels`) : [],
      integrity: this.#choice(fields, 'integrity', of, ['trusted', 'untrusted'] as const) ?? usual.integrity,
      readers: fields.has('readers')
        ? (this.#terms.read(fields.get('readers')!.value, `${of}: readers`, withResult) ?? null)
        : usual.readers,
      parts: fields.has('parts') ? this.#parts(fields.get('parts')!.value, said, withResult, of) : [],
    };
  }

  /** `parts: { '*.from': { integrity: trusted } }` */
  #parts(node: Node | null, type: ValueType, spoken: Spoken, of: string): ResultPart[] {
    return [...this.#document.entries(node, `${of}: parts`)].map(([text, { key, value }]): ResultPart => {
      const path = text.split('.');
      if (!hasPart(type, path))
        this.#document.problem(
          key,
          `${of}: the part "${text}" is none of its type; write a path such as from, or *.from of each element of a list`,
        );
      const what = `${of}: part "${text}"`;
      const fields = this.#document.entries(value, what, PART_KEYS);
      return {
        path,
        integrity: this.#choice(fields, 'integrity', what, ['trusted', 'untrusted'] as const) ?? null,
        readers: fields.has('readers')
          ? (this.#terms.read(fields.get('readers')!.value, `${what}: readers`, spoken) ?? NOBODY)
          : null,
      };
    });
  }

  /** Conditions, with a problem where no values fulfil them. */
  #checked(
    node: Node | null,
    isThere: boolean,
    what: string,
    key: 'requires' | 'ensures',
    types: Typed,
  ): ToolContract['requires'] {
    if (!isThere) return [];
    const found = this.#conditions.conditions(node, what, key, types);
    const failing = found.find(({ condition }) => neverHold([condition.expression], types));
    const fails = key === 'requires' ? 'no call could be made' : 'every call would break it';
    if (failing !== undefined)
      this.#document.problem(
        failing.node,
        `${what}: no values fulfil ${failing.condition.name}, so ${fails}`,
      );
    else if (
      found.length > 1 &&
      neverHold(
        found.map(({ condition }) => condition.expression),
        types,
      )
    )
      this.#document.problem(node, `${what}: no values fulfil all of ${key} together, so ${fails}`);
    return found.map(({ condition }) => condition);
  }

  /** `effects: { removes: { files: 'glob(key, pattern)' } }` */
  #effects(entry: Entry | undefined, types: ReadonlyMap<string, Typing>, what: string): Effect[] {
    if (entry === undefined) return [];
    const found: Effect[] = [];
    for (const [kind, { value }] of this.#document.entries(entry.value, `${what}: effects`, EFFECTS))
      for (const [name, { key, value: condition }] of this.#document.entries(value, `${what}: ${kind}`)) {
        const store = this.#known.stores.get(name);
        if (store === undefined) {
          this.#unknownStore(key, name, `${what}: ${kind}`);
          continue;
        }
        if (types.has('key')) {
          this.#document.problem(
            key,
            `${what} has an argument "key", which in effects is the key of a store; its effects cannot be written: list the store under writes`,
          );
          continue;
        }
        const withKey: Typed = new Map([...types, ['key', { type: store.key, optional: false }]]);
        const keys = this.#conditions.expression(condition, `${what}: ${kind} ${name}`, withKey);
        if (keys === undefined) continue;
        if (neverHold([keys], withKey))
          this.#document.problem(
            condition,
            `${what}: ${kind} no key of "${name}", whatever the arguments are`,
          );
        found.push({ kind: kind as Effect['kind'], store: name, keys });
      }
    return found;
  }

  #stores(entry: Entry | undefined, what: string): string[] {
    if (entry === undefined) return [];
    if (isScalar(entry.value) && entry.value.value === 'all') return [...this.#known.stores.keys()];
    return this.#document.items(entry.value, what).flatMap((item) => {
      const name = this.#document.text(item, `${what}: a store`);
      if (name === undefined) return [];
      if (this.#known.stores.has(name)) return [name];
      this.#unknownStore(item, name, what);
      return [];
    });
  }

  #unknownStore(node: Node, name: string, what: string): void {
    const known = [...this.#known.stores.keys()];
    const nearest = nearestName(name, known);
    this.#document.problem(
      node,
      `${what}: found the store "${name}", which stores does not list; ${nearest === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${nearest}"?`}`,
    );
  }

  #texts(node: Node | null, what: string): string[] {
    if (isScalar(node)) return [this.#document.text(node, what) ?? []].flat();
    return this.#document.items(node, what).flatMap((item) => this.#document.text(item, what) ?? []);
  }

  #flag(fields: ReadonlyMap<string, Entry>, key: string, what: string): boolean | undefined {
    return fields.has(key) ? this.#document.boolean(fields.get(key)!.value, `${what}: ${key}`) : undefined;
  }

  #choice<T extends string>(
    fields: ReadonlyMap<string, Entry>,
    key: string,
    what: string,
    words: readonly T[],
  ): T | undefined {
    return fields.has(key)
      ? this.#document.choice(fields.get(key)!.value, `${what}: ${key}`, words)
      : undefined;
  }
}

function hasPart(type: ValueType, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined || type.kind === 'any') return true;
  if (type.kind === 'list') return step === '*' && hasPart(type.of, rest);
  if (type.kind === 'either') return type.of.some((one) => hasPart(one, path));
  if (type.kind !== 'record') return false;
  return Object.hasOwn(type.fields, step)
    ? hasPart(type.fields[step].type, rest)
    : Object.keys(type.fields).length === 0;
}
