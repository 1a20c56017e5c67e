import {
  children,
  type ExpressionNode,
  type FunctionName,
  type MacroName,
  type NodeOf,
  type Place,
} from '../expression/index.js';

/** Largest tree, and deepest, that a policy may become: consts and conditions stand in it as often as they are used. */
const MOST_NODES = 10_000;
const MOST_DEPTH = 120;

/** Functions that have no value of some texts. */
const PARTIAL = new Set<FunctionName>(['domainOf', 'localPart', 'emails', 'hostOf', 'isUnder', 'extension']);

/** Says that a tree is too large. */
export class TooLarge extends Error {}

interface Facts {
  readonly size: number;
  readonly depth: number;
  /** Whether it has no value of some inputs. */
  readonly mayFail: boolean;
}

const NOWHERE: Place = { line: 1, column: 1, offset: 0 };
type Bare<N> = N extends ExpressionNode ? Omit<N, 'place'> : never;

/**
 * Makes trees of the expression language that mean what the script's operators mean: from left to right, and without a value as soon as a part that is reached has none.
 * Parts are shared; their sizes are known without walking over them.
 */
export class Trees {
  readonly #facts = new WeakMap<ExpressionNode, Facts>();
  readonly true = this.literal(true);
  readonly false = this.literal(false);

  literal(value: number | string | boolean | null): ExpressionNode {
    // The language writes negative numbers with an operator.
    if (typeof value === 'number' && value < 0)
      return this.#made({ kind: 'unary', operator: '-', operand: this.literal(-value) });
    return this.#made({ kind: 'literal', value: value === 0 ? 0 : value });
  }

  name(name: string): ExpressionNode {
    return this.#made({ kind: 'name', name });
  }

  list(elements: readonly ExpressionNode[]): ExpressionNode {
    return this.#made({ kind: 'list', elements });
  }

  /** Whether it has no value of some inputs. */
  mayFail(node: ExpressionNode): boolean {
    return this.#factsOf(node).mayFail;
  }

  not(of: ExpressionNode): ExpressionNode {
    if (of.kind === 'literal') return of.value === true ? this.false : this.true;
    if (of.kind === 'unary' && of.operator === '!') return of.operand;
    if (of.kind === 'binary' && (of.operator === '==' || of.operator === '!='))
      return this.binary(of.operator === '==' ? '!=' : '==', of.left, of.right);
    return this.#made({ kind: 'unary', operator: '!', operand: of });
  }

  and(first: ExpressionNode, then: ExpressionNode): ExpressionNode {
    return this.choose(first, then, this.false);
  }

  or(first: ExpressionNode, otherwise: ExpressionNode): ExpressionNode {
    return this.choose(first, this.true, otherwise);
  }

  /** Whether two truth values are equal. */
  same(left: ExpressionNode, right: ExpressionNode): ExpressionNode {
    if (right.kind === 'literal') return right.value === true ? left : this.not(left);
    return this.choose(left, right, this.not(right));
  }

  /**
   * `condition ? then : otherwise` of truth values, in as few words as mean the same: `&&` and `||` of the language have a value where one side decides, whatever the
   * other is, so a condition that may have no value stands before a `?`.
   */
  choose(condition: ExpressionNode, then: ExpressionNode, otherwise: ExpressionNode): ExpressionNode {
    if (condition.kind === 'literal') return condition.value === true ? then : otherwise;
    if (then === this.true && otherwise === this.false) return condition;
    if (then === this.false && otherwise === this.true) return this.not(condition);
    if (!this.mayFail(condition)) {
      if (then === otherwise) return then;
      if (otherwise === this.false) return this.#chain('&&', condition, then);
      if (then === this.true) return this.#chain('||', condition, otherwise);
      if (then === this.false) return this.#chain('&&', this.not(condition), otherwise);
      if (otherwise === this.true) return this.#chain('||', this.not(condition), then);
    }
    return this.#made({ kind: 'conditional', condition, whenTrue: then, whenFalse: otherwise });
  }

