import { EvaluationError, ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import {
  checkPredicate,
  compileConstraint,
  compileExpression,
  type Expression,
  type ExpressionNode,
  freeNames,
  freePaths,
  type PartialEvaluate,
  parseExpression,
} from '../../languages/expression/index.js';
import type { ArgumentValue, DeclaredAction } from './declaration.js';
import { type NamedTarget, type PredicateIndex, TARGETS_IN_TEXT } from './names.js';

/** The values of a call's arguments; those that are open have none. */
export type GivenArguments = Readonly<Record<string, unknown>>;

/** The name under which what depends on open arguments is looked up: no predicate has it, so its value is never known. */
const UNKNOWN = '?';

/** A Boolean combination of predicates and of conditions on arguments alone. */
export class Condition {
  readonly #expression: Expression;
  readonly #index: PredicateIndex;
  readonly #arguments: NonNullable<DeclaredAction['arguments']>;
  /** The predicates that are named by an argument, by what stands for them in the expression. */
  readonly #targets: ReadonlyMap<string, NamedTarget>;

  /**
   * @param name of the source, for messages
   * @throws ParseError if it is malformed, or reads what is neither a predicate nor an argument (the message suggests the nearest name)
   * @throws NotSupportedError if it combines predicates otherwise than by && || ! ?: == !=
   * @throws InvalidArgumentError as `PredicateIndex.target`
   */
  constructor(
    source: string,
    name: string,
    index: PredicateIndex,
    args: NonNullable<DeclaredAction['arguments']>,
  ) {
    this.#index = index;
    this.#arguments = args;
    const targets = new Map<string, NamedTarget>();
    // `in` is an operator of expressions. A name of the same length takes the place of in[to], so that places in messages stay right.
    const text = source.replace(TARGETS_IN_TEXT, (found, target: string | undefined) => {
      if (target === undefined) return found;
      const standIn = target.replace(/[[\]]/g, '_');
      targets.set(standIn, index.target(target, args));
      return standIn;
    });
    this.#targets = targets;
    this.#expression = parseExpression(text, { name });
    this.#refuseUnknown();
    // Refuses combinations that cannot be evaluated on partly known predicates.
    this.given({});
  }

  /** The condition on predicates that is left when arguments have these values: true, false, or undefined if that depends on an open argument. */
  given(values: GivenArguments): PartialEvaluate {
    const { name } = this.#expression;
    return compileConstraint({ name, root: this.#grounded(this.#expression.root, values) });
  }

  /** The predicates that are left to be read when arguments have these values. */
  reads(values: GivenArguments): string[] {
    const { name } = this.#expression;
    const root = this.#grounded(this.#expression.root, values);
    return freePaths({ name, root }).flatMap(({ path }) => (path === UNKNOWN ? [] : [path]));
  }

  #grounded(node: ExpressionNode, values: GivenArguments): ExpressionNode {
    const inside = (part: ExpressionNode): ExpressionNode => this.#grounded(part, values);
    if (node.kind === 'logical') return { ...node, operands: node.operands.map(inside) };
    if (node.kind === 'unary' && node.operator === '!') return { ...node, operand: inside(node.operand) };
    if (node.kind === 'conditional')
      return {
        ...node,
        condition: inside(node.condition),
        whenTrue: inside(node.whenTrue),
        whenFalse: inside(node.whenFalse),
      };
    const target = node.kind === 'name' ? this.#targets.get(node.name) : undefined;
    if (target?.argument && node.kind === 'name') {
      const value = values[target.argument];
      return {
        ...node,
        name: value === undefined ? UNKNOWN : this.#index.valued(target.name, value as ArgumentValue),
      };
    }
    const read = freeNames({ name: '', root: node });
    if (read.length > 0 && read.every((one) => Object.hasOwn(this.#arguments, one)))
      return this.#ofArguments(node, values);
    if (node.kind === 'binary' && (node.operator === '==' || node.operator === '!='))
      return { ...node, left: inside(node.left), right: inside(node.right) };
    return node;
  }

  /** The value of a condition on arguments alone. */
  #ofArguments(node: ExpressionNode, values: GivenArguments): ExpressionNode {
    const { place } = node;
    this.#requireBoolean(node);
    try {
      const value = compileExpression({ name: this.#expression.name, root: node })(values, {
        time: values.time,
        action: values.action,
      });
      if (typeof value === 'boolean') return { kind: 'literal', value, place };
    } catch (error) {
      // An argument is open, or what was given is not of the kind that is compared.
      if (!(error instanceof EvaluationError)) throw error;
    }
    return { kind: 'name', name: UNKNOWN, place };
  }

  /** @throws ParseError if a condition on arguments cannot be true or false */
  #requireBoolean(node: ExpressionNode): void {
    const { name: source } = this.#expression;
    if (node.kind !== 'name') {
      checkPredicate({ name: source, root: node });
      return;
    }
    const declared = this.#arguments[node.name];
    const isBoolean =
      typeof declared === 'string'
        ? /^(boolean|any)\??$/.test(declared)
        : declared.every((value) => typeof value === 'boolean');
    if (isBoolean) return;
    const type = typeof declared === 'string' ? declared : `one of ${declared.join(', ')}`;
    throw new ParseError(
      `the argument "${node.name}" is declared as ${type}; expected one that is true or false, or a comparison of it`,
      { source, ...node.place, expected: 'a truth value' },
    );
  }

  #refuseUnknown(): void {
    for (const { path, place } of freePaths(this.#expression)) {
      const [root] = path.split('.', 1);
      if (Object.hasOwn(this.#arguments, root) || this.#targets.has(path) || this.#index.has(path)) continue;
      const known = [...this.#index.names, ...Object.keys(this.#arguments)];
      const nearest = nearestName(path, known);
      const hint = nearest ? `did you mean "${nearest}"?` : `known: ${known.join(', ') || 'none'}`;
      throw new ParseError(`"${path}" is neither a predicate nor a declared argument; ${hint}`, {
        source: this.#expression.name,
        ...place,
        expected: 'a predicate or an argument',
      });
    }
  }
}
