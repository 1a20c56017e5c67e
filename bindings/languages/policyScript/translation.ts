import type { ExpressionNode, Place } from '../expression/index.js';
import type { Inputs } from '../inputs/index.js';
import type { ScriptProblems } from './problems.js';
import { type Known, NOTHING_KNOWN, type Scope, type Value } from './scope.js';
import type { Module, Written } from './syntax.js';
import type { Trees } from './trees.js';
import { describeType, joinTypes, TRUTH } from './types.js';

/** What the translation of all expressions of a script shares: its problems, its trees, and what is asked of values. */
export abstract class Translation {
  readonly module: Module;
  readonly inputs: Inputs;
  readonly fields: ReadonlySet<string> | null;
  readonly problems: ScriptProblems;
  readonly trees: Trees;
  /** Variables of the expression language that bodies around this place bind. */
  readonly bound: string[] = [];

  /** @param fields the inputs that the parameter's type declares; null if it is imported */
  constructor(
    module: Module,
    inputs: Inputs,
    fields: ReadonlySet<string> | null,
    problems: ScriptProblems,
    trees: Trees,
  ) {
    this.module = module;
    this.inputs = inputs;
    this.fields = fields;
    this.problems = problems;
    this.trees = trees;
  }

  /** @throws TooLarge */
  abstract value(written: Written, scope: Scope): Value;

  /** A condition: the tree of a truth value. */
  condition(written: Written, scope: Scope): Value {
    const value = this.present(written, scope);
    if (value.type.kind === 'truth') return value;
    return this.wrong(
      written.place,
      value,
      describeType(value.type),
      value.type.kind === 'text' ? "a truth value, as in text !== ''" : 'a truth value, as of a comparison',
    );
  }

  /** A value that is not null, and no length in UTF-16 units. */
  present(written: Written, scope: Scope): Value {
    return this.required(this.value(written, scope), written.place, scope);
  }

  required(value: Value, place: Place, scope: Scope): Value {
    if (value.optional !== undefined && !scope.isPresent(value.optional))
      return this.wrong(
        place,
        value,
        `"${value.optional}", which may be null`,
        `a comparison before it: ${value.optional} !== null && …`,
      );
    if (value.type.kind === 'null')
      return this.wrong(place, value, 'null', 'a value; null stands in comparisons alone');
    if (value.lengthOf !== undefined)
      return this.wrong(
        place,
        value,
        'the length of a text, which counts UTF-16 units',
        'size(text), which counts characters; length is for comparisons with 0',
      );
    return value;
  }

  /** One of two values. */
  chosen(condition: ExpressionNode, then: Value, otherwise: Value, place: Place): Value {
    const type = joinTypes(then.type, otherwise.type);
    if (type === null || type.kind === 'pattern')
      return this.wrong(
        place,
        null,
        `${describeType(then.type)} or ${describeType(otherwise.type)}`,
        'two values of one kind',
      );
    if (type.kind === 'truth') return this.truth(this.trees.choose(condition, then.node, otherwise.node));
    return { node: this.trees.conditional(condition, then.node, otherwise.node), type };
  }

  /** A condition that is true where a value can be computed, and has no value elsewhere. */
  computable({ node, type, lengthOf }: Value): ExpressionNode {
    const { true: always } = this.trees;
    if (!this.trees.mayFail(lengthOf ?? node)) return always;
    const compared = (of: ExpressionNode, value: string | number) =>
      this.trees.binary('==', of, this.trees.literal(value));
    let asked = node;
    if (lengthOf !== undefined) asked = compared(lengthOf, '');
    else if (type.kind === 'text') asked = compared(node, '');
    else if (type.kind === 'number') asked = compared(node, 0);
    else if (type.kind === 'list') asked = compared(this.trees.call('size', [node], false), 0);
    return this.trees.choose(asked, always, always);
  }

  /** The value of what is wrong. */
  get nothing(): Value {
    return { node: this.trees.false, type: { kind: 'wrong' } };
  }

  /** Records a problem, unless one has been recorded of the value. */
  wrong(place: Place, value: Value | null, found: string, expected: string): Value {
    if (value?.type.kind !== 'wrong') this.problems.add(place, found, expected);
    return this.nothing;
  }

  literal(value: number | string | boolean | null): Value {
    if (typeof value === 'boolean') return this.truth(value ? this.trees.true : this.trees.false);
    const node = this.trees.literal(value);
    if (value === null) return { node, type: { kind: 'null' } };
    if (typeof value === 'string') return { node, type: { kind: 'text', values: [value] } };
    return { node, type: { kind: 'number', least: value, most: value } };
  }

  truth(node: ExpressionNode, known: Known = NOTHING_KNOWN): Value {
    return { node, type: TRUTH, known };
  }
}
