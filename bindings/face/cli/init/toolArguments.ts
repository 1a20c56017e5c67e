import { isObject } from '../../../base/objectKind.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Types of arguments, in the words of expressions. */
export type ArgumentType = 'text' | 'number' | 'integer' | 'boolean' | 'list' | 'map' | 'any';

/** An argument of a tool, as its schema or recordings describe it. */
export interface ToolArgument {
  readonly name: string;
  readonly type: ArgumentType;
  /** The type of a list's elements; `any` if it is not known, or if this is no list. */
  readonly of: ArgumentType;
  /** The fields of a map, or of the maps in a list, as far as they are known; also those of one alternative among several. */
  readonly fields: readonly ToolArgument[];
  /** What a schema says of its texts, such as `file-path`; empty if nothing is said. */
  readonly format: string;
  readonly description: string;
  readonly required: boolean;
  /** The values that it may have, if they are listed. */
  readonly values: readonly (string | number | boolean)[] | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

const TYPES: Readonly<Record<string, ArgumentType>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'list',
  object: 'map',
};

/** So deep are maps within maps read, and so many schemas of one argument: a schema may hold itself, or others many times over. */
const MAX_DEPTH = 3;
const MAX_SCHEMAS = 1000;

/** The schema that references point into, and how many schemas may still be read. */
interface Reading {
  readonly root: JsonSchema;
  left: number;
}

/** The arguments that a JSON Schema describes; none if it describes no object. */
export function argumentsOf(schema: JsonSchema | null): ToolArgument[] {
  if (schema === null) return [];
  return fieldsOf(alternatives(schema, reading(schema)), () => reading(schema), 0);
}

function reading(root: JsonSchema): Reading {
  return { root, left: MAX_SCHEMAS };
}

/** The fields of maps of any of these schemas; what one of them lacks may be absent. */
function fieldsOf(maps: readonly JsonSchema[], from: () => Reading, depth: number): ToolArgument[] {
  if (depth > MAX_DEPTH) return [];
  const described = maps.filter(({ properties }) => isObject(properties));
  const properties = described.map((map) => map.properties as JsonSchema);
  // Sessions refuse each call with a field of this name.
  const names = new Set(properties.flatMap(Object.keys).filter((name) => name !== '__proto__'));
  return [...names].map((name) =>
    argumentOf(
      name,
      properties.filter((map) => Object.hasOwn(map, name)).map((map) => map[name]),
      described.every(
        (map, i) =>
          Object.hasOwn(properties[i], name) && Array.isArray(map.required) && map.required.includes(name),
      ),
      from(),
      depth,
    ),
  );
}

function argumentOf(
  name: string,
  schemas: readonly unknown[],
  required: boolean,
  from: Reading,
  depth: number,
): ToolArgument {
  const all = schemas.flatMap((schema) => alternatives(schema, from));
  const [schema] = all.length === 1 ? all : [{} as JsonSchema];
  const bound = (key: string): number | null =>
    typeof schema[key] === 'number' && Number.isFinite(schema[key]) ? schema[key] : null;
  const type = commonType(all);
  const items = all.flatMap((list) => alternatives(list.items, from));
  const said = (key: string): string =>
    [...schemas, ...all]
      .map((one) => (isObject(one) ? one[key] : undefined))
      .find((text) => typeof text === 'string') ?? '';
  return {
    name,
    type,
    of: type === 'list' ? commonType(items) : 'any',
    fields: fieldsOf([...all, ...items], () => from, depth + 1),
    format: said('format'),
    description: said('description'),
    required,
    values: valuesOf(schema),
    minimum: bound('minimum') ?? bound('exclusiveMinimum'),
    maximum: bound('maximum') ?? bound('exclusiveMaximum'),
  };
}

/** The values that a schema lists, if all are plain. */
function valuesOf(schema: JsonSchema): (string | number | boolean)[] | null {
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
  const plain = values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return plain.length > 0 && plain.length === values.length ? plain : null;
}

