import { Rational } from '../../base/rational.js';
import { TupleTable } from '../../base/tupleTable.js';
import { NO_ACTION } from '../model/index.js';
import type { CompiledCommand, CompiledUpdate } from './commands.js';
import type { Control, Explored } from './explored.js';
import { type Growing, growingF64, growingU32 } from './growing.js';
import { guardHolds } from './guard.js';
import { initialStates } from './initialStates.js';
import type { Bundle, Joint } from './joint.js';
import { isAllocationFailure, outOfMemory, type Reached, refuseBeyond, tooManyStates } from './limits.js';
import { PackedStates, pack, unpack } from './packedStates.js';
import { Row } from './row.js';
import { failureIn, located, type System } from './system.js';

/** The number of states between checks of the clock and the signal. */
const SLICE = 4096;

/** The tolerance for sums of probabilities. */
export const SUM_TOLERANCE = 1e-9;

/**
 * Explores with closures, which every runtime supports. Returns undefined once there are more than `mostStates` states, if
 * given.
 */
export function exploreByClosures(system: System, control: Control): Explored;
export function exploreByClosures(system: System, control: Control, mostStates: number): Explored | undefined;
export function exploreByClosures(
  system: System,
  control: Control,
  mostStates = Number.POSITIVE_INFINITY,
): Explored | undefined {
  return new ClosureExplorer(system, control).run(mostStates);
}

/**
 * Finds the fault of a state and throws it.
 *
 * @param values the values of its variables
 */
export function explainFailure(system: System, values: Float64Array, control: Control): void {
  new ClosureExplorer(system, control).exploreOne(values);
}

class ClosureExplorer {
  readonly #table: TupleTable;
  #explored = 0;
  readonly #rowGroupStart = growingU32();
  readonly #rowStart = growingU32();
  readonly #rowAction = growingU32();
  readonly #columns = growingU32();
  readonly #lower = growingF64();
  readonly #upper = growingF64();
  readonly #exact: (Rational | undefined)[] = [];
  readonly #row: Row;
  readonly #deadlocks: number[] = [];
  #stopped = 0;

  /** The state being explored, packed and unpacked. */
  readonly #state: Uint32Array;
  readonly #values: Float64Array;
  /** Commands taken together, and their number. */
  readonly #taken: CompiledCommand[] = [];
  #takenCount = 0;
  /** next[d]: the state after the updates of the first d of them, packed. */
  readonly #next: Uint32Array[] = [];
  /** enabled[p]: enabled bundles of the p-th part of a joint, and their number. */
  readonly #enabled: Bundle[][] = [];
  readonly #enabledCount: number[] = [];
  #choices = 0;
  readonly #isChain: boolean;
  /** For each structure, the reward of the row, and the items that make it up. */
  readonly #earned: Float64Array;
  readonly #earns: boolean;
  readonly #rowRewards: Growing<Float64Array>[];
  /** The same rewards in fractions, if requested. */
  readonly #exactEarned: (Rational | undefined)[];
  readonly #exactRowRewards: (Rational | undefined)[][];
  readonly #system: System;
  readonly #control: Control;

  constructor(system: System, control: Control) {
    this.#system = system;
    this.#control = control;
    const { words, variables, model, rewards } = system;
    this.#table = new TupleTable(words);
    this.#state = new Uint32Array(words);
    this.#values = new Float64Array(variables.length);
    this.#row = new Row(control.exact);
    this.#isChain = model.type === 'dtmc';
    this.#rowRewards = rewards.map(growingF64);
    this.#exactRowRewards = rewards.map(() => []);
    this.#exactEarned = rewards.map(() => Rational.ZERO);
    this.#earned = new Float64Array(rewards.length);
    this.#earns = rewards.some(({ transitions }) => transitions.length > 0);
  }

