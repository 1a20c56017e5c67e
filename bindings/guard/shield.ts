import { bindAutomaton, OPEN, type Stepper, VIOLATED } from '../automaton/index.js';
import { InvalidArgumentError } from '../errors.js';
import type { GuardActions, GuardFile, GuardRule } from './guardFile.js';

/** Number of the choice to take no action; others are places in `names`. */
export const NO_ACTION = -1;
/** Number of an action that the data do not have. */
export const UNTRIED = -2;

/** Half a unit in the last place of 1. */
const ROUNDING = 2 ** -53;

/** Bounds on the probability of a violation, ends included. */
export interface RiskBounds {
  readonly lower: number;
  readonly upper: number;
}

/** The risk of an action: if the agent goes on as learnt, and over all ways to go on. */
export interface ActionRisks {
  readonly asAgent: RiskBounds;
  readonly least: RiskBounds;
  readonly most: RiskBounds;
}

/** What one rule makes of an action. */
export interface Judgement extends ActionRisks {
  /** The action was never taken where the run is, or may be. */
  readonly untried: boolean;
  /** What it adds to the least risk, rounded up: at most 0 for the action of least risk. */
  readonly excess: number;
}

/**
 * Where a run may be, for one rule: the probabilities of chain state s and automaton state q, at `s * Q + q`. The state after the last is the end of
 * the run; at NOWHERE nothing is known.
 */
interface Position {
  readonly masses: ReadonlyMap<number, number>;
  /** Terms that have been multiplied and added to get here, for rounding. */
  readonly terms: number;
}

const NOWHERE = -1;
const CERTAIN_RISK: RiskBounds = { lower: 0, upper: 1 };

/** One rule's automaton and values over positions. */
class Plane {
  readonly states: number;
  readonly initial: number;
  readonly #stepper: Stepper;
  readonly #valuations: Uint32Array;
  readonly #words: number;
  readonly asAgent: Values;
  readonly least: Values;
  readonly most: Values;

  constructor(rule: GuardRule, { states, predicates }: GuardFile, valuations: Uint32Array) {
    const { automaton, least = rule, most = rule } = rule;
    this.states = automaton.states;
    this.initial = automaton.initial;
    this.#stepper = bindAutomaton(
      automaton,
      predicates.map(({ name }) => name),
    );
    this.#valuations = valuations;
    this.#words = states.words;
    // A run that ends violates the rule where it is violated, or where it is open and ending does not satisfy it.
    const atEnd = Array.from(automaton.verdict, (verdict, q) =>
      Number(verdict === VIOLATED || (verdict === OPEN && automaton.accepting[q] === 0)),
    );
    const values = ({ lower, upper }: { lower: readonly number[]; upper: readonly number[] }): Values => ({
      lower: Float64Array.from([...lower, ...atEnd]),
      upper: Float64Array.from([...upper, ...atEnd]),
    });
    this.asAgent = values(rule);
    this.least = values(least);
    this.most = values(most);
  }

  /** The automaton's state after it has read the valuation of chain state `s` in `q`. */
  read(q: number, s: number): number {
    return this.#stepper.step(q, this.#valuations, s * this.#words);
  }
}

interface Values {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/**
 * Judges actions by what came of them in the data: a Bellman step over tables that were solved before. For calls that are proposed together it goes on from
 * where those before may have led.
 *
 * In the mode `budget` it keeps what is left of the budget, σ. At first σ = θ − V(start), V being `least.upper`; an action is permitted iff
 * r = Q(s, a) − V(s) ≤ σ, and then σ becomes σ − r. V(s) + σ is a martingale whatever the agent picks, σ is never negative, and V is 1 where the rule is
 * violated: so a violation has probability at most θ on the learnt process. The action of least risk has r ≤ 0, for V is inductive.
 */
export class Shield {
  readonly file: GuardActions;
  readonly #states: number;
  readonly #planes: readonly (Plane | null)[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #rowStart: Uint32Array;
  readonly #actions: Int32Array;
  readonly #outcomeStart: Uint32Array;
  readonly #columns: Uint32Array;
  readonly #values: Float64Array;
  /** Each rule's budget, what is left of it, and what was left before the last decision. */
  readonly #budget: Float64Array;
  readonly #slack: Float64Array;
  readonly #before: Float64Array;

