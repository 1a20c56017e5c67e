import type { ValueType } from '../contract/index.js';
import type { Json } from '../workflow/index.js';

const TEXTS: Readonly<Record<string, string>> = {
  email: 'ann@home.example',
  url: 'https://home.example/',
  path: 'notes.txt',
  glob: '*.txt',
  'date-time': '2025-01-01T00:00:00Z',
};

/** A value of a type that is easy to read. @param rich how many elements lists have; from 1 on, truth values are true */
export function exampleOf(type: ValueType, rich: number): Json {
  switch (type.kind) {
    case 'any':
      return 'text';
    case 'null':
      return null;
    case 'boolean':
      return rich > 0;
    case 'integer':
    case 'number': {
      const usual = rich > 0 ? 1 : 0;
      return Math.min(Math.max(usual, type.least ?? usual), type.most ?? Number.MAX_SAFE_INTEGER);
    }
    case 'text':
      return (
        type.values?.[rich > 0 ? 0 : type.values.length - 1] ??
        TEXTS[type.format ?? ''] ??
        (rich > 0 ? 'text' : '')
      );
    case 'list': {
      const count = Math.min(Math.max(rich, type.least ?? 0), type.most ?? Math.max(2, rich));
      return Array.from({ length: count }, () => exampleOf(type.of, rich));
    }
    case 'record': {
      const fields = Object.entries(type.fields).filter(([, { optional }]) => rich > 0 || !optional);
      return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field.type, rich)]));
    }
    case 'either':
      return exampleOf(type.of[0], rich);
  }
}

/** The value with another one at a path. Lists grow as far as the path says. */
export function withPart(value: Json, [key, ...rest]: readonly (string | number)[], part: Json): Json {
  if (key === undefined) return part;
  if (typeof key === 'number') {
    const list: Json[] = Array.isArray(value) ? [...value] : [];
    while (list.length <= key) list.push(list.length > 0 ? list[0] : null);
    list[key] = withPart(list[key], rest, part);
    return list;
  }
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...fields, [key]: withPart((fields as Record<string, Json>)[key] ?? null, rest, part) };
}
