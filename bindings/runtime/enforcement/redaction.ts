import { InvalidArgumentError } from '../../base/errors.js';

/** What stands in place of a hidden value. */
export const REDACTED = '[redacted]';

/** Far more than people read: what is larger is cut, and says so. */
const MAX_VALUES = 10_000;
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 100;
const TOO_LONG = `more than ${MAX_CHARACTERS} characters`;

/**
 * A function that copies plain data and hides fields, for what is stored or shown; predicates see the data themselves.
 *
 * Of a copy nothing is hidden inside text: JSON in a string is text. What is no plain data is named, not copied: bytes, functions, fields with a
 * getter, which is not called. Data that are cyclic, deeper than 100, or of more than 10,000 values or 100,000 characters, are cut there.
 *
 * @param fields a name hides the fields of that name at any depth; a path such as `arguments.card.*` the fields there, from the top. In a path `*` is any field or
 * item, and items of lists need not be mentioned: `users.email` is the email of each of them
 * @returns the function; `onCut` is told once, in words, of a copy that is cut, hidden fields apart: who sees it does not see all
 * @throws InvalidArgumentError where a field has no name
 */
export function createRedaction(
  fields: readonly string[],
): (value: unknown, onCut?: (why: string) => void) => unknown {
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
  return (value, onCut) => {
    const copy = new Copy(names);
    const copied = copy.copy(value, paths, 0);
    if (copy.cut !== null) onCut?.(copy.cut);
    return copied;
  };
}

/** What is left of a path below some place. */
interface Path {
  readonly first: string;
  readonly rest: Path | null;
  /** All of it as text: a field whose own name has dots may be meant. */
  readonly field: string;
}

function pathOf([first, ...others]: readonly string[]): Path {
  const rest = others.length === 0 ? null : pathOf(others);
  return { first, rest, field: rest === null ? first : `${first}.${rest.field}` };
}

class Copy {
  readonly #names: ReadonlySet<string>;
  /** Those that are being copied: what holds itself would never end. */
  readonly #open = new Set<object>();
  #values = 0;
  #characters = 0;
  /** What was too much of it; null where all is there. */
  cut: string | null = null;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  copy(value: unknown, paths: readonly Path[], depth: number): unknown {
    this.#values++;
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'bigint') return this.#text(String(value));
    if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
    if (typeof value !== 'object' || value === null) return value;
    if (this.#open.has(value)) return '[cyclic]';
    if (depth > MAX_DEPTH) {
      this.cut = `more than ${MAX_DEPTH} levels`;
      return '[deeper]';
    }
    this.#open.add(value);
    try {
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return '[bytes]';
      return Array.isArray(value) ? this.#list(value, paths, depth) : this.#fields(value, paths, depth);
    } catch {
      // A proxy may refuse anything.
      return '[unreadable]';
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
        hidden ? REDACTED : this.copy(ownValue(items, i), [...new Set([...paths, ...below])], depth + 1),
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
          ? REDACTED
          : this.copy(ownValue(value, key), below, depth + 1);
      // Set, `__proto__` would become the copy's prototype.
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

  #isFull(): boolean {
    if (this.#values < MAX_VALUES && this.#characters <= MAX_CHARACTERS) return false;
    this.cut = this.#values < MAX_VALUES ? TOO_LONG : `more than ${MAX_VALUES} values`;
    return true;
  }
}

const ANY = '*';
const MORE = '[more]';
const FIELD = { configurable: true, enumerable: true, writable: true };

/** Whether a path ends at a field, and what is left of the paths that go on below it. */
function follow(paths: readonly Path[], key: string): [hidden: boolean, below: Path[]] {
  const below: Path[] = [];
  for (const { first, rest, field } of paths) {
    if (field === key) return [true, below];
    if (first !== key && first !== ANY) continue;
    if (rest === null) return [true, below];
    below.push(rest);
  }
  return [false, below];
}

function ownValue(holder: object, key: string | number): unknown {
  const property = Object.getOwnPropertyDescriptor(holder, key);
  return property?.get === undefined ? property?.value : '[getter]';
}
