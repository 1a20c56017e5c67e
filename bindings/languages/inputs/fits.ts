import {
  ANY_INTEGER,
  type ElementType,
  type Field,
  type Input,
  type InputType,
  type RecordType,
} from './inputType.js';

/** Why a value is none of an input: `absent`, of another kind (`mistyped`), or outside of the type's bounds (`outside`); null if it is one. */
export type Misfit = 'absent' | 'mistyped' | 'outside' | null;

/**
 * Compares a value with the type of an input. Allocates nothing.
 *
 * @param value undefined if there is none
 */
export function misfit(value: unknown, { type, optional = false }: Input): Misfit {
  if (value === undefined || value === null) return optional ? null : 'absent';
  if (type.kind !== 'list') return misfitOf(value, type);
  if (!Array.isArray(value)) return 'mistyped';
  if (value.length > type.most) return 'outside';
  for (let i = 0; i < value.length; i++) {
    const found = misfitOf(value[i], type.of);
    if (found !== null) return found;
  }
  return null;
}

function misfitOf(value: unknown, type: ElementType | RecordType): Misfit {
  switch (type.kind) {
    case 'record':
      return misfitOfRecord(value, type);
    case 'boolean':
      return typeof value === 'boolean' ? null : 'mistyped';
    case 'enum':
      if (typeof value !== 'string') return 'mistyped';
      return type.values.includes(value) ? null : 'outside';
    case 'integer':
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'mistyped';
      return (value as number) >= type.least && (value as number) <= type.most ? null : 'outside';
    case 'number':
      // A negative zero is equal to zero, and divides otherwise: what is proved of one would not hold of the other.
      return Number.isFinite(value) && !Object.is(value, -0) ? null : 'mistyped';
    case 'text':
      if (typeof value !== 'string') return 'mistyped';
      return value.length <= type.most ? null : 'outside';
  }
}

/** A record without one of its fields is of another kind, and so is one with a field that no condition can see, where that matters. */
function misfitOfRecord(value: unknown, { fields, others }: RecordType): Misfit {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'mistyped';
  for (const name in fields) {
    const found = misfitOfField(
      Object.hasOwn(value, name) ? (value as Fields)[name] : undefined,
      fields[name],
    );
    if (found !== null) return found;
  }
  if (others === 'ignored') return null;
  for (const name in value) if (Object.hasOwn(value, name) && !Object.hasOwn(fields, name)) return 'mistyped';
  return null;
}

type Fields = Readonly<Record<string, unknown>>;

function misfitOfField(value: unknown, { type, optional = false }: Field): Misfit {
  if (value === undefined || value === null) return optional ? null : 'mistyped';
  return misfitOf(value, type);
}

/** A type in words. */
export function describeInput({ type, optional = false }: Input | Field): string {
  return `${describeType(type)}${optional ? ', or nothing' : ''}`;
}

function describeType(type: InputType | RecordType): string {
  switch (type.kind) {
    case 'boolean':
      return 'true or false';
    case 'enum':
      return `one of ${type.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'integer':
      return type.least === ANY_INTEGER.least && type.most === ANY_INTEGER.most
        ? 'a whole number'
        : `a whole number from ${type.least} to ${type.most}`;
    case 'number':
      return 'a number';
    case 'text':
      return `a text of at most ${type.most} characters`;
    case 'list':
      return `a list of at most ${type.most}, each ${describeType(type.of)}`;
    case 'record': {
      const fields = Object.entries(type.fields).map(([name, field]) => `${name}: ${describeInput(field)}`);
      return `a record (${fields.join('; ')}${type.others === 'denied' ? '; nothing else' : ''})`;
    }
  }
}
