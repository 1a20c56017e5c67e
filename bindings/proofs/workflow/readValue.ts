import { nearestName } from '../../base/suggest.js';
import {
  faultOfExpression,
  listOf,
  literal,
  parsed,
  readExpression,
  recordOf,
  reference,
  textOf,
  valueOfExpression,
} from './canonical.js';
import { isPlanName, NAME_EXPECTED } from './names.js';
import type { Place } from './place.js';
import type { PlanExpression, Value } from './plan.js';
import { describe, MOST_NESTED, own, quoted, type Reading, type ReadObject } from './reading.js';

const FORMS = ['ref', 'literal', 'list', 'record', 'text', 'expr'] as const;
const EXPECTED =
  'a text, number, true, false, null, or an object with one of ref, literal, list, record, text, expr';

/** Stands for a value that cannot be read: the reading has a problem. */
const NOTHING: Value = literal(null);

/** Reads a value: bare scalars are literals; `{ref, path}`, `{literal}`, `{list}`, `{record}`, `{text}`, `{expr}`. */
export function readValue(reading: Reading, value: unknown, place: Place, depth = 0): Value {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || typeof value === 'number')
    return literal(reading.json(value, place) ?? null);
  if (Array.isArray(value))
    return wrong(reading, place, describe(value), 'a value', '{"list": […]}, or {"literal": […]} for data');
  if (depth >= MOST_NESTED)
    return wrong(reading, place, `a value nested deeper than ${MOST_NESTED} levels`, 'a flatter one');
  const object = reading.object(value, place, EXPECTED);
  if (object === undefined) return NOTHING;
  const form = formOf(reading, object);
  const inner = form && own(object.fields, form);
  const at = (key: string | number, of: unknown) => reading.child(place.at(form ?? ''), key, of);
  switch (form) {
    case 'ref':
      return readReference(reading, object);
    case 'literal':
      return literal(reading.json(inner, place.at(form)) ?? null);
    case 'list':
    case 'text': {
      const parts = reading.list(inner, place.at(form), 'a list of values') ?? [];
      const values = parts.map((part, i) => readValue(reading, part, at(i, part), depth + 1));
      return form === 'list' ? listOf(values) : textOf(values);
    }
    case 'record': {
      const record = reading.object(inner, place.at(form), 'an object of values');
      const fields = Object.entries(record?.fields ?? {});
      return recordOf(
        fields.map(([name, field]) => [name, readValue(reading, field, at(name, field), depth + 1)]),
      );
    }
    case 'expr': {
      const expression = readCondition(reading, inner, place.at(form));
      return expression === undefined ? NOTHING : valueOfExpression(parsed(expression).root);
    }
    default:
      return NOTHING;
  }
}

function wrong(reading: Reading, place: Place, found: string, expected: string, hint?: string): Value {
  reading.problem(place, found, expected, hint);
  return NOTHING;
}

function formOf(reading: Reading, object: ReadObject): (typeof FORMS)[number] | undefined {
  const { fields, place } = object;
  const forms = FORMS.filter((form) => Object.hasOwn(fields, form));
  if (forms.length !== 1) {
    const names = Object.keys(fields);
    const near = names.length === 1 ? nearestName(names[0], FORMS) : undefined;
    const hint = near === undefined ? '{"record": {…}}, or {"literal": {…}} for data' : quoted(near);
    return reading.problem(place, describe(fields), EXPECTED, hint);
  }
  const [form] = forms;
  reading.onlyFields(object, form === 'ref' ? ['ref', 'path'] : [form], `a value with ${form}`);
  return form;
}

function readReference(reading: Reading, object: ReadObject): Value {
  const { fields, place } = object;
  const name = own(fields, 'ref');
  if (typeof name !== 'string' || !isPlanName(name)) {
    const [first, ...rest] = typeof name === 'string' ? name.split(/[.[\]]+/).filter(Boolean) : [];
    const hint = rest.length > 0 ? JSON.stringify({ ref: first, path: rest.slice(0, 6) }) : undefined;
    return wrong(reading, place.at('ref'), describe(name), NAME_EXPECTED, hint);
  }
  const given = own(fields, 'path') ?? [];
  const path = reading.list(given, place.at('path'), 'a list of fields and of positions from 0') ?? [];
  const isStep = (step: unknown): step is string | number =>
    typeof step === 'string' || (Number.isSafeInteger(step) && (step as number) >= 0);
  if (path.length > MOST_NESTED)
    return wrong(reading, place.at('path'), `${path.length} parts`, `at most ${MOST_NESTED}`);
  for (const [i, step] of path.entries())
    if (!isStep(step))
      reading.problem(place.at('path').at(i), describe(step), 'a field, or a position from 0');
  return reference(
    name,
    path.filter(isStep).map((step) => (step === 0 ? 0 : step)),
  );
}

/** Reads an expression of the expression language. */
export function readCondition(reading: Reading, value: unknown, place: Place): PlanExpression | undefined {
  if (typeof value !== 'string') return reading.problem(place, describe(value), 'an expression, as text');
  try {
    return readExpression(value);
  } catch (error) {
    const fault = faultOfExpression(error);
    if (fault === null) throw error;
    return reading.problem(place, fault.found, fault.expected);
  }
}
