import type { Contracts, ValueType } from '../contract/index.js';
import type { Json, Plan, Step } from '../workflow/index.js';
import { Events, type OrderAutomaton } from './events.js';
import { Flows } from './flows.js';
import { checkEffects, type Goal } from './goal.js';
import type { Edge } from './graph.js';
import type { Issue } from './issues.js';
import { type Label, labelOf } from './label.js';
import { checkOrder } from './order.js';
import { Prover } from './prover.js';
import type { Assumption, Finding, PathStep, PlanVerdict } from './verdict.js';
import { type PlanLabel, planHash, VerifiedPlan } from './verified.js';
import { TooLarge, Walk } from './walk.js';
import { quoted } from './words.js';

/** What is proved of a plan, beside its contracts. */
export interface VerifyOptions {
  /** What it is to do, from the user. Default: nothing. */
  readonly goal?: Goal | null;
  /** Inputs whose values are known; a run must have these. */
  readonly inputs?: Readonly<Record<string, Json>>;
  /** How far its author is trusted. Default: trusted, as one who has seen no data. */
  readonly label?: PlanLabel;
}

/**
 * Proves that a plan keeps to its contracts in every run: for all inputs of their types and all results that tools may give.
 *
 * @returns `proved`, with the plan as it may run; `refuted`, with a run that was executed; or `unproved`, with what would do
 * @see docs/semantics.md for what is proved, and why it holds
 */
export function verifyPlan(plan: Plan, contracts: Contracts, options: VerifyOptions = {}): PlanVerdict {
  const { goal = null, inputs = {}, label = TRUSTED } = options;
  const types = new Map<string, ValueType>();
  const prover = new Prover(types);
  const events = new Events(contracts);
  const walk = new Walk({
    plan,
    contracts,
    label: authorLabel(label),
    inputs,
    events,
    flows: new Flows(contracts),
    types,
    prover,
  });
  let effort = 0;
  const issues: Issue[] = [];
  try {
    walk.run();
    issues.push(...walk.issues.all());
    for (const rule of events.rules) {
      const found = checkOrder(walk.graph, START, rule, prover);
      effort += found.states;
      const issue = orderIssue(found, rule);
      if (issue !== null) issues.push(issue);
    }
    for (const issue of checkEffects(walk.effects, goal)) issues.push({ ...issue, path: [] });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    issues.push({
      kind: 'budget',
      step: null,
      rule: null,
      path: [],
      values: [],
      isCertain: false,
      text: `${error.message}.`,
    });
  }
  effort += walk.walked + prover.asked;
  const proved = { plan, contracts, goal, inputs, label };
  const common = {
    assumes: assumptions(plan, contracts),
    effort,
    hash: planHash(proved),
    notes: notesOf(walk),
  };
  const findings = issues.map((issue): Finding => findingOf(issue));
  const [first, ...rest] = findings;
  if (first === undefined) {
    const verified = VerifiedPlan.make({ ...proved, atRunTime: walk.atRunTime });
    return { verdict: 'proved', verified, ...common };
  }
  const verdict = findings.some(({ certainty }) => certainty === 'refuted') ? 'refuted' : 'unproved';
  return { verdict, findings: [first, ...rest], ...common };
}

const TRUSTED: PlanLabel = { integrity: 'trusted' };
/** The point of a graph at which plans begin. */
const START = 1;

function authorLabel({ integrity }: PlanLabel): Label {
  return integrity === 'trusted'
    ? labelOf({})
    : labelOf({ sources: new Map([[AUTHOR, new Set<string>()]]), untrusted: new Set([AUTHOR]) });
}

const AUTHOR = 'the author of the plan';

function findingOf({ kind, step, rule, path, text }: Issue): Finding {
  return { kind, certainty: 'unproved', step, rule, path, run: null, text };
}

function orderIssue(found: ReturnType<typeof checkOrder>, rule: OrderAutomaton): Issue | null {
  if (found.kind === 'kept') return null;
  const common = { kind: 'order' as const, rule: rule.name };
  if (found.kind === 'unknown')
    return {
      ...common,
      step: null,
      path: [],
      values: [],
      isCertain: false,
      text: `Rule ${quoted(rule.name)} is not proved: ${found.reason}.`,
    };
  const { path, atEnd, values, isFeasible } = found;
  const steps = stepsOf(path);
  const last = path.findLast(({ letter }) => letter !== null)?.letter?.step ?? null;
  const calls = path.flatMap(({ letter }) => (letter === null ? [] : [letter.step]));
  const way = calls.length === 0 ? 'without any call' : `with the calls ${calls.slice(-12).join(' → ')}`;
  const reason = rule.message === null ? '' : ` (${rule.message})`;
  const where = atEnd ? `at the end of the plan, ${way}` : `at step ${last}, ${way}`;
  const text = isFeasible
    ? `Rule ${quoted(rule.name)}${reason} is broken ${where}.`
    : `Rule ${quoted(rule.name)}${reason} is not proved: it may be broken ${where}.`;
  return { ...common, step: atEnd ? null : last, path: steps, values, isCertain: isFeasible, text };
}

function stepsOf(path: readonly Edge[]): PathStep[] {
  return path.flatMap(({ step }) => (step === null ? [] : [step]));
}

function notesOf(walk: Walk): string[] {
  return [
    ...new Set(
      walk.atRunTime.map(
        ({ step, condition }) =>
          `${quoted(condition)} is checked before step ${step}, when it runs: then the steps before it have run.`,
      ),
    ),
  ];
}

/** What a proof of the plan rests on. */
function assumptions(plan: Plan, contracts: Contracts): Assumption[] {
  const used = new Set<string>();
  const asked: Assumption[] = [];
  const visit = (steps: readonly Step[]): void => {
    for (const step of steps) {
      if (step.kind === 'call') used.add(step.tool);
      if (step.kind === 'ask')
        asked.push({
          kind: 'asked',
          of: step.id,
          text: 'the model that is asked has no tools, and its answer has the type',
        });
      if (step.kind === 'if') visit([...step.then, ...step.else]);
      if (step.kind === 'forEach' || step.kind === 'fold') visit(step.do);
    }
  };
  visit(plan.steps);
  const found: Assumption[] = [];
  for (const name of used) {
    const tool = contracts.tools.get(name);
    if (tool === undefined) continue;
    found.push({
      kind: 'result',
      of: name,
      text: 'its results have the declared type, integrity and readers',
    });
    found.push({ kind: 'effects', of: name, text: 'it does nothing beyond its declared effects' });
    if (tool.ensures.length > 0)
      found.push({ kind: 'ensures', of: name, text: tool.ensures.map((one) => one.name).join(', ') });
  }
  if (contracts.implicit === 'data')
    found.push({
      kind: 'implicit',
      of: 'contracts',
      text: 'that a call is made at all may tell of data, and data may decide it: only arguments are looked at',
    });
  return [...found, ...asked];
}
