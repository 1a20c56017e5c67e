import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type Contracts, fits, misfitText, type ReaderTerm } from '../contract/index.js';
import type { Json, Plan } from '../workflow/index.js';
import { type Analysis, analyse } from './analyse.js';
import { assumptionsOf } from './assumptions.js';
import type { Run } from './concrete.js';
import { type Answered, executedRun, type Trial } from './counterexample.js';
import type { Goal } from './goal.js';
import type { Issue } from './issues.js';
import type { PlanLabel, Question } from './question.js';
import { breaksOrder, breaksRequirement, isPossible, reaches, touchesKey } from './shows.js';
import type { Finding, PlanVerdict } from './verdict.js';
import { frozenCopy, planHash, VerifiedPlan } from './verified.js';
import { wayOf } from './way.js';
import { quoted } from './words.js';

/** What is proved of a plan, beside its contracts. */
export interface VerifyOptions {
  /** What it is to do, from the user. Default: nothing. */
  readonly goal?: Goal | null;
  /** Inputs whose values are known; a run must have these. */
  readonly inputs?: Readonly<Record<string, Json>>;
  /** How far its author is trusted. Default: trusted, as one who has seen no data. */
  readonly label?: PlanLabel;
  /** Who is shown what the plan returns. Default: the user, who may read everything. */
  readonly returnsTo?: ReaderTerm | null;
}

const TRUSTED: PlanLabel = { integrity: 'trusted' };

/** Most findings for which a run is looked for. */
const MOST_EXECUTED = 20;

/**
 * Proves that a plan keeps to its contracts in every run: for all inputs of their types and all results that tools may give.
 *
 * @returns `proved`, with the plan as it may run; `refuted`, with a run that was executed; or `unproved`, with what would do
 * @see docs/semantics.md for what is proved, and why it holds
 */
export function verifyPlan(plan: Plan, contracts: Contracts, options: VerifyOptions = {}): PlanVerdict {
  const { goal = null, inputs = {}, label = TRUSTED, returnsTo = null } = options;
  // What is looked at is what runs, whatever becomes of the objects that were given, and whatever their getters say.
  requireInputs(plan, inputs);
  const question: Question = { ...frozenCopy({ plan, goal, inputs, label, returnsTo }), contracts };
  const analysis = analyse(question);
  const { issues, atRunTime, questions, effort } = analysis;
  const hash = planHash(question);
  const common = {
    assumes: assumptionsOf(question.plan, contracts, analysis.telling),
    effort,
    hash,
    notes: notesOf(analysis),
  };
  const [first, ...rest] = issues.map((issue, i) =>
    findingOf(issue, i < MOST_EXECUTED ? analysis : null, question),
  );
  if (first === undefined) {
    const verified = VerifiedPlan.make({
      ...question,
      atRunTime,
      questions,
      sources: analysis.sources,
      assumes: common.assumes,
      hash,
    });
    return { verdict: 'proved', verified, questions, ...common };
  }
  const isRefuted = [first, ...rest].some(({ certainty }) => certainty === 'refuted');
  return { verdict: isRefuted ? 'refuted' : 'unproved', findings: [first, ...rest], ...common };
}

/** @throws InvalidArgumentError for a value of no input of the plan, or not of its type */
function requireInputs(plan: Plan, inputs: Readonly<Record<string, Json>>): void {
  for (const [name, value] of Object.entries(inputs)) {
    if (!Object.hasOwn(plan.inputs, name)) {
      const nearest = nearestName(name, Object.keys(plan.inputs));
      const known = Object.keys(plan.inputs).join(', ') || 'none';
      throw new InvalidArgumentError(
        `the plan has no input "${name}"; ${nearest === undefined ? `known: ${known}` : `did you mean "${nearest}"?`}`,
      );
    }
    const misfit = fits(value, plan.inputs[name]);
    if (misfit !== null)
      throw new InvalidArgumentError(
        `an input of the plan does not have its type: ${misfitText(name, misfit)}`,
      );
  }
}

/** A finding is refuted if a run that was executed shows it. */
function findingOf(issue: Issue, analysis: Analysis | null, question: Question): Finding {
  const { kind, step, rule, text } = issue;
  // What is wrong in every run needs none to show it.
  if (kind === 'shape' || kind === 'type' || kind === 'contract')
    return { kind, certainty: 'refuted', step, rule, path: issue.path, run: null, text };
  const shown =
    analysis === null || kind === 'budget' ? null : executedRun(issue, trialOf(analysis, question));
  const path = wayOf(issue, question.plan, shown?.steps ?? null);
  return {
    kind,
    certainty: shown === null ? 'unproved' : 'refuted',
    step,
    rule,
    path,
    run: shown?.run ?? null,
    text,
  };
}

function trialOf({ prover, events, conditions }: Analysis, question: Question): Trial {
  const { plan, contracts } = question;
  return {
    plan,
    contracts,
    inputs: question.inputs,
    prover,
    conditions,
    shows(issue, run, inputs, answers) {
      if (!isPossible(run, contracts) || !reaches(issue, run)) return false;
      switch (issue.kind) {
        case 'requires':
          return breaksRequirement(issue, run, contracts);
        case 'order':
          return events.rules.some(
            (rule) => rule.name === issue.rule && breaksOrder(rule, run, events, contracts),
          );
        case 'goal':
        case 'effects':
          return touchesKey(issue, run, contracts);
        default:
          return again(issue, run, { ...question, inputs }, answers);
      }
    },
  };
}

/** Whether the issue is found again in a run, gone through with what its steps got: then each label is that of these data, and each branch is the one taken. */
function again(issue: Issue, run: Run, question: Question, answers: readonly Answered[]): boolean {
  const byStep = new Map<string, Json[]>();
  for (const { step, result } of answers) byStep.set(step, [...(byStep.get(step) ?? []), result]);
  const { issues } = analyse(question, (step) => byStep.get(step)?.shift());
  const isMade = issue.rule === 'return' || run.calls.some(({ step }) => step === issue.step);
  return (
    isMade &&
    issues.some((one) => one.kind === issue.kind && one.step === issue.step && one.rule === issue.rule)
  );
}

function notesOf({ atRunTime }: Analysis): string[] {
  const notes = atRunTime.map(
    ({ step, condition }) =>
      `${quoted(condition)} is checked before step ${step}, when it runs: then the steps before it have run.`,
  );
  return [...new Set(notes)];
}
