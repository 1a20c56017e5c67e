import { InvalidArgumentError } from '../../base/errors.js';
import { REDACTED } from '../guard/index.js';

export { REDACTED };

/** Placeholders of what a copy lacks for other reasons. */
const [DEEPER, MORE] = ['[deeper]', '[more]'];
const CUT_TEXT = /… \[\d+ characters\]$/;

/** Limits far above what people read: a larger copy is cut and marked. */
const MAX_VALUES = 10_000;
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 100;
const TOO_LONG = `more than ${MAX_CHARACTERS} characters`;

/**
 * Makes a function that copies plain data and hides fields, for storage and display; predicates see the data themselves.
 *
 * Nothing is hidden inside text: JSON in a string is text. Values that are not plain data are named rather than copied: bytes, functions, and fields with a
 * getter, which is not called. Cyclic data are cut at the repetition, other data below 100 levels and after 10,000 values or 100,000 characters.
 *
 * @param fields a name hides the fields of that name at any depth; a path such as `arguments.card.*` hides the fields at that place, from the top. In a path
 * `*` is any field or item, and list items need not be mentioned: `users.email` is the email of each of them
 * @returns the function; its `onCut` is called once, with the reason in words, if a copy is cut for another reason than a hidden field: its reader does not see
 * everything. Its `onHidden` is called once, if anything in a copy is hidden, or named rather than copied
 * @throws InvalidArgumentError if a field has no name
 */
export function createRedaction(
  fields: readonly string[],
): (value: unknown, onCut?: (why: string) => void, onHidden?: () => void) => unknown {
  const { names, paths } = hiddenFields(fields);
  return (value, onCut, onHidden) => {
    const copy = new Copy(names);
    const copied = copy.copy(value, paths, 0);
    if (copy.cut !== null) onCut?.(copy.cut);
    if (copy.hides) onHidden?.();
    return copied;
  };
}

/**
 * Whether a copy of JSON data has a placeholder of what is hidden or cut. Data that hold the same words have one too.
 * @param copied as JSON of any depth that `createRedaction` writes
 */
export function looksPartial(copied: unknown): boolean {
  if (typeof copied === 'string')
    return copied === REDACTED || copied === DEEPER || copied === MORE || CUT_TEXT.test(copied);
  if (typeof copied !== 'object' || copied === null) return false;
  return Object.values(copied).some(looksPartial);
}

/** The fields to hide: names at any depth, and paths. */
export interface HiddenFields {
  readonly names: ReadonlySet<string>;
  readonly paths: readonly Path[];
}

/** Reads the fields to hide, as `createRedaction`. @throws InvalidArgumentError if a field has no name */
export function hiddenFields(fields: readonly string[]): HiddenFields {
  const names = new Set<string>();
  const paths: Path[] = [];
  for (const field of fields) {
    const segments = field.split('.');
    if (segments.includes('')) {
      throw new InvalidArgumentError(
        `the field to redact ${JSON.stringify(field)} has a part without a name; expected a name such as password, or a path such as arguments.user.email`,
      );
    }
    if (segments.length === 1) names.add(field);
    else paths.push(pathOf(segments));
  }
  return { names, paths };
}

/** The rest of a path below a place. */
export interface Path {
  readonly first: string;
  readonly rest: Path | null;
  /** The whole rest as text, because a field's own name may contain dots. */
  readonly field: string;
}

function pathOf([first, ...others]: readonly string[]): Path {
  const rest = others.length === 0 ? null : pathOf(others);
  return { first, rest, field: rest === null ? first : `${first}.${rest.field}` };
}

class Copy {
  readonly #names: ReadonlySet<string>;
  /** The objects being copied: an object that contains itself would never end. */
  readonly #open = new Set<object>();
  #values = 0;
  #characters = 0;
  /** The limit that was exceeded; null if the copy is complete. */
  cut: string | null = null;
  #replaced = false;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** Whether anything has a placeholder without having been cut. */
  get hides(): boolean {
    return this.#replaced;
  }

  copy(value: unknown, paths: readonly Path[], depth: number): unknown {
    this.#values++;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'bigint') return this.#text(this.#instead(String(value)));
    if (typeof value === 'function' || typeof value === 'symbol') return this.#instead(`[${typeof value}]`);
    if (typeof value !== 'object' || value === null) return value;
    if (this.#open.has(value)) return this.#instead('[cyclic]');
    if (depth > MAX_DEPTH) {
      this.cut = `more than ${MAX_DEPTH} levels`;
      return DEEPER;
    }
    this.#open.add(value);
    try {
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return this.#instead('[bytes]');
      return Array.isArray(value) ? this.#list(value, paths, depth) : this.#fields(value, paths, depth);
    } catch {
      // A proxy may refuse anything.
      return this.#instead('[unreadable]');
    } finally {
      this.#open.delete(value);
    }
  }

  #list(items: readonly unknown[], paths: readonly Path[], depth: number): unknown[] {
    const copies: unknown[] = [];
    for (let i = 0; i < items.length; i++) {
      if (this.#isFull()) return [...copies, MORE];
      const [hidden, below] = follow(paths, String(i));
      copies.push(
        hidden
          ? this.#instead(REDACTED)
          : this.copy(this.#ownValue(items, i), [...new Set([...paths, ...below])], depth + 1),
      );
    }
    return copies;
  }

  #fields(value: object, paths: readonly Path[], depth: number): Record<string, unknown> {
    const copies: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (this.#isFull()) {
        copies[MORE] = MORE;
        break;
      }
      this.#characters += key.length;
      const [hidden, below] = follow(paths, key);
      const copy =
        hidden || this.#names.has(key) || this.#names.has(ANY)
          ? this.#instead(REDACTED)
          : this.copy(this.#ownValue(value, key), below, depth + 1);
      // Assigned directly, `__proto__` would become the copy's prototype.
      if (key === '__proto__') Object.defineProperty(copies, key, { ...FIELD, value: copy });
      else copies[key] = copy;
    }
    return copies;
  }

  #text(text: string): string {
    const left = Math.max(0, MAX_CHARACTERS - this.#characters);
    this.#characters += text.length;
    if (text.length <= left) return text;
    this.cut = TOO_LONG;
    return `${text.slice(0, left)}… [${text.length} characters]`;
  }

  #instead(placeholder: string): string {
    this.#replaced = true;
    return placeholder;
  }

  #ownValue(holder: object, key: string | number): unknown {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    return property?.get === undefined ? property?.value : this.#instead('[getter]');
  }

  #isFull(): boolean {
    if (this.#values < MAX_VALUES && this.#characters <= MAX_CHARACTERS) return false;
    this.cut = this.#values < MAX_VALUES ? TOO_LONG : `more than ${MAX_VALUES} values`;
    return true;
  }
}

/** In place of a name: any. */
export const ANY = '*';
const FIELD = { configurable: true, enumerable: true, writable: true };

/** Whether a path ends at a field, and the rests of the paths that go on below it. */
export function follow(paths: readonly Path[], key: string): [hidden: boolean, below: Path[]] {
  const below: Path[] = [];
  for (const { first, rest, field } of paths) {
    if (field === key) return [true, below];
    if (first !== key && first !== ANY) continue;
    if (rest === null) return [true, below];
    below.push(rest);
  }
  return [false, below];
}
