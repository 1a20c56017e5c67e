import { canonicalJson } from '../../../base/canonicalJson.js';
import { isObject } from '../../../base/objectKind.js';
import { printable } from '../../../base/words.js';

/** All that a server says of a tool, but for `_meta`. */
export type ToolDefinition = Readonly<Record<string, unknown>>;

/** Characters of a value that a difference shows. */
const SHOWN = 200;
/** Characters shown before the first that differs. */
const BEFORE = 40;
const MAX_DIFFERENCES = 5;

/** What is wrong with a tool that may not be called. */
export interface ToolChange {
  /** For the agent, in words that are not the server's. */
  readonly why: string;
  /** For people: which field was what, and is what now. */
  readonly differences: readonly string[];
}

/** The definition of a tool as a server lists it. */
export function definitionOf({ _meta, ...definition }: ToolDefinition): ToolDefinition {
  return definition;
}

/**
 * The definitions that tools are to have: given ones, or those that were seen last before `close`. A tool of another definition may not be called: whoever looked at it, and allowed
 * it, saw something else.
 */
export class ToolPins {
  readonly #pinned: Map<string, { readonly definition: ToolDefinition; readonly text: string }>;
  readonly #changes = new Map<string, ToolChange>();
  readonly #areGiven: boolean;
  /** Tools are still pinned as they are seen. */
  #isOpen: boolean;

  /** @param given definitions by the names of the tools; default: those that are seen until `close` */
  constructor(given?: ReadonlyMap<string, ToolDefinition>) {
    this.#areGiven = given !== undefined;
    this.#isOpen = given === undefined;
    this.#pinned = new Map(
      [...(given ?? [])].map(([name, definition]) => [name, { definition, text: textOf(definition) }]),
    );
  }

  /** The definitions by the names of the tools. */
  get definitions(): ReadonlyMap<string, ToolDefinition> {
    return new Map([...this.#pinned].map(([name, { definition }]) => [name, definition]));
  }

  /** From now on, tools that have not been seen are unknown, and others are to stay as they are. */
  close(): void {
    this.#isOpen = false;
  }

  /** Compares a tool as it is listed now. @returns what is wrong with it, and whether that is new; null if nothing is */
  see(name: string, tool: ToolDefinition): (ToolChange & { readonly isNew: boolean }) | null {
    const definition = definitionOf(tool);
    const text = textOf(definition);
    const pinned = this.#pinned.get(name);
    if (this.#isOpen) this.#pinned.set(name, { definition, text });
    else if (pinned?.text !== text) {
      const change = this.#changeOf(pinned?.definition, definition);
      const before = this.#changes.get(name);
      this.#changes.set(name, change);
      // What a run began without is named when it is listed.
      const isKnown = pinned === undefined && !this.#areGiven;
      const isSame = before?.why === change.why && before.differences.join() === change.differences.join();
      return { ...change, isNew: !isKnown && !isSame };
    }
    this.#changes.delete(name);
    return null;
  }

  /** What was wrong with a tool when it was last listed; null if nothing was. */
  changeOf(name: string): ToolChange | null {
    return this.#changes.get(name) ?? null;
  }

  #changeOf(pinned: ToolDefinition | undefined, now: ToolDefinition): ToolChange {
    if (pinned === undefined) {
      const why = this.#areGiven
        ? 'it is not among the pinned tools'
        : 'the server did not list it when the run began';
      return { why, differences: [] };
    }
    const fields = [...new Set([...Object.keys(pinned), ...Object.keys(now)])].filter(
      (field) => textOf(pinned[field]) !== textOf(now[field]),
    );
    const known = fields.filter((field) => FIELDS.has(field));
    const others = fields.length > known.length ? ['other fields'] : [];
    const since = this.#areGiven ? 'since it was pinned' : 'since the run began';
    return {
      why: `its definition has changed ${since} (${[...known, ...others].join(', ')})`,
      differences: differences(pinned, now),
    };
  }
}

/** Fields of definitions in the protocol: other names are the server's own words. */
const FIELDS = new Set([
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'icons',
  'execution',
]);

/** Says in words where two definitions differ: which field was what, and is what. What servers wrote is shown without control characters. */
export function differences(before: unknown, now: unknown): string[] {
  const found = [...differ(before, now, '')];
  const more = found.length - MAX_DIFFERENCES;
  return more > 0 ? [...found.slice(0, MAX_DIFFERENCES), `and ${more} more`] : found;
}

function* differ(before: unknown, now: unknown, path: string): Generator<string> {
  if (textOf(before) === textOf(now)) return;
  if (isObject(before) && isObject(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    for (const key of keys) {
      const [was, is] = [own(before, key), own(now, key)];
      yield* differ(was, is, path === '' ? key : `${path}.${key}`);
    }
    return;
  }
  const [was, is] = [shown(before), shown(now)];
  let same = 0;
  while (same < Math.min(was.length, is.length) && was[same] === is[same]) same++;
  yield `${printable(path)} was ${excerpt(was, same)}, is ${excerpt(is, same)}`;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : printable(JSON.stringify(value));
}

/** A text, cut to the part about a place. */
function excerpt(text: string, at: number): string {
  if (text.length <= SHOWN) return text;
  const from = Math.max(0, Math.min(at - BEFORE, text.length - SHOWN));
  const cut = text.slice(from, from + SHOWN);
  return `${from > 0 ? '…' : ''}${cut}${from + SHOWN < text.length ? '…' : ''}`;
}

/** Equal for equal values. A definition that cannot be written, such as one nested too deep, equals nothing else. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  try {
    return canonicalJson(value);
  } catch {
    return crypto.randomUUID();
  }
}
