import { InvalidArgumentError, type InvalidModelError, NotSupportedError } from '../errors.js';
import type { PrismModel } from '../formats/index.js';
import { BitSet } from '../kernel/index.js';
import {
  compileCondition,
  compileNumber,
  type GivenConstants,
  noVariables,
  refuseUndeclared,
  resolveConstants,
  type Scope,
} from '../logic/index.js';
import { createDtmc, type Model, type Rewards, type StateVariables } from '../model/index.js';
import { Rational } from '../rational.js';
import { CommandCompiler, type CompiledCommand, type CompiledComposition } from './commands.js';
import { composeModules } from './composition.js';
import { GrowingF64, GrowingU32 } from './growing.js';
import { initialStates } from './initialStates.js';
import { Row } from './row.js';
import { StateTable } from './stateTable.js';
import { type ExploredVariable, layOutVariables } from './variables.js';

export interface BuildOptions {
  /** Values of constants that the model leaves open, or gives otherwise. */
  readonly constants?: GivenConstants;
  /** Give up beyond so many states. Default: whatever memory holds. */
  readonly maxStates?: number;
  /** Also keep every probability as a fraction. Default false. */
  readonly exact?: boolean;
  readonly onProgress?: (progress: { states: number; explored: number; transitions: number }) => void;
  readonly signal?: AbortSignal;
}

/** A model with what is needed to evaluate expressions over its states. */
export interface BuiltModel {
  readonly model: Model;
  readonly variables: StateVariables;
  /** Constants, formulas and variables of the model, for properties. */
  readonly scope: Scope;
  /** Per transition its probability as a fraction, where it is one; with `exact` only. */
  readonly exactValues?: readonly (Rational | undefined)[];
  /** States that had no choice, and were given a self-loop. */
  readonly deadlocks: number;
  readonly seconds: number;
}

const NO_ACTION = 0xffffffff;

/** States between calls of `onProgress` and looks at `signal`. */
const SLICE = 4096;

/**
 * Explores the states of a model in PRISM's language that can be reached from its initial ones, breadth first.
 *
 * As in PRISM: in a chain several choices of a state are taken with equal probability; a state without a choice gets a
 * self-loop, carries the label "deadlock", and is counted in a warning. Probabilities are the doubles nearest to their exact
 * values. Transition rewards become rewards of choices; in a chain, their mean over the choices of a state.
 *
 * @throws ParseError on names and types, with the line and a caret
 * @throws InvalidModelError on a variable that leaves its range, or probabilities that do not sum to 1 within 1e-9, naming
 * command and state
 * @throws InvalidArgumentError on constants without a value, or more states than `maxStates`
 * @throws NotSupportedError for `ctmc` models
 */
export function build(model: PrismModel, options: BuildOptions = {}): BuiltModel {
  const started = performance.now();
  if (model.type === 'ctmc') {
    throw new NotSupportedError(
      `${model.name} is a ctmc: models in continuous time can be read, but not checked`,
    );
  }
  return new Exploration(model, options).run(started);
}

class Exploration {
  private readonly variables: readonly ExploredVariable[];
  private readonly scope: Scope;
  private readonly compiler: CommandCompiler;
  private readonly actions: readonly (string | null)[];
  private readonly compositions: readonly CompiledComposition[];
  private readonly table: StateTable;
  private readonly intervals: boolean;

  private readonly rowGroupStart = new GrowingU32();
  private readonly rowStart = new GrowingU32();
  private readonly rowAction = new GrowingU32();
  private readonly columns = new GrowingU32();
  private readonly lower = new GrowingF64();
  private readonly upper = new GrowingF64();
  private readonly exact: (Rational | undefined)[] = [];
  private readonly row: Row;
  private readonly values: Float64Array;
  /** next[d]: the values after the updates of the first d commands of a choice. */
  private readonly next: Float64Array[] = [];
  private readonly deadlocks: number[] = [];
  private readonly transitionRewards: {
    readonly items: readonly ReturnType<CommandCompiler['rewardItem']>[];
    readonly rows: GrowingF64;
  }[];