  run(mostStates: number): Explored | undefined {
    try {
      return this.#exploreAll(mostStates);
    } catch (error) {
      if (isAllocationFailure(error)) throw outOfMemory(this.#control.limits, this.#reached(), error);
      throw located(error, this.#system, this.#values);
    }
  }

  exploreOne(values: Float64Array): void {
    pack(values, this.#system.variables, this.#state);
    this.#values.set(values);
    try {
      this.#explore(this.#numberOf(this.#state));
    } catch (error) {
      throw located(error, this.#system, this.#values);
    }
  }

  /** Returns the number of a packed state, a new number if the state is new. */
  #numberOf(state: Uint32Array): number {
    const number = this.#table.insert(state);
    const { limits } = this.#control;
    if (number >= limits.maxStates) throw tooManyStates(limits, this.#reached());
    return number;
  }

  #exploreAll(mostStates: number): Explored | undefined {
    const system = this.#system;
    const table = this.#table;
    const values = this.#values;
    const state = this.#state;
    const control = this.#control;
    const { words, variables } = system;
    const initial: number[] = [];
    for (const first of initialStates(system)) {
      pack(first, variables, state);
      initial.push(this.#numberOf(state));
      if (table.size > mostStates) return undefined;
    }
    for (let number = 0; number < table.size; number++) {
      if (table.size > mostStates) return undefined;
      this.#explored = number;
      if (number % SLICE === 0) this.#checkpoint();
      for (let w = 0; w < words; w++) state[w] = table.word(number, w);
      unpack(state, 0, variables, values);
      this.#explore(number);
    }
    this.#explored = table.size;
    this.#checkpoint();
    this.#rowGroupStart.push(this.#rowStart.length);
    this.#rowStart.push(this.#columns.length);
    return {
      states: new PackedStates(variables, words, table.tuples.slice()),
      rowGroupStart: this.#rowGroupStart.finish(),
      rowStart: this.#rowStart.finish(),
      rowAction: this.#rowAction.finish(),
      columns: this.#columns.finish(),
      lower: this.#lower.finish(),
      ...(system.intervals && { upper: this.#upper.finish() }),
      ...(control.exact && { exactValues: this.#exact }),
      rowRewards: this.#rowRewards.map((rows, r) =>
        system.rewards[r].transitions.length > 0 ? rows.finish() : null,
      ),
      ...(control.exact && {
        exactRowRewards: this.#exactRowRewards.map((rows, r) =>
          system.rewards[r].transitions.length > 0 ? rows : null,
        ),
      }),
      initial: initial.sort((a, b) => a - b),
      deadlocks: this.#deadlocks,
      stopped: this.#stopped,
    };
  }

  /** Adds the rows of one state, which is in `state` and `values`. */
  #explore(number: number): void {
    const system = this.#system;
    const row = this.#row;
    this.#rowGroupStart.push(this.#rowStart.length);
    this.#choices = 0;
    row.clear();
    this.#earned.fill(0);
    for (const { holds } of system.stops) {
      if (!holds(this.#values)) continue;
      this.#stopped++;
      this.#loop(number);
      return;
    }
    for (const joint of system.joints) {
      if (joint.parts.length > 1) this.#takeTogether(joint);
      else {
        for (const bundle of joint.parts[0]) {
          if (!this.#isEnabled(bundle)) continue;
          this.#takenCount = 0;
          this.#take(bundle);
          this.#choose(joint);
        }
      }
    }
    if (this.#choices === 0) {
      this.#deadlocks.push(number);
      this.#loop(number);
    } else if (this.#isChain) this.#endRow(NO_ACTION);
  }

  #loop(number: number): void {
    this.#row.add(number, 1, 1, Rational.ONE);
    this.#choices = 1;
    this.#endRow(NO_ACTION);
  }

  #isEnabled(bundle: Bundle): boolean {
    for (const { guard } of bundle) if (!guardHolds(guard, this.#state, 0, this.#values)) return false;
    return true;
  }

  #take(bundle: Bundle): void {
    for (const command of bundle) this.#taken[this.#takenCount++] = command;
  }

  /** Takes every combination of enabled bundles of the parts of a joint. */
  #takeTogether(joint: Joint): void {
    const { parts } = joint;
    for (let p = 0; p < parts.length; p++) {
      let count = 0;
      this.#enabled[p] ??= [];
      for (const bundle of parts[p]) if (this.#isEnabled(bundle)) this.#enabled[p][count++] = bundle;
      if (count === 0) return;
      this.#enabledCount[p] = count;
    }
    this.#takenCount = 0;
    this.#combine(joint, 0);
  }

  #combine(joint: Joint, part: number): void {
    if (part === joint.parts.length) {
      this.#choose(joint);
      return;
    }
    const before = this.#takenCount;
    for (let i = 0; i < this.#enabledCount[part]; i++) {
      this.#takenCount = before;
      this.#take(this.#enabled[part][i]);
      this.#combine(joint, part + 1);
    }
  }

  /** Adds one choice, in which all commands in `taken` happen. */
  #choose(joint: Joint): void {
    const next = this.#next;
    const state = this.#state;
    while (next.length <= this.#takenCount) next.push(new Uint32Array(state.length));
    for (let w = 0; w < state.length; w++) next[0][w] = state[w];
    this.#distribute(0, 1, 1, Rational.ONE);
    this.#choices++;
    if (this.#earns) this.#earn(joint);
    if (!this.#isChain) {
      const { action } = joint;
      this.#choices = 1;
      this.#endRow(this.#system.actions[action] === null ? NO_ACTION : action);
    }
  }

  #earn(joint: Joint): void {
    const { rewards, actions } = this.#system;
    const action = actions[joint.action];
    for (let r = 0; r < rewards.length; r++) {
      for (const { source, guard, value, exact } of rewards[r].transitions) {
        if (source.action !== action || !guard(this.#values)) continue;
        this.#earned[r] += value(this.#values);
        if (!this.#control.exact) continue;
        const part = exact(this.#values);
        this.#exactEarned[r] = part && this.#exactEarned[r]?.plus(part);
      }
    }
  }

  /** Adds the outcomes of the commands in `taken` from the `depth`-th on. */
  #distribute(depth: number, lower: number, upper: number, exact: Rational | undefined): void {
    const from = this.#next[depth];
    if (depth === this.#takenCount) {
      this.#row.add(this.#numberOf(from), lower, upper, exact);
      return;
    }
    const values = this.#values;
    const system = this.#system;
    const to = this.#next[depth + 1];
    const command = this.#taken[depth];
    let least = 0;
    let most = 0;
    for (const update of command.updates) {
      const low = update.lower.constant ?? update.lower.value(values);
      const high = system.intervals ? update.upper.value(values) : low;
      if (!(low >= 0 && low <= high && high <= 1 + SUM_TOLERANCE)) {
        throw failureIn(
          system,
          values,
          update.place,
          `the probability is ${low === high ? low : `[${low},${high}]`}`,
        );
      }
      least += low;
      most += high;
      if (high === 0) continue;
      for (let w = 0; w < to.length; w++) to[w] = from[w];
      this.#assign(update, to);
      const part = this.#control.exact ? update.lower.exact(values) : undefined;
      this.#distribute(depth + 1, lower * low, upper * high, part && exact?.times(part));
    }
    if (!(least <= 1 + SUM_TOLERANCE && most >= 1 - SUM_TOLERANCE)) {
      const sum = system.intervals ? `between ${least} and ${most}` : `${least}`;
      throw failureIn(
        system,
        values,
        command.place,
        `the probabilities of the command sum to ${sum}, not to 1`,
      );
    }
  }

  /** Replaces the fields of `to` that an update assigns. */
  #assign({ assignments }: CompiledUpdate, to: Uint32Array): void {
    const values = this.#values;
    const system = this.#system;
    for (const { index, value, place } of assignments) {
      const result = value(values);
      const { name, low, high, word, shift, mask } = system.variables[index];
      if (!(result >= low && result <= high)) {
        throw failureIn(
          system,
          values,
          place,
          `${name} becomes ${result}, outside its range [${low}..${high}]`,
        );
      }
      if (Math.floor(result) !== result) {
        throw failureIn(system, values, place, `${name} becomes ${result}, which is not an integer`);
      }
      to[word] = (to[word] & ~mask) | ((result - low) << shift);
    }
  }

  #endRow(action: number): void {
    const row = this.#row;
    const choices = this.#choices;
    this.#rowStart.push(this.#columns.length);
    this.#rowAction.push(action);
    for (let i = 0; i < row.length; i++) {
      this.#columns.push(row.targets[i]);
      this.#lower.push(row.lower[i] / choices);
      if (this.#system.intervals) this.#upper.push(Math.min(1, row.upper[i] / choices));
      if (this.#control.exact) this.#exact.push(row.exact[i]?.dividedBy(Rational.fromInteger(choices)));
    }
    if (this.#earns) {
      for (let r = 0; r < this.#earned.length; r++) {
        this.#rowRewards[r].push(this.#earned[r] / choices);
        if (!this.#control.exact) continue;
        this.#exactRowRewards[r].push(this.#exactEarned[r]?.dividedBy(Rational.fromInteger(choices)));
      }
      this.#earned.fill(0);
      this.#exactEarned.fill(Rational.ZERO);
    }
    row.clear();
  }

  #reached(): Reached {
    const grown = [
      this.#rowGroupStart,
      this.#rowStart,
      this.#rowAction,
      this.#columns,
      this.#lower,
      this.#upper,
    ];
    const bytes = [...grown, ...this.#rowRewards].reduce(
      (sum, array) => sum + array.bytes,
      this.#table.bytes,
    );
    return { states: this.#table.size, explored: this.#explored, transitions: this.#columns.length, bytes };
  }

  #checkpoint(): void {
    const reached = this.#reached();
    this.#control.checkpoint(reached);
    refuseBeyond(this.#control.limits, reached);
  }
}
