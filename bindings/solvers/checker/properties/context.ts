import {
  type ConstantDeclaration,
  type GivenConstants,
  noVariables,
  type PrismExpression,
  type PropertyFile,
  partsOf,
  refuseUndeclared,
  resolveConstants,
  type Scope,
  type VariableSlot,
  withoutValue,
} from '../../../languages/logic/index.js';
import type { Model, Rounding, StateVariables } from '../../model/index.js';
import type { ExactSubject } from '../exact/index.js';
import { stateVariablesOf } from './stateVariablesOf.js';

/** A model with the names that properties may mention: the result of `build`, or a model alone. */
export interface Subject extends ExactSubject {
  readonly model: Model;
  /** Values of the variables in each state. Default: the model's valuations. */
  readonly variables?: StateVariables;
  /** Constants and formulas of the model's source. Default: none. */
  readonly scope?: Scope;
  /** The error of the model's doubles against the numbers of its source. Default: none, because the doubles are the source. */
  readonly rounding?: Rounding;
  /**
   * The numbers of the source, computed on first use. Default: `exactValues` and `exactRewards`.
   *
   * @throws NotSupportedError if the source has none
   */
  readonly fractions?: (signal?: AbortSignal) => Omit<ExactSubject, 'model'>;
}

/** The meaning of the names in the properties of one file. */
export interface PropertyContext {
  readonly scope: Scope;
  readonly variables: StateVariables | undefined;
  readonly labels: ReadonlyMap<string, PrismExpression>;
  readonly properties: ReadonlyMap<string, PrismExpression>;
  /** Constants without a value, or whose definition needs such a constant. */
  readonly open: ReadonlyMap<string, ConstantDeclaration>;
}

/**
 * @param options.exact whether non-integers are compared exactly. Default: as in the model
 * @throws InvalidArgumentError for given constants that neither model nor file declares
 * @throws ParseError for wrong declarations
 */
export function openContext(
  subject: Subject,
  file: PropertyFile,
  options: { readonly constants?: GivenConstants; readonly exact?: boolean },
): PropertyContext {
  const { constants: given = {} } = options;
  const { constants: known = new Map() } = subject.scope ?? {};
  const exact = options.exact ?? subject.scope?.exact ?? false;
  const fileNames = file.constants.map(({ name }) => name);
  refuseUndeclared(given, [...known.keys(), ...fileNames]);
  const open = constantsWithoutValue(file, given, new Set(known.keys()));
  const constants = resolveConstants(
    file.constants.filter(({ name }) => !open.has(name)),
    file.formulas,
    given,
    file.text,
    known,
    exact,
  );
  const formulas = new Map(subject.scope?.formulas);
  for (const { name, expression } of file.formulas) formulas.set(name, expression);
  const variables = subject.variables ?? stateVariablesOf(subject.model);
  const slots = subject.scope?.variables ?? slotsOf(variables);
  return {
    scope: {
      constants,
      formulas,
      variables: slots,
      labels: [...file.labels.map(({ name }) => name), ...subject.model.labels.keys()],
      exact,
      text: file.text,
    },
    variables,
    labels: new Map(file.labels.map(({ name, expression }) => [name, expression])),
    properties: new Map(
      file.properties.flatMap(({ name, expression }) => (name === null ? [] : [[name, expression] as const])),
    ),
    open,
  };
}

function slotsOf(variables: StateVariables | undefined): ReadonlyMap<string, VariableSlot> {
  if (variables === undefined) return noVariables;
  return new Map(variables.variables.map(({ name, type }, index) => [name, { index, type }]));
}

/** Finds the constants without a value: a file may declare constants that only some of its properties need. */
function constantsWithoutValue(
  { constants, formulas }: PropertyFile,
  given: GivenConstants,
  known: ReadonlySet<string>,
): Map<string, ConstantDeclaration> {
  const open = new Map<string, ConstantDeclaration>();
  const formulaOf = new Map(formulas.map(({ name, expression }) => [name, expression]));
  const needsOpen = ({ name, value }: ConstantDeclaration): boolean => {
    if (known.has(name) || Object.hasOwn(given, name) || open.has(name)) return false;
    return value === null || mentions(value, formulaOf, open);
  };
  for (let found = constants.find(needsOpen); found; found = constants.find(needsOpen))
    open.set(found.name, found);
  return open;
}

/** Whether an expression, or a formula that it uses, mentions one of the names. */
function mentions(
  expression: PrismExpression,
  formulas: ReadonlyMap<string, PrismExpression>,
  names: Pick<ReadonlySet<string>, 'has'>,
  followed = new Set<string>(),
): boolean {
  if (expression.kind !== 'name') {
    return partsOf(expression).some((part) => mentions(part, formulas, names, followed));
  }
  const { name } = expression;
  if (names.has(name)) return true;
  const formula = formulas.get(name);
  if (formula === undefined || followed.has(name)) return false;
  followed.add(name);
  return mentions(formula, formulas, names, followed);
}

/**
 * Refuses an expression that mentions a constant without a value.
 *
 * @throws InvalidArgumentError naming the constant
 */
export function requireConstants({ open, scope }: PropertyContext, expression: PrismExpression): void {
  for (const [name, declaration] of open) {
    if (!mentions(expression, scope.formulas, new Set([name]))) continue;
    throw withoutValue(declaration, scope.text);
  }
}
