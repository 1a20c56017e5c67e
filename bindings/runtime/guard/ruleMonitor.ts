import { SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import type { GuardFile, GuardRule } from './guardFile.js';
import type { Fault, GuardStep, Reason } from './guardStep.js';
import { Monitor } from './monitor.js';
import type { Observation } from './observer.js';
import type { RuleStatus, ShieldedAction } from './ruleStatus.js';
import { type Decision, type Strategy, severity, type UnknownPolicy } from './strategy.js';
import { meetsThreshold } from './threshold.js';

const STOP: Strategy = { kind: 'stop' };
export const REPORT: Strategy = { kind: 'report' };
/** What `onUnknown` decides, whatever other settings there are. */
const UNKNOWN_FAULTS = [
  'forbidden-state',
  'forbidden-transition',
  'unknown-state',
  'irregular-time',
] as const;

/**
 * One rule at run time, enforced by its automaton alone: what breaks it is refused, and so is what may have broken it because it could not be read. The fields
 * describe the last observation. `RiskMonitor` also compares a risk, in guards of a model.
 */
export class RuleMonitor implements RuleStatus {
  readonly rule: GuardRule;
  /** Shadow mode: nothing the rule finds, faults included, does more than report, because the rule says so or every level only reports. */
  readonly shadow: boolean;
  /** The predicates because of which the rule may be in doubt: those of its automaton; with tables all that the model's states consist of. */
  readonly reads: readonly string[];
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
  /** Whether the call at hand is of a safe tool: no risk of it is compared. */
  isSafe = false;
  /** Whether another call of the same turn was refused before: reflections are those from before the turn. */
  isSibling = false;

  protected readonly monitor: Monitor;
  /** The strategy at risk 1, even if a threshold can never be met: neither a fault nor a violation must become an allow. */
  protected readonly strongest: Strategy;
  /** The file has settings for what is untried or unreadable. Files without them are decided as in earlier releases. */
  protected readonly tellsApart: boolean;
  readonly #onUnknown: Strategy | null;
  /** The strategy if a predicate could not be read: never one that lets an action run. */
  readonly #onUnread: Strategy | null;
  /** The file has a setting for what is unreadable, which also decides where a rule without tables could not be broken by it. */
  readonly #refusesUnread: boolean;
  /** Faults that are decided by the strategy of the rule, which has none for what cannot break it. */
  readonly #byRule: ReadonlySet<Fault>;
  /** Number of steps since the last allow that this rule decided by `reflect`, or by an escalation in its place. */
  #reflections = 0;
  /** The same before the turn in which an action was decided last. */
  #beforeTurn = 0;
  #wantsReflection = false;
  /** The strategy that a rule in shadow mode has found, if any. */
  #hidden: Strategy | null = null;
  /** Whether the rule was broken before the last observation; and whether at it or before it. */
  protected afterViolation = false;
  #wasViolated: boolean;
  #savedViolated = false;

  constructor(rule: GuardRule, file: GuardFile) {
    this.rule = rule;
    this.monitor = new Monitor(
      rule.automaton,
      file.predicates.map(({ name }) => name),
    );
    const learnt = file.predicates.slice(0, file.learntPredicates).map(({ name }) => name);
    this.reads = rule.tables === undefined ? rule.automaton.predicates : learnt;
    this.#wasViolated = this.monitor.violated;
    this.strongest = rule.levels.reduce(
      (best, { strategy }) => moreSevere(best, strategy),
      rule.levels[0].strategy,
    );
    this.shadow = this.strongest.kind === 'report' || rule.shadow === true;
    const { onUnknown, onUntried = onUnknown, onUnreadable = onUnknown } = file;
    this.#onUnknown = this.strategyOf(onUnknown);
    const onUnread = this.strategyOf(onUnreadable);
    const reports = this.strongest.kind === 'report';
    this.#onUnread = reports || rank(onUnread) > severity.report ? onUnread : STOP;
    this.#refusesUnread = file.onUnreadable !== undefined;
    this.tellsApart = file.onUntried !== undefined || this.#refusesUnread;
    this.#byRule = new Set([
      ...(onUnknown === 'rule' ? UNKNOWN_FAULTS : []),
      ...(onUntried === 'rule' ? (['untried-action'] as const) : []),
    ]);
  }

  /** What a policy comes to. A rule whose every level only reports does no more on a fault. */
  protected strategyOf(policy: UnknownPolicy): Strategy | null {
    if (this.strongest.kind === 'report') return REPORT;
    if (policy === 'rule') return this.strongest;
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
    return this.risk > this.upper ? 'confidenceUpper' : 'upper';
  }

  get violated(): boolean {
    return this.monitor.violated;
  }

  get violatedAtEnd(): boolean {
    return this.verdictAtEnd === VIOLATED;
  }

  get verdict(): number {
    return this.monitor.verdict;
  }

  get verdictAtEnd(): number {
    return this.monitor.verdictAtEnd;
  }

  get automatonState(): number {
    return this.monitor.state;
  }

  get inDoubt(): boolean {
    return !this.violated && (this.monitor.state < 0 || this.monitor.mayBeViolated);
  }

  mayBeIn(state: number): boolean {
    return this.monitor.has(state);
  }

  get statesBefore(): readonly number[] {
    return this.monitor.before;
  }

  reset(): void {
    this.monitor.reset();
    this.#wasViolated = this.monitor.violated;
    this.afterViolation = this.#wasViolated;
    this.forgetReflections();
  }

  /** Forgets the violation. */
  excuse(): void {
    this.monitor.excuse();
    this.#wasViolated = this.afterViolation = false;
  }

  /** Saves the rule's position, for `restore`. */
  save(): void {
    this.monitor.save();
    this.#savedViolated = this.#wasViolated;
  }

  restore(): void {
    this.monitor.restore();
    this.#wasViolated = this.#savedViolated;
  }

  /** The rule's automaton reads an observation, again for each held step; nothing is decided yet. */
  read({ complete, valuation, known }: Observation): void {
    if (this.rule.evaluation !== 'trace') return;
    if (complete) this.monitor.advance(valuation);
    else this.monitor.advancePartially(valuation, known);
  }

  /** As `read`, of an observation that came too early. */
  readEarly({ complete, valuation, known }: Observation): void {
    if (this.rule.evaluation === 'trace') this.monitor.advanceEarly(valuation, complete ? null : known);
  }

  /** The rule's automaton advances by a step of which nothing is known. */
  readMissing(): void {
    if (this.rule.evaluation === 'trace') this.monitor.advanceUnread();
  }

  /** Reads a gap of an unknown number of steps, whose place may be unknown too. */
  loseTrack(anywhere: boolean): void {
    if (this.rule.evaluation === 'trace') this.monitor.loseTrack(anywhere);
  }

  /** Whether this rule decides rather than an earlier one: it is more severe, or as severe, and names itself where only what is not known is against the call. */
  outranks(earlier: RuleMonitor): boolean {
    const more = severity[this.decision] - severity[earlier.decision];
    if (more !== 0 || !this.tellsApart || this.decision === 'allow') return more > 0;
    return this.decidesItself && !earlier.decidesItself;
  }

  /** Finds risk, strategy and reason after the steps read since the last decision, for the state or for an action in it. */
  decide(observation: Observation, action: ShieldedAction | null = null, isApproved = false): void {
    this.close();
    this.decideAgain(observation, action, isApproved);
  }

  /** Closes the decision on the steps read so far: a violation found in them now counts as an earlier one. */
  close(): void {
    this.afterViolation = this.#wasViolated;
    this.monitor.decide();
    this.#wasViolated = this.monitor.violated;
  }

  /**
   * Decides on the last observation again; for an action that a person has approved, reflections that were escalated to a person stay so. Nothing is said of later
   * steps: whatever else is not known of the observation does not concern the rule, unless `onUnreadable` is set.
   */
  decideAgain({ exactFault: found }: Observation, _action: ShieldedAction | null, isApproved = false): void {
    const isForbidden =
      (found === 'forbidden-state' || found === 'forbidden-transition') &&
      !this.isSafe &&
      !this.isExempt(found);
    const isBroken = this.monitor.violated;
    const mayBreak = isForbidden || this.monitor.mayBeViolated;
    const isRefused = mayBreak || (this.#refusesUnread && found === 'predicate-failed');
    const fault = !isBroken && isRefused && found !== 'unknown-state' ? found : null;
    this.strategy = null;
    this.reason = 'kept';
    this.fault = fault;
    this.lower = isBroken ? 1 : 0;
    this.upper = this.monitor.verdict === SATISFIED ? 0 : 1;
    this.risk = isBroken || mayBreak ? 1 : Number.NaN;
    if (isBroken) {
      this.strategy = this.onViolation;
      this.reason = this.afterViolation ? 'after-violation' : 'violated';
    } else if (isRefused) {
      this.reason = fault ?? 'at-threshold';
      this.strategy = fault === null ? this.strongest : this.onFault(fault);
    }
    this.conclude(isApproved);
  }

  /** What is done on a fault. */
  protected onFault(fault: Fault): Strategy | null {
    if (fault === 'predicate-failed') return this.#onUnread;
    return this.isExempt(fault) ? null : this.#onUnknown;
  }

  /** Whether a fault counts for nothing, as the rule's own strategy would decide it, and nothing can break the rule any more. What could not be read counts. */
  protected isExempt(fault: Fault): boolean {
    return this.tellsApart && this.#byRule.has(fault) && this.monitor.verdict === SATISFIED;
  }

  /** Replaces a reflection that was demanded too often, and hides the strategy of a rule in shadow mode. */
  protected conclude(isApproved: boolean): void {
    this.cause = this.reason;
    // Without tables a rule refuses what it may be broken by, and is named; it is not what forbids a state.
    const isOfRule = this.rule.tables === undefined && this.monitor.mayBeViolated;
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
    this.#hidden = null;
    if (this.rule.shadow === true && this.strategy !== null) {
      this.#hidden = this.strategy;
      this.strategy = REPORT;
    }
  }

  /** Bounds a violation within `steps` further steps after the last observation; undefined for a horizon that was not compiled. */
  within(
    _steps: number,
    _observation: Observation,
  ): { lower: number; upper: number; confidenceUpper?: number } | undefined {
    return undefined;
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

  protected get onViolation(): Strategy {
    return this.afterViolation ? this.rule.afterViolation : (this.strategyAt(1) ?? this.strongest);
  }

  /** The most severe strategy among the levels that `risk` meets, or null. */
  protected strategyAt(risk: number): Strategy | null {
    const { levels } = this.rule;
    let best: Strategy | null = null;
    for (let i = 0; i < levels.length; i++) {
      if (meetsThreshold(levels[i].threshold, risk)) best = moreSevere(best, levels[i].strategy);
    }
    return best;
  }
}

export function rank(strategy: Strategy | null): number {
  return strategy === null ? severity.allow : severity[strategy.kind];
}

/** The later of two strategies of the same rank: a higher level overrules a lower one. */
function moreSevere<T extends Strategy | null>(first: T, second: Strategy): T | Strategy {
  return rank(second) >= rank(first) ? second : first;
}
