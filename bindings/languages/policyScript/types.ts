import type { ElementType, Input, InputType, RecordType } from '../inputs/index.js';
import type { Module, WrittenType } from './syntax.js';

/** The type of a value in a script. A number has bounds; an infinite one says that it may have overflowed. */
export type ValueType =
  | { readonly kind: 'truth' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  /** @see values if there are only these */
  | { readonly kind: 'text'; readonly values?: readonly string[] }
  | { readonly kind: 'list'; readonly of: ValueType }
  | { readonly kind: 'null' }
  | { readonly kind: 'pattern' }
  /** Of something that a problem has been recorded of. */
  | { readonly kind: 'wrong' };

export const TRUTH: ValueType = { kind: 'truth' };
export const TEXT: ValueType = { kind: 'text' };

/** The type of an input's values. */
export function typeOfInput(type: InputType | RecordType): ValueType {
  switch (type.kind) {
    // Whoever reads one is told that scripts do not.
    case 'record':
      return { kind: 'wrong' };
    case 'boolean':
      return TRUTH;
    case 'integer':
      return { kind: 'number', least: type.least, most: type.most };
    case 'number':
      return { kind: 'number', least: -Number.MAX_VALUE, most: Number.MAX_VALUE };
    case 'text':
      return TEXT;
    case 'enum':
      return { kind: 'text', values: type.values };
    case 'list':
      return { kind: 'list', of: typeOfInput(type.of) };
  }
}

/** The type of values of two types; null if there is none. */
export function joinTypes(a: ValueType, b: ValueType): ValueType | null {
  if (a.kind === 'wrong' || b.kind === 'wrong') return { kind: 'wrong' };
  if (a.kind === 'number' && b.kind === 'number')
    return { kind: 'number', least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };
  if (a.kind === 'text' && b.kind === 'text')
    return a.values && b.values ? { kind: 'text', values: [...new Set([...a.values, ...b.values])] } : TEXT;
  if (a.kind === 'list' && b.kind === 'list') {
    const of = joinTypes(a.of, b.of);
    return of && { kind: 'list', of };
  }
  return a.kind === b.kind ? a : null;
}

/** A type in words. */
export function describeType(type: ValueType): string {
  switch (type.kind) {
    case 'truth':
      return 'a truth value';
    case 'null':
      return 'null';
    case 'wrong':
      return 'a value';
    default:
      return `a ${type.kind}`;
  }
}

/** The type of an input, in TypeScript. */
export function writeType({ type, optional = false }: Input): string {
  const written = type.kind === 'list' ? listType(type.of) : elementType(type);
  return optional ? `${written} | null` : written;
}

function listType(of: ElementType | RecordType): string {
  if (of.kind === 'record') return 'readonly object[]';
  const element = elementType(of);
  return `readonly ${element.includes('|') ? `(${element})` : element}[]`;
}

function elementType(type: ElementType): string {
  switch (type.kind) {
    case 'boolean':
      return 'boolean';
    case 'text':
      return 'string';
    case 'enum':
      return type.values.map((value) => `'${value.replace(/['\\]/g, '\\$&')}'`).join(' | ');
    default:
      return 'number';
  }
}

/** The type that a name stands for. @returns undefined for one that is not declared here */
export function resolved(type: WrittenType, module: Module): WrittenType | undefined {
  let found: WrittenType | undefined = type;
  for (let i = 0; found?.kind === 'name' && !BASIC.includes(found.name); i++) {
    if (i > module.types.size) return undefined;
    found = module.types.get(found.name);
  }
  return found;
}

const BASIC = ['string', 'number', 'boolean', 'null'];

/** Whether a type that is written is that of an input. A text of few values may be written as string. */
export function isTypeOf(written: WrittenType, { type, optional = false }: Input, module: Module): boolean {
  const parts = partsOf(written, module);
  const isNull = (part: WrittenType) => part.kind === 'name' && part.name === 'null';
  if (parts.some(({ kind }) => kind === 'wrong')) return true;
  if (parts.some(isNull) !== optional) return false;
  const rest = parts.filter((part) => !isNull(part));
  if (type.kind !== 'list') return isElement(rest, type);
  const [list, ...others] = rest;
  return list?.kind === 'array' && others.length === 0 && isElement(partsOf(list.of, module), type.of);
}

/** The types of a union, with what names stand for. */
function partsOf(written: WrittenType, module: Module): WrittenType[] {
  const type = resolved(written, module);
  // A type that is imported is not read.
  if (type === undefined) return [{ kind: 'wrong', place: written.place }];
  return type.kind === 'union' ? type.of.flatMap((part) => partsOfUnion(part, module)) : [type];
}

function partsOfUnion(part: WrittenType, module: Module): WrittenType[] {
  const type = resolved(part, module);
  if (type?.kind === 'union') return type.of.flatMap((one) => resolved(one, module) ?? []);
  return type === undefined ? [{ kind: 'wrong', place: part.place }] : [type];
}

function isElement(parts: readonly WrittenType[], type: ElementType | RecordType): boolean {
  if (type.kind === 'record') return true;
  if (parts.some(({ kind }) => kind === 'wrong')) return true;
  const name = { boolean: 'boolean', text: 'string', enum: 'string', integer: 'number', number: 'number' }[
    type.kind
  ];
  const [only] = parts;
  if (parts.length === 1 && only.kind === 'name') return only.name === name;
  if (type.kind !== 'enum') return false;
  const values = parts.map((part) => (part.kind === 'literal' ? part.value : null));
  return (
    new Set(values).size === new Set(type.values).size && type.values.every((value) => values.includes(value))
  );
}