function commonType(schemas: readonly JsonSchema[]): ArgumentType {
  const [type, ...others] = new Set(schemas.map(typeOf));
  return type === undefined || others.length > 0 ? 'any' : type;
}

function typeOf(schema: JsonSchema): ArgumentType {
  const named = typeof schema.type === 'string' ? TYPES[schema.type] : undefined;
  if (named !== undefined) return named;
  const kinds = new Set(
    valuesOf(schema)?.map((value) => (typeof value === 'string' ? 'text' : typeof value)),
  );
  const [kind] = kinds;
  return kinds.size === 1 ? (kind as ArgumentType) : 'any';
}

/** The schemas of which a value fits one: several if they differ. References are followed, and null is left out. */
function alternatives(schema: unknown, from: Reading, depth = 0): JsonSchema[] {
  if (!isObject(schema) || depth > 20 || --from.left < 0) return [{}];
  const go = (part: unknown): JsonSchema[] => alternatives(part, from, depth + 1);
  if (typeof schema.$ref === 'string') return go(at(schema.$ref, from.root));
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return (types.length === 0 ? [undefined] : types).flatMap((type) => go({ ...schema, type }));
  }
  for (const key of ['anyOf', 'oneOf']) {
    const parts = schema[key];
    if (!Array.isArray(parts)) continue;
    const { [key]: _, ...rest } = schema;
    const others = parts.filter((part) => !isObject(part) || part.type !== 'null');
    if (others.length > 0) return others.flatMap(go).flatMap((one) => go(merged(rest, one)));
  }
  if (!Array.isArray(schema.allOf)) return [schema];
  const { allOf, ...rest } = schema;
  // What all of them say; of alternatives among them the first, for the rest of its fields are not sure to be there.
  return go(allOf.map((part) => go(part)).reduce<JsonSchema>((all, [one]) => merged(all, one), rest));
}

/** What holds of both; fields that either describes. */
function merged(all: JsonSchema, one: JsonSchema): JsonSchema {
  const properties =
    isObject(all.properties) && isObject(one.properties)
      ? { properties: { ...all.properties, ...one.properties } }
      : {};
  const required =
    Array.isArray(all.required) && Array.isArray(one.required)
      ? { required: [...all.required, ...one.required] }
      : {};
  return { ...all, ...one, ...properties, ...required };
}

/** What a reference such as `#/$defs/Path` points to. */
function at(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) || Array.isArray(found) ? (found as Record<string, unknown>)[key] : undefined;
  }
  return found;
}

/** The type as specifications write it. */
export function typeText({ type, of, required }: ToolArgument): string {
  const written = type === 'list' && of !== 'any' ? `list of ${of}` : type;
  return required ? written : `${written}?`;
}

/** A value that an argument may have. */
export function sampleOf({ name, type, of, fields, values, minimum, maximum }: ToolArgument): unknown {
  if (values !== null) return values[0];
  if (type === 'list') return of === 'text' ? [textFor(name)] : [];
  if (type === 'number' || type === 'integer')
    return Math.ceil(Math.max(minimum ?? 1, Math.min(1, maximum ?? 1)));
  if (type === 'boolean') return false;
  return type === 'map' ? samplesOf(fields) : textFor(name);
}

/** Values of the arguments that are required. */
export function samplesOf(all: readonly ToolArgument[]): Record<string, unknown> {
  return Object.fromEntries(all.filter(({ required }) => required).map((one) => [one.name, sampleOf(one)]));
}

function textFor(name: string): string {
  const words = name.toLowerCase();
  if (/url|uri|link/.test(words)) return 'https://example.com/';
  if (/mail|^to$|recipient|^b?cc$/.test(words)) return 'ann@example.com';
  return /path|file|dir|folder|source|destination/.test(words) ? 'a.txt' : 'text';
}
