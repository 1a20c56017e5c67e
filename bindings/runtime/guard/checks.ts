import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';

/* Checks of values in a guard file; each is given the place that messages name. */

/** A place in the file, for messages: `rules[0].upper[3]`. */
export type Path = string;
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown, path: Path): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, value, 'an object');
  return value as Fields;
}

/**
 * Refuses unknown keys: a later release may add one that forbids something, and a guard that ignored it would allow that. @throws NotSupportedError for another
 * key
 */
export function onlyKeys(found: Fields, path: Path, known: readonly string[]): void {
  const other = Object.keys(found).find((key) => !known.includes(key));
  if (other === undefined) return;
  throw new NotSupportedError(
    `guard file: ${path} has ${show(other)}, which this release does not know and will not leave out; load the file with the release that wrote it, or compile the guard again`,
  );
}

export function list(value: unknown, path: Path): readonly unknown[] {
  if (!Array.isArray(value)) fail(path, value, 'a list');
  return value as readonly unknown[];
}

export function listOf(value: unknown, path: Path, length: number, why: string): readonly unknown[] {
  const items = list(value, path);
  if (items.length !== length) failAs(path, `${items.length} entries`, `${length} (${why})`);
  return items;
}

export function text(value: unknown, path: Path): string {
  if (typeof value !== 'string') fail(path, value, 'text');
  return value as string;
}

export function oneOf(value: unknown, path: Path, words: readonly string[]): string {
  if (!words.includes(value as string)) fail(path, value, `one of ${words.join(', ')}`);
  return value as string;
}

/** For long lists the path of an entry is built only if the entry is wrong: `at` is its place in the list at `path`. */
export function number(value: unknown, path: Path, at?: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(entry(path, at), value, 'a finite number');
  return value as number;
}

export function probability(value: unknown, path: Path, at?: number): number {
  const found = number(value, path, at);
  if (!(found >= 0 && found <= 1)) fail(entry(path, at), found, 'a probability in [0, 1]');
  return found;
}

export function index(value: unknown, path: Path, limit: number, at?: number): number {
  const found = number(value, path, at);
  if (!Number.isInteger(found) || found < 0 || found >= limit)
    fail(entry(path, at), found, `a whole number from 0 to ${limit - 1}`);
  return found;
}

function entry(path: Path, at: number | undefined): Path {
  return at === undefined ? path : `${path}[${at}]`;
}

export function fail(path: Path, found: unknown, expected: string): never {
  failAs(path, show(found), expected);
}

export function failAs(path: Path, found: string, expected: string): never {
  throw new InvalidArgumentError(`guard file: ${path} is ${found}, expected ${expected}`);
}

export function show(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  const shown = JSON.stringify(value) ?? typeof value;
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}
