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

/** The arguments that a JSON Schema describes; none if it describes no object. */
export function argumentsOf(schema: JsonSchema | null): ToolArgument[] {
  if (schema === null) return [];
  const root = resolved(schema, schema);
  const required = Array.isArray(root.required) ? root.required : [];
  if (!isObject(root.properties)) return [];
  return Object.entries(root.properties).map(([name, property]) =>
    argumentOf(name, resolved(property, schema), required.includes(name), schema),
  );
}

function argumentOf(name: string, schema: JsonSchema, required: boolean, root: JsonSchema): ToolArgument {
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : null;
  const plain = values?.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)) ?? null;
  const bound = (key: string): number | null =>
    typeof schema[key] === 'number' && Number.isFinite(schema[key]) ? schema[key] : null;
  const type = typeOf(schema, plain);
  return {
    name,
    type,
    of: type === 'list' ? typeOf(resolved(schema.items, root), null) : 'any',
    required,
    values: plain !== null && plain.length > 0 && plain.length === values?.length ? plain : null,
    minimum: bound('minimum') ?? bound('exclusiveMinimum'),
    maximum: bound('maximum') ?? bound('exclusiveMaximum'),
  };
}

function typeOf(schema: JsonSchema, values: readonly unknown[] | null): ArgumentType {
  const named = typeof schema.type === 'string' ? TYPES[schema.type] : undefined;
  if (named !== undefined) return named;
  const kinds = new Set(values?.map((value) => (typeof value === 'string' ? 'text' : typeof value)));
  const [kind] = kinds;
  return kinds.size === 1 ? (kind as ArgumentType) : 'any';
}

/** Follows references within the schema, and takes the one alternative that is not null. */
function resolved(schema: unknown, root: JsonSchema, depth = 0): JsonSchema {
  if (!isObject(schema) || depth > 20) return {};
  if (typeof schema.$ref === 'string') return resolved(at(schema.$ref, root), root, depth + 1);
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[key];
    if (!Array.isArray(parts)) continue;
    const other = parts.filter((part) => !isObject(part) || part.type !== 'null');
    if (other.length === 1) return { ...schema, ...resolved(other[0], root, depth + 1) };
  }
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  return { ...schema, type: types.length === 1 ? types[0] : undefined };
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
export function sampleOf({ name, type, of, values, minimum, maximum }: ToolArgument): unknown {
  if (values !== null) return values[0];
  if (type === 'list') return of === 'text' ? [textFor(name)] : [];
  if (type === 'number' || type === 'integer')
    return Math.ceil(Math.max(minimum ?? 1, Math.min(1, maximum ?? 1)));
  if (type === 'boolean') return false;
  return type === 'map' ? {} : textFor(name);
}

function textFor(name: string): string {
  const words = name.toLowerCase();
  if (/url|uri|link/.test(words)) return 'https://example.com/';
  if (/mail|^to$|recipient|^b?cc$/.test(words)) return 'ann@example.com';
  return /path|file|dir|folder|source|destination/.test(words) ? 'a.txt' : 'text';
}
