import { EvaluationError } from '../../base/errors.js';
import type { EvaluationContext } from '../../languages/expression/index.js';
import { ActionAbstraction, plainName } from '../../observations/abstraction/index.js';
import type { Action } from '../../observations/trace/index.js';
import { type ActionRisks, ActionTables, type RiskBounds, UNREAD, UNTRIED } from './actionTables.js';
import { type GuardActions, type GuardFile, IDLE } from './guardFile.js';
import type { GuardStep, Reason } from './guardStep.js';
import type { RiskMonitor } from './model/riskMonitor.js';
import type { Observer } from './observer.js';
import type { PendingCalls } from './pendingCalls.js';
import type { GuardProposal, JudgedAction, Permission } from './proposal.js';
import type { Query } from './query.js';
import type { ReadAction } from './recordedStep.js';
import type { RuleStatus, ShieldedAction } from './ruleStatus.js';
import type { SafeTools } from './safeTools.js';
import { severity } from './strategy.js';
import type { Tables } from './tables.js';

/** Reasons for which a shield refuses an action itself. */
const SHIELDED: ReadonlySet<Reason> = new Set(['at-threshold', 'over-budget', 'untried-action']);

/** An action that is asked about. */
interface Asked {
  readonly read: ReadAction;
  /** Whether it is a call of a safe tool. */
  readonly isSafe: boolean;
}

/** The shield: reads the proposed action, and determines each rule's judgement of it, the permitted alternatives, and its charge to a budget. */
export class Shield {
  readonly #shield: ActionTables;
  readonly #actions: ActionAbstraction;
  readonly #observer: Observer;
  readonly #watches: readonly RiskMonitor[];
  readonly #asked: Query;
  readonly #safeTools: SafeTools;
  /** The file has a setting of its own for untried actions. */
  readonly #hasOnUntried: boolean;
  /** By rule, the judgement of the current action. */
  readonly #judged: (ShieldedAction | null)[];

  /** @throws InvalidArgumentError if a budget is smaller than the cost of the safest policy; ParseError if a predicate over arguments is malformed */
  constructor(
    file: GuardFile,
    actions: GuardActions,
    observer: Observer,
    watches: readonly RiskMonitor[],
    asked: Query,
    tables: Tables,
    safeTools: SafeTools,
  ) {
    this.#shield = new ActionTables(file, actions, tables);
    this.#actions = new ActionAbstraction(actions.predicates);
    this.#observer = observer;
    this.#watches = watches;
    this.#asked = asked;
    this.#safeTools = safeTools;
    this.#hasOnUntried = file.onUntried !== undefined;
    this.#judged = watches.map(() => null);
  }

  reset(): void {
    this.#shield.reset();
  }

  /** Records an observation of the run. */
  observe(): void {
    this.#shield.observe();
  }

  /** Returns the charge of the last permitted action, which does not run after all; or of all those since the last observation. */
  giveBack(what: 'last' | 'all'): void {
    this.#shield.giveBack(what);
  }

  /** Whether a step comes with an action. */
  isProposed(context: EvaluationContext): boolean {
    return this.#read(() => context.action) !== null;
  }

  /** Reads the proposed action, if there is one, and those that may run beside it. */
  ask(context: EvaluationContext, pending: PendingCalls): void {
    this.#asked.action = this.#read(() => context.action);
    this.#asked.pending = this.#readPending(pending);
  }

