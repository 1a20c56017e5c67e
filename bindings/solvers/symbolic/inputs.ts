import type { ElementType, Input, RecordType } from '../../languages/inputs/index.js';
import type { Model, Term } from '../smt/index.js';
import type { Context } from './context.js';
import type { Content, Element, Value } from './value.js';

/** An input as terms. */
export interface SymbolicInput {
  readonly value: Value;
  /** What its type says of its variables. */
  readonly constraints: readonly Term[];
  /** The input that a model describes. */
  read(model: Model): unknown;
  /** The texts in it. */
  readonly texts: readonly Term[];
}

/**
 * The variables of an input, and what its type says of them.
 *
 * @param bound of a list: how many elements it has at most
 */
export function symbolicInput(context: Context, name: string, input: Input, bound: number): SymbolicInput {
  const { terms } = context;
  const { type, optional = false } = input;
  const present =
    type.kind === 'list' ? list(context, name, elementOf(type.of), bound) : scalar(context, name, type);
  if (!optional) return present;
  const isThere = terms.variable('Bool', `${name} is there`);
  return {
    ...present,
    value: [
      { kind: 'null', when: terms.not(isThere) },
      ...present.value.map((one) => ({ ...one, when: terms.and(isThere, one.when) })),
    ],
    read: (model) => (model.get(nameOf(isThere)) === true ? present.read(model) : null),
  };
}

/** @throws TypeError for records, which have no terms */
function elementOf(type: ElementType | RecordType): ElementType {
  if (type.kind === 'record') throw new TypeError('records have no terms');
  return type;
}

function list(context: Context, name: string, type: ElementType, bound: number): SymbolicInput {
  const { terms } = context;
  const length = terms.variable('Int', `${name} length`);
  const inner = Array.from({ length: bound }, (_, i) => scalar(context, `${name} ${i}`, type));
  const isThere = inner.map((_, i) => terms.of('<', terms.int(i), length));
  const elements = inner.map(({ value }, i): Element => ({ when: isThere[i], value }));
  return {
    value: [{ kind: 'list', elements, isDense: true, when: terms.true }],
    constraints: [
      terms.of('<=', terms.int(0), length),
      terms.of('<=', length, terms.int(bound)),
      ...inner.flatMap(({ constraints }) => constraints),
    ],
    read: (model) => inner.slice(0, Number(model.get(nameOf(length)) ?? 0n)).map((one) => one.read(model)),
    texts: inner.flatMap(({ texts }) => texts),
  };
}

function scalar(context: Context, name: string, type: ElementType): SymbolicInput {
  const { terms } = context;
  const of = (
    content: Content,
    constraints: readonly Term[],
    rest: Partial<SymbolicInput>,
  ): SymbolicInput => ({
    value: [{ ...content, when: terms.true }],
    constraints,
    read: (model) => model.get(name),
    texts: [],
    ...rest,
  });
  switch (type.kind) {
    case 'boolean': {
      const term = terms.variable('Bool', name);
      const read = (model: Model) => model.get(name) ?? false;
      return of({ kind: 'boolean', term }, [], { read });
    }
    case 'enum': {
      const term = terms.variable('Text', name);
      const isOne = terms.or(...type.values.map((value) => terms.equal(term, terms.text(value))));
      const read = (model: Model) => model.get(name) ?? type.values[0];
      return of({ kind: 'text', term }, [isOne], { read });
    }
    case 'text': {
      const term = terms.variable('Text', name);
      const length = terms.of('str.len', term);
      const fits = terms.of('<=', length, terms.int(type.most));
      const read = (model: Model) => model.get(name) ?? '';
      return of({ kind: 'text', term }, [fits], { read, texts: [term] });
    }
    case 'integer':
      return context.areDoubles ? wholeDouble(context, name, type) : whole(context, name, type);
    case 'number': {
      const term = terms.variable('Float', name);
      return of({ kind: 'double', term }, finite(context, term), { read: (model) => model.get(name) ?? 0 });
    }
  }

  function whole(
    { terms }: Context,
    name: string,
    { least, most }: { least: number; most: number },
  ): SymbolicInput {
    const term = terms.variable('Int', name);
    const [low, high] = [least, most].map((value) => terms.int(value));
    return of({ kind: 'whole', term, least, most }, [terms.of('<=', low, term), terms.of('<=', term, high)], {
      read: (model) => Number(model.get(name) ?? least),
    });
  }

  function wholeDouble(
    context: Context,
    name: string,
    { least, most }: { least: number; most: number },
  ): SymbolicInput {
    const term = terms.variable('Float', name);
    return of(
      { kind: 'double', term },
      [
        ...finite(context, term),
        terms.of('fp.leq', terms.float(least), term),
        terms.of('fp.leq', term, terms.float(most)),
        terms.of('fp.eq', term, terms.of('fp.roundToIntegral', term)),
      ],
      { read: (model) => model.get(name) ?? least },
    );
  }
}

/** Neither infinite nor NaN, and no negative zero. */
function finite({ terms }: Context, term: Term): Term[] {
  const zero = terms.float(0);
  return [
    terms.not(terms.of('fp.isNaN', term)),
    terms.not(terms.of('fp.isInfinite', term)),
    terms.implies(terms.of('fp.eq', term, zero), terms.not(terms.of('fp.isNegative', term))),
  ];
}

function nameOf(term: Term): string {
  return term.kind === 'variable' ? term.name : '';
}
