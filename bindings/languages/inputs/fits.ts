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

/** Compares a value, undefined if there is none, with a type. Allocates nothing. */
type FindMisfit = (value: unknown) => Misfit;

/**
 * Compares a value with the type of an input.
 *
 * @param value undefined if there is none
 */
export function misfit(value: unknown, input: Input): Misfit {
  return misfitFinder(input)(value);
}

/** As `misfit`, for many values of one input: the type is looked through once, and a comparison allocates nothing. */
export function misfitFinder({ type, optional = false }: Input): FindMisfit {
  const ifAbsent = optional ? null : 'absent';
  const find = type.kind === 'list' ? finderOfList(type) : finderOfElement(type);
  return (value) => (value === undefined || value === null ? ifAbsent : find(value));
}

function finderOfList({ of, most }: Extract<InputType, { kind: 'list' }>): FindMisfit {
  const find = finderOfElement(of);
  return (value) => {
    if (!Array.isArray(value)) return 'mistyped';
    if (value.length > most) return 'outside';
    for (let i = 0; i < value.length; i++) {
      const found = find(value[i]);
      if (found !== null) return found;
    }
    return null;
  };
}

function finderOfElement(type: ElementType | RecordType): FindMisfit {
  switch (type.kind) {
    case 'record':
      return finderOfRecord(type);
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? null : 'mistyped');
    case 'enum': {
      const { values } = type;
      return (value) => {
        if (typeof value !== 'string') return 'mistyped';
        for (let i = 0; i < values.length; i++) if (values[i] === value) return null;
        return 'outside';
      };
    }
    case 'integer': {
      const { least, most } = type;
      return (value) => {
        if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'mistyped';
        return (value as number) >= least && (value as number) <= most ? null : 'outside';
      };
    }
    case 'number':
      // A negative zero is equal to zero, and divides otherwise: what is proved of one would not hold of the other.
      return (value) => (Number.isFinite(value) && !Object.is(value, -0) ? null : 'mistyped');
    case 'text': {
      const { most } = type;
      return (value) => {
        if (typeof value !== 'string') return 'mistyped';
        return value.length <= most ? null : 'outside';
      };
    }
  }
}

/** A record without one of its fields is of another kind, and so is one with a field that no condition can see, where that matters. */
function finderOfRecord({ fields, others }: RecordType): FindMisfit {
  const known = Object.entries(fields).map(([name, field]) => ({ name, find: finderOfField(field) }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'mistyped';
    for (let i = 0; i < known.length; i++) {
      const { name, find } = known[i];
      const found = find(Object.hasOwn(value, name) ? (value as Fields)[name] : undefined);
      if (found !== null) return found;
    }
    if (others === 'ignored') return null;
    for (const name in value)
      if (Object.hasOwn(value, name) && !Object.hasOwn(fields, name)) return 'mistyped';
    return null;
  };
}

type Fields = Readonly<Record<string, unknown>>;

function finderOfField({ type, optional = false }: Field): FindMisfit {
  const ifAbsent = optional ? null : 'mistyped';
  const find = finderOfElement(type);
  return (value) => (value === undefined || value === null ? ifAbsent : find(value));
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
