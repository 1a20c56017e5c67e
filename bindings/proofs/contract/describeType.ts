import type { TextFormat, TextType, ValueType } from './valueType.js';

/** A type in words, such as `a list, each a record (from: an e-mail address; body: a text)`. */
export function describeType(type: ValueType): string {
  switch (type.kind) {
    case 'any':
      return 'anything';
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `a whole number${boundsText(type)}`;
    case 'number':
      return `a number${boundsText(type)}`;
    case 'text':
      return describeText(type);
    case 'list':
      return `a list${sizeText(type)}, each ${describeType(type.of)}`;
    case 'record': {
      const fields = Object.entries(type.fields).map(
        ([name, field]) => `${name}: ${describeType(field.type)}${field.optional ? ', or nothing' : ''}`,
      );
      if (type.others === 'denied') fields.push('nothing else');
      return fields.length === 0 ? 'a record' : `a record (${fields.join('; ')})`;
    }
    case 'either':
      return type.of.map(describeType).join(', or ');
  }
}

function describeText({ values, format, most }: TextType): string {
  if (values !== undefined) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  const what = format === undefined ? 'a text' : describeFormat(format);
  return most === undefined ? what : `${what} of at most ${most} characters`;
}

function describeFormat(format: TextFormat): string {
  switch (format) {
    case 'email':
      return 'an e-mail address';
    case 'url':
      return 'a URL';
    case 'path':
      return 'a path';
    case 'glob':
      return 'a pattern of names';
    case 'date-time':
      return 'a date with a time';
    default:
      return `a key of "${format.slice('id:'.length)}"`;
  }
}

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

function boundsText({ least, most }: Bounds): string {
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  if (least !== undefined) return ` from ${least} up`;
  return most === undefined ? '' : ` up to ${most}`;
}

function sizeText({ least, most }: Bounds): string {
  if (least !== undefined && most !== undefined)
    return least === most ? ` of ${most}` : ` of ${least} to ${most}`;
  if (least !== undefined) return ` of at least ${least}`;
  return most === undefined ? '' : ` of at most ${most}`;
}
