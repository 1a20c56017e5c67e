import { isObject } from '../../base/objectKind.js';
import { MOST_ELEMENTS, MOST_TEXT } from '../../languages/inputs/index.js';
import { describeType } from './describeType.js';
import { isOfFormat } from './formats.js';
import type { ValueType } from './valueType.js';

/** Where a value is not of a type. */
export interface TypeMisfit {
  /** Fields and elements that lead to the part. */
  readonly path: readonly (string | number)[];
  /** The type that the part should have, in words. */
  readonly expected: string;
  /** What stands there, in words that do not cite data: its kind, or its size. */
  readonly found: string;
}

/** Deepest value that is compared: schemas are no deeper, but for what they do not describe. */
const MOST_DEPTH = 64;

/**
 * Compares a value with a type.
 *
 * @returns where it is not of the type, in the first place that was found; null if it is
 */
export function fits(value: unknown, type: ValueType): TypeMisfit | null {
  return misfitAt(value, type, []);
}

type Path = readonly (string | number)[];

function misfitAt(value: unknown, type: ValueType, path: Path): TypeMisfit | null {
  const not = (found = kindOf(value)): TypeMisfit => ({ path, expected: describeType(type), found });
  switch (type.kind) {
    case 'any':
      return isJson(value, 0) ? null : { path, expected: 'a JSON value', found: kindOf(value) };
    case 'null':
      return value === null ? null : not();
    case 'boolean':
      return typeof value === 'boolean' ? null : not();
    case 'integer':
    case 'number': {
      if (!isNumber(value, type.kind)) return not();
      const { least = -Infinity, most = Infinity } = type;
      return value >= least && value <= most ? null : not('a number outside of these bounds');
    }
    case 'text': {
      if (typeof value !== 'string') return not();
      if (type.values !== undefined && !type.values.includes(value)) return not('another text');
      if (value.length > (type.most ?? MOST_TEXT)) return not(`a text of ${value.length} characters`);
      return isOfFormat(value, type.format) ? null : not('a text that is none');
    }
    case 'list': {
      if (!Array.isArray(value)) return not();
      if (value.length < (type.least ?? 0) || value.length > (type.most ?? MOST_ELEMENTS))
        return not(`a list of ${value.length}`);
      for (let i = 0; i < value.length; i++) {
        const found = misfitAt(value[i], type.of, [...path, i]);
        if (found !== null) return found;
      }
      return null;
    }
    case 'record':
      return isObject(value) ? misfitOfRecord(value, type, path) : not();
    case 'either': {
      const found = type.of.map((one) => misfitAt(value, one, path));
      if (found.includes(null)) return null;
      // The alternative that goes furthest is the one that was meant.
      const deepest = Math.max(...found.map((one) => one!.path.length));
      return deepest > path.length ? found.find((one) => one!.path.length === deepest)! : not();
    }
  }
}

function misfitOfRecord(
  value: Readonly<Record<string, unknown>>,
  { fields, others }: Extract<ValueType, { kind: 'record' }>,
  path: Path,
): TypeMisfit | null {
  for (const [name, { type, optional }] of Object.entries(fields)) {
    const at = [...path, name];
    if (!Object.hasOwn(value, name) || value[name] === undefined) {
      if (!optional) return { path: at, expected: describeType(type), found: 'nothing' };
      continue;
    }
    const found = misfitAt(value[name], type, at);
    if (found !== null) return found;
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(fields, name)) continue;
    const at = [...path, name];
    if (others === 'denied') return { path: at, expected: 'no such field', found: kindOf(value[name]) };
    if (!isJson(value[name], 0)) return { path: at, expected: 'a JSON value', found: kindOf(value[name]) };
  }
  return null;
}

function isNumber(value: unknown, kind: 'integer' | 'number'): value is number {
  const isFit = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isFit && !Object.is(value, -0);
}

function isJson(value: unknown, depth: number): boolean {
  if (depth > MOST_DEPTH) return false;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      return Object.values(value).every((one) => one === undefined || isJson(one, depth + 1));
    default:
      return false;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'number':
      if (Object.is(value, -0)) return 'a negative zero';
      return Number.isFinite(value) ? `the number ${value}` : 'no finite number';
    case 'object':
      return isJson(value, 0) ? 'a record' : 'what JSON does not have, or deeper than 64';
    default:
      return `a ${typeof value}`;
  }
}

/** The place of a part of a value, as expressions write it: `mails[0].from`. */
export function placeOf(name: string, path: Path): string {
  return path.reduce<string>(
    (so, step) =>
      typeof step === 'number'
        ? `${so}[${step}]`
        : /^[A-Za-z_]\w*$/.test(step)
          ? `${so}.${step}`
          : `${so}[${JSON.stringify(step)}]`,
    name,
  );
}

/** A misfit as a sentence: `mails[0].from should be an e-mail address, and is a number`. */
export function misfitText(name: string, { path, expected, found }: TypeMisfit): string {
  return `${placeOf(name, path)} should be ${expected}, and is ${found}`;
}
