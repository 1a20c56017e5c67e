import { InvalidModelError } from '../../base/errors.js';
import {
  type ConditionOf,
  compileCondition,
  excerptAt,
  type GivenConstants,
  noVariables,
  type Place,
  type PrismExpression,
  refuseUndeclared,
  resolveConstants,
  type Scope,
  typeOf,
  UndefinedTermError,
} from '../../languages/logic/index.js';
import type { PrismModel } from '../formats/index.js';
import { CommandCompiler, type CompiledReward } from './commands.js';
import { composeModules } from './composition.js';
import { type Joint, jointsOf } from './joint.js';
import { type ExploredVariable, layOutVariables, wordsOf } from './variables.js';

/** A condition on states, as a tree and compiled. */
export interface StateCondition {
  readonly expression: PrismExpression;
  readonly holds: ConditionOf;
}

/** A model ready to be explored: names resolved, types checked, everything compiled. */
export interface System {
  readonly model: PrismModel;
  readonly scope: Scope;
  readonly variables: readonly ExploredVariable[];
  /** Words of a packed state. */
  readonly words: number;
  readonly actions: readonly (string | null)[];
  readonly joints: readonly Joint[];
  /** Actions that the system never takes, because one side of a synchronisation has no command for them. */
  readonly blocked: readonly string[];
  readonly labels: readonly (StateCondition & { readonly name: string })[];
  readonly rewards: readonly {
    readonly name: string;
    readonly states: readonly CompiledReward[];
    readonly transitions: readonly CompiledReward[];
  }[];
  /** States that satisfy one of them are not explored. */
  readonly stops: readonly StateCondition[];
  /** Whether some probability is an interval. */
  readonly intervals: boolean;
}

/** @throws ParseError, InvalidModelError, InvalidArgumentError as `build` */
export function compileSystem(
  model: PrismModel,
  options: {
    readonly constants?: GivenConstants;
    readonly exact?: boolean;
    readonly stopAt?: readonly PrismExpression[];
  },
): System {
  const text = { source: model.source, name: model.name };
  const { constants: given = {}, exact = false } = options;
  refuseUndeclared(
    given,
    model.constants.map(({ name }) => name),
  );
  const constants = resolveConstants(model.constants, model.formulas, given, text, undefined, exact);
  const formulas = new Map(model.formulas.map(({ name, expression }) => [name, expression]));
  const bare: Scope = { constants, formulas, variables: noVariables, exact, text };
  const variables = layOutVariables(model, bare);
  const scope: Scope = {
    ...bare,
    variables: new Map(variables.map(({ name, type }, index) => [name, { index, type }])),
  };
  // Also checks formulas that nothing uses.
  for (const { expression } of model.formulas) typeOf(expression, scope);
  const compiler = new CommandCompiler(scope, variables);
  const blocked = new Set<string>();
  const offers = composeModules(model, (action) => blocked.add(action));
  const condition = (expression: PrismExpression): StateCondition => ({
    expression,
    holds: compileCondition(expression, scope),
  });
  return {
    model,
    scope,
    variables,
    words: wordsOf(variables),
    actions: [...offers.keys()],
    joints: [...offers.values()].flatMap((composition, action) =>
      jointsOf(composition, action, (command) => compiler.command(command)),
    ),
    blocked: [...blocked],
    labels: model.labels.map(({ name, expression }) => ({ name, ...condition(expression) })),
    rewards: model.rewards.map(({ name, items }) => {
      const compiled = items.map((item) => compiler.reward(item));
      return {
        name,
        states: compiled.filter(({ source }) => source.kind === 'state'),
        transitions: compiled.filter(({ source }) => source.kind === 'transition'),
      };
    }),
    stops: (options.stopAt ?? []).map(condition),
    intervals: model.modules.some(({ commands }) =>
      commands.some(({ updates }) => updates.some(({ probability }) => probability?.kind === 'interval')),
    ),
  };
}

/** An error about a command in a state, given by its values. */
export function failureIn(
  { model, variables }: System,
  values: ArrayLike<number>,
  place: Place,
  message: string,
): InvalidModelError {
  return new InvalidModelError(
    `${model.name}:${place.line}:${place.column}: ${message}, in state ${describeState(variables, values)}${excerptAt(place, model.source)}`,
  );
}

/** Converts an error thrown in a state: if a term has no value there, adds its place and the state. */
export function located(error: unknown, system: System, values: ArrayLike<number>): unknown {
  return error instanceof UndefinedTermError ? failureIn(system, values, error.place, error.what) : error;
}

/** The text of a state in messages: `(x=2, b=false)`. */
export function describeState(
  variables: readonly Pick<ExploredVariable, 'name' | 'type'>[],
  values: ArrayLike<number>,
): string {
  const named = variables.map(
    ({ name, type }, i) => `${name}=${type === 'bool' ? values[i] !== 0 : values[i]}`,
  );
  return `(${named.join(', ')})`;
}
