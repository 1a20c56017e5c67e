import { NotSupportedError } from '../../base/errors.js';
import type { Contracts, ValueType } from '../contract/index.js';
import { checkPlan, eachStep, type Json, type Plan, type PlanProblem } from '../workflow/index.js';
import type { CallSources } from './callSources.js';
import { Events, type Letters } from './events.js';
import { Flows } from './flows.js';
import { checkEffects } from './goal.js';
import { START } from './graph.js';
import { type Issue, Issues } from './issues.js';
import { AUTHOR, type Label, labelOf } from './label.js';
import { checkOrder } from './order.js';
import { orderIssue } from './orderIssue.js';
import { Prover } from './prover.js';
import type { PlanLabel, Question } from './question.js';
import type { Term } from './terms.js';
import type { PlanQuestion } from './verified.js';
import { TooLarge } from './walk/state.js';
import { Walk } from './walk/walk.js';

/** What was found. */
export interface Analysis {
  readonly issues: readonly Issue[];
  readonly prover: Prover;
  readonly events: Events;
  /** The conditions of branches that may be taken or not. */
  readonly conditions: readonly Term[];
  readonly atRunTime: readonly { readonly step: string; readonly condition: string }[];
  /** The calls that tell of data by not having been cut off for want of a value or of rounds. */
  readonly telling: readonly string[];
  readonly sources: readonly CallSources[];
  /** Calls about which a person is asked, and why. */
  readonly questions: readonly PlanQuestion[];
  /** Steps gone through, states of products, and questions to the decider. */
  readonly effort: number;
}

/**
 * Looks for what a plan may do against its contracts.
 *
 * @param answer what steps got, of a plan that is gone through again as it ran; default: nothing is known of it
 */
export function analyse(question: Question, answer?: (step: string) => Json | undefined): Analysis {
  const { plan, contracts, goal } = question;
  const events = new Events(contracts);
  const walk = walkOf(question, events, answer);
  const { prover } = walk.options;
  const issues = new Issues();
  let states = 0;
  const { problems } = checkPlan(plan, contracts);
  // Where names are wrong, nothing else can be said.
  if (problems.length > 0)
    return {
      issues: problems.map((problem) => issueOfProblem(problem, plan, contracts)),
      prover,
      events,
      conditions: [],
      atRunTime: [],
      telling: [],
      sources: [],
      questions: [],
      effort: problems.length,
    };
  try {
    walk.run();
    for (const issue of walk.issues.all()) issues.add(issue);
    for (const rule of events.rules) {
      const found = checkOrder(walk.graph, START, rule, prover);
      states += found.states;
      const issue = orderIssue(found, rule);
      if (issue !== null) issues.add(issue);
    }
    for (const issue of checkEffects(walk.effects, goal)) issues.add({ ...issue, path: [] });
  } catch (error) {
    // Sets of texts may have too many states.
    if (!(error instanceof TooLarge) && !(error instanceof NotSupportedError)) throw error;
    const text = `${error.message}.`;
    issues.add({ kind: 'budget', step: null, rule: null, path: [], values: [], isCertain: false, text });
  }
  const all = issues.all();
  return {
    issues: all.filter(({ isAsked }) => isAsked !== true),
    questions: questionsOf(all),
    prover,
    events,
    conditions: walk.conditions,
    atRunTime: walk.atRunTime,
    telling: [...walk.telling],
    sources: walk.sources.all(),
    effort: walk.walked + states + prover.asked,
  };
}

/** A walk through a plan that has not begun, with a prover of its own. */
export function walkOf(
  { plan, contracts, inputs, label, returnsTo }: Question,
  events: Letters,
  answer?: (step: string) => Json | undefined,
): Walk {
  const types = new Map<string, ValueType>();
  return new Walk({
    plan,
    contracts,
    label: labelOfAuthor(label),
    words: label.integrity === 'untrusted' ? (label.words ?? null) : null,
    inputs,
    returnsTo,
    events,
    flows: new Flows(contracts),
    types,
    prover: new Prover(types),
    ...(answer && { answer }),
  });
}

function questionsOf(issues: readonly Issue[]): PlanQuestion[] {
  const reasons = new Map<string, string[]>();
  for (const { isAsked, step, text } of issues)
    if (isAsked === true && step !== null) reasons.set(step, [...(reasons.get(step) ?? []), text]);
  return [...reasons].map(([step, texts]) => ({ step, texts }));
}

/** What is wrong with names and types; a tool without contract is one of contracts. */
function issueOfProblem({ kind, step, pointer, text }: PlanProblem, plan: Plan, { tools }: Contracts): Issue {
  let isUnknown = false;
  eachStep(plan.steps, (one) => {
    if (one.id === step && one.kind === 'call') isUnknown = !tools.has(one.tool) && pointer.endsWith('/call');
  });
  const common = { step, rule: pointer, path: [], values: [], isCertain: true, text };
  return { ...common, kind: isUnknown ? 'contract' : kind };
}

function labelOfAuthor({ integrity }: PlanLabel): Label {
  if (integrity === 'trusted') return labelOf({});
  return labelOf({ sources: new Map([[AUTHOR, new Set<string>()]]), untrusted: new Set([AUTHOR]) });
}
