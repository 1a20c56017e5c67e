import { InvalidArgumentError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import { misspeltTools, type RuleTest, type Specification } from '../../rules/specification/index.js';
import { severity } from '../../runtime/guard/index.js';
import { firstStepRules } from './firstStepRules.js';
import { loadSpecification } from './inputs.js';
import { type RuleTestResult, rulesWithModel, runRuleTests } from './runRuleTests.js';
import { type Outcome, plural } from './terminal.js';

interface TestCommandOptions {
  readonly spec: readonly string[];
}

/** `foreguard test`: runs the tests in specifications. */
export async function testRules({ spec }: TestCommandOptions): Promise<Outcome> {
  const specifications: Specification[] = [];
  for (const path of spec) specifications.push(requireTests(await loadSpecification(path)));
  const files: object[] = [];
  const lines: string[] = [];
  let [passed, failed] = [0, 0];
  for (const specification of specifications) {
    const { source, hash } = specification;
    const leftOut = rulesWithModel(specification);
    const results = await runRuleTests(specification);
    const notes = [
      ...firstStepRules(specification.rules.map(({ name, formulaText }) => ({ name, formula: formulaText }))),
      ...misspeltTools(specification),
    ];
    files.push({ file: source, hash, leftOut, notes, tests: results.map(asJson) });
    lines.push(...notes.map((note) => printable(`${source}: note: ${note}`)));
    lines.push(...results.map((result) => printable(`${source}:${asText(result)}`)));
    for (const rule of leftOut)
      lines.push(
        printable(`${source}: rule "${rule}" was left out: it bounds a probability, which needs a model`),
      );
    passed += results.filter((result) => result.passed).length;
    failed += results.filter((result) => !result.passed).length;
  }
  lines.push(`${plural(passed + failed, 'test')}: ${passed} passed, ${failed} failed`);
  return { json: { passed, failed, files }, text: lines.join('\n'), exitCode: failed > 0 ? 1 : 0 };
}

/** @throws InvalidArgumentError if there is nothing to test */
function requireTests(specification: Specification): Specification {
  const { source, tests, rules, policies } = specification;
  if (tests.length === 0) {
    const [by = 'policies'] = [...rules, ...(policies?.set.policies ?? [])].map(({ name }) => name);
    throw new InvalidArgumentError(
      `${source} has no tests; add some, such as tests: [{ name: reads, run: [read], expect: allowed }, { name: no deletion, run: [read, delete], expect: { stopped: 1, by: ${JSON.stringify(by)} } }]`,
    );
  }
  if (policies === null && rulesWithModel(specification).length === rules.length) {
    throw new InvalidArgumentError(
      `${source}: each rule bounds a probability, which needs a model, and tests have none; expected a rule without P…[ ]`,
    );
  }
  return specification;
}

function asJson({ test, ...result }: RuleTestResult): object {
  const { name, line, rule, expect } = test;
  const { passed, stopped, by, decision, wouldDecide, reason, explanation } = result;
  return {
    ...{ name, line, rule, passed, expected: expect },
    found: { stopped, by, decision, wouldDecide, reason, explanation },
  };
}

/** The result in one line. */
function asText(result: RuleTestResult): string {
  const { test, passed, explanation } = result;
  if (passed) return `${test.line}: passed: ${test.name}${unread(result)}`;
  return `${test.line}: failed: ${test.name}: expected ${expected(test)}; ${found(result)}. ${explanation}`;
}

function expected(test: RuleTest): string {
  const { expect } = test;
  if (expect === 'allowed') return 'every call to run';
  return `${callAt(test, expect.stopped)} to be stopped by ${expect.by === null ? 'a rule' : `"${expect.by}"`}`;
}

function found({ test, stopped, by, decision, wouldDecide }: RuleTestResult): string {
  if (stopped !== null)
    return `${callAt(test, stopped)} was stopped by ${by === null ? 'a fault, no rule' : `"${by}"`} (${decision})`;
  const would =
    severity[wouldDecide] > severity.report ? `, and only shadow mode kept it from ${wouldDecide}` : '';
  return `every call ran${would}`;
}

/** Says of a call that was stopped as expected that it was, because something could not be read. */
function unread({ stopped, reason }: RuleTestResult): string {
  return stopped !== null && reason === 'predicate-failed'
    ? ` (call ${stopped} was stopped because a predicate could not be read)`
    : '';
}

function callAt({ run }: RuleTest, step: number): string {
  return `call ${step} (${run[step].call})`;
}
