import { SATISFIED, VIOLATED } from '../../../languages/automaton/index.js';
import type { GuardFile, GuardRule } from '../guardFile.js';
import type { Fault, GuardStep } from '../guardStep.js';
import type { Observation } from '../observer.js';
import { REPORT, RuleMonitor, rank } from '../ruleMonitor.js';
import type { ShieldedAction } from '../ruleStatus.js';
import { type BoundsTable, openTables, type RuleTables } from '../ruleTables.js';
import { type Strategy, severity } from '../strategy.js';

/** The chain's state if nothing can be looked up. */
const UNKNOWN = -1;
const STOP: Strategy = { kind: 'stop' };
const REFLECT: Strategy = { kind: 'reflect' };
const BLOCK: Strategy = { kind: 'block' };

/** One rule of a guard of a model: if the rule has tables, its risk is looked up and compared, and actions are judged. An exact rule has none: its automaton alone decides. */
export class RiskMonitor extends RuleMonitor {
  readonly #columns: number;
  readonly #tables: RuleTables;
  readonly #bounds: BoundsTable;
  /** Null if the guard decides on `upper` alone. */
  readonly #confidence: BoundsTable | null;
  /** Lower, upper and upper confidence bound found by `#takeHull`: an object to return them would be allocated. */
  readonly #hull = new Float64Array(3);
  /** The bounds of one entry, stored for the same reason. */
  readonly #entry = new Float64Array(2);
  /** Whether a predicate over the arguments of the current action could not be read. */
  actionUnread = false;
  /** Whether the action was never tried in its state, which is known, though the step to it has a fault. */
  actionUntried = false;
  readonly #onUntried: Strategy | null;
  readonly #onIdle: Strategy;
  /** The least risk was looked up for the last decision. */
  #comparesLeast = false;
  /** Of a rule that is decided by the state: what it says of actions that were tried there, also where the one at hand was not. */
  #ofState: Strategy | null = null;

  constructor(rule: GuardRule, file: GuardFile) {
    super(rule, file);
    this.#columns = rule.automaton.states;
    this.#tables = openTables(rule);
    this.#bounds = this.#tables.risk;
    this.#confidence = file.decideOn === 'confidenceUpper' ? this.#tables.confidence : null;
    this.#onIdle = this.strongest.kind === 'report' ? REPORT : (file.onIdle ?? STOP);
    this.#onUntried = this.strategyOf(file.onUntried ?? file.onUnknown);
  }

  override get decidedOn(): GuardStep['decidedOn'] {
    return this.#comparesLeast ? 'least' : super.decidedOn;
  }

  /**
   * Decides on the last observation again, with another action; for an action that a person has approved, reflections that were escalated to a person stay so.
   */
  override decideAgain(observation: Observation, action: ShieldedAction | null, isApproved = false): void {
    if (this.rule.tables === undefined) {
      super.decideAgain(observation, action, isApproved);
      return;
    }
    const { state, fault: found } = observation;
    const fault = this.#faultOf(found, action);
    this.fault = fault;
    let tried: Strategy | null | undefined;
    this.strategy = null;
    this.reason = 'below-threshold';
    this.#comparesLeast = false;
    if (this.monitor.violated) {
      this.#hull.fill(1);
      this.#setRisk();
      this.strategy = this.onViolation;
      this.reason = this.afterViolation ? 'after-violation' : 'violated';
    } else if (fault !== null && this.isExempt(fault)) {
      this.fault = null;
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
      // Nothing adds to a risk of 0.
      if (action?.mode !== 'budget') this.strategy = this.strategyAt(this.risk);
      if (this.strategy !== null) this.reason = 'at-threshold';
    } else if (fault === null && this.isSafe && !this.monitor.mayBeViolated) {
      if (action === null && found === null) {
        this.#lookUp(state);
        tried = this.strategyAt(this.risk);
      }
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
      this.risk = Number.NaN;
      this.reason = 'safe-tool';
    } else if (fault !== null) {
      if (fault === 'untried-action' && this.#tables.least === null) {
        this.#lookUp(state);
        tried = this.strategyAt(this.risk);
      }
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
    } else if (action?.judgement.crowded === true) {
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
      this.strategy = action.idle ? this.#onIdle : this.shadow ? REPORT : BLOCK;
      this.reason = 'too-many-pending';
    } else if (action !== null && !this.monitor.mayBeViolated) {
      this.#judge(action);
    } else {
      this.#lookUp(state);
      this.strategy = this.strategyAt(this.risk);
      if (this.strategy !== null) this.reason = 'at-threshold';
    }
    if (this.fault !== null) {
      const onFault = this.onFault(this.fault);
      if (this.reason === 'below-threshold' || rank(onFault) > rank(this.strategy)) {
        this.strategy = onFault;
        this.reason = this.fault;
      }
    }
    const ofState = tried === undefined ? this.strategy : tried;
    this.conclude(isApproved);
    this.#ofState = ofState;
  }

