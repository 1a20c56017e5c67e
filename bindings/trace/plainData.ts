/** More values than a predicate has use for; what has more is not copied, so that data that shares its parts cannot blow up. */
const MOST_VALUES = 100_000;

/**
 * A copy of `value` as JSON would carry it, and nothing of the original: objects with a `toJSON` as that says, without functions and
 * absent fields, a big integer as a number or, beyond ±2^53, as text. A text that is itself JSON is what it says, however often it
 * was written as text, so that a result is the same whether a framework hands it over as data or as text; integers beyond ±2^53 stay
 * text, since they are identifiers.
 *
 * @returns null for what JSON cannot carry: nothing, cyclic data, data of more than 100,000 values, fields that throw when read.
 */
export function plainData(value: unknown): unknown {
  if (typeof value === 'string') return readText(value);
  let values = 0;
  const count = (_: string, inner: unknown): unknown => {
    if (++values > MOST_VALUES) throw new RangeError(`more than ${MOST_VALUES} values`);
    return typeof inner === 'bigint' ? bigInteger(inner) : inner;
  };
  try {
    const text = JSON.stringify(value, count);
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The arguments of a call, from data or from the JSON text that a language model wrote; what is no object is kept as `{ text }`. */
export function callArguments(found: unknown): Readonly<Record<string, unknown>> {
  const value = plainData(found);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  return { text: typeof found === 'string' ? found : value };
}

function readText(text: string): unknown {
  let value: unknown = text;
  try {
    while (typeof value === 'string') {
      const inner: unknown = JSON.parse(value);
      if (typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER) break;
      value = inner;
    }
  } catch {
    // The text as it was written.
  }
  return value;
}

function bigInteger(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
