import { InvalidDataError } from '../../base/errors.js';
import type { Model } from './evaluate.js';
import { readSExpressions, type SExpression } from './sExpression.js';
import type { TermValue } from './term.js';

/** What a solver says of a script. */
export type SolverAnswer =
  /** The assertions cannot hold together. */
  | { readonly kind: 'unsat' }
  /** They hold with these values, as the solver says. */
  | { readonly kind: 'sat'; readonly model: Model }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Reads the output of a solver for a script of `printScript`: `sat` with the values of its variables, `unsat` or `unknown`. Before it may stand the answer to
 * `(get-info :version)`.
 *
 * @throws InvalidDataError for any other output
 */
export function readAnswer(output: string): SolverAnswer & { readonly version: string } {
  const expressions = readSExpressions(output);
  const version = versionOf(expressions[0]);
  return {
    ...answerOf(version === null ? expressions : expressions.slice(1), output),
    version: version ?? '',
  };
}

/** What `(get-info :version)` is answered by; null for anything else. */
function versionOf(first: SExpression | undefined): string | null {
  if (first === 'unsupported') return '';
  if (!Array.isArray(first) || first[0] !== ':version') return null;
  const [, version] = first as readonly SExpression[];
  return typeof version === 'object' && 'text' in version ? version.text : '';
}

function answerOf([first, ...others]: readonly SExpression[], output: string): SolverAnswer {
  const fail = (expected: string): never => {
    throw new InvalidDataError(`found ${JSON.stringify(output.trim().slice(0, 200))}, expected ${expected}`);
  };
  if (first === 'sat') {
    if (others.length > 1) return fail('sat and the values of variables');
    return { kind: 'sat', model: others.length === 0 ? new Map() : readModel(others[0]) };
  }
  if (first !== 'unsat' && first !== 'unknown' && first !== 'timeout') return fail('sat, unsat or unknown');
  // That there are no values to show is all that may follow: `sat` after `unsat` is no answer.
  if (!others.every(isError)) return fail(`nothing but errors after ${first}`);
  return first === 'unsat' ? { kind: 'unsat' } : { kind: 'unknown', reason: `it answered ${first}` };
}

function isError(one: SExpression): boolean {
  return Array.isArray(one) && one[0] === 'error';
}

function readModel(pairs: SExpression): Model {
  if (typeof pairs === 'string' || 'text' in pairs) return fail(pairs);
  return new Map(
    pairs.map((pair) => {
      const [name, value] = Array.isArray(pair) ? pair : fail(pair);
      if (typeof name !== 'string' || value === undefined) return fail(pair);
      return [name, readValue(value)];
    }),
  );
}

function readValue(value: SExpression): TermValue {
  if (typeof value === 'string') {
    if (value === 'true' || value === 'false') return value === 'true';
    return /^-?\d+$/.test(value) ? BigInt(value) : fail(value);
  }
  if ('text' in value) return readText(value.text);
  const [head, ...parts] = value;
  if (head === '-' && typeof parts[0] === 'string' && /^\d+$/.test(parts[0])) return -BigInt(parts[0]);
  if (head === 'fp') return doubleOf(parts.map(bitsOf).join(''));
  if (head === '_') {
    const special = SPECIAL[String(parts[0])];
    if (special !== undefined) return special;
  }
  return fail(value);
}

const SPECIAL: Readonly<Record<string, number>> = {
  '+zero': 0,
  '-zero': -0,
  '+oo': Number.POSITIVE_INFINITY,
  '-oo': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
};

function bitsOf(part: SExpression): string {
  if (typeof part !== 'string') return fail(part);
  if (/^#b[01]+$/.test(part)) return part.slice(2);
  if (!/^#x[0-9a-fA-F]+$/.test(part)) return fail(part);
  return [...part.slice(2)].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
}

function doubleOf(bits: string): number {
  if (bits.length !== 64) return fail(bits);
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(`0b${bits}`));
  return bytes.getFloat64(0);
}

/** A text with its escapes resolved; characters beyond UTF-16's code units, which no text of a script asks for, become two of them. */
function readText(text: string): string {
  return text.replace(/\\u\{([0-9a-fA-F]{1,5})\}|\\u([0-9a-fA-F]{4})/g, (_, braced, plain) =>
    String.fromCodePoint(Number.parseInt(braced ?? plain, 16)),
  );
}

function fail(found: SExpression): never {
  throw new InvalidDataError(
    `found ${JSON.stringify(found)?.slice(0, 200)} in a model, expected values of variables`,
  );
}
