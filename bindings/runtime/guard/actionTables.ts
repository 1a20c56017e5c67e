import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { type GuardActions, type GuardFile, type GuardRule, IDLE } from './guardFile.js';
import { RuleValues } from './ruleValues.js';
import { type Outcomes, Schedules } from './schedules.js';
import { MAX_PENDING } from './strategy.js';
import { Tables } from './tables.js';

/** Number of an action that does not occur in the data. */
export const UNTRIED = -2;

/** Number of a pending action that could not be read: it may be any. */
export const UNREAD = -3;

/** Half a unit in the last place of 1. */
const ROUNDING = 2 ** -53;

/** Bounds on the probability of a violation, inclusive. */
export type RiskBounds = Bounds<number>;

/** The risk of an action: if the agent goes on as learnt, and over all continuations. */
export interface ActionRisks {
  readonly asAgent: RiskBounds;
  readonly least: RiskBounds;
  readonly most: RiskBounds;
}

/** One rule's judgement of an action. */
export interface Judgement extends ActionRisks {
  /** The action was never taken in the state of the run, or in any state that the run may be in. */
  readonly untried: boolean;
  /** The action's contribution to the least risk under the worst schedule, rounded up and at least 0: the amount charged to a budget. */
  readonly excess: number;
  /** Too many calls are pending to judge the action, or one that could not be read: the numbers mean nothing. */
  readonly crowded: boolean;
}

/** Index of the bounds on the least risk among those on the three risks. */
const LEAST = 2;
/** Start value for widening: any bounds widen it. */
const WIDEST = [1, 0, 1, 0, 1, 0];
const CERTAIN_RISK: RiskBounds = { lower: 0, upper: 1 };
const CROWDED: Judgement = {
  untried: false,
  asAgent: CERTAIN_RISK,
  least: CERTAIN_RISK,
  most: CERTAIN_RISK,
  excess: 1,
  crowded: true,
};
const UNKNOWN_ACTION: Judgement = { ...CROWDED, untried: true, crowded: false };

/**
 * Judges actions by their outcomes in the data: a Bellman step over tables that were solved before. Pending calls may run before the action, after it or not at
 * all: the worst of their schedules counts.
 *
 * In the mode `budget` it tracks the remaining budget, σ. At first σ = θ − V(start), where V is `least.upper`. Let W(x, C) be the largest mean of V over
 * schedules of the calls C from the position x. An action a is permitted iff r ≤ σ, where r is the maximum of W(x, T + a) − W(x, T) over all sets T of pending
 * calls; then σ becomes σ − r. W(x, C) + σ is a supermartingale whatever runs, σ is never negative, and W is 1 at a violation of the rule: a violation
 * therefore has probability at most θ on the learnt process (docs/semantics/shield.md).
 */
export class ActionTables {
  readonly file: GuardActions;
  readonly #planes: readonly (RuleValues | null)[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #rowStart: Uint32Array;
  readonly #actions: Int32Array;
  readonly #outcomes: Outcomes;
  /** Pairs that policies forbid. */
  readonly #forbidden: ReadonlySet<number>;
  /** Each rule's budget; its remaining part; that part before the last decision; and that part at the last observation. */
  readonly #budget: Float64Array;
  readonly #slack: Float64Array;
  readonly #before: Float64Array;
  readonly #atObservation: Float64Array;

