import type { Rational } from '../../base/rational.js';
import {
  type ConditionOf,
  compileCondition,
  compileNumber,
  evaluateExactly,
  expressionError,
  type NumberOf,
  type Place,
  type PrismExpression,
  type Scope,
  typeOf,
} from '../../languages/logic/index.js';
import type { Assignment, RewardItem, Update } from '../formats/index.js';
import type { ModuleCommand } from './composition.js';
import { divideGuard, type Guard } from './guard.js';
import { type CompiledProbability, compileProbability } from './probability.js';
import type { ExploredVariable } from './variables.js';

/** `(x'=value)`, Booleans as 0 and 1. */
export interface CompiledAssignment {
  readonly index: number;
  readonly expression: PrismExpression;
  readonly value: NumberOf;
  readonly place: Place;
}

export interface CompiledUpdate {
  readonly lower: CompiledProbability;
  /** Equal to `lower` if the probability is not an interval. */
  readonly upper: CompiledProbability;
  readonly assignments: readonly CompiledAssignment[];
  readonly place: Place;
}

export interface CompiledCommand {
  readonly guard: Guard;
  readonly updates: readonly CompiledUpdate[];
  readonly place: Place;
}

/** `guard : value` of a reward structure; transition rewards have their action. */
export interface CompiledReward {
  readonly source: RewardItem;
  readonly guard: ConditionOf;
  readonly value: NumberOf;
  readonly exact: (values: ArrayLike<number>) => Rational | undefined;
}

/** Compiles the commands of a model's modules, each command once, however often it takes part. */
export class CommandCompiler {
  readonly #compiled = new Map<ModuleCommand['command'], CompiledCommand>();
  readonly #slots: ReadonlyMap<string, number>;
  /** A cache, because learnt chains repeat a few fractions thousands of times. */
  readonly #literals = new Map<string, CompiledProbability>();
  readonly #scope: Scope;
  readonly #variables: readonly ExploredVariable[];

  constructor(scope: Scope, variables: readonly ExploredVariable[]) {
    this.#scope = scope;
    this.#variables = variables;
    this.#slots = new Map(variables.map(({ name }, index) => [name, index]));
  }

  reward(source: RewardItem): CompiledReward {
    const { guard, value } = source;
    const scope = this.#scope;
    return {
      source,
      guard: compileCondition(guard, scope),
      value: compileNumber(value, scope),
      exact: (values) => evaluateExactly(value, scope, values) as Rational | undefined,
    };
  }

  command(moduleCommand: ModuleCommand): CompiledCommand {
    const { command } = moduleCommand;
    const known = this.#compiled.get(command);
    if (known) return known;
    const compiled: CompiledCommand = {
      guard: divideGuard(command.guard, this.#scope, this.#variables),
      updates: command.updates.map((update) => this.#update(update, moduleCommand)),
      place: command.place,
    };
    this.#compiled.set(command, compiled);
    return compiled;
  }

  #update({ probability, assignments, place }: Update, owner: ModuleCommand): CompiledUpdate {
    const assigned = new Set<string>();
    const lower = this.#probability(probability?.kind === 'interval' ? probability.lower : probability);
    return {
      lower,
      upper: probability?.kind === 'interval' ? this.#probability(probability.upper) : lower,
      assignments: assignments.map((assignment) => this.#assignment(assignment, owner, assigned)),
      place,
    };
  }

  #probability(expression: PrismExpression | null): CompiledProbability {
    const text = literalText(expression);
    const known = text === undefined ? undefined : this.#literals.get(text);
    if (known) return known;
    const compiled = compileProbability(expression, this.#scope, this.#variables);
    if (text !== undefined) this.#literals.set(text, compiled);
    return compiled;
  }

  #assignment(
    { variable, value, place }: Assignment,
    { command, module }: ModuleCommand,
    assigned: Set<string>,
  ): CompiledAssignment {
    const scope = this.#scope;
    const index = this.#slots.get(variable);
    if (index === undefined) throw expressionError(scope, { place }, `${variable} is not a variable`);
    const { type, module: owner } = this.#variables[index];
    const wrong =
      owner !== null && owner !== module.name
        ? `${variable} belongs to module ${owner}; ${module.name} must not change it`
        : owner === null && command.action !== null
          ? `${variable} is global; a command with an action must not change it`
          : assigned.has(variable)
            ? `${variable} is assigned twice`
            : undefined;
    if (wrong !== undefined) throw expressionError(scope, { place }, wrong);
    assigned.add(variable);
    const found = typeOf(value, scope);
    if ((found === 'bool') !== (type === 'bool') || (type === 'int' && found === 'double')) {
      throw expressionError(
        scope,
        value,
        `${variable} is given a value of type ${found}`,
        `one of type ${type}`,
      );
    }
    if (type !== 'bool') return { index, expression: value, value: compileNumber(value, scope), place };
    const holds = compileCondition(value, scope);
    return { index, expression: value, value: (values) => (holds(values) ? 1 : 0), place };
  }
}

/** The text of a number or of a quotient of two numbers; undefined for other expressions. */
function literalText(expression: PrismExpression | null): string | undefined {
  if (expression?.kind === 'number') return expression.text;
  if (expression?.kind !== 'binary' || expression.operator !== '/') return undefined;
  const { left, right } = expression;
  return left.kind === 'number' && right.kind === 'number' ? `${left.text}/${right.text}` : undefined;
}
