import { MOST_ELEMENTS, MOST_TEXT } from '../../languages/inputs/index.js';
import { isOfFormat } from './formats.js';
import type { TextType, ValueType } from './valueType.js';

/**
 * Whether every value of the first type is one of the second. Where it is not known, the answer is no: a record that fits only by taking some of its values in one
 * alternative and some in another.
 */
export function isSubtype(type: ValueType, of: ValueType): boolean {
  if (of.kind === 'any') return true;
  if (type.kind === 'either') return type.of.every((one) => isSubtype(one, of));
  if (type.kind === 'text' && type.values !== undefined && of.kind === 'either')
    return type.values.every((value) =>
      of.of.some((one) => isSubtype({ kind: 'text', values: [value] }, one)),
    );
  if (of.kind === 'either') return of.of.some((one) => isSubtype(type, one));
  switch (type.kind) {
    case 'any':
      return false;
    case 'null':
    case 'boolean':
      return of.kind === type.kind;
    case 'integer':
      return of.kind === 'integer' || of.kind === 'number' ? isWithin(type, of, SAFE) : false;
    case 'number':
      return of.kind === 'number' && isWithin(type, of, FINITE);
    case 'text':
      return of.kind === 'text' && isTextWithin(type, of);
    case 'list':
      return of.kind === 'list' && isWithin(type, of, SIZES) && isSubtype(type.of, of.of);
    case 'record':
      return of.kind === 'record' && isRecordWithin(type, of);
  }
}

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

const SAFE = { least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER };
const FINITE = { least: -Number.MAX_VALUE, most: Number.MAX_VALUE };
const SIZES = { least: 0, most: MOST_ELEMENTS };

function isWithin(inner: Bounds, outer: Bounds, usual: Required<Bounds>): boolean {
  const isLeast = outer.least === undefined || (inner.least ?? usual.least) >= outer.least;
  // A list that says nothing of its size has a bound all the same.
  const most = outer.most ?? (usual === SIZES ? usual.most : Infinity);
  return isLeast && (inner.most ?? usual.most) <= most;
}

function isTextWithin(inner: TextType, outer: TextType): boolean {
  const most = outer.most ?? MOST_TEXT;
  if (inner.values !== undefined)
    return inner.values
      .filter((value) => value.length <= (inner.most ?? MOST_TEXT) && isOfFormat(value, inner.format))
      .every(
        (value) =>
          (outer.values?.includes(value) ?? true) && value.length <= most && isOfFormat(value, outer.format),
      );
  if (outer.values !== undefined) return false;
  return (inner.most ?? MOST_TEXT) <= most && (outer.format === undefined || outer.format === inner.format);
}

function isRecordWithin(
  inner: Extract<ValueType, { kind: 'record' }>,
  outer: Extract<ValueType, { kind: 'record' }>,
): boolean {
  if (outer.others === 'denied') {
    if (inner.others !== 'denied') return false;
    if (Object.keys(inner.fields).some((name) => !Object.hasOwn(outer.fields, name))) return false;
  }
  return Object.entries(outer.fields).every(([name, field]) => {
    if (!Object.hasOwn(inner.fields, name)) return field.optional && inner.others === 'denied';
    const found = inner.fields[name];
    return (field.optional || !found.optional) && isSubtype(found.type, field.type);
  });
}
