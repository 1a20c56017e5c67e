import { nearestName } from '../../base/suggest.js';
import {
  checkExpression,
  children,
  type Expression,
  type ExpressionNode,
  freeNames,
  type Schema,
} from '../../languages/expression/index.js';
import { describeType, expressionSchema, type ValueType } from '../contract/index.js';
import { faultOfExpression, parsed } from './canonical.js';
import { either } from './fitness.js';
import { isPlanName, NAME_EXPECTED } from './names.js';
import type { Json, PlanExpression, Value } from './plan.js';
import { quoted } from './reading.js';

/** The types of the names that are known at a place of a plan. */
export interface Scope {
  type(name: string): ValueType | undefined;
  /** Whether a name is one of the plan, known here or not. */
  isTaken(name: string): boolean;
  names(): Iterable<string>;
}

/** Takes what is wrong with a value: the part as a way of keys, what was found, what is expected, what was meant. */
export type Report = (
  part: readonly (string | number)[],
  kind: 'shape' | 'type',
  found: string,
  expected: string,
  hint?: string,
) => void;

const ANY: ValueType = { kind: 'any' };

/** The type of a value; what is wrong is reported, and is any value. */
export function typeOfValue(value: Value, scope: Scope, report: Report): ValueType {
  const within =
    (key: string | number): Report =>
    (part, ...rest) =>
      report([key, ...part], ...rest);
  switch (value.kind) {
    case 'literal':
      return typeOfJson(value.value);
    case 'reference':
      return typeOfReference(value, scope, report);
    case 'list': {
      const of = value.of.map((one, i) => typeOfValue(one, scope, within(i)));
      return { kind: 'list', of: either(of), least: of.length, most: of.length };
    }
    case 'record': {
      const fields = Object.entries(value.fields).map(
        ([name, one]) => [name, { type: typeOfValue(one, scope, within(name)), optional: false }] as const,
      );
      return { kind: 'record', fields: Object.fromEntries(fields), others: 'denied' };
    }
    case 'text': {
      for (const [i, one] of value.of.entries()) {
        const type = typeOfValue(one, scope, within(i));
        if (!mayBeWritten(type))
          report([i], 'type', describeType(type), 'a text, a number, true or false, or a part that is one');
      }
      return { kind: 'text' };
    }
    case 'expression':
      return typeOfPlanExpression(value.expression, scope, report);
  }
}

function mayBeWritten(type: ValueType): boolean {
  if (type.kind === 'either') return type.of.some(mayBeWritten);
  return ['any', 'text', 'integer', 'number', 'boolean'].includes(type.kind);
}

/** The type that only a literal's values have, or nearly so. */
export function typeOfJson(value: Json): ValueType {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', values: [value] };
    case 'boolean':
      return { kind: 'boolean' };
    case 'number':
      return { kind: Number.isSafeInteger(value) ? 'integer' : 'number', least: value, most: value };
    default: {
      if (value === null) return { kind: 'null' };
      if (Array.isArray(value))
        return { kind: 'list', of: either(value.map(typeOfJson)), least: value.length, most: value.length };
      const fields = Object.entries(value).map(([name, one]) => [
        name,
        { type: typeOfJson(one), optional: false },
      ]);
      return { kind: 'record', fields: Object.fromEntries(fields), others: 'denied' };
    }
  }
}

function typeOfReference(
  { name, path }: Extract<Value, { kind: 'reference' }>,
  scope: Scope,
  report: Report,
): ValueType {
  let type = typeOfName(name, scope, report);
  if (type === undefined) return ANY;
  let so = name;
  for (const [i, step] of path.entries()) {
    const part = partOf(type, step);
    if (typeof part === 'string') {
      const fields = fieldsOf(type);
      const near = typeof step === 'string' ? nearestName(step, fields) : undefined;
      const what = typeof step === 'string' ? `the field ${quoted(step)}` : `the element ${step}`;
      report(
        ['path', i],
        'type',
        `${what} of ${so}, which is ${describeType(type)}`,
        part,
        near && quoted(near),
      );
      return ANY;
    }
    type = part;
    so += typeof step === 'number' ? `[${step}]` : `.${step}`;
  }
  return type;
}

/** The type of a field or element; or what is expected in its place. */
function partOf(type: ValueType, step: string | number): ValueType | string {
  switch (type.kind) {
    case 'any':
      return ANY;
    case 'list':
      if (typeof step === 'string') return 'a position from 0, or a loop over the list';
      return type.most !== undefined && step >= type.most ? `a position below ${type.most}` : type.of;
    case 'record':
      if (typeof step === 'number') return 'the name of a field';
      if (Object.hasOwn(type.fields, step)) return type.fields[step].type;
      return isOpen(type) ? ANY : `one of ${Object.keys(type.fields).join(', ') || 'no field'}`;
    case 'either': {
      const parts = type.of.map((one) => partOf(one, step));
      const types = parts.filter((part) => typeof part !== 'string');
      return types.length > 0 ? either(types) : parts[0];
    }
    default:
      return 'the value as a whole, without a path';
  }
}

