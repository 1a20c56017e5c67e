import { NotSupportedError } from '../../base/errors.js';
import {
  type Expression,
  type ExpressionNode,
  type NodeOf,
  printExpression,
} from '../../languages/expression/index.js';
import type { Term } from '../smt/index.js';
import { callOf } from './calls.js';
import { equality, isAmong, order } from './comparisons.js';
import { type Context, Untranslated } from './context.js';
import { arithmetic, negative, numberValue } from './numbers.js';
import {
  always,
  type Content,
  type Element,
  hasValue,
  isTruth,
  mapped,
  mappedBoth,
  merged,
  NO_VALUE,
  threeValued,
  truth,
  type Value,
  where,
} from './value.js';

/** Values of names: inputs, and variables of macros. */
type Scope = ReadonlyMap<string, Value>;

/** Translates expressions to terms that have the values which the closures compute. */
export class Translator {
  readonly #context: Context;
  readonly #inputs: Scope;
  readonly #opaque: ReadonlySet<string>;

  /** @param opaque inputs that have no terms: what reads them may have any value */
  constructor(context: Context, inputs: Scope, opaque: ReadonlySet<string> = new Set()) {
    this.#context = context;
    this.#inputs = inputs;
    this.#opaque = opaque;
  }

  /** When a condition is true, and when false; it has no value otherwise. */
  condition({ root }: Expression): { readonly isTrue: Term; readonly isFalse: Term } {
    const { terms } = this.#context;
    const value = this.#orAny(root, this.#inputs);
    return { isTrue: isTruth(terms, value, true), isFalse: isTruth(terms, value, false) };
  }