  /** @throws InvalidArgumentError where a budget is smaller than what the safest way costs */
  constructor(file: GuardFile, actions: GuardActions) {
    this.file = actions;
    this.#states = file.states.draws.length;
    const valuations = Uint32Array.from(file.states.valuations);
    this.#planes = file.rules.map((rule) =>
      rule.least === undefined ? null : new Plane(rule, file, valuations),
    );
    this.#numbers = new Map(actions.names.map((name, i) => [name, i]));
    this.#rowStart = Uint32Array.from(actions.taken.rowStart);
    this.#actions = Int32Array.from(actions.taken.actions);
    this.#outcomeStart = Uint32Array.from(actions.outcomes.rowStart);
    this.#columns = Uint32Array.from(actions.outcomes.columns);
    this.#values = Float64Array.from(actions.outcomes.values);
    this.#budget = Float64Array.from(file.rules, (rule, r) => down(budgetOf(rule) - this.startRisk(r).upper));
    if (actions.mode === 'budget') {
      file.rules.forEach((rule, r) => {
        requireBudget(rule, this.#budget[r], this.startRisk(r).upper);
      });
    }
    this.#slack = this.#budget.slice();
    this.#before = this.#budget.slice();
  }

  /** Begins a new run, with the whole budget. */
  reset(): void {
    this.#slack.set(this.#budget);
    this.#before.set(this.#budget);
  }

  /** Whether rule number r judges actions; otherwise it is decided by the state alone. */
  covers(r: number): boolean {
    return this.#planes[r] !== null;
  }

  /** UNTRIED for a name that the data do not have. */
  numberOf(name: string | null): number {
    return name === null ? NO_ACTION : (this.#numbers.get(name) ?? UNTRIED);
  }

  /** The abstraction that an action number stands for, UNTRIED aside; null for NO_ACTION. */
  nameOf(action: number): string | null {
    return action === NO_ACTION ? null : this.file.names[action];
  }

  /** Numbers of the actions that were taken in chain state `s`. */
  takenIn(s: number): Int32Array {
    return this.#actions.subarray(this.#rowStart[s], this.#rowStart[s + 1]);
  }

  /** The least risk of rule number r before the first step. */
  startRisk(r: number): RiskBounds {
    const plane = this.#planes[r];
    if (plane === null) return CERTAIN_RISK;
    const { columns, values } = this.file.start;
    const masses = new Map(
      columns.map((s, i) => [s * plane.states + plane.read(plane.initial, s), values[i]]),
    );
    return mean({ masses, terms: columns.length }, plane.least);
  }

  /**
   * What rule number r makes of `action`, in chain state `s` and any of the automaton states `possible`, once the actions of `pending` have run.
   * The widest bounds over these; null for rules that do not judge actions.
   */
  judge(
    r: number,
    s: number,
    possible: readonly number[],
    pending: readonly number[],
    action: number,
  ): Judgement | null {
    const plane = this.#planes[r];
    if (plane === null) return null;
    const all = possible.map((q) => {
      let position: Position = { masses: new Map([[s * plane.states + q, 1]]), terms: 0 };
      for (const earlier of pending) position = this.#advance(plane, position, earlier);
      return this.#judgeAt(plane, position, action);
    });
    return all.reduce((one, other) => ({
      untried: one.untried || other.untried,
      excess: Math.max(one.excess, other.excess),
      asAgent: hull(one.asAgent, other.asAgent),
      least: hull(one.least, other.least),
      most: hull(one.most, other.most),
    }));
  }

  /** The risks in chain state `s`, whatever is done there: of automaton states `possible` the widest. */
  stateRisks(r: number, s: number, possible: readonly number[]): Judgement {
    const plane = this.#planes[r];
    if (plane === null) throw new InvalidArgumentError(`rule number ${r} is decided by the state`);
    const widest = ({ lower, upper }: Values): RiskBounds => {
      const nodes = possible.map((q) => s * plane.states + q);
      return {
        lower: Math.min(...nodes.map((node) => lower[node])),
        upper: Math.max(...nodes.map((node) => upper[node])),
      };
    };
    const [asAgent, least, most] = [plane.asAgent, plane.least, plane.most].map(widest);
    return { untried: false, excess: 0, asAgent, least, most };
  }

  /** Whether what is left of rule number r's budget allows for it. */
  affords(r: number, { excess }: Judgement): boolean {
    return excess <= this.#slack[r];
  }

  /** The action runs: what it adds to the least risk is taken off the budget. `judgements` by rule. */
  charge(judgements: readonly (Judgement | null)[]): void {
    for (let r = 0; r < this.#slack.length; r++) {
      this.#slack[r] = Math.max(0, down(this.#slack[r] - (judgements[r]?.excess ?? 0)));
    }
  }

  /** What was let through before has run: nothing of it is given back any more. */
  keep(): void {
    this.#before.set(this.#slack);
  }

  /** The action that the last decision let through does not run after all. */
  giveBack(): void {
    this.#slack.set(this.#before);
  }

  /** What is left of rule number r's budget. */
  slack(r: number): number {
    return this.#slack[r];
  }

  #judgeAt(plane: Plane, position: Position, action: number): Judgement {
    const after = this.#advance(plane, position, action);
    const least = mean(after, plane.least);
    return {
      untried: after.masses.has(NOWHERE) && after.masses.size === 1,
      asAgent: mean(after, plane.asAgent),
      least,
      most: mean(after, plane.most),
      excess: up(least.upper - this.#leastRisk(plane, position)),
    };
  }

  /** V where the run is, from below where that is not one place. */
  #leastRisk(plane: Plane, position: Position): number {
    if (position.terms === 0) for (const [node] of position.masses) return plane.least.upper[node];
    return mean(position, { lower: plane.least.upper, upper: plane.least.upper }).lower;
  }

