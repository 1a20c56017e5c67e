import { nearestName } from '../../base/suggest.js';
import {
  type ExpressionNode,
  FUNCTIONS,
  type FunctionName,
  GLOB_EXPECTED,
  isGlob,
  type Place,
} from '../expression/index.js';
import type { Inputs } from '../inputs/index.js';
import { METHODS, NAMES } from './advice.js';
import { boundsOf } from './numbers.js';
import type { ScriptProblems } from './problems.js';
import { bothKnown, type Known, NOTHING_KNOWN, type Scope, type Value } from './scope.js';
import type { Module, Written, WrittenType } from './syntax.js';
import { TooLarge, type Trees } from './trees.js';
import { describeType, joinTypes, TEXT, TRUTH, typeOfInput, type ValueType, writeType } from './types.js';

type WrittenOf<K extends Written['kind']> = Extract<Written, { kind: K }>;

/** Most expressions that are translated: bodies over lists of texts once for each text. */
const MOST_STEPS = 200_000;
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
/** Names that variables of the expression language cannot have. */
const KEPT = new Set([
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
  'true',
  'false',
  'null',
  'time',
  'action',
  'state',
]);

/** Translates expressions of a script to trees, with their types. */
export class ScriptTranslator {
  readonly #module: Module;
  readonly #inputs: Inputs;
  readonly #fields: ReadonlySet<string> | null;
  readonly #problems: ScriptProblems;
  readonly #trees: Trees;
  /** Variables of the expression language that bodies around this place bind. */
  readonly #bound: string[] = [];
  #steps = 0;

  /** @param fields the inputs that the parameter's type declares; null if it is imported */
  constructor(
    module: Module,
    inputs: Inputs,
    fields: ReadonlySet<string> | null,
    problems: ScriptProblems,
    trees: Trees,
  ) {
    this.#module = module;
    this.#inputs = inputs;
    this.#fields = fields;
    this.#problems = problems;
    this.#trees = trees;
  }

