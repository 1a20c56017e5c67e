import { Random } from '../../base/random.js';
import {
  compileCondition,
  type Expression,
  type ExpressionNode,
  freeNames,
  printExpression,
} from '../../languages/expression/index.js';
import {
  type ElementType,
  type Input,
  type Inputs,
  type RecordType,
  simplest,
} from '../../languages/inputs/index.js';
import type { Claim } from '../recheck/index.js';
import type { Answer, Assignment } from './decide.js';

/** Inputs that are tried; the same for each claim, so that verdicts replay. */
const MOST_TRIES = 2000;
const SEED = 1;
/** Texts of which functions on dates and times have a value, through a week and a day. */
const TIMES = [
  '2025-06-30',
  '2025-07-05',
  '2025-07-20',
  '2025-06-30T07:00:00Z',
  '2025-07-01T12:00:00Z',
  '2025-07-04T16:00:00Z',
  '2025-07-05T12:00:00Z',
  '2025-07-06T12:00:00Z',
];

/**
 * Looks for an input that fulfils a claim where no decider follows all of it: by values that predicates of single inputs distinguish, constants of the claim, and
 * values that several inputs share. The search evaluates each input that it returns. If it returns none, one may still exist.
 *
 * @param find answers claims about single inputs
 */
export function guess(claim: Claim, inputs: Inputs, find: (claim: Claim) => Answer): Assignment | null {
  const expressions = expressionsIn(claim);
  const reads = new Set(expressions.flatMap((one) => freeNames(one)));
  const names = Object.keys(inputs).filter((name) => reads.has(name));
  const compiled = new Map(expressions.map((one) => [one, compileCondition(one)]));
  const valueAt = (of: Expression, input: Assignment): 'true' | 'false' | 'none' => {
    try {
      return compiled.get(of)!(input, {}) ? 'true' : 'false';
    } catch {
      return 'none';
    }
  };
  const holds = (one: Claim, input: Assignment): boolean => {
    if (one.kind === 'is') return one.values.includes(valueAt(one.of, input));
    if (one.kind === 'not') return !holds(one.of, input);
    return one.kind === 'and'
      ? one.of.every((part) => holds(part, input))
      : one.of.some((part) => holds(part, input));
  };
  const literals = literalsIn(expressions);
  const pools = new Map(names.map((name) => [name, poolOf(name, inputs[name], literals, expressions, find)]));
  const random = new Random(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)];
  const nothing = Object.fromEntries(
    Object.entries(inputs).map(([name, { type, optional }]) => [name, optional ? null : simplest(type)]),
  );
  for (let i = 0; i < MOST_TRIES; i++) {
    const input: Record<string, unknown> = { ...nothing };
    for (const name of names) input[name] = pick(pools.get(name)!);
    // Inputs that are compared are often equal, or one is in the other.
    for (const name of names) if (random.next() < 0.3) share(input, name, pick(names), inputs);
    const joined = pick(names);
    if (random.next() < 0.2) join(input, joined, pick(names), pick(literals.texts), inputs);
    if (holds(claim, input)) return simplified(input, names, nothing, (one) => holds(claim, one));
  }
  return null;
}

/** The input with the simplest values in place of those on which nothing depends. */
function simplified(
  input: Assignment,
  names: readonly string[],
  simple: Assignment,
  holds: (input: Assignment) => boolean,
): Assignment {
  let kept = input;
  for (const name of names) {
    const tried = { ...kept, [name]: simple[name] };
    if (holds(tried)) kept = tried;
  }
  return kept;
}

/** Gives an input the value of another one, or an element of it, where it is of such a type. */
function share(input: Record<string, unknown>, name: string, other: string, inputs: Inputs): void {
  const [to, from] = [inputs[name].type, inputs[other].type];
  const value = input[other];
  if (value === null || to.kind === 'enum') return;
  if (to.kind === from.kind && to.kind !== 'list' && fitsRange(value, to)) input[name] = value;
  else if (to.kind === 'list' && to.of.kind === from.kind && fitsRange(value, to.of)) input[name] = [value];
}

