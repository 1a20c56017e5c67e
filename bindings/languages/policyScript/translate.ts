import { call, method } from './calls.js';
import { binaryOf } from './comparisons.js';
import { fieldOf, nameOf } from './names.js';
import { bothKnown, NOTHING_KNOWN, type Scope, type Value } from './scope.js';
import type { Written, WrittenOf } from './syntax.js';
import { Translation } from './translation.js';
import { TooLarge } from './trees.js';
import { describeType, joinTypes, type ValueType } from './types.js';

/** Most expressions that are translated: bodies over lists of texts once for each text. */
const MOST_STEPS = 200_000;

/** Translates expressions of a script to trees, with their types. */
export class ScriptTranslator extends Translation {
  #steps = 0;

  value(written: Written, scope: Scope): Value {
    if (++this.#steps > MOST_STEPS) throw new TooLarge();
    switch (written.kind) {
      case 'literal':
        return this.literal(written.value);
      case 'name':
        return nameOf(this, written, scope);
      case 'field':
        return fieldOf(this, written, scope);
      case 'list':
        return this.#list(written, scope);
      case 'unary':
        return this.#unary(written, scope);
      case 'binary':
        return binaryOf(this, written, scope);
      case 'logical':
        return this.#logical(written, scope);
      case 'conditional':
        return this.#conditional(written, scope);
      case 'call':
        return call(this, written, scope);
      case 'method':
        return method(this, written, scope);
      case 'pattern':
        return { node: this.trees.literal(written.pattern), type: { kind: 'pattern' } };
      case 'arrow':
        return this.wrong(
          written.place,
          null,
          'a function as a value',
          'it as the argument of every, some or filter',
        );
      case 'wrong':
        return this.nothing;
    }
  }

  /** The value of a const: any but a list of inputs, and null. */
  constant(written: Written, scope: Scope): Value {
    const value = this.value(written, scope);
    if (value.type.kind !== 'null') return value;
    return this.wrong(written.place, null, 'a const that is null', 'null itself, where it is compared with');
  }

  #list({ elements }: WrittenOf<'list'>, scope: Scope): Value {
    const values = elements.map((element) => this.present(element, scope));
    let of: ValueType = values[0]?.type ?? { kind: 'wrong' };
    for (const [i, { type }] of values.entries()) {
      const isScalar = type.kind !== 'list' && type.kind !== 'pattern';
      const next = isScalar ? joinTypes(of, type) : null;
      if (next === null)
        return this.wrong(
          elements[i].place,
          values[i],
          `${describeType(type)} in a list`,
          isScalar ? `${describeType(of)}, as before it` : 'texts, numbers or truth values',
        );
      of = next;
    }
    if (values.some(({ type }) => type.kind === 'wrong')) return this.nothing;
    return { node: this.trees.list(values.map(({ node }) => node)), type: { kind: 'list', of } };
  }

  #unary({ operator, operand, place }: WrittenOf<'unary'>, scope: Scope): Value {
    if (operator === '!') {
      const { node, type, known = NOTHING_KNOWN } = this.condition(operand, scope);
      if (type.kind === 'wrong') return this.nothing;
      return this.truth(this.trees.not(node), { whenTrue: known.whenFalse, whenFalse: known.whenTrue });
    }
    const value = this.present(operand, scope);
    if (value.type.kind !== 'number')
      return this.wrong(place, value, `"-" before ${describeType(value.type)}`, 'a number');
    const { least, most } = value.type;
    return { node: this.trees.negative(value.node), type: { kind: 'number', least: -most, most: -least } };
  }

  #logical({ operator, operands }: WrittenOf<'logical'>, scope: Scope): Value {
    const values: Value[] = [];
    let inner = scope;
    for (const operand of operands) {
      const value = this.condition(operand, inner);
      values.push(value);
      const { whenTrue, whenFalse } = value.known ?? NOTHING_KNOWN;
      inner = inner.within(operator === '&&' ? whenTrue : whenFalse);
    }
    if (values.some(({ type }) => type.kind === 'wrong')) return this.nothing;
    const node = values
      .map((value) => value.node)
      .reduceRight((then, first) =>
        operator === '&&' ? this.trees.and(first, then) : this.trees.or(first, then),
      );
    return this.truth(
      node,
      bothKnown(
        values.map(({ known = NOTHING_KNOWN }) => known),
        operator,
      ),
    );
  }

  #conditional({ condition, whenTrue, whenFalse, place }: WrittenOf<'conditional'>, scope: Scope): Value {
    const asked = this.condition(condition, scope);
    const known = asked.known ?? NOTHING_KNOWN;
    const then = this.present(whenTrue, scope.within(known.whenTrue));
    const otherwise = this.present(whenFalse, scope.within(known.whenFalse));
    if ([asked, then, otherwise].some(({ type }) => type.kind === 'wrong')) return this.nothing;
    return this.chosen(asked.node, then, otherwise, place);
  }
}