  constructor(
    private readonly model: PrismModel,
    private readonly options: BuildOptions,
  ) {
    const text = { source: model.source, name: model.name };
    const given = options.constants ?? {};
    refuseUndeclared(
      given,
      model.constants.map(({ name }) => name),
    );
    const constants = resolveConstants(model.constants, model.formulas, given, text);
    const formulas = new Map(model.formulas.map(({ name, expression }) => [name, expression]));
    const bare: Scope = { constants, formulas, variables: noVariables, text };
    this.variables = layOutVariables(model, bare);
    this.scope = {
      ...bare,
      variables: new Map(this.variables.map(({ name, type }, index) => [name, { index, type }])),
    };
    this.compiler = new CommandCompiler(model, this.scope, this.variables);
    const offers = composeModules(model);
    this.actions = [...offers.keys()];
    this.compositions = [...offers.values()].map((part) => this.compiler.composition(part));
    this.table = new StateTable(this.variables);
    this.values = new Float64Array(this.variables.length);
    this.row = new Row(options.exact ?? false);
    this.intervals = model.modules.some(({ commands }) =>
      commands.some(({ updates }) => updates.some(({ probability }) => probability?.kind === 'interval')),
    );
    this.transitionRewards = model.rewards.map(({ items }) => ({
      items: items.filter(({ kind }) => kind === 'transition').map((item) => this.compiler.rewardItem(item)),
      rows: new GrowingF64(),
    }));
  }

  run(started: number): BuiltModel {
    const { table, values, options } = this;
    const initial = initialStates(this.model, this.scope, this.variables).map((state) => table.insert(state));
    for (let state = 0; state < table.size; state++) {
      if (state % SLICE === 0) {
        options.signal?.throwIfAborted();
        options.onProgress?.({ states: table.size, explored: state, transitions: this.columns.length });
      }
      if (table.size > (options.maxStates ?? Number.POSITIVE_INFINITY)) {
        throw new InvalidArgumentError(
          `${this.model.name} has more than ${options.maxStates} states: ${table.size} were found after exploring ${state} of them; raise maxStates (--max-states)`,
        );
      }
      table.read(state, values);
      this.explore(state);
    }
    this.rowGroupStart.push(this.rowStart.length);
    this.rowStart.push(this.columns.length);
    const built = this.assemble(initial.sort((a, b) => a - b));
    return {
      model: built,
      variables: table,
      scope: this.scope,
      ...(options.exact && { exactValues: this.exact }),
      deadlocks: this.deadlocks.length,
      seconds: (performance.now() - started) / 1000,
    };
  }

  /** Adds the rows of one state, whose values are in `values`. */
  private explore(state: number): void {
    const isChain = this.model.type === 'dtmc';
    this.rowGroupStart.push(this.rowStart.length);
    let choices = 0;
    const rewards = this.transitionRewards.map(() => 0);
    this.row.clear();
    for (let a = 0; a < this.actions.length; a++) {
      const action = this.actions[a];
      this.forEachChoice(this.compositions[a], [], (commands) => {
        this.distribute(commands, 0, 1, 1, Rational.ONE);
        choices++;
        this.transitionRewards.forEach(({ items }, r) => {
          for (const item of items) {
            if (item.action === action && item.guard(this.values)) rewards[r] += item.value(this.values);
          }
        });
        if (isChain) return;
        this.endRow(1, action === null ? NO_ACTION : a, rewards);
        rewards.fill(0);
      });
    }
    if (choices === 0) {
      this.deadlocks.push(state);
      this.row.add(state, 1, 1, Rational.ONE);
      this.endRow(1, NO_ACTION, rewards);
    } else if (isChain) this.endRow(choices, NO_ACTION, rewards);
  }

  private endRow(choices: number, action: number, rewards: readonly number[]): void {
    const { row } = this;
    this.rowStart.push(this.columns.length);
    this.rowAction.push(action);
    for (const i of row.order()) {
      this.columns.push(row.targets[i]);
      this.lower.push(row.lower[i] / choices);
      if (this.intervals) this.upper.push(Math.min(1, row.upper[i] / choices));
      if (this.options.exact) this.exact.push(row.exact[i]?.dividedBy(Rational.fromInteger(choices)));
    }
    this.transitionRewards.forEach(({ rows }, r) => {
      rows.push(rewards[r] / choices);
    });
    row.clear();
  }

  /** Visits every way in which enabled commands can happen together. */
  private forEachChoice(
    part: CompiledComposition,
    taken: CompiledCommand[],
    visit: (commands: readonly CompiledCommand[]) => void,
  ): void {
    if (part.kind === 'commands') {
      for (const command of part.commands) {
        if (!command.guard(this.values)) continue;
        taken.push(command);
        visit(taken);
        taken.pop();
      }
    } else if (part.kind === 'choice') {
      for (const inner of part.parts) this.forEachChoice(inner, taken, visit);
    } else this.synchronise(part.parts, 0, taken, visit);
  }

  private synchronise(
    parts: readonly CompiledComposition[],
    index: number,
    taken: CompiledCommand[],
    visit: (commands: readonly CompiledCommand[]) => void,
  ): void {
    if (index === parts.length) visit(taken);
    else this.forEachChoice(parts[index], taken, () => this.synchronise(parts, index + 1, taken, visit));
  }