  /** The value of a condition; where it has no translation, any. */
  #orAny(node: ExpressionNode, scope: Scope): Value {
    try {
      return this.#value(node, scope);
    } catch (error) {
      if (!(error instanceof Untranslated || error instanceof NotSupportedError)) throw error;
      this.#context.reasons.add(error.message);
      return this.#any(node, scope);
    }
  }

  /** A condition of which nothing is known; the same of the same values of the macros' variables. */
  #any(node: ExpressionNode, scope: Scope): Value {
    const { terms } = this.#context;
    const bound = [...scope].filter(([name, value]) => this.#inputs.get(name) !== value);
    const contents = bound.flatMap(([, value]) => value);
    const make = (): Value => {
      const [isTrue, isFalse] = ['isTrue', 'isFalse'].map((name) => this.#context.fresh('Bool', name));
      return threeValued(terms, isTrue, terms.and(terms.not(isTrue), isFalse));
    };
    // Of lists and maps it is not asked whether they are the same.
    if (contents.some(({ kind }) => kind === 'list' || kind === 'map')) return make();
    const known = contents.flatMap((one) => [one.when, ...('term' in one ? [one.term] : [])]);
    return this.#context.once(`any ${printExpression({ name: '', root: node })}`, known, make);
  }

  #value(node: ExpressionNode, scope: Scope): Value {
    const { terms } = this.#context;
    const part = (one: ExpressionNode) => this.#value(one, scope);
    switch (node.kind) {
      case 'literal':
        return this.#literal(node.value);
      case 'name':
        if (!scope.has(node.name) && this.#opaque.has(node.name))
          throw new Untranslated(node, 'lists of records have no terms');
        return scope.get(node.name) ?? NO_VALUE;
      case 'list': {
        const values = node.elements.map(part);
        const isWhole = terms.and(...values.map((value) => hasValue(terms, value)));
        const elements = values.map((value): Element => ({ when: terms.true, value }));
        return where(terms, isWhole, always(terms, { kind: 'list', elements, isDense: true }));
      }
      case 'map':
        return this.#map(node, scope);
      case 'field':
        return mapped(terms, part(node.object), (object) => fieldOf(object, node.field));
      case 'has':
        return mapped(terms, part(node.object), (object) =>
          object.kind === 'map' ? truth(terms, terms.bool(object.entries.has(node.field))) : NO_VALUE,
        );
      case 'index':
        return mappedBoth(terms, part(node.object), part(node.index), (object, at) =>
          this.#element(object, at, node),
        );
      case 'unary':
        if (node.operator === '-')
          return mapped(terms, part(node.operand), (of) => negative(this.#context, of, node));
        return this.#not(this.#orAny(node.operand, scope));
      case 'logical':
        return this.#junction(
          node,
          node.operands.map((one) => this.#orAny(one, scope)),
        );
      case 'conditional': {
        const test = this.#orAny(node.condition, scope);
        return merged(terms, [
          where(terms, isTruth(terms, test, true), part(node.whenTrue)),
          where(terms, isTruth(terms, test, false), part(node.whenFalse)),
        ]);
      }
      case 'binary':
        return this.#binary(node, scope);
      case 'call':
        return callOf(this.#context, node, node.arguments.map(part));
      case 'macro':
        return this.#macro(node, scope);
    }
  }

  #literal(value: string | number | boolean | null): Value {
    const { terms } = this.#context;
    if (value === null) return always(terms, { kind: 'null' });
    if (typeof value === 'number') return numberValue(this.#context, value);
    if (typeof value === 'boolean') return truth(terms, terms.bool(value));
    return always(terms, { kind: 'text', term: terms.text(value) });
  }

  #map(node: NodeOf<'map'>, scope: Scope): Value {
    const { terms } = this.#context;
    const entries = new Map<string, Value>();
    for (const [i, key] of node.keys.entries()) {
      if (key.kind !== 'literal' || typeof key.value !== 'string' || entries.has(key.value))
        throw new Untranslated(node, 'of maps only those with known keys are translated');
      entries.set(key.value, this.#value(node.values[i], scope));
    }
    const isWhole = terms.and(...[...entries.values()].map((value) => hasValue(terms, value)));
    return where(terms, isWhole, always(terms, { kind: 'map', entries }));
  }

  #element(object: Content, at: Content, node: ExpressionNode): Value {
    const { terms } = this.#context;
    if (object.kind === 'map') {
      if (at.kind !== 'text') return NO_VALUE;
      const found = [...object.entries].map(([key, value]) =>
        where(terms, terms.equal(at.term, terms.text(key)), value),
      );
      return merged(terms, found);
    }
    if (object.kind !== 'list' || (at.kind !== 'whole' && at.kind !== 'double')) return NO_VALUE;
    if (at.kind === 'double' || !object.isDense)
      throw new Untranslated(node, 'the place of an element is a double, or the list is a filtered one');
    const found = object.elements.map(({ when, value }, i) =>
      where(terms, terms.and(when, terms.equal(at.term, terms.int(i))), value),
    );
    return merged(terms, found);
  }

  #not(value: Value): Value {
    const { terms } = this.#context;
    return threeValued(terms, isTruth(terms, value, false), isTruth(terms, value, true));
  }

  /** `&&` is false where one operand is, and true where all are; `||` the other way round. */
  #junction({ operator }: NodeOf<'logical'>, values: readonly Value[]): Value {
    const { terms } = this.#context;
    const decides = operator === '||';
    const isDecided = terms.or(...values.map((value) => isTruth(terms, value, decides)));
    const isOther = terms.and(...values.map((value) => isTruth(terms, value, !decides)));
    return decides ? threeValued(terms, isDecided, isOther) : threeValued(terms, isOther, isDecided);
  }

  #binary(node: NodeOf<'binary'>, scope: Scope): Value {
    const context = this.#context;
    const { terms } = context;
    const [left, right] = [this.#value(node.left, scope), this.#value(node.right, scope)];
    const each = (of: (a: Content, b: Content) => Value) => mappedBoth(terms, left, right, of);
    switch (node.operator) {
      case '+':
        return each((a, b) => joined(context, a, b) ?? arithmetic(context, '+', a, b, node));
      case '-':
      case '*':
      case '/':
      case '%': {
        const { operator } = node;
        return each((a, b) => arithmetic(context, operator, a, b, node));
      }
      case '==':
        return each((a, b) => equality(context, a, b, node));
      case '!=':
        return this.#not(each((a, b) => equality(context, a, b, node)));
      case '<':
      case '<=': {
        const { operator } = node;
        return each((a, b) => order(context, operator, a, b, node));
      }
      case '>':
        return each((a, b) => order(context, '<', b, a, node));
      case '>=':
        return each((a, b) => order(context, '<=', b, a, node));
      case 'in':
        return each((a, b) => isAmong(context, a, b, node));
    }
  }

  #macro(node: NodeOf<'macro'>, scope: Scope): Value {
    const { terms } = this.#context;
    return mapped(terms, this.#value(node.list, scope), (list) => {
      const elements = elementsOf(list, terms);
      if (elements === null) return NO_VALUE;
      const inner = elements.map(({ value }) => new Map(scope).set(node.variable, value));
      const isDense = list.kind !== 'list' || list.isDense;
      if (node.macro === 'map') {
        const values = inner.map((one) => this.#value(node.body, one));
        const isWhole = this.#forAll(elements, (i) => hasValue(terms, values[i]));
        const found = elements.map(({ when }, i) => ({ when, value: values[i] }));
        return where(terms, isWhole, always(terms, { kind: 'list', elements: found, isDense }));
      }
      const bodies = inner.map((one) => this.#orAny(node.body, one));
      return this.#quantified(node.macro, elements, bodies);
    });
  }

  #quantified(
    macro: Exclude<NodeOf<'macro'>['macro'], 'map'>,
    elements: readonly Element[],
    bodies: readonly Value[],
  ): Value {
    const { terms } = this.#context;
    const isThere = (truth: boolean) =>
      elements.map(({ when }, i) => terms.and(when, isTruth(terms, bodies[i], truth)));
    const [yes, no] = [isThere(true), isThere(false)];
    const every = (truth: boolean) => this.#forAll(elements, (i) => isTruth(terms, bodies[i], truth));
    const isReadable = this.#forAll(elements, (i) =>
      terms.or(isTruth(terms, bodies[i], true), isTruth(terms, bodies[i], false)),
    );
    switch (macro) {
      case 'all':
        return threeValued(terms, every(true), terms.or(...no));
      case 'exists':
        return threeValued(terms, terms.or(...yes), every(false));
      case 'exists_one': {
        const isOne = terms.or(
          ...yes.map((one, i) =>
            terms.and(one, ...yes.filter((_, k) => k !== i).map((other) => terms.not(other))),
          ),
        );
        return where(terms, isReadable, truth(terms, isOne));
      }
      case 'filter': {
        const kept = elements.map(({ value }, i): Element => ({ when: yes[i], value }));
        return where(terms, isReadable, always(terms, { kind: 'list', elements: kept, isDense: false }));
      }
    }
  }

  /** That something holds of each element that there is. */
  #forAll(elements: readonly Element[], holds: (i: number) => Term): Term {
    const { terms } = this.#context;
    return terms.and(...elements.map(({ when }, i) => terms.implies(when, holds(i))));
  }
}

function fieldOf(object: Content, field: string): Value {
  return object.kind === 'map' ? (object.entries.get(field) ?? NO_VALUE) : NO_VALUE;
}

/** What a macro visits: the elements of a list, or the keys of a map. */
function elementsOf(content: Content, terms: Context['terms']): readonly Element[] | null {
  if (content.kind === 'list') return content.elements;
  if (content.kind !== 'map') return null;
  return [...content.entries.keys()].map((key) => ({
    when: terms.true,
    value: always(terms, { kind: 'text', term: terms.text(key) }),
  }));
}

/** Two texts or two lists, one after the other; null for others. */
function joined({ terms }: Context, a: Content, b: Content): Value | null {
  if (a.kind === 'text' && b.kind === 'text')
    return always(terms, { kind: 'text', term: terms.of('str.++', a.term, b.term) });
  if (a.kind !== 'list' || b.kind !== 'list') return null;
  const isDense = b.isDense && a.elements.every(({ when }) => when === terms.true);
  return always(terms, { kind: 'list', elements: [...a.elements, ...b.elements], isDense });
}
