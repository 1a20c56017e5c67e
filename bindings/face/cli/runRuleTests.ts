import {
  compileRules,
  judgesBeside,
  type RuleTest,
  type Specification,
} from '../../rules/specification/index.js';
import {
  createSession,
  type DetectorValue,
  readPrincipal,
  type Verdict,
} from '../../runtime/enforcement/index.js';
import { type Decision, type Guard, type Judge, loadGuard, severity } from '../../runtime/guard/index.js';
import { extractionsOf } from '../../runtime/policy/index.js';
import { replacementsOf } from './replacements.js';

/** How a test of rules came out. */
export interface RuleTestResult {
  readonly test: RuleTest;
  readonly passed: boolean;
  /** Index of the first call that did not run; null if every call ran. */
  readonly stopped: number | null;
  /** The rule that stopped it; null if no call was stopped, or a fault stopped it that is no rule's. */
  readonly by: string | null;
  /** What was decided on that call, or on the one that was expected not to run; else on the last. */
  readonly decision: Decision;
  /** The decision if no rule were in shadow mode. */
  readonly wouldDecide: Decision;
  readonly reason: Verdict['reason'];
  /** Why, in a sentence or two. */
  readonly explanation: string;
}

/** The rules that tests leave out, because they bound a probability, which takes a model. */
export function rulesWithModel({ rules }: Pick<Specification, 'rules'>): string[] {
  return rules.flatMap(({ name, formula }) => (formula.kind === 'probability' ? [name] : []));
}

/**
 * Runs the tests of a specification, each through a session of its own on a guard of the rules alone (`compileRules`): a test that names a rule on that rule, others
 * on all. A call that is let through comes back with its outcome before the next is proposed. Nobody is asked: a call that needs a person's yes does not run.
 *
 * @returns results in the order of the tests
 * @throws InvalidArgumentError if rules and sessions do not go together, as a predicate on the action under `resample: hold`
 */
export async function runRuleTests(specification: Specification): Promise<RuleTestResult[]> {
  const guards = new Map<string | null, Guard>();
  const results: RuleTestResult[] = [];
  for (const test of specification.tests) {
    let guard = guards.get(test.rule);
    if (guard === undefined) {
      guard = await loadGuard(compileRules(withRule(specification, test.rule)));
      guards.set(test.rule, guard);
    }
    const beside = judgesBeside(withRule(specification, test.rule));
    results.push(await runRuleTest(test, [guard.fork(), ...beside], specification));
  }
  return results;
}

/** The specification with one rule or policy, or with all that need no model. */
function withRule(specification: Specification, rule: string | null): Specification {
  const left = new Set(rulesWithModel(specification));
  const rules = specification.rules.filter(({ name }) => (rule === null ? !left.has(name) : name === rule));
  // What calls require is no part of a rule.
  const foresight = rule !== null && specification.foresight === 'all' ? 'rules' : specification.foresight;
  return { ...specification, rules, foresight, policies: withPolicy(specification.policies, rule) };
}

/** The policies, or the one of a name with none for other tools; null for the name of a rule. */
function withPolicy(policies: Specification['policies'], name: string | null): Specification['policies'] {
  if (policies === null || name === null || name === 'policies') return policies;
  const alone = policies.set.policies.filter((policy) => policy.name === name);
  if (alone.length === 0) return null;
  return { ...policies, set: { ...policies.set, policies: alone, uncoveredTools: 'permit' } };
}

async function runRuleTest(
  test: RuleTest,
  judges: readonly [Guard, ...Judge[]],
  { samplingPeriodSeconds: period, tools: listed, detectors: declared, policies }: Specification,
): Promise<RuleTestResult> {
  const { run, expect } = test;
  const replacements = replacementsOf(judges[0].file);
  const called = run.map(({ call }) => call);
  const substitutes = Object.keys(replacements);
  const tools = [...new Set([...called, ...test.tools, ...substitutes, ...(listed?.keys() ?? [])])];
  const times = timesOf(test, period);
  let step = 0;
  let state: Readonly<Record<string, unknown>> = {};
  // One that the test says nothing of gives no answer.
  const detect = (name: string) => () => run[step].detected?.[name] as DetectorValue;
  const extracted = policies === null ? [] : extractionsOf(policies.set).map(({ name }) => name);
  const detectors = Object.fromEntries(
    [...declared.keys(), ...extracted].map((name) => [name, { detect: detect(name) }]),
  );
  const session = createSession({
    judges,
    detectors,
    tools,
    replacements,
    ...(test.principal && { principal: readPrincipal(test.principal, `test "${test.name}": principal`) }),
    ...(run.some((call) => call.state !== undefined) && { state: () => state }),
    ...(times !== null && { time: () => times[step] }),
  });
  const verdicts: Verdict[] = [];
  let stopped: number | null = null;
  for (; stopped === null && step < run.length; step++) {
    const { call, arguments: given, outcome, state: seen } = run[step];
    state = seen ?? state;
    const verdict = await session.check({ id: String(step), name: call, arguments: given });
    verdicts.push(verdict);
    if (severity[verdict.decision] > severity.report) stopped = step;
    else await session.ran(verdict, outcome);
  }
  const told = verdicts[stopped ?? (expect === 'allowed' ? run.length - 1 : expect.stopped)];
  const by = stopped === null || told.rule === '' ? null : told.rule;
  const { decision, wouldDecide, reason, explanation } = told;
  const passed =
    expect === 'allowed'
      ? stopped === null
      : stopped === expect.stopped && by !== null && by === (expect.by ?? by);
  return { test, passed, stopped, by, decision, wouldDecide, reason, explanation };
}

/** The clock at each call; null if there is none. */
function timesOf({ run }: RuleTest, period: number | null): number[] | null {
  if (period === null && run.every(({ time }) => time === undefined)) return null;
  const times: number[] = [];
  for (const { time } of run)
    times.push(time ?? (times.length === 0 ? 0 : (times.at(-1) as number) + (period ?? 0)));
  return times;
}