  /** As `choose`, of values of any kind. */
  conditional(condition: ExpressionNode, then: ExpressionNode, otherwise: ExpressionNode): ExpressionNode {
    if (condition.kind === 'literal') return condition.value === true ? then : otherwise;
    return this.#made({ kind: 'conditional', condition, whenTrue: then, whenFalse: otherwise });
  }

  binary(
    operator: NodeOf<'binary'>['operator'],
    left: ExpressionNode,
    right: ExpressionNode,
  ): ExpressionNode {
    if (operator === '==' && left.kind === 'literal' && right.kind === 'literal')
      return left.value === right.value ? this.true : this.false;
    const isTruth = operator !== '+' && operator !== '-' && operator !== '*';
    const isChoice = left.kind === 'conditional' || right.kind === 'conditional';
    if (!isChoice) return this.#made({ kind: 'binary', operator, left, right });
    return this.#lifted([left, right], isTruth, ([a, b]) => this.binary(operator, a, b));
  }

  negative(of: ExpressionNode): ExpressionNode {
    if (of.kind === 'literal') return this.literal(-Number(of.value));
    return this.#lifted([of], false, ([operand]) => this.#made({ kind: 'unary', operator: '-', operand }));
  }

  call(name: FunctionName, given: readonly ExpressionNode[], isTruth: boolean): ExpressionNode {
    return this.#lifted(given, isTruth, (parts) =>
      this.#made({ kind: 'call', function: name, arguments: parts }),
    );
  }

  macro(macro: MacroName, list: ExpressionNode, variable: string, body: ExpressionNode): ExpressionNode {
    return this.#lifted([list], macro !== 'filter', ([of]) =>
      this.#made({ kind: 'macro', macro, list: of, variable, body }),
    );
  }

  /**
   * `f(a ? b : c)` as `a ? f(b) : f(c)`: the decider follows connectives, not choices between texts or numbers.
   *
   * @param isTruth whether what is built is a truth value
   */
  #lifted(
    parts: readonly ExpressionNode[],
    isTruth: boolean,
    build: (parts: readonly ExpressionNode[]) => ExpressionNode,
  ): ExpressionNode {
    const at = parts.findIndex(({ kind }) => kind === 'conditional');
    if (at < 0) return build(parts);
    const { condition, whenTrue, whenFalse } = parts[at] as NodeOf<'conditional'>;
    const withPart = (part: ExpressionNode) => this.#lifted(parts.with(at, part), isTruth, build);
    const [then, otherwise] = [withPart(whenTrue), withPart(whenFalse)];
    return isTruth ? this.choose(condition, then, otherwise) : this.conditional(condition, then, otherwise);
  }

  #chain(operator: '&&' | '||', first: ExpressionNode, then: ExpressionNode): ExpressionNode {
    const operands = [first, then].flatMap((part) =>
      part.kind === 'logical' && part.operator === operator ? part.operands : [part],
    );
    return this.#made({ kind: 'logical', operator, operands });
  }

  #made(bare: Bare<ExpressionNode>): ExpressionNode {
    const node = { ...bare, place: NOWHERE } as ExpressionNode;
    this.#factsOf(node);
    return node;
  }

  /** @throws TooLarge */
  #factsOf(node: ExpressionNode): Facts {
    const known = this.#facts.get(node);
    if (known !== undefined) return known;
    const parts = children(node).map((part) => this.#factsOf(part));
    const facts = {
      size: parts.reduce((sum, { size }) => sum + size, 1),
      depth: parts.reduce((most, { depth }) => Math.max(most, depth + 1), 1),
      mayFail: (node.kind === 'call' && PARTIAL.has(node.function)) || parts.some(({ mayFail }) => mayFail),
    };
    if (facts.size > MOST_NODES || facts.depth > MOST_DEPTH) throw new TooLarge();
    this.#facts.set(node, facts);
    return facts;
  }
}
