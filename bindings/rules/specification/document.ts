import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import { ForeguardError, ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';

/** One error in a file; lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly expected?: string;
  /** The file, if it is another one: a script that this file names. */
  readonly source?: string;
}

/** Number of problems that a message lists; `problems` has all of them. */
const SHOWN = 10;

/** Several problems in one file; the place is that of the first, the message lists all. */
export class SpecificationError extends ParseError {
  readonly problems: readonly Problem[];

  constructor(source: string, problems: readonly Problem[]) {
    const [first, ...others] = problems;
    const shown = others
      .slice(0, SHOWN - 1)
      .map((one) => `\n${one.source ?? source}:${one.line}:${one.column}: ${one.message}`);
    if (others.length > shown.length) shown.push(`\n… and ${others.length - shown.length} more`);
    super(first.message + shown.join(''), {
      source: first.source ?? source,
      line: first.line,
      column: first.column,
      ...(first.expected === undefined ? {} : { expected: first.expected }),
    });
    this.problems = problems;
  }
}

/** An entry of a mapping: its key and value, both with their places. */
export interface Entry {
  readonly key: Node;
  readonly value: Node | null;
}

/**
 * A YAML (or JSON) file whose values are read with their places. Problems are collected, so that one run reports all of them; after a
 * problem the reader continues with a harmless value.
 */
export class SpecificationDocument {
  readonly source: string;
  readonly root: Node | null;
  /** The content as plain JSON, without layout and comments. */
  readonly content: unknown;
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #document: Document;
  readonly #lines = new LineCounter();