  #readPending({ all, unsettled }: PendingCalls): readonly ReadAction[] {
    // A safe call is taken to change nothing that a risk depends on.
    const others = this.#safeTools.others(all);
    if (others.length === 0) return unsettled;
    return [...unsettled, ...others.map((earlier) => this.#read(() => earlier))];
  }

  /** Rule number r's judgement of the current action; null if the rule is decided by the state, as in a guard of a chain. */
  judge(r: number): ShieldedAction | null {
    const { action } = this.#asked;
    this.#watches[r].actionUnread = isUnread(action);
    this.#watches[r].actionUntried = this.#isUntriedDespiteFault(r);
    const judged = this.#judgeAtHand(r);
    this.#judged[r] = judged;
    return judged;
  }

  /** Whether the action was never tried in a state that is known, though the step to it has a fault: a lenient `onUnknown` must not let it run. */
  #isUntriedDespiteFault(r: number): boolean {
    const { action, pending, isOfState } = this.#asked;
    const { fault, state } = this.#observer;
    if (!this.#hasOnUntried || isOfState || fault === null || state < 0) return false;
    return this.#judgeAction(r, this.#numberOf(action), this.#numbersOf(pending))?.judgement.untried === true;
  }

  /** The risk by a rule if the agent goes on as learnt, of what was decided on in `result`; null where that is not known, or not any more. */
  asAgent(result: GuardStep, isLast: boolean, rule = result.rule): RiskBounds | null {
    if (!isLast) return (result as Partial<GuardProposal>).risks?.asAgent ?? null;
    return this.#judged[this.#watches.findIndex(({ name }) => name === rule)]?.judgement.asAgent ?? null;
  }

  #judgeAtHand(r: number): ShieldedAction | null {
    const shield = this.#shield;
    const { action, pending, isOfState } = this.#asked;
    if (this.#observer.fault !== null) return null;
    if (!isOfState) return this.#judgeAction(r, this.#numberOf(action), this.#numbersOf(pending));
    const { mode } = shield.file;
    if (mode === 'predict' || !shield.covers(r)) return null;
    const judgement = shield.stateRisks(r, this.#observer.state, this.#watches[r].possible);
    return { mode, judgement, affordable: true, idle: false };
  }

  /** Adds the shield's results for the rule that decided: the action's risks, and the permitted alternatives. If nothing is permitted, the decision is to stop. */
  attachAlternatives(result: GuardStep, winner: RuleStatus): void {
    this.#shield.keep();
    const { action, pending, isOfState } = this.#asked;
    if (result.reason === 'predicate-failed' && isUnread(action)) result.predicate ??= action.failed;
    if (isOfState) return;
    const judged = this.#judged[(this.#watches as readonly RuleStatus[]).indexOf(winner)];
    const refused = severity[result.decision] > severity.report;
    const alternatives =
      refused && judged !== null
        ? this.#bySafety(this.#taken(), this.#numbersOf(pending)).filter(({ permitted }) => permitted)
        : [];
    const isWayOut = refused && !this.#asked.safe && this.#watches.every(({ permitsSafe }) => permitsSafe);
    const safe = isWayOut ? this.#safeTools.names : [];
    if (
      refused &&
      judged !== null &&
      !this.#asked.idle &&
      alternatives.length + safe.length === 0 &&
      pending.length === 0 &&
      SHIELDED.has(result.reason)
    ) {
      result.decision = 'stop';
      result.action = null;
      result.reason = 'nothing-permitted';
    }
    if (!('alternatives' in result)) return;
    const proposal = result as GuardProposal;
    proposal.name = nameOf(action);
    const names = alternatives.map(({ name }) => name);
    proposal.alternatives = [...names, ...safe.filter((tool) => !names.some((name) => isOfTool(name, tool)))];
    proposal.risks = risksOf(judged);
    proposal.idle = refused && judged !== null ? this.#idleHere(pending) : null;
  }

  /** Charges a permitted action, which runs, to the budget. */
  charge({ decision }: GuardStep): void {
    const { isOfState, counts, safe } = this.#asked;
    if (safe || isOfState || !counts || severity[decision] > severity.report) return;
    this.#shield.charge(this.#judged.map((judged) => judged?.judgement ?? null));
  }

  /** Lists which of `actions` are permitted after those of `pending` have run; default: all that were ever taken in the state. */
  permitted(actions: readonly (Action | null)[] | undefined, pending: PendingCalls): Permission {
    const before = this.#numbersOf(this.#readPending(pending));
    const asked =
      actions?.map((action) => ({
        read: this.#read(() => action),
        isSafe: this.#safeTools.isSafe(action),
      })) ?? this.#taken();
    const judged = this.#bySafety(asked, before);
    return { actions: judged, safest: judged.find(({ permitted }) => permitted) ?? null };
  }

  #judgeAction(r: number, action: number, pending: readonly number[]): ShieldedAction | null {
    const shield = this.#shield;
    const judgement = shield.judge(r, this.#observer.state, this.#watches[r].possible, pending, action);
    if (judgement === null) return null;
    return {
      mode: shield.file.mode,
      judgement,
      affordable: shield.affords(r, judgement),
      idle: action === IDLE,
    };
  }

  /** Judges actions after those of `pending` have run; returns them with the safest first. */
  #bySafety(actions: readonly Asked[], pending: readonly number[]): JudgedAction[] {
    const { mode } = this.#shield.file;
    const unknown = this.#observer.fault !== null;
    return actions
      .map(({ read: action, isSafe }) => {
        const judged = this.#watches.map((_, r) =>
          unknown ? null : this.#judgeAction(r, this.#numberOf(action), pending),
        );
        const most = (number: (one: ShieldedAction) => number): number =>
          judged.reduce((max, one) => (one === null ? max : Math.max(max, number(one))), unknown ? 1 : 0);
        const asAgent = most(({ judgement }) => judgement.asAgent.upper);
        const least = most(({ judgement }) => judgement.least.upper);
        return {
          asAgent,
          least,
          name: nameOf(action),
          permitted: isSafe
            ? !isUnread(action) && this.#watches.every(({ permitsSafe }) => permitsSafe)
            : !unknown && judged.every((one, r) => this.#watches[r].permits(one)),
          risk: mode === 'predict' ? asAgent : least,
          rules: Object.fromEntries(this.#watches.map(({ name }, r) => [name, risksOf(judged[r])])),
        };
      })
      .sort((one, other) => one.least - other.least || one.asAgent - other.asAgent)
      .map(({ name, permitted, risk, rules }) => ({ name, permitted, risk, rules }));
  }

  /** The judgement of doing nothing, or ending the run, in the state observed last. */
  #idleHere(pending: readonly ReadAction[]): JudgedAction {
    return this.#bySafety([{ read: null, isSafe: false }], this.#numbersOf(pending))[0];
  }

  /** All actions that were ever taken in the state observed last, including no action, but for those that policies forbid. */
  #taken(): Asked[] {
    const { state } = this.#observer;
    if (state < 0) return [];
    return this.#shield.openIn(state).map((action) => {
      const read = this.#shield.nameOf(action);
      return { read, isSafe: this.#safeTools.names.some((tool) => isOfTool(read, tool)) };
    });
  }

  /** Reads an action without throwing, whatever the caller's object holds or throws. */
  #read(action: () => unknown): ReadAction {
    try {
      return this.#actions.nameOf(action() as Action | null | undefined);
    } catch (error) {
      return { failed: (error instanceof EvaluationError ? error.predicate : undefined) ?? '?' };
    }
  }

  #numberOf(action: ReadAction): number {
    return isUnread(action) ? UNTRIED : this.#shield.numberOf(action);
  }

  /** Numbers of pending actions: what cannot be read may be any action. */
  #numbersOf(actions: readonly ReadAction[]): number[] {
    return actions.map((action) => (isUnread(action) ? UNREAD : this.#shield.numberOf(action)));
  }
}

/** Whether an abstraction is of calls of this tool. */
function isOfTool(abstraction: string | null, tool: string): boolean {
  const plain = plainName(tool);
  return abstraction === plain || abstraction?.startsWith(`${plain}[`) === true;
}

function isUnread(action: ReadAction): action is { readonly failed: string } {
  return typeof action === 'object' && action !== null;
}

function nameOf(action: ReadAction): string | null {
  return typeof action === 'string' ? action : null;
}

function risksOf(shielded: ShieldedAction | null): ActionRisks | null {
  if (shielded === null || shielded.judgement.untried) return null;
  const { asAgent, least, most } = shielded.judgement;
  return { asAgent, least, most };
}
