import type { GuardFile, GuardRule, Threshold } from './guardFile.js';
import type { Reason } from './guardStep.js';
import { Monitor } from './monitor.js';
import type { Observation } from './observer.js';
import { type Decision, type Strategy, severity } from './strategy.js';

/** What one rule says of the last observation; the guard's decision is that of the most severe rule. */
export interface RuleStatus {
  readonly name: string;
  readonly decision: Decision;
  readonly reason: Reason;
  readonly risk: number;
  readonly lower: number;
  readonly upper: number;
  /** The rule is broken for certain, now or earlier. */
  readonly violated: boolean;
  /** The rule would be broken for certain if the run ended now. */
  readonly violatedAtEnd: boolean;
  /** State of the rule's automaton, or -1 where only a set of states is known. */
  readonly automatonState: number;
  /** Whether the rule's automaton may be in this state. */
  mayBeIn(state: number): boolean;
}

const STOP: Strategy = { kind: 'stop' };
const REPORT: Strategy = { kind: 'report' };

/** One rule at run time. The fields are those of the last observation. */
export class RuleWatch implements RuleStatus {
  readonly rule: GuardRule;
  /** Every level only reports: nothing the rule finds does more, its faults included. */
  readonly shadow: boolean;
  /** Null is allow. */
  strategy: Strategy | null = null;
  reason: Reason = 'below-threshold';
  risk = Number.NaN;
  lower = Number.NaN;
  upper = Number.NaN;

  readonly #monitor: Monitor;
  readonly #columns: number;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  /** The strategy at risk 1, also where a threshold is never met: a fault must not become an allow. */
  readonly #strongest: Strategy;
  readonly #onUnknown: Strategy | null;
  /** Steps since the last allow that this rule decided by `reflect`, or in its place by an escalation. */
  #reflections = 0;
  #wantsReflection = false;
  /** Broken at the last observation, or before it. */
  #wasViolated = false;
  /** A step held since the last observation may have violated the rule. */
  #heldInDoubt = false;