  /** Adds the outcomes of commands that happen together, from the `depth`-th on. */
  private distribute(
    commands: readonly CompiledCommand[],
    depth: number,
    lower: number,
    upper: number,
    exact: Rational | undefined,
  ): void {
    const { values } = this;
    this.next[depth] ??= new Float64Array(values.length);
    if (depth === 0) this.next[0].set(values);
    if (depth === commands.length) {
      this.row.add(this.table.insert(this.next[depth]), lower, upper, exact);
      return;
    }
    this.next[depth + 1] ??= new Float64Array(values.length);
    const from = this.next[depth];
    const to = this.next[depth + 1];
    const command = commands[depth];
    let least = 0;
    let most = 0;
    for (const update of command.updates) {
      const low = update.lower(values);
      const high = this.intervals ? update.upper(values) : low;
      if (!(low >= 0 && low <= high && high <= 1 + 1e-9)) {
        throw this.failure(update.place, `the probability is ${low === high ? low : `[${low},${high}]`}`);
      }
      least += low;
      most += high;
      if (high === 0) continue;
      to.set(from);
      for (const { index, value, place } of update.assignments) {
        const result = value(values);
        const variable = this.variables[index];
        if (!(result >= variable.low && result <= variable.high)) {
          throw this.failure(
            place,
            `${variable.name} becomes ${result}, outside its range [${variable.low}..${variable.high}]`,
          );
        }
        to[index] = result;
      }
      const part = this.options.exact ? update.exact(values) : undefined;
      this.distribute(commands, depth + 1, lower * low, upper * high, part && exact?.times(part));
    }
    if (!(least <= 1 + 1e-9 && most >= 1 - 1e-9)) {
      const sum = this.intervals ? `between ${least} and ${most}` : `${least}`;
      throw this.failure(command.place, `the probabilities of the command sum to ${sum}, not to 1`);
    }
  }

  private failure(
    place: { line: number; column: number; offset: number },
    message: string,
  ): InvalidModelError {
    const state = this.variables
      .map(({ name, type }, i) => `${name}=${type === 'bool' ? this.values[i] !== 0 : this.values[i]}`)
      .join(', ');
    return this.compiler.error(place, `${message}, in state (${state})`);
  }

  private assemble(initial: number[]): Model {
    const states = this.table.size;
    const common = {
      states,
      initial,
      labels: this.labels(),
      rewards: this.rewards(),
      warnings:
        this.deadlocks.length === 0
          ? []
          : [
              `${this.deadlocks.length} states without a choice were given a self-loop, and the label "deadlock"`,
            ],
    };
    const rowStart = this.rowStart.view();
    const columns = this.columns.view();
    const rowGroupStart = this.rowGroupStart.view();
    const actions = {
      names: this.actions.map((action) => action ?? ''),
      ofRow: this.rowAction.view(),
    };
    if (this.intervals) {
      const parts = { ...common, rowStart, columns, lower: this.lower.view(), upper: this.upper.view() };
      return this.model.type === 'dtmc'
        ? { type: 'idtmc', ...parts }
        : { type: 'imdp', ...parts, rowGroupStart, actions };
    }
    const values = this.lower.view();
    return this.model.type === 'dtmc'
      ? createDtmc({ ...common, rowStart, columns, values })
      : { type: 'mdp', ...common, rowGroupStart, rowStart, columns, values, actions };
  }

  private labels(): Map<string, BitSet> {
    const states = this.table.size;
    const labels = new Map<string, BitSet>();
    const tests = this.model.labels.map(({ name, expression }) => {
      const members = new BitSet(states);
      labels.set(name, members);
      return { members, holds: compileCondition(expression, this.scope) };
    });
    for (let state = 0; tests.length > 0 && state < states; state++) {
      this.table.read(state, this.values);
      for (const { members, holds } of tests) if (holds(this.values)) members.add(state);
    }
    if (!labels.has('deadlock')) labels.set('deadlock', BitSet.of(states, this.deadlocks));
    return labels;
  }

  private rewards(): Rewards[] {
    const states = this.table.size;
    return this.model.rewards.map(({ name, items }, r) => {
      const own = items
        .filter(({ kind }) => kind === 'state')
        .map(({ guard, value }) => ({
          guard: compileCondition(guard, this.scope),
          value: compileNumber(value, this.scope),
        }));
      const ofStates = new Float64Array(states);
      for (let state = 0; own.length > 0 && state < states; state++) {
        this.table.read(state, this.values);
        for (const { guard, value } of own) if (guard(this.values)) ofStates[state] += value(this.values);
      }
      const { items: transitionItems, rows } = this.transitionRewards[r];
      return {
        name,
        states: ofStates,
        ...(transitionItems.length > 0 && { choices: rows.view() }),
      };
    });
  }
}
