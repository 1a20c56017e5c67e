import { isSubtype, type ValueType } from '../contract/index.js';

/** Whether the values of a type are all of another type, some of them, or none. */
export type Fitness = 'always' | 'sometimes' | 'never';

/** Compares a type with the one that is expected. Where it is not known, the answer is `sometimes`. */
export function fitness(type: ValueType, expected: ValueType): Fitness {
  if (isSubtype(type, expected)) return 'always';
  return isDisjoint(type, expected) ? 'never' : 'sometimes';
}

/** Whether no value is of both types. Where it is not known, the answer is no. */
function isDisjoint(a: ValueType, b: ValueType): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false;
  if (a.kind === 'either') return a.of.every((one) => isDisjoint(one, b));
  if (b.kind === 'either') return b.of.every((one) => isDisjoint(a, one));
  const isNumber = (type: ValueType) => type.kind === 'integer' || type.kind === 'number';
  if (isNumber(a) && isNumber(b)) return areApart(a as Bounds, b as Bounds);
  if (a.kind === 'text' && b.kind === 'text') {
    const values = a.values ?? b.values;
    if (values === undefined) return false;
    return values.every((value) => {
      const text: ValueType = { kind: 'text', values: [value] };
      return !(isSubtype(text, a) && isSubtype(text, b));
    });
  }
  if (a.kind === 'list' && b.kind === 'list') {
    const isNeverEmpty = (a.least ?? 0) > 0 || (b.least ?? 0) > 0;
    return areApart(a, b) || (isNeverEmpty && isDisjoint(a.of, b.of));
  }
  if (a.kind === 'record' && b.kind === 'record') return areRecordsApart(a, b) || areRecordsApart(b, a);
  return a.kind !== b.kind;
}

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

function areApart(a: Bounds, b: Bounds): boolean {
  const isBelow = (low: Bounds, high: Bounds) =>
    low.most !== undefined && high.least !== undefined && low.most < high.least;
  return isBelow(a, b) || isBelow(b, a);
}

type RecordType = Extract<ValueType, { kind: 'record' }>;

function areRecordsApart(a: RecordType, b: RecordType): boolean {
  return Object.entries(a.fields).some(([name, field]) => {
    if (field.optional) return false;
    return Object.hasOwn(b.fields, name)
      ? isDisjoint(field.type, b.fields[name].type)
      : b.others === 'denied';
  });
}

/** Most alternatives of a type; with more it is any value. */
const MOST_ALTERNATIVES = 16;

/** The type of a value that is of one of several types. */
export function either(types: readonly ValueType[]): ValueType {
  const distinct = new Map<string, ValueType>();
  const open = types.flatMap((type) => (type.kind === 'either' ? type.of : [type]));
  for (const one of joinedLiterals(open)) distinct.set(JSON.stringify(one), one);
  const all = [...distinct.values()];
  if (all.length > 2 * MOST_ALTERNATIVES) return { kind: 'any' };
  if (all.length === 0 || all.some(({ kind }) => kind === 'any')) return { kind: 'any' };
  // One type that has all of the others says as much.
  const widest = all.find((one) => all.every((other) => isSubtype(other, one)));
  if (widest !== undefined) return widest;
  return all.length > MOST_ALTERNATIVES ? { kind: 'any' } : { kind: 'either', of: all };
}

/** The types with listed texts made one, and whole numbers between bounds made one: what lists of literals are of. */
function joinedLiterals(types: readonly ValueType[]): ValueType[] {
  const texts = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  const others = types.filter((type) => {
    if (
      type.kind === 'text' &&
      type.values !== undefined &&
      type.format === undefined &&
      type.most === undefined
    )
      for (const value of type.values) texts.add(value);
    else if (type.kind === 'integer' && type.least !== undefined && type.most !== undefined) {
      least = Math.min(least, type.least);
      most = Math.max(most, type.most);
    } else return true;
    return false;
  });
  if (texts.size > 0) others.push({ kind: 'text', values: [...texts] });
  if (least <= most) others.push({ kind: 'integer', least, most });
  return others;
}

/** A type without bounds, sizes and listed values: what an accumulator that begins with a value may become. */
export function widened(type: ValueType): ValueType {
  switch (type.kind) {
    case 'null':
      return { kind: 'any' };
    case 'integer':
    case 'number':
      return { kind: 'number' };
    case 'text':
      return { kind: 'text' };
    case 'list':
      return { kind: 'list', of: type.most === 0 ? { kind: 'any' } : widened(type.of) };
    case 'record': {
      const fields = Object.entries(type.fields).map(([name, field]) => [
        name,
        { ...field, type: widened(field.type) },
      ]);
      return { ...type, fields: Object.fromEntries(fields) };
    }
    case 'either':
      return either(type.of.map(widened));
    default:
      return type;
  }
}