  /**
   * What keeps the rule from judging the step: of several faults the one whose setting is the most severe, the first among equals. A safe call is judged whether
   * or not the data have it or its state; what could not be read never is.
   */
  #faultOf(found: Fault | null, action: ShieldedAction | null): Fault | null {
    const isUnread = this.actionUnread || found === 'predicate-failed';
    let fault: Fault | null = isUnread ? 'predicate-failed' : null;
    if (this.isSafe) return fault;
    if (found !== null && found !== 'predicate-failed') fault = this.#worse(fault, found);
    const isUntried = this.actionUntried || action?.judgement.untried === true;
    // An action that could not be read was tried or not: it is unreadable.
    if (isUntried && !isUnread) fault = this.#worse(fault, 'untried-action');
    return fault;
  }

  #worse(first: Fault | null, second: Fault): Fault {
    return first !== null && rank(this.onFault(first)) >= rank(this.onFault(second)) ? first : second;
  }

  protected override onFault(fault: Fault): Strategy | null {
    return fault === 'untried-action' && !this.isExempt(fault) ? this.#onUntried : super.onFault(fault);
  }

  /** Bounds a violation within `steps` further steps after the last observation; undefined for a horizon that was not compiled. */
  override within(
    steps: number,
    { state, fault }: Observation,
  ): { lower: number; upper: number; confidenceUpper?: number } | undefined {
    const horizon = this.#tables.horizons.get(String(steps));
    if (horizon === undefined) return undefined;
    if (this.violated) this.#hull.fill(1);
    else this.#takeHull(horizon.risk, horizon.confidence, fault === null ? state : UNKNOWN);
    const [lower, upper, confidenceUpper] = this.#hull;
    return this.#confidence === null ? { lower, upper } : { lower, upper, confidenceUpper };
  }

  /** Copies the bounds found. The larger of the two upper bounds decides, so that the second never makes a decision milder. */
  #setRisk(): void {
    const hull = this.#hull;
    this.lower = hull[0];
    this.risk = this.upper = hull[1];
    if (this.#confidence !== null) {
      this.confidenceUpper = hull[2];
      this.risk = Math.max(hull[1], hull[2]);
    }
  }

  /** Judges by the mode: by the risk if the agent goes on as learnt, or by the least risk; with a budget, by the action's charge. */
  #judge({ mode, judgement, affordable, idle }: ShieldedAction): void {
    const { asAgent, least } = judgement;
    this.#comparesLeast = mode !== 'predict';
    const compared = this.#comparesLeast ? least : asAgent;
    this.lower = compared.lower;
    this.risk = this.upper = compared.upper;
    const permitted = mode === 'budget' ? affordable : this.strategyAt(this.risk) === null;
    if (permitted) return;
    this.reason = mode === 'budget' ? 'over-budget' : 'at-threshold';
    if (idle) this.strategy = this.#onIdle;
    else if (!this.rule.shieldChooses)
      this.strategy = this.strategyAt(this.risk) ?? this.rule.levels[0].strategy;
    else if (mode === 'predict' && this.strategyAt(least.upper) === null) this.strategy = REFLECT;
    else this.strategy = BLOCK;
  }

  /**
   * Whether the rule would permit an action other than the current one; null: the rule is decided by the state, whatever the action. A rule without tables reads
   * the call when it is proposed, and says nothing of others.
   */
  permits(action: ShieldedAction | null): boolean {
    if (this.shadow || this.rule.tables === undefined) return true;
    if (this.monitor.violated) return rank(this.onViolation) <= severity.report;
    if (action === null) return rank(this.#ofState) <= severity.report;
    const { mode, judgement, affordable } = action;
    if (judgement.untried && this.isExempt('untried-action'))
      return mode === 'budget' || this.strategyAt(0) === null;
    if (judgement.untried || judgement.crowded) return false;
    if (this.monitor.mayBeViolated) return this.strategyAt(1) === null;
    if (mode === 'budget') return affordable;
    return this.strategyAt((mode === 'predict' ? judgement.asAgent : judgement.least).upper) === null;
  }

  /** Whether the rule would permit a call of a safe tool. */
  get permitsSafe(): boolean {
    if (this.shadow || this.rule.tables === undefined) return true;
    if (this.fault === 'predicate-failed') return rank(this.strategy) <= severity.report;
    if (this.monitor.violated) return rank(this.onViolation) <= severity.report;
    return !this.monitor.mayBeViolated || this.strategyAt(1) === null;
  }

  /** The states that the automaton may be in. */
  get possible(): number[] {
    const { state } = this.monitor;
    if (state >= 0) return [state];
    return Array.from({ length: this.#columns }, (_, q) => q).filter((q) => this.monitor.has(q));
  }

  #lookUp(state: number): void {
    const monitor = this.monitor;
    const q = monitor.state;
    if (q >= 0 && !monitor.mayBeViolated) {
      if (this.#confidence !== null) {
        this.#confidence.read(state, q, this.#entry);
        this.#hull[2] = this.#entry[1];
      }
      this.#bounds.read(state, q, this.#hull);
    } else this.#takeHull(this.#bounds, this.#confidence, state);
    this.#setRisk();
  }

  /**
   * The widest bounds over all states that the automaton may be in; in an unknown state of the chain all bounds are 0 and 1, except for automaton states with a
   * verdict.
   */
  #takeHull(bounds: BoundsTable, confidence: BoundsTable | null, state: number): void {
    const monitor = this.monitor;
    const { verdict } = this.rule.automaton;
    let lower = 1;
    let upper = monitor.mayBeViolated ? 1 : 0;
    let confidenceUpper = upper;
    const entry = this.#entry;
    for (let q = 0; q < this.#columns; q++) {
      if (!monitor.has(q)) continue;
      entry[0] = verdict[q] === VIOLATED ? 1 : 0;
      entry[1] = verdict[q] === SATISFIED ? 0 : 1;
      if (state === UNKNOWN) confidenceUpper = Math.max(confidenceUpper, entry[1]);
      else {
        if (confidence !== null) confidence.read(state, q, entry);
        confidenceUpper = Math.max(confidenceUpper, entry[1]);
        bounds.read(state, q, entry);
      }
      lower = Math.min(lower, entry[0]);
      upper = Math.max(upper, entry[1]);
    }
    this.#hull[0] = lower;
    this.#hull[1] = upper;
    this.#hull[2] = confidenceUpper;
  }
}