  /** @throws InvalidArgumentError if a budget is smaller than the cost of the safest policy */
  constructor(file: GuardFile, actions: GuardActions, tables = new Tables()) {
    this.file = actions;
    const { taken, outcomes, names, idleEnds } = actions;
    this.#planes = tables.of('planes', () => {
      const valuations = Uint32Array.from(file.states.valuations);
      return file.rules.map((rule) =>
        rule.tables?.least === undefined ? null : new RuleValues(rule, file, valuations),
      );
    });
    this.#numbers = tables.of('names', () => new Map(names.map((name, i) => [name, i])));
    this.#rowStart = tables.of('taken.rowStart', () => Uint32Array.from(taken.rowStart));
    this.#actions = tables.of('taken.actions', () => Int32Array.from(taken.actions));
    this.#forbidden = tables.of('forbidden', () => new Set(actions.forbidden));
    this.#outcomes = {
      states: file.states.draws.length,
      rowStart: tables.of('outcomes.rowStart', () => Uint32Array.from(outcomes.rowStart)),
      columns: tables.of('outcomes.columns', () => Uint32Array.from(outcomes.columns)),
      values: tables.of('outcomes.values', () => Float64Array.from(outcomes.values)),
      ended: tables.of(
        'idleEnds',
        () => new Map(idleEnds?.pairs.map((pair, i) => [pair, idleEnds.weights[i]])),
      ),
      rowOf: (state, action) => this.#pair(state, action),
    };
    this.#budget = Float64Array.from(file.rules, (rule, r) => down(budgetOf(rule) - this.startRisk(r).upper));
    if (actions.mode === 'budget') {
      if (file.resample !== undefined && file.resample !== 'error')
        throw new InvalidArgumentError(
          `a budget judges each call where the world is, and resample: ${file.resample} leaves out what is observed between samples; choose resample: error, or shield: predict or least`,
        );
      file.rules.forEach((rule, r) => {
        // An exact rule has no risk that a budget could bound.
        if (rule.tables !== undefined) requireBudget(rule, this.#budget[r], this.startRisk(r).upper);
      });
    }
    this.#slack = this.#budget.slice();
    this.#before = this.#budget.slice();
    this.#atObservation = this.#budget.slice();
  }

  /** Begins a new run with the whole budget. */
  reset(): void {
    this.#slack.set(this.#budget);
    this.#before.set(this.#budget);
    this.#atObservation.set(this.#budget);
  }

  /** Records an observation of the run, to whose budget `giveBack('all')` returns. */
  observe(): void {
    this.#atObservation.set(this.#slack);
  }

  /** Whether rule number r judges actions; otherwise it is decided by the state alone. */
  covers(r: number): boolean {
    return this.#planes[r] !== null;
  }

  /** The action's number; UNTRIED for a name that does not occur in the data. */
  numberOf(name: string | null): number {
    return name === null ? IDLE : (this.#numbers.get(name) ?? UNTRIED);
  }

  /** The abstraction of an action number other than UNTRIED; null for IDLE. */
  nameOf(action: number): string | null {
    return action === IDLE ? null : this.file.names[action];
  }

  /** Numbers of the actions that were taken in chain state `s`. */
  takenIn(s: number): Int32Array {
    return this.#actions.subarray(this.#rowStart[s], this.#rowStart[s + 1]);
  }

  /** Those of them that no policy forbids. */
  openIn(s: number): number[] {
    const first = this.#rowStart[s];
    return [...this.takenIn(s)].filter((_, i) => !this.#forbidden.has(first + i));
  }

  /** The least risk of rule number r before the first step. */
  startRisk(r: number): RiskBounds {
    const plane = this.#planes[r];
    if (plane === null) return CERTAIN_RISK;
    const { columns, values } = this.file.start;
    let lower = 0;
    let upper = 0;
    const risks = new Float64Array(6);
    columns.forEach((s, i) => {
      plane.risksAt(plane.positionOf(s, plane.read(plane.initial, s)), risks);
      lower += values[i] * risks[LEAST];
      upper += values[i] * risks[LEAST + 1];
    });
    const slack = 4 * (columns.length + 4) * ROUNDING;
    return { lower: Math.max(0, lower * (1 - slack)), upper: Math.min(1, upper * (1 + slack)) };
  }

  /**
   * Rule number r's judgement of `action`, in chain state `s` and any of the automaton states `possible`, when the actions of `pending` may run before it,
   * after it or not at all: the widest bounds over these. Null if the rule does not judge actions, unless the action is untried: never taken in the state, or
   * nowhere if others may run before it.
   */
  judge(
    r: number,
    s: number,
    possible: readonly number[],
    pending: readonly number[],
    action: number,
  ): Judgement | null {
    const plane = this.#planes[r];
    if (plane === null) return this.#isTried(s, action, pending) ? null : UNKNOWN_ACTION;
    if (pending.length > MAX_PENDING || pending.includes(UNREAD)) return CROWDED;
    const worst = new Float64Array(WIDEST);
    let excess = 0;
    let untried = false;
    const bounded = this.file.mode === 'budget';
    for (const q of possible) {
      const position = plane.positionOf(s, q);
      const schedules = new Schedules(plane, this.#outcomes, pending, action, bounded);
      widen(worst, schedules.bounds(position));
      if (bounded) excess = Math.max(excess, schedules.excess(position));
      if (schedules.exhausted) return CROWDED;
      untried ||= !schedules.tried;
    }
    return { untried, ...risksOf(worst), excess, crowded: false };
  }

  #isTried(s: number, action: number, { length }: readonly number[]): boolean {
    return length > 0 ? action !== UNTRIED : this.takenIn(s).includes(action);
  }

  /** The risks in chain state `s`, whatever action follows: the widest over the automaton states `possible`. */
  stateRisks(r: number, s: number, possible: readonly number[]): Judgement {
    const plane = this.#planes[r];
    if (plane === null) throw new InvalidArgumentError(`rule number ${r} is decided by the state`);
    const widest = new Float64Array(WIDEST);
    const risks = new Float64Array(6);
    for (const q of possible) {
      plane.risksAt(plane.positionOf(s, q), risks);
      widen(widest, risks);
    }
    return { untried: false, ...risksOf(widest), excess: 0, crowded: false };
  }

  /** Whether the rest of rule number r's budget covers the action. */
  affords(r: number, { excess }: Judgement): boolean {
    return excess <= this.#slack[r];
  }

  /** Charges the action, which runs: its contribution to the least risk is deducted from the budget. `judgements` by rule. */
  charge(judgements: readonly (Judgement | null)[]): void {
    for (let r = 0; r < this.#slack.length; r++) {
      this.#slack[r] = Math.max(0, down(this.#slack[r] - (judgements[r]?.excess ?? 0)));
    }
  }

  /** Makes earlier charges final: the actions permitted before have run, and nothing is returned any more. */
  keep(): void {
    this.#before.set(this.#slack);
  }

  /** Returns the charge of the last permitted action, which does not run after all; or of all those since the last observation. */
  giveBack(withheld: 'last' | 'all'): void {
    this.#slack.set(withheld === 'all' ? this.#atObservation : this.#before);
    this.#before.set(this.#slack);
  }

  /** The rest of rule number r's budget. */
  slack(r: number): number {
    return this.#slack[r];
  }

  /** The pair's number, or -1. */
  #pair(s: number, action: number): number {
    for (let pair = this.#rowStart[s]; pair < this.#rowStart[s + 1]; pair++) {
      if (this.#actions[pair] === action) return pair;
    }
    return -1;
  }
}

/** @throws InvalidArgumentError if the budget is too small, or is not enforced */
function requireBudget(
  { name, escalate, onFailure, levels, shadow }: GuardRule,
  slack: number,
  start: number,
): void {
  const reports = shadow === true || levels.every(({ strategy }) => strategy.kind === 'report');
  for (const [key, strategies] of Object.entries({ escalate, onFailure: [onFailure] })) {
    if (reports || strategies.every(({ kind }) => kind !== 'report')) continue;
    throw new InvalidArgumentError(
      `rule "${name}": ${key} holds report, which would let an action run that the budget refuses; name stop, block, inspect or replace, or choose shield: predict or least`,
    );
  }
  if (slack >= 0) return;
  throw new InvalidArgumentError(
    `rule "${name}": the budget is smaller than ${start}, the least risk that a run has from its start; raise the threshold, or choose shield: predict or least`,
  );
}

/** The maximum risk that a run may have: the rule's threshold. */
function budgetOf({ levels }: GuardRule): number {
  const { compare, value } = levels[0].threshold;
  return compare === 'risk>=' || compare === 'risk>' ? value : down(1 - value);
}

/** Widens bounds on the three risks by others. */
function widen(bounds: Float64Array, others: Float64Array): void {
  for (let i = 0; i < others.length; i += 2) {
    bounds[i] = Math.min(bounds[i], others[i]);
    bounds[i + 1] = Math.max(bounds[i + 1], others[i + 1]);
  }
}

function risksOf(bounds: Float64Array): ActionRisks {
  const [asAgent, least, most] = [0, LEAST, 4].map((at) => ({ lower: bounds[at], upper: bounds[at + 1] }));
  return { asAgent, least, most };
}

function down(value: number): number {
  return value - Math.abs(value) * 2 * ROUNDING;
}
