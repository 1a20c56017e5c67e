import type { WrittenType } from './syntax.js';
import type { ValueType } from './types.js';

/** Whether a type that stands beside a const is that of its value. */
export function fitsAnnotation(type: WrittenType, of: ValueType): boolean {
  if (of.kind === 'wrong' || type.kind === 'wrong') return true;
  if (of.kind !== 'list') return isElementType(type, of);
  return type.kind !== 'array' ? type.kind === 'name' && !isBasic(type.name) : isElementType(type.of, of.of);
}

/** Whether a written type is that of a text, a number or a truth value. */
export function isElementType(type: WrittenType, element: ValueType): boolean {
  if (type.kind !== 'name') return true;
  const names: Partial<Record<ValueType['kind'], string>> = {
    truth: 'boolean',
    text: 'string',
    number: 'number',
  };
  return !isBasic(type.name) || names[element.kind] === type.name;
}

function isBasic(name: string): boolean {
  return ['string', 'number', 'boolean', 'null'].includes(name);
}