  constructor(text: string, source: string) {
    this.source = source;
    this.#text = text;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: true });
    this.#document = document;
    for (const { pos, message } of [...document.errors, ...document.warnings]) {
      this.problems.push({ ...this.#place(pos[0]), message });
    }
    this.root = document.contents;
    visit(document, {
      Alias: (_, alias) => {
        if (!alias.resolve(document))
          this.problem(alias, `no anchor &${alias.source} comes before *${alias.source}`);
      },
    });
    if (this.problems.length > 0) throw new SpecificationError(source, this.problems);
    this.content = this.#plain(document);
  }

  /** Nested aliases can stand for more than fits in memory; `yaml` gives up in time. */
  #plain(document: Document): unknown {
    try {
      return document.toJSON();
    } catch (error) {
      this.problem(document.contents as Node | null, (error as Error).message, 'fewer aliases');
      throw new SpecificationError(this.source, this.problems);
    }
  }

  /** The line of a node, from 1. */
  lineOf(node: Node): number {
    return this.#place(node.range?.[0] ?? 0).line;
  }

  #place(offset: number): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  /** Records a problem at a node (at the start of the file if there is none). */
  problem(node: Node | null | undefined, message: string, expected?: string): void {
    const place = this.#place(node?.range?.[0] ?? 0);
    this.problems.push({ ...place, message, ...(expected === undefined ? {} : { expected }) });
  }

  /** Records an error of another parser in the text of a scalar, at its place in this file if that can be determined. */
  #problemWithin(node: Node, error: ParseError): void {
    const inner = error.message.slice(`${error.source}:${error.line}:${error.column}: `.length);
    const start = node.range?.[0] ?? 0;
    const quoted = /['"]/.test(this.#text[start] ?? '') ? 1 : 0;
    const literal = this.#text.slice(start + quoted, (node.range?.[1] ?? start) - quoted);
    const value = isScalar(node) ? String(node.value) : '';
    const place = this.#place(start);
    // Folded, escaped or multi-line text has no simple correspondence; the message then gives both places.
    if (literal === value && error.line === 1) {
      this.problems.push({
        line: place.line,
        column: place.column + quoted + error.column - 1,
        message: inner,
        ...(error.expected === undefined ? {} : { expected: error.expected }),
      });
    } else {
      this.problem(
        node,
        `${inner} (line ${error.line}, column ${error.column} of this text)`,
        error.expected,
      );
    }
  }

  /**
   * Returns the result of `read`; records an error that it throws at the node, within the node's text if the error has a place in it.
   *
   * @returns undefined if `read` threw
   */
  attempt<T>(node: Node | null, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ForeguardError)) throw error;
      if (error instanceof ParseError && node) this.#problemWithin(node, error);
      else this.problem(node, error.message);
      return undefined;
    }
  }

  /**
   * The entries of a mapping. Keys outside `known` (if given) are problems, reported with the nearest known name. Keys that are not texts
   * are problems too: `1` and `"1"` would be the same name, and the first entry would be lost.
   */
  entries(node: Node | null, what: string, known?: readonly string[]): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    if (!isMap(node)) {
      this.problem(node, `${what} must be a mapping, found ${describeNode(node)}`, 'a mapping');
      return entries;
    }
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (!isScalar(key) || typeof key.value !== 'string') {
        this.#keyProblem(key as Node, what);
      } else if (known && !known.includes(name)) {
        const nearest = nearestName(name, known);
        const hint = nearest ? `did you mean "${nearest}"?` : `known keys: ${known.join(', ')}`;
        this.problem(key as Node, `unknown key "${name}" in ${what}; ${hint}`, known.join(', '));
      } else entries.set(name, { key: key as Node, value: value as Node | null });
    }
    return entries;
  }

  #keyProblem(key: Node, what: string): void {
    const written = isScalar(key) ? key.source : undefined;
    const hint = written ? `put it in quotes: "${written}"` : 'names are text';
    const found = written || describeNode(key);
    this.problem(key, `${what} has the key ${found}, which is not a text; ${hint}`, 'text');
  }

  /** The text of a scalar. */
  text(node: Node | null | undefined, what: string): string | undefined {
    if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
    this.problem(node, `${what} must be text, found ${describeNode(node)}`, 'text');
    return undefined;
  }

  /** A number that `accepts` accepts; `expected` describes those numbers. */
  number(
    node: Node | null | undefined,
    what: string,
    expected: string,
    accepts: (value: number) => boolean,
  ): number | undefined {
    if (isScalar(node) && typeof node.value === 'number' && accepts(node.value)) return node.value;
    this.problem(node, `${what} must be ${expected}, found ${describeNode(node)}`, expected);
    return undefined;
  }

  boolean(node: Node | null | undefined, what: string): boolean | undefined {
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    this.problem(node, `${what} must be true or false, found ${describeNode(node)}`, 'true or false');
    return undefined;
  }

  /** One of a few words. */
  choice<T extends string>(node: Node | null | undefined, what: string, words: readonly T[]): T | undefined {
    const value = isScalar(node) ? (node as Scalar).value : undefined;
    if (words.includes(value as T)) return value as T;
    const nearest = typeof value === 'string' ? nearestName(value, words) : undefined;
    const hint = nearest ? `; did you mean "${nearest}"?` : '';
    this.problem(
      node,
      `${what} must be one of ${words.join(', ')}, found ${describeNode(node)}${hint}`,
      words.join(', '),
    );
    return undefined;
  }

  /** The items of a list. */
  items(node: Node | null | undefined, what: string): Node[] {
    if (isSeq(node)) return node.items as Node[];
    this.problem(node, `${what} must be a list, found ${describeNode(node)}`, 'a list');
    return [];
  }

  /** A value as plain JSON; aliases are resolved. Numbers that JSON lacks are problems, and so are keys that are not texts. */
  json(node: Node | null | undefined, what: string): unknown {
    if (!node) return null;
    const check = (part: Node): void =>
      visit(part as Parameters<typeof visit>[0], {
        Alias: (_, alias) => check(alias.resolve(this.#document) as Node),
        Pair: (_, { key }) => {
          if (!isScalar(key) || typeof key.value !== 'string') this.#keyProblem(key as Node, what);
        },
        Scalar: (key, scalar) => {
          if (key !== 'key' && typeof scalar.value === 'number' && !Number.isFinite(scalar.value))
            this.problem(scalar, `${what}: JSON has no number ${scalar.source}`, 'a finite number');
        },
      });
    check(node);
    return node.toJS(this.#document);
  }

  /** A mapping as a plain JSON object. */
  object(node: Node | null | undefined, what: string): Readonly<Record<string, unknown>> | undefined {
    const found = isAlias(node) ? node.resolve(this.#document) : node;
    if (isMap(found)) return this.json(node, what) as Record<string, unknown>;
    this.problem(node, `${what} must be a mapping, found ${describeNode(node)}`, 'a mapping');
    return undefined;
  }

  /** Throws the collected problems. */
  throwProblems(): void {
    if (this.problems.length === 0) return;
    const files = [...new Set(this.problems.map(({ source }) => source ?? ''))].sort();
    const fileOf = ({ source = '' }: Problem) => files.indexOf(source);
    this.problems.sort((a, b) => fileOf(a) - fileOf(b) || a.line - b.line || a.column - b.column);
    throw new SpecificationError(this.source, this.problems);
  }
}

/** What a node is, for messages. */
export function describeNode(node: Node | null | undefined): string {
  if (isMap(node)) return 'a mapping';
  if (isSeq(node)) return 'a list';
  if (isAlias(node)) return 'an alias';
  if (!isScalar(node) || node.value === null) return 'nothing';
  return typeof node.value === 'string' ? `"${node.value}"` : String(node.value);
}
