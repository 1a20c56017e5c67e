import type { ValueType } from '../contract/index.js';
import type { Term } from './terms.js';

const ANY: ValueType = { kind: 'any' };

/** The types of symbols. */
export type SymbolTypes = ReadonlyMap<string, ValueType>;

/** The type of a term; `any` where it is not looked for. */
export function typeOfTerm(term: Term, types: SymbolTypes): ValueType {
  switch (term.kind) {
    case 'name':
      return types.get(term.name) ?? ANY;
    case 'literal':
      return typeOfScalar(term.value);
    case 'field':
      return fieldType(typeOfTerm(term.object, types), term.field)?.type ?? ANY;
    case 'index': {
      const type = typeOfTerm(term.object, types);
      if (type.kind === 'list') return type.of;
      const key = term.index.kind === 'literal' ? term.index.value : null;
      return (typeof key === 'string' ? fieldType(type, key)?.type : undefined) ?? ANY;
    }
    case 'list':
      return {
        kind: 'list',
        of: term.elements.map((one) => typeOfTerm(one, types)).reduce(joinTypes, undefined) ?? ANY,
        least: term.elements.length,
        most: term.elements.length,
      };
    case 'map':
      return recordType(term.keys, term.values, types);
    case 'conditional':
      return joinTypes(typeOfTerm(term.whenTrue, types), typeOfTerm(term.whenFalse, types));
    case 'logical':
    case 'has':
      return { kind: 'boolean' };
    default:
      return computedType(term, types);
  }
}

/** A field of a type; undefined if it may be any. */
export function fieldType(
  type: ValueType,
  field: string,
): { readonly type: ValueType; readonly optional: boolean } | undefined {
  return type.kind === 'record' && Object.hasOwn(type.fields, field) ? type.fields[field] : undefined;
}

function typeOfScalar(value: number | string | boolean | null): ValueType {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'string') return { kind: 'text', values: [value] };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  return Number.isSafeInteger(value)
    ? { kind: 'integer', least: value, most: value }
    : { kind: 'number', least: value, most: value };
}

function recordType(keys: readonly Term[], values: readonly Term[], types: SymbolTypes): ValueType {
  const fields: [string, { type: ValueType; optional: boolean }][] = [];
  for (const [i, key] of keys.entries()) {
    if (key.kind !== 'literal' || typeof key.value !== 'string') return ANY;
    fields.push([key.value, { type: typeOfTerm(values[i], types), optional: false }]);
  }
  return { kind: 'record', fields: Object.fromEntries(fields), others: 'denied' };
}

const TEXTS = ['domainOf', 'localPart', 'hostOf', 'extension', 'trim', 'lowerAscii'];
const NUMBERS = ['size', 'sum', 'timeOf', 'weekdayOf', 'hourOf'];

function computedType(term: Term, types: SymbolTypes): ValueType {
  if (term.kind === 'unary') return term.operator === '!' ? { kind: 'boolean' } : { kind: 'number' };
  if (term.kind === 'call') {
    if (TEXTS.includes(term.function)) return { kind: 'text' };
    if (NUMBERS.includes(term.function)) return { kind: 'number' };
    return term.function === 'emails' ? { kind: 'list', of: { kind: 'text' } } : { kind: 'boolean' };
  }
  if (term.kind === 'binary') {
    if (['==', '!=', '<', '<=', '>', '>=', 'in'].includes(term.operator)) return { kind: 'boolean' };
    if (term.operator !== '+') return { kind: 'number' };
    const sides = [typeOfTerm(term.left, types), typeOfTerm(term.right, types)];
    const is = (kind: string) => sides.some((side) => side.kind === kind);
    if (is('text')) return { kind: 'text' };
    return is('number') || is('integer') ? { kind: 'number' } : ANY;
  }
  if (term.kind === 'macro') {
    const list = typeOfTerm(term.list, types);
    if (term.macro === 'filter')
      return list.kind === 'list' ? { kind: 'list', of: list.of } : { kind: 'list', of: ANY };
    return term.macro === 'map' ? { kind: 'list', of: ANY } : { kind: 'boolean' };
  }
  return ANY;
}

/** A type of which all values of both types are. */
export function joinTypes(a: ValueType | undefined, b: ValueType): ValueType {
  if (a === undefined || a === b) return b;
  if (a.kind === 'text' && b.kind === 'text') {
    if (a.values !== undefined && b.values !== undefined && a.values.length + b.values.length <= 64)
      return { kind: 'text', values: [...new Set([...a.values, ...b.values])] };
    return a.format !== undefined && a.format === b.format && !a.values && !b.values
      ? { kind: 'text', format: a.format }
      : { kind: 'text' };
  }
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: joinTypes(a.of, b.of) };
  const isNumeric = (type: ValueType) => type.kind === 'integer' || type.kind === 'number';
  if (isNumeric(a) && isNumeric(b)) return joinNumbers(a as Numeric, b as Numeric);
  if (a.kind === b.kind && (a.kind === 'boolean' || a.kind === 'null')) return a;
  return a.kind === b.kind && JSON.stringify(a) === JSON.stringify(b) ? a : ANY;
}

type Numeric = Extract<ValueType, { kind: 'integer' | 'number' }>;

function joinNumbers(a: Numeric, b: Numeric): ValueType {
  const kind = a.kind === 'integer' && b.kind === 'integer' ? 'integer' : 'number';
  const least = a.least === undefined || b.least === undefined ? undefined : Math.min(a.least, b.least);
  const most = a.most === undefined || b.most === undefined ? undefined : Math.max(a.most, b.most);
  return { kind, ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
}
