/**
 * What a test says should come out, and whether it did. Published numbers are exact fractions: a decimal stands for all numbers that
 * round to it, and a certified interval must meet those.
 *
 * `?` is anything but an error, `Error` an error, `Error "why"` too, `Error:one,two` an error whose message holds these words; `[l,u]`
 * an interval, `~0.3` an approximation, `1/6` a fraction; `[(a,b),…]` a curve; anything else is an expression over the model's constants.
 */

/** How far PRISM's own tests let a result be from what is written, relatively: most decimals there came from iteration. */
const PRISM_ACCURACY = { numerator: 1n, denominator: 100_000n };

/** The number that a text stands for, as an exact fraction with a positive denominator; undefined if it is none. */
export function parseFraction(text) {
  const [, whole, rest = '', exponent = '0', divisor] =
    /^([+-]?\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?(?:\/(\d+))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || !/\d/.test(whole + rest) || divisor === '0') return undefined;
  const scale = rest.length - Number(exponent);
  const digits = BigInt(`${whole}${rest}`.replace(/^\+/, ''));
  return fraction(
    digits * 10n ** BigInt(Math.max(0, -scale)),
    10n ** BigInt(Math.max(0, scale)) * BigInt(divisor ?? 1),
  );
}

function fraction(numerator, denominator) {
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator };
}

/** A finite double as the fraction it is. */
function ofDouble(value) {
  let shift = 0;
  let whole = value;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    shift++;
  }
  return fraction(BigInt(whole), 2n ** BigInt(shift));
}

const plus = (a, b) =>
  fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
const times = (a, b) => fraction(a.numerator * b.numerator, a.denominator * b.denominator);
const minus = (a, b) => plus(a, times(b, fraction(-1n, 1n)));
const magnitude = (a) => fraction(a.numerator < 0n ? -a.numerator : a.numerator, a.denominator);
const atMost = (a, b) => a.numerator * b.denominator <= b.numerator * a.denominator;
const smaller = (a, b) => (atMost(a, b) ? a : b);

/** A double, perhaps infinite, held against a fraction. */
function doubleAtMost(value, limit) {
  return Number.isFinite(value) ? atMost(ofDouble(value), limit) : value === -Infinity;
}
function doubleAtLeast(value, limit) {
  return Number.isFinite(value) ? atMost(limit, ofDouble(value)) : value === Infinity;
}

/** Whether two doubles lie on either side of a fraction, or on it. */
export function brackets(lower, upper, exact) {
  return doubleAtMost(lower, exact) && doubleAtLeast(upper, exact);
}

