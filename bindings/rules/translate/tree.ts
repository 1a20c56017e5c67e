import { InvalidArgumentError, ModelError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import type { Formula, TemporalBinary, TemporalUnary, Window } from '../../languages/logic/index.js';

const place = { offset: 0, line: 1, column: 1 };

const UNARY: Readonly<Record<string, TemporalUnary>> = {
  always: 'G',
  eventually: 'F',
  next: 'X',
  weakNext: 'WX',
  previous: 'Y',
  once: 'O',
  historically: 'H',
};
const BINARY: Readonly<Record<string, TemporalBinary>> = { until: 'U', weakUntil: 'W', since: 'S' };
const LOGICAL = ['and', 'or', 'implies'] as const;
const WINDOWED: ReadonlySet<string> = new Set(['always', 'eventually', 'once', 'historically']);

/** Deepest tree that is read, its largest number of nodes, and the last step of a window. */
const [MOST_DEEP, MOST_NODES, MOST_STEPS] = [16, 64, 1000];

/** One form of node: its operators, how many nodes it takes, the placeholders that it may name, and whether it may have a window. */
export interface NodeForm {
  readonly ops: readonly string[];
  readonly args: 0 | 1 | 2;
  /** Of a placeholder; else none. */
  readonly numbers: readonly number[];
  readonly isWindowed: boolean;
}

/** The forms of nodes of which trees over so many placeholders are made: what the schema and the grammars say. */
export function nodeForms(placeholders: number): readonly NodeForm[] {
  const plain = ['not', ...Object.keys(UNARY).filter((op) => !WINDOWED.has(op))];
  const numbers = Array.from({ length: placeholders }, (_, i) => i + 1);
  return [
    { ops: ['p'], args: 0, numbers, isWindowed: false },
    { ops: plain, args: 1, numbers: [], isWindowed: false },
    { ops: [...WINDOWED], args: 1, numbers: [], isWindowed: true },
    { ops: [...LOGICAL, ...Object.keys(BINARY)], args: 2, numbers: [], isWindowed: false },
  ];
}

/** JSON schema of a tree over so many placeholders. */
export function treeSchema(placeholders: number): Readonly<Record<string, unknown>> {
  const words = { type: 'array', items: { type: 'string' } };
  const step = { type: 'integer', minimum: 0, maximum: MOST_STEPS };
  const items = { $ref: '#/$defs/node' };
  const node = ({ ops, args, isWindowed }: NodeForm) => ({
    type: 'object',
    properties:
      args === 0
        ? { op: { const: ops[0] }, n: { type: 'integer', minimum: 1, maximum: placeholders }, words }
        : {
            op: { enum: ops },
            args: { type: 'array', minItems: args, maxItems: args, items },
            words,
            ...(isWindowed && { from: step, to: step }),
          },
    required: ['op', args === 0 ? 'n' : 'args'],
    additionalProperties: false,
  });
  return {
    type: 'object',
    properties: { tree: { $ref: '#/$defs/node' }, unsupported: { type: 'string' } },
    additionalProperties: false,
    $defs: { node: { anyOf: nodeForms(placeholders).map(node) } },
  };
}

/** A rule as a model said it. */
export interface ReadTree {
  readonly formula: Formula;
  /** The words of the rule for which nodes stand, in lower case. */
  readonly words: ReadonlySet<string>;
}

/**
 * The formula of an answer, with `literals` in place of p1 … pn. A tree is data: it is read, and never parsed as text.
 *
 * @param rule the rule with its placeholders, of which each node's words must be a part
 * @returns the reason, as text, if the model says that the rule cannot be translated
 * @throws ModelError if the answer is no such tree, has other placeholders, or words that the rule has not
 */
export function readTree(
  answer: Readonly<Record<string, unknown>>,
  literals: readonly Formula[],
  rule: string,
): ReadTree | string {
  if (typeof answer.unsupported === 'string') return answer.unsupported;
  return new TreeReader(literals, rule).read(answer.tree);
}

class TreeReader {
  readonly #literals: readonly Formula[];
  readonly #rule: ReadonlySet<string>;
  readonly #words = new Set<string>();
  #nodes = 0;

  constructor(literals: readonly Formula[], rule: string) {
    this.#literals = literals;
    this.#rule = new Set(wordsOf(rule));
  }

  read(tree: unknown): ReadTree {
    const formula = this.#node(tree, 0);
    return { formula, words: this.#words };
  }

  #node(value: unknown, depth: number): Formula {
    if (depth > MOST_DEEP || ++this.#nodes > MOST_NODES)
      throw new ModelError(`the tree is deeper than ${MOST_DEEP} or has more than ${MOST_NODES} nodes`);
    if (!isObject(value) || typeof value.op !== 'string')
      throw new ModelError(`a node of the tree is ${shown(value)}; expected an object with op`);
    this.#cover(value.words);
    const { op, args = [], n } = value;
    if (op === 'p') return this.#placeholder(n);
    if (!Array.isArray(args)) throw new ModelError(`the args of ${op} are ${shown(args)}; expected a list`);
    const arity = op === 'not' || Object.hasOwn(UNARY, op) ? 1 : 2;
    const isKnown = arity === 1 || Object.hasOwn(BINARY, op) || LOGICAL.some((one) => one === op);
    if (!isKnown)
      throw new ModelError(`the tree has op ${shown(op)}, which is none of those that were named`);
    if (args.length !== arity)
      throw new ModelError(`${op} has ${args.length} args in the tree; it takes ${arity}`);
    const [left, right] = args.map((arg) => this.#node(arg, depth + 1));
    if (op === 'not') return { kind: 'not', operand: left, place };
    if (arity === 1)
      return { kind: 'unary', operator: UNARY[op], operand: left, window: windowOf(value, op), place };
    if (Object.hasOwn(BINARY, op))
      return { kind: 'binary', operator: BINARY[op], left, right, window: null, place };
    return { kind: op as (typeof LOGICAL)[number], left, right, place };
  }

  #placeholder(n: unknown): Formula {
    const literal = typeof n === 'number' ? this.#literals[n - 1] : undefined;
    if (literal === undefined)
      throw new ModelError(`the tree has placeholder ${shown(n)}; there are p1 to p${this.#literals.length}`);
    return literal;
  }

  #cover(words: unknown): void {
    if (words === undefined) return;
    if (!Array.isArray(words))
      throw new ModelError(`the words of a node are ${shown(words)}; expected a list`);
    for (const text of words) {
      if (typeof text !== 'string') throw new ModelError(`the words of a node have ${shown(text)}`);
      for (const word of wordsOf(text)) {
        if (!this.#rule.has(word))
          throw new ModelError(`the tree has the word "${word}", which the rule has not`);
        this.#words.add(word);
      }
    }
  }
}

/**
 * The tree that says a formula over p1, p2 …: what `readTree` reads.
 *
 * @throws InvalidArgumentError if it has something that trees have not
 */
export function treeOf(formula: Formula): object {
  if (formula.kind === 'predicate') return { op: 'p', n: Number(formula.name.slice(1)) };
  if (formula.kind === 'not') return { op: 'not', args: [treeOf(formula.operand)] };
  if (formula.kind === 'unary' || formula.kind === 'binary') {
    const { operator, window, kind } = formula;
    const names: Readonly<Record<string, string>> = kind === 'unary' ? UNARY : BINARY;
    const op = Object.keys(names).find((name) => names[name] === operator);
    if (op === undefined || (window !== null && (window.unit !== 'steps' || !WINDOWED.has(op))))
      throw new InvalidArgumentError(
        `there is no node for ${operator}${window === null ? '' : ' with its window'}`,
      );
    const args = kind === 'unary' ? [formula.operand] : [formula.left, formula.right];
    const bounds = window && {
      from: Number(window.from),
      ...(window.to !== null && { to: Number(window.to) }),
    };
    return { op, args: args.map(treeOf), ...bounds };
  }
  const { kind } = formula;
  if (kind === 'and' || kind === 'or' || kind === 'implies')
    return { op: kind, args: [treeOf(formula.left), treeOf(formula.right)] };
  throw new InvalidArgumentError(`there is no node for ${kind}`);
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_'’-]+/gu) ?? [];
}

function windowOf({ from, to }: Readonly<Record<string, unknown>>, op: string): Window | null {
  if (from === undefined && to === undefined) return null;
  const isStep = (step: unknown): step is number =>
    Number.isSafeInteger(step) && (step as number) >= 0 && (step as number) <= MOST_STEPS;
  const [first, last] = [from ?? 0, to ?? null];
  if (!WINDOWED.has(op) || !isStep(first) || !(last === null || (isStep(last) && last >= first)))
    throw new ModelError(`${op} has a window from ${shown(from)} to ${shown(to)} in the tree`);
  return { from: String(first), to: last === null ? null : String(last), unit: 'steps' };
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 80);