  /** Where the run may be once `action` has run, too. A run that has ended stays so; what was never tried leads nowhere that is known. */
  #advance(plane: Plane, { masses, terms }: Position, action: number): Position {
    const after = new Map<number, number>();
    let most = 0;
    const add = (node: number, mass: number): void => {
      after.set(node, (after.get(node) ?? 0) + mass);
    };
    for (const [node, mass] of masses) {
      const s = Math.floor(node / plane.states);
      const q = node - s * plane.states;
      if (node === NOWHERE || s === this.#states) {
        add(node, mass);
        continue;
      }
      const pair = this.#pair(s, action);
      if (pair < 0) {
        add(NOWHERE, mass);
        continue;
      }
      const end = this.#outcomeStart[pair + 1];
      most = Math.max(most, end - this.#outcomeStart[pair]);
      for (let i = this.#outcomeStart[pair]; i < end; i++) {
        const t = this.#columns[i];
        const next = t === this.#states ? q : plane.read(q, t);
        add(t * plane.states + next, mass * this.#values[i]);
      }
    }
    return { masses: after, terms: terms + masses.size + most + 4 };
  }

  /** The pair's number, or -1. */
  #pair(s: number, action: number): number {
    for (let pair = this.#rowStart[s]; pair < this.#rowStart[s + 1]; pair++) {
      if (this.#actions[pair] === action) return pair;
    }
    return -1;
  }
}

function requireBudget({ name }: GuardRule, slack: number, start: number): void {
  if (slack >= 0) return;
  throw new InvalidArgumentError(
    `rule "${name}": the budget is smaller than ${start}, the least risk that a run has from its start; raise the threshold, or choose shield: predict or least`,
  );
}

/** The risk that a run may have at most: the rule's threshold. */
function budgetOf({ levels }: GuardRule): number {
  const { compare, value } = levels[0].threshold;
  return compare === 'risk>=' || compare === 'risk>' ? value : down(1 - value);
}

/** The mean of values over a position, rounded outward. */
function mean({ masses, terms }: Position, { lower, upper }: Values): RiskBounds {
  let low = 0;
  let high = 0;
  for (const [node, mass] of masses) {
    if (node === NOWHERE) high += mass;
    else {
      low += mass * lower[node];
      high += mass * upper[node];
    }
  }
  const slack = 2 * (terms + masses.size + 4) * ROUNDING;
  return { lower: Math.max(0, low * (1 - slack)), upper: Math.min(1, high * (1 + slack)) };
}

function hull(one: RiskBounds, other: RiskBounds): RiskBounds {
  return { lower: Math.min(one.lower, other.lower), upper: Math.max(one.upper, other.upper) };
}

function up(value: number): number {
  return value + Math.abs(value) * 2 * ROUNDING;
}

function down(value: number): number {
  return value - Math.abs(value) * 2 * ROUNDING;
}