/** Gives a text another one with a constant before it. */
function join(
  input: Record<string, unknown>,
  name: string,
  other: string,
  before: string | undefined,
  inputs: Inputs,
): void {
  if (before === undefined || inputs[name].type.kind !== 'text' || typeof input[other] !== 'string') return;
  const joined = `${before}${input[other]}`;
  if (fitsRange(joined, inputs[name].type)) input[name] = joined;
}

function fitsRange(value: unknown, type: ElementType | RecordType): boolean {
  if (type.kind === 'integer') return (value as number) >= type.least && (value as number) <= type.most;
  return type.kind !== 'text' || (value as string).length <= type.most;
}

interface Literals {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** Values of an input that may matter. */
function poolOf(
  name: string,
  { type, optional = false }: Input,
  literals: Literals,
  expressions: readonly Expression[],
  find: (claim: Claim) => Answer,
): unknown[] {
  const found = new Set<unknown>(optional ? [null] : []);
  const atoms = expressions.flatMap(({ root }) => atomsOf(root, name));
  for (const of of atoms)
    for (const value of ['true', 'false'] as const) {
      const answer = find({ kind: 'is', values: [value], of });
      if (answer.kind === 'some') found.add(answer.input[name]);
    }
  const all = find({ kind: 'and', of: atoms.map((of) => ({ kind: 'is', values: ['true'], of })) });
  if (all.kind === 'some') found.add(all.input[name]);
  if (type.kind !== 'list') return [...found, ...valuesOf(type, literals)];
  const elements = valuesOf(type.of, literals);
  for (const value of elements) if (type.most > 0) found.add([value]);
  for (const value of elements.slice(1)) if (type.most > 1) found.add([elements[0], value]);
  return [...found, []];
}

function valuesOf(type: ElementType | RecordType, literals: Literals): unknown[] {
  switch (type.kind) {
    case 'boolean':
      return [true, false];
    case 'enum':
      return [...type.values];
    case 'text':
      return ['', 'a', 'b', ...literals.texts].filter((one) => one.length <= type.most);
    case 'number':
      return [0, 1, 0.5, -1, ...literals.numbers];
    case 'integer': {
      const near = [
        0,
        1,
        type.least,
        type.most,
        ...literals.numbers.flatMap((one) => [one - 1, one, one + 1]),
      ];
      return near.filter((one) => Number.isSafeInteger(one) && one >= type.least && one <= type.most);
    }
    case 'record': {
      const base = simplest(type) as Record<string, unknown>;
      const varied = Object.entries(type.fields).flatMap(([field, of]) =>
        valuesOf(of.type, literals).map((value) => ({ ...base, [field]: value })),
      );
      return [base, ...varied];
    }
  }
}

/** The predicates without connectives that read one input alone. */
function atomsOf(node: ExpressionNode, name: string): Expression[] {
  if (node.kind === 'logical') return node.operands.flatMap((one) => atomsOf(one, name));
  if (node.kind === 'unary' && node.operator === '!') return atomsOf(node.operand, name);
  if (node.kind === 'conditional')
    return [node.condition, node.whenTrue, node.whenFalse].flatMap((one) => atomsOf(one, name));
  const names = freeNames({ name: '', root: node });
  const isTruth = node.kind === 'binary' || node.kind === 'call' || node.kind === 'macro';
  return isTruth && names.length === 1 && names[0] === name ? [{ name: '', root: node }] : [];
}

function expressionsIn(claim: Claim): Expression[] {
  return claim.kind === 'is'
    ? [claim.of]
    : claim.kind === 'not'
      ? expressionsIn(claim.of)
      : claim.of.flatMap(expressionsIn);
}

function literalsIn(expressions: readonly Expression[]): Literals {
  const [texts, numbers] = [new Set<string>(), new Set<number>()];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    else if (typeof value === 'object' && value !== null) {
      const { kind, value: literal } = value as { kind?: string; value?: unknown };
      if (kind === 'literal' && typeof literal === 'string') texts.add(literal);
      if (kind === 'literal' && typeof literal === 'number') numbers.add(literal);
      for (const one of Object.values(value)) visit(one);
    }
  };
  for (const { root } of expressions) visit(root);
  const readsTimes = expressions.some((one) => /\b(?:timeOf|weekdayOf|hourOf)\b/.test(printExpression(one)));
  return { texts: [...texts, ...(readsTimes ? TIMES : [])], numbers: [...numbers] };
}