  constructor(rule: GuardRule, file: GuardFile) {
    this.rule = rule;
    this.#monitor = new Monitor(
      rule.automaton,
      file.predicates.map(({ name }) => name),
    );
    this.#wasViolated = this.#monitor.violated;
    this.#columns = rule.automaton.states;
    this.#lower = Float64Array.from(rule.lower);
    this.#upper = Float64Array.from(rule.upper);
    this.#strongest = rule.levels.reduce(
      (best, { strategy }) => moreSevere(best, strategy),
      rule.levels[0].strategy,
    );
    this.shadow = this.#strongest.kind === 'report';
    if (this.shadow) this.#onUnknown = REPORT;
    else if (file.onUnknown === 'rule') this.#onUnknown = this.#strongest;
    else this.#onUnknown = file.onUnknown === 'allow' ? null : { kind: file.onUnknown };
  }

  get name(): string {
    return this.rule.name;
  }

  get decision(): Decision {
    return this.strategy === null ? 'allow' : this.strategy.kind;
  }

  get violated(): boolean {
    return this.#monitor.violated;
  }

  get violatedAtEnd(): boolean {
    return this.#monitor.violatedAtEnd;
  }

  get automatonState(): number {
    return this.#monitor.state;
  }

  mayBeIn(state: number): boolean {
    return this.#monitor.has(state);
  }

  reset(): void {
    this.#monitor.reset();
    this.#wasViolated = this.#monitor.violated;
    this.forgetReflections();
  }

  /** The rule's automaton reads an observation once more, and nothing is decided. */
  hold({ complete, valuation, known }: Observation): void {
    if (this.rule.evaluation !== 'trace') return;
    if (complete) this.#monitor.advance(valuation);
    else this.#monitor.advancePartially(valuation, known);
    this.#heldInDoubt ||= this.#monitor.mayBeViolated;
  }

  /** Takes in what was observed, and finds risk, strategy and reason. */
  observe(observation: Observation): void {
    const { fault } = observation;
    const wasViolated = this.#wasViolated;
    if (this.rule.evaluation === 'trace') {
      if (observation.complete) this.#monitor.advance(observation.valuation);
      else this.#monitor.advancePartially(observation.valuation, observation.known);
    }
    // Nothing was decided on the steps held, so what they may have violated counts now.
    if (this.#heldInDoubt) this.#monitor.mayBeViolated = !this.#monitor.violated;
    this.#heldInDoubt = false;
    this.#wasViolated = this.#monitor.violated;
    this.strategy = null;
    this.reason = 'below-threshold';
    if (this.#monitor.violated) {
      this.#setRisk(1, 1);
      this.strategy = wasViolated ? this.rule.afterViolation : this.#strategyAt(1);
      this.reason = wasViolated ? 'after-violation' : 'violated';
    } else if (fault !== null) {
      this.#setRisk(0, 1);
    } else {
      this.#lookUp(observation.state);
      this.strategy = this.#strategyAt(this.risk);
      if (this.strategy !== null) this.reason = 'at-threshold';
    }
    if (
      fault !== null &&
      (this.reason === 'below-threshold' || rank(this.#onUnknown) > rank(this.strategy))
    ) {
      this.strategy = this.#onUnknown;
      this.reason = fault;
    }
    this.#wantsReflection = this.strategy?.kind === 'reflect';
    if (this.#wantsReflection && this.#reflections >= this.rule.maxReflections) {
      const { escalate, maxReflections } = this.rule;
      this.strategy = escalate[Math.min(this.#reflections - maxReflections, escalate.length - 1)] ?? STOP;
      this.reason = 'escalated';
    }
  }

  /** Bounds on a violation within `steps` further steps of the last observation; undefined for a horizon not compiled. */
  within(steps: number, { state, fault }: Observation): { lower: number; upper: number } | undefined {
    const bounds = this.rule.horizons?.[String(steps)];
    if (bounds === undefined) return undefined;
    if (this.violated) return { lower: 1, upper: 1 };
    if (fault !== null) return { lower: 0, upper: 1 };
    return this.#hull(bounds.lower, bounds.upper, state * this.#columns);
  }

  /** The guard has decided by this rule. */
  countReflection(): void {
    if (this.#wantsReflection) this.#reflections++;
  }

  forgetReflections(): void {
    this.#reflections = 0;
  }

  #setRisk(lower: number, upper: number): void {
    this.lower = lower;
    this.upper = upper;
    this.risk = upper;
  }

  #lookUp(state: number): void {
    const row = state * this.#columns;
    const monitor = this.#monitor;
    if (monitor.state >= 0 && !monitor.mayBeViolated) {
      this.#setRisk(this.#lower[row + monitor.state], this.#upper[row + monitor.state]);
    } else {
      const { lower, upper } = this.#hull(this.#lower, this.#upper, row);
      this.#setRisk(lower, upper);
    }
  }

  /** The widest bounds over all states that the automaton may be in. */
  #hull(lowers: ArrayLike<number>, uppers: ArrayLike<number>, row: number): { lower: number; upper: number } {
    const monitor = this.#monitor;
    let lower = 1;
    let upper = monitor.mayBeViolated ? 1 : 0;
    for (let q = 0; q < this.#columns; q++) {
      if (!monitor.has(q)) continue;
      lower = Math.min(lower, lowers[row + q]);
      upper = Math.max(upper, uppers[row + q]);
    }
    return { lower, upper };
  }

  /** The most severe strategy among the levels that `risk` meets, or null. */
  #strategyAt(risk: number): Strategy | null {
    const { levels } = this.rule;
    let best: Strategy | null = null;
    for (let i = 0; i < levels.length; i++) {
      if (!isBelow(levels[i].threshold, risk)) best = moreSevere(best, levels[i].strategy);
    }
    return best;
  }
}

/** Whether `risk` lets the agent go on. Every comparison is false for NaN. */
function isBelow({ compare, value }: Threshold, risk: number): boolean {
  switch (compare) {
    case 'risk>=':
      return risk < value;
    case 'risk>':
      return risk <= value;
    case 'safety<':
      return 1 - risk >= value;
    case 'safety<=':
      return 1 - risk > value;
    default:
      return false;
  }
}

function rank(strategy: Strategy | null): number {
  return strategy === null ? severity.allow : severity[strategy.kind];
}

/** The later of two that rank the same: a higher level overrules a lower one. */
function moreSevere<T extends Strategy | null>(first: T, second: Strategy): T | Strategy {
  return rank(second) >= rank(first) ? second : first;
}
