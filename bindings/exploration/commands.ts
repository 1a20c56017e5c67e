import { InvalidModelError } from '../errors.js';
import type { Assignment, PrismModel, RewardItem, Update } from '../formats/index.js';
import {
  type ConditionOf,
  compileCondition,
  compileNumber,
  expressionError,
  type NumberOf,
  type Place,
  type PrismExpression,
  type Scope,
  typeOf,
} from '../logic/index.js';
import type { Rational } from '../rational.js';
import type { Composition, ModuleCommand } from './composition.js';
import { compileProbability, type ProbabilityOf } from './probability.js';
import type { ExploredVariable } from './variables.js';

/** `(x'=value)`, Booleans as 0 and 1. */
export interface CompiledAssignment {
  readonly index: number;
  readonly value: NumberOf;
  readonly place: Place;
}

export interface CompiledUpdate {
  readonly lower: ProbabilityOf;
  /** The same function where the probability is no interval. */
  readonly upper: ProbabilityOf;
  /** The probability as a fraction, where it is one. */
  readonly exact: (values: ArrayLike<number>) => Rational | undefined;
  readonly assignments: readonly CompiledAssignment[];
  readonly place: Place;
}

export interface CompiledCommand {
  readonly guard: ConditionOf;
  readonly updates: readonly CompiledUpdate[];
  readonly place: Place;
  readonly action: string | null;
}

/** A composition with its commands compiled. */
export type CompiledComposition =
  | { readonly kind: 'commands'; readonly commands: readonly CompiledCommand[] }
  | { readonly kind: 'choice' | 'synchronised'; readonly parts: readonly CompiledComposition[] };

/** Compiles what the modules of a model do; each command once, however often it takes part. */
export class CommandCompiler {
  private readonly compiled = new Map<ModuleCommand['command'], CompiledCommand>();
  private readonly slots: ReadonlyMap<string, number>;

  constructor(
    private readonly model: PrismModel,
    private readonly scope: Scope,
    private readonly variables: readonly ExploredVariable[],
  ) {
    this.slots = new Map(variables.map(({ name }, index) => [name, index]));
  }

  composition(part: Composition): CompiledComposition {
    return part.kind === 'commands'
      ? { kind: part.kind, commands: part.commands.map((command) => this.command(command)) }
      : { kind: part.kind, parts: part.parts.map((inner) => this.composition(inner)) };
  }

  rewardItem({ guard, value, action }: RewardItem): {
    guard: ConditionOf;
    value: NumberOf;
    action: string | null;
  } {
    return { guard: compileCondition(guard, this.scope), value: compileNumber(value, this.scope), action };
  }

  private command(moduleCommand: ModuleCommand): CompiledCommand {
    const { command } = moduleCommand;
    const known = this.compiled.get(command);
    if (known) return known;
    const compiled: CompiledCommand = {
      guard: compileCondition(command.guard, this.scope),
      updates: command.updates.map((update) => this.update(update, moduleCommand)),
      place: command.place,
      action: command.action,
    };
    this.compiled.set(command, compiled);
    return compiled;
  }

  private update({ probability, assignments, place }: Update, owner: ModuleCommand): CompiledUpdate {
    const { scope, variables } = this;
    const assigned = new Set<string>();
    const of = (expression: PrismExpression | null) => compileProbability(expression, scope, variables);
    const bounds =
      probability?.kind === 'interval'
        ? { lower: of(probability.lower), upper: of(probability.upper) }
        : { lower: of(probability), upper: of(probability) };
    return {
      lower: bounds.lower.value,
      upper: bounds.upper.value,
      exact: bounds.lower.exact,
      assignments: assignments.map((assignment) => this.assignment(assignment, owner, assigned)),
      place,
    };
  }

  private assignment(
    { variable, value, place }: Assignment,
    { command, module }: ModuleCommand,
    assigned: Set<string>,
  ): CompiledAssignment {
    const { scope } = this;
    const index = this.slots.get(variable);
    if (index === undefined) throw expressionError(scope, { place }, `${variable} is no variable`);
    const { type, module: owner } = this.variables[index];
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
    if (type !== 'bool') return { index, value: compileNumber(value, scope), place };
    const holds = compileCondition(value, scope);
    return { index, value: (values) => (holds(values) ? 1 : 0), place };
  }

  /** An error about a command in one state. */
  static failure(model: PrismModel, place: Place, message: string): InvalidModelError {
    return new InvalidModelError(`${model.name}:${place.line}:${place.column}: ${message}`);
  }

  /** As `failure`, of this model. */
  error(place: Place, message: string): InvalidModelError {
    return CommandCompiler.failure(this.model, place, message);
  }
}