  /** A condition: the tree of a truth value. */
  condition(written: Written, scope: Scope): Value {
    const value = this.present(written, scope);
    if (value.type.kind === 'truth') return value;
    return this.#wrong(
      written.place,
      value,
      describeType(value.type),
      value.type.kind === 'text' ? "a truth value, as in text !== ''" : 'a truth value, as of a comparison',
    );
  }

  /** A value that is not null, and no length in UTF-16 units. */
  present(written: Written, scope: Scope): Value {
    return this.#required(this.value(written, scope), written.place, scope);
  }

  #required(value: Value, place: Place, scope: Scope): Value {
    if (value.optional !== undefined && !scope.isPresent(value.optional))
      return this.#wrong(
        place,
        value,
        `"${value.optional}", which may be null`,
        `a comparison before it: ${value.optional} !== null && …`,
      );
    if (value.type.kind === 'null')
      return this.#wrong(place, value, 'null', 'a value; null stands in comparisons alone');
    if (value.lengthOf !== undefined)
      return this.#wrong(
        place,
        value,
        'the length of a text, which counts UTF-16 units',
        'size(text), which counts characters; length is for comparisons with 0',
      );
    return value;
  }

  value(written: Written, scope: Scope): Value {
    if (++this.#steps > MOST_STEPS) throw new TooLarge();
    switch (written.kind) {
      case 'literal':
        return this.#literal(written.value);
      case 'name':
        return this.#name(written, scope);
      case 'field':
        return this.#field(written, scope);
      case 'list':
        return this.#list(written, scope);
      case 'unary':
        return this.#unary(written, scope);
      case 'binary':
        return this.#binary(written, scope);
      case 'logical':
        return this.#logical(written, scope);
      case 'conditional':
        return this.#conditional(written, scope);
      case 'call':
        return this.#call(written, scope);
      case 'method':
        return this.#method(written, scope);
      case 'pattern':
        return { node: this.#trees.literal(written.pattern), type: { kind: 'pattern' } };
      case 'arrow':
        return this.#wrong(
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
    return this.#wrong(written.place, null, 'a const that is null', 'null itself, where it is compared with');
  }

  /** A condition that is true where a value can be computed, and has no value elsewhere. */
  computable({ node, type, lengthOf }: Value): ExpressionNode {
    const { true: always } = this.#trees;
    if (!this.#trees.mayFail(lengthOf ?? node)) return always;
    const compared = (of: ExpressionNode, value: string | number) =>
      this.#trees.binary('==', of, this.#trees.literal(value));
    let asked = node;
    if (lengthOf !== undefined) asked = compared(lengthOf, '');
    else if (type.kind === 'text') asked = compared(node, '');
    else if (type.kind === 'number') asked = compared(node, 0);
    else if (type.kind === 'list') asked = compared(this.#trees.call('size', [node], false), 0);
    return this.#trees.choose(asked, always, always);
  }

  /** Whether a type that stands beside a const is that of its value. */
  fitsAnnotation(type: WrittenType, of: ValueType): boolean {
    if (of.kind === 'wrong' || type.kind === 'wrong') return true;
    if (of.kind !== 'list') return this.#isElementType(type, of);
    return type.kind !== 'array'
      ? type.kind === 'name' && !isBasic(type.name)
      : this.#isElementType(type.of, of.of);
  }

  /** The value of what is wrong. */
  get nothing(): Value {
    return { node: this.#trees.false, type: { kind: 'wrong' } };
  }

  /** Records a problem, unless one has been recorded of the value. */
  #wrong(place: Place, value: Value | null, found: string, expected: string): Value {
    if (value?.type.kind !== 'wrong') this.#problems.add(place, found, expected);
    return this.nothing;
  }

  #literal(value: number | string | boolean | null): Value {
    if (typeof value === 'boolean') return this.#truth(value ? this.#trees.true : this.#trees.false);
    const node = this.#trees.literal(value);
    if (value === null) return { node, type: { kind: 'null' } };
    if (typeof value === 'string') return { node, type: { kind: 'text', values: [value] } };
    return { node, type: { kind: 'number', least: value, most: value } };
  }

  #truth(node: ExpressionNode, known: Known = NOTHING_KNOWN): Value {
    return { node, type: TRUTH, known };
  }

  #name({ name, place }: WrittenOf<'name'>, scope: Scope): Value {
    const found = scope.find(name);
    if (found === 'inputs')
      return this.#wrong(
        place,
        null,
        'all inputs',
        `one of them: ${name}.${Object.keys(this.#inputs)[0] ?? 'x'}`,
      );
    if (found !== undefined) return found;
    if (Object.hasOwn(NAMES, name)) return this.#wrong(place, null, `"${name}"`, NAMES[name]);
    const isFunction =
      this.#module.imported.has(name) || this.#module.functions.some((one) => one.name === name);
    if (isFunction)
      return this.#wrong(place, null, `the function "${name}" as a value`, `a call: ${name}(…)`);
    const nearest = nearestName(name, scope.names);
    return this.#wrong(
      place,
      null,
      `the unknown name "${name}"`,
      nearest ?? 'an input or a const that stands above',
    );
  }

  #field(written: WrittenOf<'field'>, scope: Scope): Value {
    const { object, field, place } = written;
    if (object.kind === 'name' && scope.find(object.name) === 'inputs') return this.input(field, place);
    if (object.kind === 'name' && scope.find(object.name) === undefined && Object.hasOwn(NAMES, object.name))
      return this.#name(object, scope);
    const of = this.present(object, scope);
    if (field !== 'length' || (of.type.kind !== 'list' && of.type.kind !== 'text'))
      return this.#wrong(
        place,
        of,
        `the field "${field}" of ${describeType(of.type)}`,
        'length of a list, or a method',
      );
    const type: ValueType = { kind: 'number', least: 0, most: Number.MAX_SAFE_INTEGER };
    if (of.type.kind === 'text') return { node: this.#trees.literal(0), type, lengthOf: of.node };
    return { node: this.#trees.call('size', [of.node], false), type };
  }

  /** The value of an input. */
  input(name: string, place: Place): Value {
    const known = Object.keys(this.#inputs);
    if (!Object.hasOwn(this.#inputs, name)) {
      const nearest = nearestName(name, known);
      return this.#wrong(
        place,
        null,
        `"${name}", which is no input`,
        nearest ?? (known.length > 0 ? `one of ${known.join(', ')}` : 'inputs in the file of policies'),
      );
    }
    const input = this.#inputs[name];
    if (input.type.kind === 'list' && input.type.of.kind === 'record')
      return this.#wrong(
        place,
        null,
        `"${name}", a list of records`,
        'another policy for the tool, with permit: functions read no records',
      );
    if (this.#fields !== null && !this.#fields.has(name))
      return this.#wrong(
        place,
        null,
        `"${name}", which the type of the inputs lacks`,
        `${name}: ${writeType(input)} in it`,
      );
    return {
      node: this.#trees.name(name),
      type: typeOfInput(input.type),
      ...(input.optional === true && { optional: name }),
    };
  }

  #list({ elements }: WrittenOf<'list'>, scope: Scope): Value {
    const values = elements.map((element) => this.present(element, scope));
    let of: ValueType = values[0]?.type ?? { kind: 'wrong' };
    for (const [i, { type }] of values.entries()) {
      const isScalar = type.kind !== 'list' && type.kind !== 'pattern';
      const next = isScalar ? joinTypes(of, type) : null;
      if (next === null)
        return this.#wrong(
          elements[i].place,
          values[i],
          `${describeType(type)} in a list`,
          isScalar ? `${describeType(of)}, as before it` : 'texts, numbers or truth values',
        );
      of = next;
    }
    if (values.some(({ type }) => type.kind === 'wrong')) return this.nothing;
    return { node: this.#trees.list(values.map(({ node }) => node)), type: { kind: 'list', of } };
  }

  #unary({ operator, operand, place }: WrittenOf<'unary'>, scope: Scope): Value {
    if (operator === '!') {
      const { node, type, known = NOTHING_KNOWN } = this.condition(operand, scope);
      if (type.kind === 'wrong') return this.nothing;
      return this.#truth(this.#trees.not(node), { whenTrue: known.whenFalse, whenFalse: known.whenTrue });
    }
    const value = this.present(operand, scope);
    if (value.type.kind !== 'number')
      return this.#wrong(place, value, `"-" before ${describeType(value.type)}`, 'a number');
    const { least, most } = value.type;
    return { node: this.#trees.negative(value.node), type: { kind: 'number', least: -most, most: -least } };
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
        operator === '&&' ? this.#trees.and(first, then) : this.#trees.or(first, then),
      );
    return this.#truth(
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
    return this.#chosen(asked.node, then, otherwise, place);
  }

  #chosen(condition: ExpressionNode, then: Value, otherwise: Value, place: Place): Value {
    const type = joinTypes(then.type, otherwise.type);
    if (type === null || type.kind === 'pattern')
      return this.#wrong(
        place,
        null,
        `${describeType(then.type)} or ${describeType(otherwise.type)}`,
        'two values of one kind',
      );
    if (type.kind === 'truth') return this.#truth(this.#trees.choose(condition, then.node, otherwise.node));
    return { node: this.#trees.conditional(condition, then.node, otherwise.node), type };
  }

  #binary(written: WrittenOf<'binary'>, scope: Scope): Value {
    const { operator, left, right, place } = written;
    if (operator === '===' || operator === '!==') return this.#equality(written, scope);
    if (operator === '??') return this.#default(written, scope);
    if (operator === '+' || operator === '-' || operator === '*')
      return this.#arithmetic(operator, this.present(left, scope), this.present(right, scope), place);
    const found = [this.value(left, scope), this.value(right, scope)] as const;
    const length = this.#emptiness(operator, found, place);
    if (length !== null) return length;
    const [a, b] = [
      this.#required(found[0], left.place, scope),
      this.#required(found[1], right.place, scope),
    ];
    for (const [value, part] of [
      [a, left],
      [b, right],
    ] as const)
      if (value.type.kind !== 'number')
        return this.#wrong(
          part.place,
          value,
          `${describeType(value.type)} beside "${operator}"`,
          value.type.kind === 'text' ? 'numbers: JavaScript orders texts by UTF-16 units' : 'numbers',
        );
    return this.#truth(this.#trees.binary(operator, a.node, b.node));
  }

  #arithmetic(operator: '+' | '-' | '*', a: Value, b: Value, place: Place): Value {
    if (a.type.kind === 'wrong' || b.type.kind === 'wrong') return this.nothing;
    if (operator === '+' && a.type.kind === 'text' && b.type.kind === 'text')
      return this.#joined(a.node, b.node);
    if (a.type.kind !== 'number' || b.type.kind !== 'number')
      return this.#wrong(
        place,
        null,
        `${describeType(a.type)} ${operator} ${describeType(b.type)}`,
        operator === '+' ? 'two numbers or two texts' : 'two numbers',
      );
    const type = boundsOf(operator, a.type, b.type);
    if (type === null)
      return this.#wrong(
        place,
        null,
        `"${operator}" whose result may be no number (NaN)`,
        'inputs with bounds, as integer: [0, 1000000]',
      );
    const mayFail = this.#trees.mayFail(a.node) || this.#trees.mayFail(b.node);
    const isKnown = type.least === type.most && Number.isFinite(type.least) && !mayFail;
    return {
      node: isKnown ? this.#trees.literal(type.least) : this.#trees.binary(operator, a.node, b.node),
      type,
    };
  }

  #joined(a: ExpressionNode, b: ExpressionNode): Value {
    const isKnown = a.kind === 'literal' && b.kind === 'literal';
    if (isKnown) return this.#literal(String(a.value) + String(b.value));
    return { node: this.#trees.binary('+', a, b), type: TEXT };
  }

  #equality({ operator, left, right, place }: WrittenOf<'binary'>, scope: Scope): Value {
    const [a, b] = [this.value(left, scope), this.value(right, scope)];
    if (a.type.kind === 'wrong' || b.type.kind === 'wrong') return this.nothing;
    const isEqual = operator === '===';
    const length = this.#emptiness(operator, [a, b], place);
    if (length !== null) return length;
    if (a.type.kind === 'null' || b.type.kind === 'null') return this.#nullity(a, b, isEqual, place);
    const expected = this.#incomparable(a.type, b.type);
    if (expected !== null)
      return this.#wrong(
        place,
        null,
        `${describeType(a.type)} ${operator} ${describeType(b.type)}`,
        expected,
      );
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { type, node } = one;
      if (node.kind !== 'literal' || type.kind !== 'text' || other.type.kind !== 'text') continue;
      const { values } = other.type;
      if (values !== undefined && other.node.kind !== 'literal' && !values.includes(String(node.value)))
        return this.#wrong(
          place,
          null,
          `a comparison with ${JSON.stringify(node.value)}, which is none of its values`,
          nearestName(String(node.value), values) ?? `one of ${values.join(', ')}`,
        );
    }
    const mayBeNull = [a, b].some((one) => one.optional !== undefined && !scope.isPresent(one.optional));
    const equal =
      a.type.kind === 'truth' && !mayBeNull
        ? this.#trees.same(a.node, b.node)
        : this.#trees.binary('==', a.node, b.node);
    const present = [a, b].flatMap((one, i) =>
      one.optional !== undefined && [b, a][i].optional === undefined ? [one.optional] : [],
    );
    const known = { whenTrue: isEqual ? present : [], whenFalse: isEqual ? [] : present };
    return this.#truth(isEqual ? equal : this.#trees.not(equal), known);
  }

  #incomparable(a: ValueType, b: ValueType): string | null {
    for (const { kind } of [a, b]) {
      if (kind === 'list') return 'every, some or includes: lists are equal only to themselves in JavaScript';
      if (kind === 'pattern') return '/…/u.test(text)';
    }
    return a.kind === b.kind ? null : 'two values of one kind';
  }

  /** A comparison with null. */
  #nullity(a: Value, b: Value, isEqual: boolean, place: Place): Value {
    const value = a.type.kind === 'null' ? b : a;
    if (value.optional === undefined)
      return this.#wrong(place, null, 'a comparison of null with what is never null', 'an optional input');
    const equal = this.#trees.binary('==', value.node, this.#trees.literal(null));
    const known = { whenTrue: isEqual ? [] : [value.optional], whenFalse: isEqual ? [value.optional] : [] };
    return this.#truth(isEqual ? equal : this.#trees.not(equal), known);
  }

  #default({ left, right, place }: WrittenOf<'binary'>, scope: Scope): Value {
    const a = this.value(left, scope);
    const b = this.present(right, scope);
    if (a.type.kind === 'wrong' || b.type.kind === 'wrong') return this.nothing;
    if (a.optional !== undefined && scope.isPresent(a.optional)) return a;
    if (a.optional === undefined)
      return this.#wrong(place, null, '"??" after what is never null', 'an optional input before it');
    const isNull = this.#trees.binary('==', a.node, this.#trees.literal(null));
    return this.#chosen(isNull, b, a, place);
  }

  /** Whether a text is empty, if a comparison of its length asks so; null if no length is compared. */
  #emptiness(operator: string, [a, b]: readonly [Value, Value], place: Place): Value | null {
    const text = a.lengthOf ?? b.lengthOf;
    if (text === undefined) return null;
    const bound = a.lengthOf === undefined ? a : b;
    const relation = a.lengthOf === undefined ? (MIRRORED[operator] ?? operator) : operator;
    const isNumber = bound.node.kind === 'literal' && bound.type.kind === 'number';
    const asked = isNumber && bound.lengthOf === undefined ? `${relation} ${bound.node.value}` : '';
    const isEmpty = ['=== 0', '< 1', '<= 0'].includes(asked);
    if (!isEmpty && !['!== 0', '> 0', '>= 1'].includes(asked))
      return this.#wrong(
        place,
        null,
        'a comparison of the length of a text, which counts UTF-16 units',
        'size(text), which counts characters; length is for comparisons with 0',
      );
    return this.#truth(this.#trees.binary(isEmpty ? '==' : '!=', text, this.#trees.literal('')));
  }

  #call({ name, arguments: given, place }: WrittenOf<'call'>, scope: Scope): Value {
    const refuse = (found: string, expected: string) => {
      for (const one of given) if (one.kind !== 'arrow') this.value(one, scope);
      return this.#wrong(place, null, found, expected);
    };
    if (name === 'permit' || name === 'deny')
      return refuse(`${name}(…) within an expression`, `return ${name}(…)`);
    if (this.#module.functions.some((one) => one.name === name))
      return refuse(
        `a call of "${name}"`,
        'its condition itself: functions of scripts call none of each other, nor themselves',
      );
    if (scope.find(name) !== undefined)
      return refuse(`a call of "${name}", which is no function`, 'one of the named functions');
    if (Object.hasOwn(NAMES, name)) return refuse(`"${name}"`, NAMES[name]);
    if (!this.#module.imported.has(name)) {
      const isKnown = (SCRIPT_FUNCTIONS as readonly string[]).includes(name);
      const nearest = nearestName(name, SCRIPT_FUNCTIONS);
      return refuse(
        isKnown ? `"${name}", which is not imported` : `the unknown function "${name}"`,
        isKnown
          ? `import { ${name} } from 'foreguard/policy'`
          : (nearest ?? `one of ${SCRIPT_FUNCTIONS.join(', ')}`),
      );
    }
    const of = name as (typeof SCRIPT_FUNCTIONS)[number];
    const { arguments: kinds, returns } = FUNCTIONS[of];
    if (given.length !== kinds.length)
      return refuse(`${given.length} arguments of ${name}`, `${kinds.length}`);
    const values = given.map((one, i) => this.#argument(one, kinds[i] === 'pattern', scope));
    if (values.some(({ type }) => type.kind === 'wrong')) return this.nothing;
    const node = this.#trees.call(
      of,
      values.map((value) => value.node),
      returns === 'boolean',
    );
    if (returns === 'boolean') return this.#truth(node);
    if (returns === 'number')
      return { node, type: { kind: 'number', least: 0, most: Number.MAX_SAFE_INTEGER } };
    return { node, type: returns === 'string' ? TEXT : { kind: 'list', of: TEXT } };
  }

  #argument(written: Written, isPattern: boolean, scope: Scope): Value {
    const value = this.present(written, scope);
    if (value.type.kind !== 'text')
      return this.#wrong(written.place, value, describeType(value.type), 'a text');
    const { node } = value;
    if (isPattern && (node.kind !== 'literal' || !isGlob(String(node.value))))
      return this.#wrong(written.place, value, 'such a pattern', GLOB_EXPECTED);
    return value;
  }

  #method(written: WrittenOf<'method'>, scope: Scope): Value {
    const { object, method, methodPlace, arguments: given } = written;
    if (object.kind === 'name' && scope.find(object.name) === undefined && Object.hasOwn(NAMES, object.name))
      return this.#name(object, scope);
    const of = this.present(object, scope);
    const { kind } = of.type;
    if (kind === 'wrong') {
      for (const one of given) if (one.kind !== 'arrow') this.value(one, scope);
      return this.nothing;
    }
    const known =
      {
        text: ['startsWith', 'endsWith', 'includes'],
        list: ['includes', 'every', 'some', 'filter'],
        pattern: ['test'],
      }[kind as 'text'] ?? [];
    if (!known.includes(method)) {
      const nearest = nearestName(method, known);
      const advice = Object.hasOwn(METHODS, method)
        ? METHODS[method]
        : (nearest ?? (known.length > 0 ? `one of ${known.join(', ')}` : 'no method'));
      return this.#wrong(methodPlace, of, `the method "${method}" of ${describeType(of.type)}`, advice);
    }
    if (given.length !== 1)
      return this.#wrong(methodPlace, of, `${given.length} arguments of ${method}`, '1');
    const [argument] = given;
    if (method === 'every' || method === 'some' || method === 'filter')
      return this.#overList(of, method, argument, scope);
    const value = this.present(argument, scope);
    if (value.type.kind === 'wrong') return this.nothing;
    const wanted = of.type.kind === 'list' ? of.type.of : TEXT;
    if (joinTypes(wanted, value.type) === null)
      return this.#wrong(argument.place, value, describeType(value.type), describeType(wanted));
    if (of.type.kind === 'list') return this.#truth(this.#trees.binary('in', value.node, of.node));
    if (kind === 'pattern') return this.#truth(this.#trees.call('matches', [value.node, of.node], true));
    const name = method === 'includes' ? 'contains' : (method as FunctionName);
    return this.#truth(this.#trees.call(name, [of.node, value.node], true));
  }

  #overList(of: Value, method: 'every' | 'some' | 'filter', argument: Written, scope: Scope): Value {
    if (argument.kind !== 'arrow')
      return this.#wrong(
        argument.place,
        null,
        `no function as the argument of ${method}`,
        'one of one parameter: r => …',
      );
    const element = of.type.kind === 'list' ? of.type.of : of.type;
    const { parameter, type, place } = argument;
    if (scope.find(parameter) !== undefined || this.#module.imported.has(parameter))
      return this.#wrong(place, null, `a second "${parameter}"`, 'another name');
    if (type !== null && !this.#isElementType(type, element))
      this.#problems.add(type.place, 'another type of element', 'no type: it is known');
    const bodyOf = (node: ExpressionNode): ExpressionNode => {
      const inner = scope.within();
      inner.declare(parameter, { node, type: element });
      return this.condition(argument.body, inner).node;
    };
    const { node } = of;
    // A filter's elements are looked at in the list that is filtered, unless it may throw: it looks at all of them first.
    const isFilter =
      node.kind === 'macro' &&
      node.macro === 'filter' &&
      !this.#trees.mayFail(node.body) &&
      !this.#bound.includes(node.variable);
    const filter = isFilter && method !== 'filter' ? node : null;
    const variable = filter?.variable ?? this.#variable(parameter);
    this.#bound.push(variable);
    const body = bodyOf(this.#trees.name(variable));
    this.#bound.pop();
    if (method === 'filter')
      return { node: this.#trees.macro('filter', node, variable, body), type: of.type };
    const isEvery = method === 'every';
    if (filter !== null) {
      const asked = isEvery
        ? this.#trees.choose(filter.body, body, this.#trees.true)
        : this.#trees.and(filter.body, body);
      return this.#truth(this.#trees.macro(isEvery ? 'all' : 'exists', filter.list, variable, asked));
    }
    // Of a list that is written out, elements are looked at in their order.
    if (node.kind === 'list' && (this.#trees.mayFail(body) || node.elements.length === 0)) {
      const start = isEvery ? this.#trees.true : this.#trees.false;
      const asked = node.elements
        .map(bodyOf)
        .reduceRight(
          (rest, one) => (isEvery ? this.#trees.and(one, rest) : this.#trees.or(one, rest)),
          start,
        );
      // The list is written out before any of its elements is looked at.
      const written = node.elements.reduceRight(
        (rest, one) => this.#trees.and(this.computable({ node: one, type: element }), rest),
        asked,
      );
      return this.#truth(written);
    }
    return this.#truth(this.#trees.macro(isEvery ? 'all' : 'exists', node, variable, body));
  }

  /** A name for a variable of the expression language, which no input has. */
  #variable(parameter: string): string {
    const isFree = (name: string) =>
      /^[A-Za-z_]\w*$/.test(name) &&
      !Object.hasOwn(this.#inputs, name) &&
      !KEPT.has(name) &&
      !this.#bound.includes(name);
    let name = parameter;
    for (let i = 1; !isFree(name); i++) name = `element${i}`;
    return name;
  }

  #isElementType(type: WrittenType, element: ValueType): boolean {
    if (type.kind !== 'name') return true;
    const names: Partial<Record<ValueType['kind'], string>> = {
      truth: 'boolean',
      text: 'string',
      number: 'number',
    };
    return !isBasic(type.name) || names[element.kind] === type.name;
  }
}

function isBasic(name: string): boolean {
  return ['string', 'number', 'boolean', 'null'].includes(name);
}

/** The named functions that scripts may call. */
export const SCRIPT_FUNCTIONS = [
  'size',
  'domainOf',
  'localPart',
  'emails',
  'hostOf',
  'isUnder',
  'extension',
  'glob',
  'trim',
  'lowerAscii',
] as const satisfies readonly FunctionName[];