/** Half a unit of a decimal's last digit. */
function halfUnit(text) {
  const [, rest = '', exponent = '0'] = /^[+-]?\d*(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = rest.length - Number(exponent);
  return digits >= 0 ? fraction(1n, 2n * 10n ** BigInt(digits)) : fraction(10n ** BigInt(-digits), 2n);
}

/**
 * Reads what is written behind `RESULT:`.
 *
 * @param evaluate The value of an expression over constants: { numerator, denominator }, a truth value, or an infinite number or NaN
 */
export function parseExpected(text, evaluate) {
  if (text === '?') return { kind: 'anything', text };
  if (/^Error/i.test(text)) {
    const [, words = ''] = /^Error:(.*)/i.exec(text) ?? [];
    return { kind: 'error', words: words.split(',').filter(Boolean), text };
  }
  if (/^(true|false)$/i.test(text)) return { kind: 'boolean', value: text.toLowerCase() === 'true', text };
  if (/^\[.*\(/.test(text)) return { kind: 'curve', text };
  const bounds = /^\[([^,]+),([^,]+)\]$/.exec(text)?.slice(1).map(parseFraction);
  if (bounds?.every(Boolean)) return { kind: 'number', text, low: bounds[0], high: bounds[1] };
  if (/^[+-]?(NaN|Inf(inity)?|∞)$/i.test(text)) return { kind: 'special', value: specialNumber(text), text };
  const approximate = text.startsWith('~');
  const literal = approximate ? text.slice(1) : text;
  const number = parseFraction(literal);
  if (number !== undefined) return numberExpected(number, literal, text, approximate);
  const value = evaluate(text);
  if (typeof value === 'boolean') return { kind: 'boolean', value, text };
  if (typeof value === 'number') return { kind: 'special', value, text };
  return {
    kind: 'number',
    text,
    ...around(value, times(magnitude(value), PRISM_ACCURACY)),
    low: value,
    high: value,
  };
}

function specialNumber(text) {
  return /nan$/i.test(text) ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity;
}

/** Integers and fractions are meant exactly; a decimal within its rounding, but no further than PRISM's tests go. */
function numberExpected(number, literal, text, approximate) {
  const prism = times(magnitude(number), PRISM_ACCURACY);
  const isExact = /^[+-]?\d+(\/\d+)?$/.test(literal);
  const rounding = isExact ? fraction(0n, 1n) : approximate ? prism : smaller(halfUnit(literal), prism);
  const { widerLow: low, widerHigh: high } = around(number, rounding);
  return { kind: 'number', text, low, high, ...(!isExact && around(number, prism)) };
}

function around(number, distance) {
  return { widerLow: minus(number, distance), widerHigh: plus(number, distance) };
}

/**
 * A published number that is a JSON value: a truth value, a number, or `num` over `den` where these are given. A double stands for
 * what rounds to it.
 */
export function publishedExpected({ approx, num, den }) {
  if (typeof approx === 'boolean') return { kind: 'boolean', value: approx, text: String(approx) };
  if (num !== undefined && den !== undefined) return parseExpected(`${num}/${den}`);
  const text = String(approx);
  if (!Number.isFinite(Number(approx))) return parseExpected(text);
  const number = parseFraction(text);
  const rounding = times(magnitude(number), fraction(1n, 2n ** 52n));
  const { widerLow: low, widerHigh: high } = around(number, rounding);
  return { kind: 'number', text, low, high };
}

/**
 * Holds a result against what is expected.
 *
 * @param result { value, lower, upper }, perhaps with the number itself as `exact`, or { error: { code, message } }
 * @returns { outcome: 'passed' | 'close' | 'failed' | 'unsupported' | 'skipped', detail }; `close` is within PRISM's own accuracy only
 */
export function judge(expected, result) {
  if (result.error) return judgeError(expected, result.error);
  const found = describeResult(result);
  const failed = { outcome: 'failed', detail: `expected ${expected.text}, found ${found}` };
  const passed = { outcome: 'passed', detail: found };
  const { value } = result;
  switch (expected.kind) {
    case 'anything':
      return { outcome: 'skipped', detail: 'no result is published' };
    case 'error':
      return /not.?supported|"accuracy"|fractional/i.test(expected.text) || expected.words.includes('not')
        ? {
            outcome: 'skipped',
            detail: 'PRISM does not support, or is not accurate enough for, what is answered here',
          }
        : failed;
    case 'curve':
      return { outcome: 'unsupported', detail: 'several objectives' };
    case 'boolean':
      return value === expected.value ? passed : failed;
    case 'special':
      return Object.is(value, expected.value) || value === expected.value ? passed : failed;
    default: {
      const [lower, upper] = boundsOf(result);
      if (lower === undefined || Number.isNaN(lower) || Number.isNaN(upper)) return failed;
      const { exact } = result;
      const meets = (low, high) =>
        exact
          ? atMost(low, exact) && atMost(exact, high)
          : doubleAtMost(lower, high) && doubleAtLeast(upper, low);
      if (meets(expected.low, expected.high)) return passed;
      if (expected.widerLow && meets(expected.widerLow, expected.widerHigh)) {
        return { outcome: 'close', detail: `published ${expected.text}, found ${found}` };
      }
      return failed;
    }
  }
}

function judgeError(expected, { code, message }) {
  if (expected.kind === 'error') {
    const missing = expected.words.find(
      (word) => !`${code} ${message}`.toLowerCase().includes(word.toLowerCase()),
    );
    if (missing === undefined) return { outcome: 'passed', detail: firstLine(message) };
    if (code !== 'not-supported') {
      return {
        outcome: 'failed',
        detail: `expected an error about "${missing}", found: ${firstLine(message)}`,
      };
    }
  }
  const outcome = code === 'not-supported' ? 'unsupported' : code === 'limit' ? 'skipped' : 'failed';
  return { outcome, detail: firstLine(message) };
}

function boundsOf({ value, lower, upper }) {
  if (typeof value === 'object' && value !== null) return [lower ?? value.min, upper ?? value.max];
  return typeof value === 'number' ? [lower ?? value, upper ?? value] : [];
}

function describeResult({ value, lower, upper, exact }) {
  if (exact) return `${exact.numerator}/${exact.denominator}`;
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return lower === undefined || lower === upper ? shown : `${shown} in [${lower}, ${upper}]`;
}

function firstLine(message) {
  return message.split('\n', 1)[0];
}
