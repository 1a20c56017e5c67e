import { SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import type { GuardFile, GuardRule } from './guardFile.js';
import type { Fault, GuardStep, Reason } from './guardStep.js';
import { Monitor } from './monitor.js';
import type { Observation } from './observer.js';
import type { RuleStatus, ShieldedAction } from './ruleStatus.js';
import { type BoundsTable, openTables, type RuleTables } from './ruleTables.js';
import { type Decision, type Strategy, severity, type UnknownPolicy } from './strategy.js';
import { meetsThreshold } from './threshold.js';

/** The chain's state if nothing can be looked up. */
const UNKNOWN = -1;
const STOP: Strategy = { kind: 'stop' };
const REPORT: Strategy = { kind: 'report' };
const REFLECT: Strategy = { kind: 'reflect' };
const BLOCK: Strategy = { kind: 'block' };
/** What `onUnknown` decides, whatever other settings there are. */
const UNKNOWN_FAULTS = [
  'forbidden-state',
  'forbidden-transition',
  'unknown-state',
  'irregular-time',
] as const;

/** One rule at run time. The fields describe the last observation. */
export class RuleMonitor implements RuleStatus {
  readonly rule: GuardRule;
  /** Shadow mode: nothing the rule finds, faults included, does more than report, because the rule says so or every level only reports. */
  readonly shadow: boolean;
  /** Null means allow. */
  strategy: Strategy | null = null;
  reason: Reason = 'below-threshold';
  cause: Reason = 'below-threshold';
  fault: Fault | null = null;
  decidesItself = true;
  risk = Number.NaN;
  lower = Number.NaN;
  upper = Number.NaN;
  confidenceUpper = Number.NaN;

  readonly #monitor: Monitor;
  readonly #columns: number;
  readonly #tables: RuleTables;
  readonly #bounds: BoundsTable;
  /** Null if the guard decides on `upper` alone. */
  readonly #confidence: BoundsTable | null;
  /** Lower, upper and upper confidence bound found by `#takeHull`: an object to return them would be allocated. */
  readonly #hull = new Float64Array(3);
  /** The bounds of one entry, stored for the same reason. */
  readonly #entry = new Float64Array(2);
  /** The strategy at risk 1, even if a threshold can never be met: neither a fault nor a violation must become an allow. */
  readonly #strongest: Strategy;
  /** Whether a predicate over the arguments of the current action could not be read. */
  actionUnread = false;
  /** Whether the action was never tried in its state, which is known, though the step to it has a fault. */
  actionUntried = false;
  /** Whether the call at hand is of a safe tool: no risk of it is compared. */
  isSafe = false;
  /** Whether another call of the same turn was refused before: reflections are those from before the turn. */
  isSibling = false;
  readonly #onUnknown: Strategy | null;
  readonly #onUntried: Strategy | null;
  /** Faults that are decided by the strategy of the rule, which has none for what cannot break it. */
  readonly #byRule: ReadonlySet<Fault>;
  readonly #onIdle: Strategy;
  /** The strategy if a predicate could not be read: never one that lets an action run. */
  readonly #onUnread: Strategy | null;
  /** The file has settings for what is untried or unreadable. Files without them are decided as in earlier releases. */
  readonly #tellsApart: boolean;
  /** The file has a setting for what is unreadable, which also decides where a rule without tables could not be broken by it. */
  readonly #refusesUnread: boolean;
  /** Number of steps since the last allow that this rule decided by `reflect`, or by an escalation in its place. */
  #reflections = 0;
  /** The same before the turn in which an action was decided last. */
  #beforeTurn = 0;
  #wantsReflection = false;
  /** The least risk was looked up for the last decision. */
  #comparesLeast = false;
  /** Of a rule that is decided by the state: what it says of actions that were tried there, also where the one at hand was not. */
  #ofState: Strategy | null = null;
  /** The strategy that a rule in shadow mode has found, if any. */
  #hidden: Strategy | null = null;
  /** Whether the rule was broken at the last observation or before it; and before it. */
  #wasViolated = false;
  #afterViolation = false;
  #savedViolated = false;

  constructor(rule: GuardRule, file: GuardFile) {
    this.rule = rule;
    this.#monitor = new Monitor(
      rule.automaton,
      file.predicates.map(({ name }) => name),
    );
    this.#wasViolated = this.#monitor.violated;
    this.#columns = rule.automaton.states;
    this.#tables = openTables(rule);
    this.#bounds = this.#tables.risk;
    this.#confidence = file.decideOn === 'confidenceUpper' ? this.#tables.confidence : null;
    this.#strongest = rule.levels.reduce(
      (best, { strategy }) => moreSevere(best, strategy),
      rule.levels[0].strategy,
    );
    const reports = this.#strongest.kind === 'report';
    this.shadow = reports || rule.shadow === true;
    this.#onIdle = reports ? REPORT : (file.onIdle ?? STOP);
    const { onUnknown, onUntried = onUnknown, onUnreadable = onUnknown } = file;
    this.#onUnknown = reports ? REPORT : this.#strategyOf(onUnknown);
    this.#onUntried = reports ? REPORT : this.#strategyOf(onUntried);
    const onUnread = this.#strategyOf(onUnreadable);
    this.#onUnread = reports ? REPORT : rank(onUnread) > severity.report ? onUnread : STOP;
    this.#refusesUnread = file.onUnreadable !== undefined;
    this.#tellsApart = file.onUntried !== undefined || this.#refusesUnread;
    this.#byRule = new Set([
      ...(onUnknown === 'rule' ? UNKNOWN_FAULTS : []),
      ...(onUntried === 'rule' ? (['untried-action'] as const) : []),
    ]);
  }

  #strategyOf(policy: UnknownPolicy): Strategy | null {
    if (policy === 'rule') return this.#strongest;
    return policy === 'allow' ? null : { kind: policy };
  }

  get name(): string {
    return this.rule.name;
  }

  /** The rule's decision if it did more than report. */
  get wouldDecide(): Decision {
    return this.#hidden === null ? this.decision : this.#hidden.kind;
  }

  get decision(): Decision {
    return this.strategy === null ? 'allow' : this.strategy.kind;
  }

  get decidedOn(): GuardStep['decidedOn'] {
    if (this.#comparesLeast) return 'least';
    return this.risk > this.upper ? 'confidenceUpper' : 'upper';
  }

  get violated(): boolean {
    return this.#monitor.violated;
  }

  get violatedAtEnd(): boolean {
    return this.verdictAtEnd === VIOLATED;
  }

  get verdict(): number {
    return this.#monitor.verdict;
  }

  get verdictAtEnd(): number {
    return this.#monitor.verdictAtEnd;
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
    this.#afterViolation = this.#wasViolated;
    this.forgetReflections();
  }

  /** Forgets the violation. */
  excuse(): void {
    this.#monitor.excuse();
    this.#wasViolated = this.#afterViolation = false;
  }

  /** Saves the rule's position, for `restore`. */
  save(): void {
    this.#monitor.save();
    this.#savedViolated = this.#wasViolated;
  }

  restore(): void {
    this.#monitor.restore();
    this.#wasViolated = this.#savedViolated;
  }

  /** The rule's automaton reads an observation, again for each held step; nothing is decided yet. */
  read({ complete, valuation, known }: Observation): void {
    if (this.rule.evaluation !== 'trace') return;
    if (complete) this.#monitor.advance(valuation);
    else this.#monitor.advancePartially(valuation, known);
  }

  /** As `read`, of an observation that came too early. */
  readEarly({ complete, valuation, known }: Observation): void {
    if (this.rule.evaluation === 'trace') this.#monitor.advanceEarly(valuation, complete ? null : known);
  }

  /** The rule's automaton advances by a step of which nothing is known. */
  readMissing(): void {
    if (this.rule.evaluation === 'trace') this.#monitor.advanceUnread();
  }

  /** Reads a gap of an unknown number of steps, whose place may be unknown too. */
  loseTrack(anywhere: boolean): void {
    if (this.rule.evaluation === 'trace') this.#monitor.loseTrack(anywhere);
  }

  /** Whether this rule decides rather than an earlier one: it is more severe, or as severe, and names itself where only what is not known is against the call. */
  outranks(earlier: RuleMonitor): boolean {
    const more = severity[this.decision] - severity[earlier.decision];
    if (more !== 0 || !this.#tellsApart || this.decision === 'allow') return more > 0;
    return this.decidesItself && !earlier.decidesItself;
  }

  /** Finds risk, strategy and reason after the steps read since the last decision, for the state or for an action in it. */
  decide(observation: Observation, action: ShieldedAction | null = null, isApproved = false): void {
    this.close();
    this.decideAgain(observation, action, isApproved);
  }

  /** Closes the decision on the steps read so far: a violation found in them now counts as an earlier one. */
  close(): void {
    this.#afterViolation = this.#wasViolated;
    this.#monitor.decide();
    this.#wasViolated = this.#monitor.violated;
  }

  /**
   * Decides on the last observation again, with another action; for an action that a person has approved, reflections that were escalated to a person stay so.
   */
  decideAgain({ state, fault: found }: Observation, action: ShieldedAction | null, isApproved = false): void {
    const fault = this.#faultOf(found, action);
    this.fault = fault;
    if (this.rule.tables === undefined) {
      this.#decideByAutomaton(found);
      this.#escalate(isApproved);
      return;
    }
    let tried: Strategy | null | undefined;
    this.strategy = null;
    this.reason = 'below-threshold';
    this.#comparesLeast = false;
    if (this.#monitor.violated) {
      this.#hull.fill(1);
      this.#setRisk();
      this.strategy = this.#onViolation;
      this.reason = this.#afterViolation ? 'after-violation' : 'violated';
    } else if (fault !== null && this.#isExempt(fault)) {
      this.fault = null;
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
      // Nothing adds to a risk of 0.
      if (action?.mode !== 'budget') this.strategy = this.#strategyAt(this.risk);
      if (this.strategy !== null) this.reason = 'at-threshold';
    } else if (fault === null && this.isSafe && !this.#monitor.mayBeViolated) {
      if (action === null && found === null) {
        this.#lookUp(state);
        tried = this.#strategyAt(this.risk);
      }
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
      this.risk = Number.NaN;
      this.reason = 'safe-tool';
    } else if (fault !== null) {
      if (fault === 'untried-action' && this.#tables.least === null) {
        this.#lookUp(state);
        tried = this.#strategyAt(this.risk);
      }
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
    } else if (action?.judgement.crowded === true) {
      this.#takeHull(this.#bounds, this.#confidence, UNKNOWN);
      this.#setRisk();
      this.strategy = action.idle ? this.#onIdle : this.shadow ? REPORT : BLOCK;
      this.reason = 'too-many-pending';
    } else if (action !== null && !this.#monitor.mayBeViolated) {
      this.#judge(action);
    } else {
      this.#lookUp(state);
      this.strategy = this.#strategyAt(this.risk);
      if (this.strategy !== null) this.reason = 'at-threshold';
    }
    if (this.fault !== null) {
      const onFault = this.#onFault(this.fault);
      if (this.reason === 'below-threshold' || rank(onFault) > rank(this.strategy)) {
        this.strategy = onFault;
        this.reason = this.fault;
      }
    }
    this.#escalate(isApproved, tried);
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
    return first !== null && rank(this.#onFault(first)) >= rank(this.#onFault(second)) ? first : second;
  }

  /** What is done on a fault. */
  #onFault(fault: Fault): Strategy | null {
    if (fault === 'predicate-failed') return this.#onUnread;
    if (this.#isExempt(fault)) return null;
    return fault === 'untried-action' ? this.#onUntried : this.#onUnknown;
  }

  /** Whether a fault counts for nothing, as the rule's own strategy would decide it, and nothing can break the rule any more. What could not be read counts. */
  #isExempt(fault: Fault): boolean {
    return this.#tellsApart && this.#byRule.has(fault) && this.#monitor.verdict === SATISFIED;
  }

  /**
   * Decides without tables: what breaks the rule is refused, and so is what may have broken it because it could not be read. Nothing is said of later steps:
   * whatever else is not known of the observation does not concern the rule, unless `onUnreadable` is set.
   */
  #decideByAutomaton(found: Fault | null): void {
    const isForbidden =
      (found === 'forbidden-state' || found === 'forbidden-transition') &&
      !this.isSafe &&
      !this.#isExempt(found);
    const isBroken = this.#monitor.violated;
    const mayBreak = isForbidden || this.#monitor.mayBeViolated;
    const isRefused = mayBreak || (this.#refusesUnread && found === 'predicate-failed');
    const fault = !isBroken && isRefused && found !== 'unknown-state' ? found : null;
    this.#comparesLeast = false;
    this.strategy = null;
    this.reason = 'kept';
    this.fault = fault;
    this.lower = isBroken ? 1 : 0;
    this.upper = this.#monitor.verdict === SATISFIED ? 0 : 1;
    this.risk = isBroken || mayBreak ? 1 : Number.NaN;
    if (isBroken) {
      this.strategy = this.#onViolation;
      this.reason = this.#afterViolation ? 'after-violation' : 'violated';
    } else if (isRefused) {
      this.reason = fault ?? 'at-threshold';
      this.strategy = fault === null ? this.#strongest : this.#onFault(fault);
    }
  }

  /** Replaces a reflection that was demanded too often, and hides the strategy of a rule in shadow mode. `tried` as of `#ofState`. */
  #escalate(isApproved: boolean, tried?: Strategy | null): void {
    this.cause = this.reason;
    // Without tables a rule refuses what it may be broken by, and is named; it is not what forbids a state.
    const isOfRule = this.rule.tables === undefined && this.#monitor.mayBeViolated;
    this.decidesItself =
      this.cause !== 'safe-tool' && (this.cause !== this.fault || this.violated || isOfRule);
    this.#wantsReflection = this.strategy?.kind === 'reflect';
    const made = this.isSibling ? this.#beforeTurn : this.#reflections;
    if (this.#wantsReflection && made >= this.rule.maxReflections) {
      const { escalate, maxReflections } = this.rule;
      const asked = isApproved ? escalate.find(({ kind }) => kind === 'inspect') : undefined;
      this.strategy = asked ?? escalate[Math.min(made - maxReflections, escalate.length - 1)] ?? STOP;
      this.reason = 'escalated';
    }
    this.#ofState = tried === undefined ? this.strategy : tried;
    this.#hidden = null;
    if (this.rule.shadow === true && this.strategy !== null) {
      this.#hidden = this.strategy;
      this.strategy = REPORT;
    }
  }

  /** Bounds a violation within `steps` further steps after the last observation; undefined for a horizon that was not compiled. */
  within(
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

  /** The decision at hand is the first of a turn. */
  beginTurn(): void {
    this.#beforeTurn = this.#reflections;
  }

  /** Counts a reflection, once in a turn: the guard has decided by this rule. */
  countReflection(): void {
    if (this.#wantsReflection) this.#reflections = this.#beforeTurn + 1;
  }

  forgetReflections(): void {
    this.#reflections = this.#beforeTurn = 0;
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
    const permitted = mode === 'budget' ? affordable : this.#strategyAt(this.risk) === null;
    if (permitted) return;
    this.reason = mode === 'budget' ? 'over-budget' : 'at-threshold';
    if (idle) this.strategy = this.#onIdle;
    else if (!this.rule.shieldChooses)
      this.strategy = this.#strategyAt(this.risk) ?? this.rule.levels[0].strategy;
    else if (mode === 'predict' && this.#strategyAt(least.upper) === null) this.strategy = REFLECT;
    else this.strategy = BLOCK;
  }

  get #onViolation(): Strategy {
    return this.#afterViolation ? this.rule.afterViolation : (this.#strategyAt(1) ?? this.#strongest);
  }

  /** Whether the rule would permit an action other than the current one; null: the rule is decided by the state, whatever the action. */
  permits(action: ShieldedAction | null): boolean {
    if (this.shadow) return true;
    if (this.#monitor.violated) return rank(this.#onViolation) <= severity.report;
    if (action === null) return rank(this.#ofState) <= severity.report;
    const { mode, judgement, affordable } = action;
    if (judgement.untried && this.#isExempt('untried-action'))
      return mode === 'budget' || this.#strategyAt(0) === null;
    if (judgement.untried || judgement.crowded) return false;
    if (this.#monitor.mayBeViolated) return this.#strategyAt(1) === null;
    if (mode === 'budget') return affordable;
    return this.#strategyAt((mode === 'predict' ? judgement.asAgent : judgement.least).upper) === null;
  }

  /** Whether the rule would permit a call of a safe tool. */
  get permitsSafe(): boolean {
    if (this.shadow) return true;
    if (this.rule.tables === undefined || this.fault === 'predicate-failed')
      return rank(this.strategy) <= severity.report;
    if (this.#monitor.violated) return rank(this.#onViolation) <= severity.report;
    return !this.#monitor.mayBeViolated || this.#strategyAt(1) === null;
  }

  /** The states that the automaton may be in. */
  get possible(): number[] {
    const { state } = this.#monitor;
    if (state >= 0) return [state];
    return Array.from({ length: this.#columns }, (_, q) => q).filter((q) => this.#monitor.has(q));
  }

  #lookUp(state: number): void {
    const monitor = this.#monitor;
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
    const monitor = this.#monitor;
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

  /** The most severe strategy among the levels that `risk` meets, or null. */
  #strategyAt(risk: number): Strategy | null {
    const { levels } = this.rule;
    let best: Strategy | null = null;
    for (let i = 0; i < levels.length; i++) {
      if (meetsThreshold(levels[i].threshold, risk)) best = moreSevere(best, levels[i].strategy);
    }
    return best;
  }
}

function rank(strategy: Strategy | null): number {
  return strategy === null ? severity.allow : severity[strategy.kind];
}

/** The later of two strategies of the same rank: a higher level overrules a lower one. */
function moreSevere<T extends Strategy | null>(first: T, second: Strategy): T | Strategy {
  return rank(second) >= rank(first) ? second : first;
}