/** Whether nothing is known of a record's fields. */
function isOpen({ fields, others }: Extract<ValueType, { kind: 'record' }>): boolean {
  return others === 'ignored' && Object.keys(fields).length === 0;
}

function fieldsOf(type: ValueType): string[] {
  if (type.kind === 'either') return type.of.flatMap(fieldsOf);
  return type.kind === 'record' ? Object.keys(type.fields) : [];
}

function typeOfName(name: string, scope: Scope, report: Report): ValueType | undefined {
  const type = scope.type(name);
  if (type !== undefined) return type;
  const near = nearestName(name, scope.names());
  const known = [...scope.names()];
  const found = scope.isTaken(name)
    ? `the name ${quoted(name)}, which is not known here`
    : `the unknown name ${quoted(name)}`;
  const listed = known.length > 20 ? [...known.slice(-20), '…'] : known;
  report(
    [],
    'shape',
    found,
    known.length === 0 ? 'a name: none is known here' : `one of ${listed.join(', ')}`,
    near && quoted(near),
  );
  return undefined;
}

/** The type of an expression. */
export function typeOfPlanExpression(expression: PlanExpression, scope: Scope, report: Report): ValueType {
  let tree: Expression;
  try {
    tree = parsed(expression);
  } catch (error) {
    const fault = faultOfExpression(error);
    if (fault === null) throw error;
    report([], 'shape', fault.found, fault.expected);
    return ANY;
  }
  const names = freeNames(tree);
  let isKnown = true;
  const types = new Map<string, ValueType>();
  for (const name of names) {
    const type = typeOfName(name, scope, report);
    if (type === undefined) isKnown = false;
    else types.set(name, type);
  }
  for (const variable of variablesOf(tree.root)) {
    const isFree = scope.type(variable) === undefined;
    if (isFree && isPlanName(variable)) continue;
    const found = `the variable ${quoted(variable)} in ${quoted(expression.source)}`;
    if (isFree) report([], 'shape', found, NAME_EXPECTED);
    else report([], 'shape', `${found}, which hides a name`, 'another variable');
    isKnown = false;
  }
  if (!isKnown) return ANY;
  try {
    const schema = Object.fromEntries(Array.from(types, ([name, type]) => [name, expressionSchema(type)]));
    const found = checkExpression(tree, schema);
    return typeOfNode(tree.root, types) ?? typeOfSchemaOf(found);
  } catch (error) {
    const fault = faultOfExpression(error);
    if (fault === null) throw error;
    report([], 'type', `${fault.found}, ${quoted(expression.source)}`, fault.expected);
    return ANY;
  }
}

/** The type of an expression's tree, as far as it is known: any value if it cannot be typed. */
export function typeOfTree(
  root: ExpressionNode,
  typeOfName: (name: string) => ValueType | undefined,
): ValueType {
  const types = new Map<string, ValueType>();
  for (const name of freeNames({ name: '', root })) types.set(name, typeOfName(name) ?? ANY);
  const known = typeOfNode(root, types);
  if (known !== undefined) return known;
  try {
    const schema = Object.fromEntries(Array.from(types, ([name, type]) => [name, expressionSchema(type)]));
    return typeOfSchemaOf(checkExpression({ name: '', root }, schema));
  } catch {
    // What is wrong is found when the whole plan is checked.
    return ANY;
  }
}

/** The variables that macros bind. */
function variablesOf(node: ExpressionNode): string[] {
  const inner = children(node).flatMap(variablesOf);
  return node.kind === 'macro' ? [node.variable, ...inner] : inner;
}

/** The type of a node where it is known more exactly than to the checker of expressions. */
function typeOfNode(node: ExpressionNode, types: ReadonlyMap<string, ValueType>): ValueType | undefined {
  switch (node.kind) {
    case 'literal':
      return typeOfJson(node.value);
    case 'name':
      return types.get(node.name);
    case 'field': {
      const of = typeOfNode(node.object, types);
      const part = of && partOf(of, node.field);
      return typeof part === 'string' ? undefined : part;
    }
    case 'index': {
      const of = typeOfNode(node.object, types);
      return of?.kind === 'list' ? of.of : undefined;
    }
    case 'conditional': {
      const [a, b] = [node.whenTrue, node.whenFalse].map((one) => typeOfNode(one, types));
      return a && b && either([a, b]);
    }
    case 'call':
      return node.function === 'size' ? { kind: 'integer', least: 0 } : undefined;
    case 'macro': {
      const list = typeOfNode(node.list, types);
      if (list?.kind !== 'list') return undefined;
      const sizes = list.most === undefined ? {} : { most: list.most };
      if (node.macro === 'filter') return { kind: 'list', of: list.of, ...sizes };
      if (node.macro !== 'map') return undefined;
      const of = typeOfNode(node.body, new Map(types).set(node.variable, list.of));
      return of && { ...list, of };
    }
    default:
      return undefined;
  }
}

/** A type as the checker of expressions knows it. */
function typeOfSchemaOf(schema: Schema): ValueType {
  if (Array.isArray(schema)) return { kind: 'list', of: typeOfSchemaOf(schema[0] as Schema) };
  switch (schema) {
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: schema };
    case 'string':
      return { kind: 'text' };
    default:
      return ANY;
  }
}
