import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { explainRule, explainStep, explainVerdict } from '../../../bindings/runtime/explanation/index.js';
import { createGuard, type Guard, type GuardFile, STATELESS } from '../../../bindings/runtime/guard/index.js';
import { eventually, guardFile, never, response, ruleOf } from '../guard/guardFiles.js';

const idle = { a: false, b: false };
const onlyA = { a: true, b: false };
const onlyB = { a: false, b: true };
const both = { a: true, b: true };
const quiet = [0.1, 0.1, 0.1, 0.1];

const answer = ruleOf(response, quiet, { name: 'answer', formula: 'G (a -> F<=2 b)' });
const apart = ruleOf(never, quiet, { name: 'apart', formula: 'G !(a & b)' });

function textAfter(
  file: GuardFile,
  rule: string,
  states: readonly object[],
  ended = false,
): string | undefined {
  const guard = createGuard(file);
  for (const state of states) guard.step(state as Record<string, unknown>);
  return explainRule(guard, rule, { ended })?.text;
}

describe("a guard's rule", () => {
  it('is explained from the steps that the guard has read', () => {
    const file = guardFile([answer, apart], { samplingPeriodSeconds: 0.5 });
    expect(textAfter(file, 'answer', [idle, onlyA, idle])).toBe(
      'open after step 2 (1.0 s): at step 1 `a` held, so `b` must come by step 3 (1.5 s): 1 step (0.5 s) left',
    );
    expect(textAfter(file, 'answer', [idle, onlyA, idle, idle, onlyB])).toBe(
      'violated at step 3 (1.5 s): at step 1 `a` held, and none of the steps 1 to 3 had `b`',
    );
    expect(textAfter(file, 'apart', [idle, both])).toBe('violated at step 1 (0.5 s): at step 1 `a & b` held');
  });

  it('forgets what was before its automaton came back to its start', () => {
    expect(textAfter(guardFile([answer]), 'answer', [onlyA, onlyB])).toBe(
      'open after step 1: nothing is due, but every step must have `a -> F<=2 b`',
    );
    const guard = createGuard(guardFile([answer]));
    for (let i = 0; i < 1000; i++) guard.step([idle, onlyA, onlyB][i % 3]);
    expect(guard.history.first).toBeGreaterThan(900);
    guard.step(onlyA);
    expect(explainRule(guard, 'answer')?.text).toBe(
      'open after step 1000: at step 1000 `a` held, so `b` must come by step 1002: 2 steps left',
    );
  });

  it('was broken at the step where its deadline passed, also if that step was missing', () => {
    const guard = createGuard(guardFile([answer], { samplingPeriodSeconds: 0.5, resample: 'hold' }));
    for (const [state, time] of [
      [onlyA, 0],
      [idle, 0.5],
      [idle, 2.5],
    ] as const)
      guard.step(state, { time });
    expect(explainRule(guard, 'answer')?.text).toBe(
      'violated at step 1, held (1.0 s): at step 0 `a` held, and none of the steps 0 to 1 had `b`',
    );
  });

  it('was broken in a gap between two steps, where nothing is known of those that are missing', () => {
    const formula = 'G (a -> WX false)';
    const rule = ruleOf(buildAutomaton(parseFormula(formula)), quiet, { name: 'last', formula });
    const guard = createGuard(guardFile([rule], { samplingPeriodSeconds: 0.5, periodTolerance: 0.1 }));
    for (const [state, time] of [
      [idle, 0],
      [onlyA, 0.5],
      [idle, 2.5],
    ] as const)
      guard.step(state, { time });
    const explained = (numberOf?: (observation: number) => number) =>
      explainRule(guard, 'last', numberOf && { numberOf });
    expect(explained()).toMatchObject({ verdict: 'violated', step: 1, missing: true });
    expect(explained()?.text).toMatch(/^violated at a step missing between step 1 and step 2 \(1\.\d s\): /);
    // Of a recording that has other numbers.
    expect(explained((observation) => 10 * observation)).toMatchObject({ step: 10, missing: true });
    expect(explained((observation) => 10 * observation)?.text).toContain(
      'missing between step 10 and step 20',
    );
    const { history } = guard;
    const steps = [0, 1, 2, 3, 4, 5];
    expect(history.length).toBe(steps.length);
    expect(steps.map((step) => history.observationOf(step))).toEqual([0, 1, 1, 1, 1, 2]);
    expect(steps.map((step) => history.isMissing(step))).toEqual([false, false, true, true, true, false]);
    // The deciding step was observed: nothing is said to be missing.
    const whole = createGuard(guardFile([answer]));
    for (const state of [onlyA, idle, idle]) whole.step(state);
    expect(explainRule(whole, 'answer')).not.toHaveProperty('missing');
  });

  it('numbers steps as the guard does, whatever was held, also once older steps are forgotten', () => {
    const guard = createGuard(guardFile([answer], { samplingPeriodSeconds: 0.5, resample: 'hold' }));
    let time = 0;
    // Every third observation comes a period late, and every fifth has one before its time behind it.
    for (let i = 0; i < 500; i++) {
      time += i % 3 === 0 ? 1 : 0.5;
      guard.step(i % 3 === 2 ? onlyB : idle, { time });
      if (i % 5 === 0) guard.step(idle, { time: time + 0.1 });
    }
    const { step } = guard.step(onlyA, { time: time + 0.5 });
    expect(step).toBe(500);
    const text = explainRule(guard, 'answer')?.text;
    expect(text).toMatch(
      /^open after step 500 \(.* s\): at step 500 `a` held, so `b` must come by the step due at .* s: 2 steps \(1\.0 s\) left$/,
    );
    guard.step(onlyB, { time: time + 1 });
    expect(explainRule(guard, 'answer')?.step).toBe(501);
    expect(explainRule(guard, 'answer', { numberOf: (observation) => 2 * observation })?.step).toBe(1002);
  });

  it('is explained over as many steps as it needs', () => {
    const formula = 'G (a -> F<=3000 b)';
    const automaton = buildAutomaton(parseFormula(formula));
    const guard = createGuard(guardFile([ruleOf(automaton, quiet, { formula })]));
    for (let i = 0; i <= 3500; i++) guard.step(i === 500 ? onlyA : idle);
    expect(explainRule(guard, 'rule')?.text).toBe(
      'violated at step 3500: at step 500 `a` held, and none of the steps 500 to 3500 had `b`',
    );
  });

  it('that was decided long ago has the step that decided it, and no evidence that is no longer kept', () => {
    const guard = createGuard(guardFile([answer], { samplingPeriodSeconds: 1, resample: 'hold' }));
    let time = 0;
    for (const [state, periods] of [
      [onlyA, 1],
      [idle, 4],
      [idle, 1],
    ] as const) {
      guard.step(state, { time });
      time += periods;
    }
    expect(explainRule(guard, 'answer')?.text).toMatch(
      /^violated at step 1, held \(2 s\): at step 0 `a` held/,
    );
    for (let i = 0; i < 100; i++) guard.step(idle, { time: time + 3 * i });
    expect(explainRule(guard, 'answer')).toMatchObject({
      verdict: 'violated',
      evidence: [],
      obligations: [],
      text: 'violated at step 1, held (2 s): the steps that show why are no longer kept',
    });
  });

  it('that is open says that more may be due where steps are no longer kept', () => {
    const formula = '(X true) & (a R (b -> F<=2 a))';
    const rule = ruleOf(buildAutomaton(parseFormula(formula)), quiet, { formula });
    const guard = createGuard(guardFile([rule]));
    for (let i = 0; i < 20_000; i++) guard.step(idle);
    guard.step(onlyB);
    const { text, obligations } = explainRule(guard, 'rule') ?? {};
    expect(text).toMatch(
      /^open after step 20000: (?:.*; )?the steps before step 3617 are no longer kept, so that what they made due is not known$/,
    );
    expect(obligations?.every(({ since }) => since === null || since >= 3617)).toBe(true);
  });

  it('numbers steps of doing nothing as others', () => {
    const guard = createGuard(guardFile([answer]));
    guard.step(idle);
    guard.idle(onlyA);
    expect(explainRule(guard, 'answer')?.text).toMatch(/^open after step 1: at step 1 `a` held/);
    guard.idle(onlyA, { isStep: true });
    expect(explainRule(guard, 'answer')?.text).toMatch(/^open after step 2: at step 1 `a` held/);
  });

  it('is explained as far as steps are kept where more than 16,384 are needed', () => {
    const formula = 'a R (b -> F<=2 a)';
    const automaton = buildAutomaton(parseFormula(`(X true) & (${formula})`));
    const guard = createGuard(guardFile([ruleOf(automaton, quiet, { formula: `(X true) & (${formula})` })]));
    for (let i = 0; i < 20_000; i++) guard.step(idle);
    for (const state of [onlyB, idle, idle]) guard.step(state);
    expect(guard.history.first).toBe(20_003 - 16_384);
    expect(explainRule(guard, 'rule')?.verdict).toBe('violated');
  });

  it('that the end breaks is explained so', () => {
    const rule = ruleOf(eventually, quiet, { formula: 'F b' });
    expect(textAfter(guardFile([rule]), 'rule', [idle, onlyA], true)).toBe(
      'violated by a run that ends at step 1: none of the steps 0 to 1 had `b`',
    );
    expect(textAfter(guardFile([answer]), 'answer', [onlyA], true)).toMatch(/^open after step 0/);
  });

  it('says what could not be read', () => {
    expect(textAfter(guardFile([apart]), 'apart', [{ a: true }])).toBe(
      'open after step 0: whether `a & b` held at step 0 could not be read',
    );
  });

  it('says that an earlier step which nobody read may have broken it', () => {
    const doubt = '; whether a step before, which nobody read, has broken it is not known';
    // The step is named where it is one that was observed.
    for (const ended of [false, true])
      expect(textAfter(guardFile([apart]), 'apart', [{ a: true }, idle, idle], ended)).toMatch(
        /`a & b` held at step 0 could not be read/,
      );
    expect(textAfter(guardFile([apart]), 'apart', [idle, idle, idle])).not.toContain(doubt);
    const timed = createGuard(guardFile([apart], { samplingPeriodSeconds: 1 }));
    for (const time of [0, 1, 4, 5]) timed.step(idle, { time });
    expect(explainRule(timed, 'apart')?.text.endsWith(doubt)).toBe(true);
  });

  it('has the verdict that the steps alone have, also after some that may have broken it unseen', () => {
    const strong = ['F b', '!a U b', 'G !(a & b)', 'G (a -> F<=2 b)'].map((formula) =>
      ruleOf(buildAutomaton(parseFormula(formula)), quiet, { name: formula, formula }),
    );
    const seen = { open: 0, violated: 0, satisfied: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<object>(idle, onlyA, onlyB, both, { a: true }, { b: false }, {}), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.boolean(),
        (states, ended) => {
          const guard = createGuard(guardFile(strong));
          for (const state of states) guard.step(state as Record<string, unknown>);
          const steps = states.map((state) => ({ a: undefined, b: undefined, ...state }));
          for (const { name, formula } of strong) {
            const { verdict } = explainVerdict(formula, steps, { ended });
            seen[verdict]++;
            expect(explainRule(guard, name, { ended })?.verdict, `${name} ${JSON.stringify(steps)}`).toBe(
              verdict,
            );
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(Math.min(seen.open, seen.violated, seen.satisfied)).toBeGreaterThan(50);
  });

  it('on probabilities has no verdict', () => {
    const rule = ruleOf(STATELESS, quiet, { formula: 'P<0.5 [ F a ]', evaluation: 'state' });
    expect(textAfter(guardFile([rule]), 'rule', [onlyA])).toBeUndefined();
  });

  it('must be one that the guard has', () => {
    expect(() => explainRule(createGuard(guardFile([apart])), 'appart')).toThrow(/did you mean "apart"/);
    expect(() => explainRule(createGuard(guardFile([apart])), 'appart')).toThrow(InvalidArgumentError);
  });

  it('that decided is explained with the answer', () => {
    const guard = createGuard(guardFile([apart, answer]));
    guard.step(onlyA);
    const result = guard.step(both);
    expect(result.rule).toBe('apart');
    expect(explainStep(guard, result)).toBe(
      `${guard.explain(result)} The rule is violated at step 1: at step 1 \`a & b\` held.`,
    );
    guard.reset();
    expect(explainRule(guard, 'apart')?.step).toBe(null);
  });
});

describe("a guard's rule with a window in the past", () => {
  const holds = (letters: string) => ({
    a: letters.includes('a'),
    b: letters.includes('b'),
    c: letters.includes('c'),
  });

  async function guarded(formula: string): Promise<Guard> {
    const specification = parseSpecification(`
version: 1
predicates: { a: a, b: b, c: c }
rules: { r: { formula: '${formula}', threshold: 1 } }
learning: { smoothing: 0 }`);
    const steps = ['', 'a', 'b', 'c', 'ab', 'ac', 'bc', 'abc'].map((letters) => ({ state: holds(letters) }));
    const { model } = await learn(
      new Abstraction(specification.abstraction),
      [{ id: '1', steps }],
      specification.learning,
    );
    return createGuard(compileGuard(specification, model));
  }

  it.each([
    ['G (a -> O<=1 b)', 'b - a'],
    ['G (a -> Y b)', 'b - a'],
    ['G (a -> Y Y b)', 'b - - a'],
    ['G (a -> (c S b))', 'b c - ac'],
    ['G (a -> O[2,3] b)', '- - - b - - - a'],
    ['G (a -> O[2,4] b)', 'b - - - - - a'],
    ['G (a -> O b)', '- - - a'],
    ['G (a -> H[0,2] b)', 'b b b b b - a'],
    ['G (a & b -> O<=2 !a)', '- - a a'],
    ['G ((H<=2 a) -> F<=3 b)', '- a a - a a a a'],
  ])('is explained by what it looks back at: %s on %s', async (formula, word) => {
    const guard = await guarded(formula);
    const steps = word.split(' ').map(holds);
    for (const step of steps) guard.step(step);
    expect(explainRule(guard, 'r')?.text).toBe(explainVerdict(formula, steps).text);
  });

  it('says what is due, and nothing that was met long ago, however long the run', async () => {
    const guard = await guarded('G ((H<=4 a) -> F<=5 b)');
    for (let i = 0; i < 200; i++) {
      guard.step(holds(i % 9 > 2 ? 'a' : 'b'));
      if (i % 9 !== 8) continue;
      expect(explainRule(guard, 'r')?.text).toBe(
        `open after step ${i}: \`a\` held at all of the steps ${i - 5} to ${i - 1}, so \`b\` must come by step ${i + 4}: 4 steps left`,
      );
    }
    expect(guard.history.first).toBeGreaterThan(100);
  });

  it('says that more may be due where what it looks back at is no longer kept', async () => {
    const guard = await guarded('G (a & (O b) -> F<=2 c)');
    for (let i = 0; i < 40_000; i++) guard.step(holds(''));
    guard.step(holds('b'));
    guard.step(holds('a'));
    const { text, obligations } = explainRule(guard, 'r') ?? {};
    expect(text).toMatch(
      /: at step 40000 `b` held, and at step 40001 `a` held, so `c` must come by step 40003: 2 steps left; what the steps before step \d+ made due is not known$/,
    );
    expect(obligations?.filter(({ standing }) => !standing)).toMatchObject([{ stepsLeft: 2 }]);
  });

  it('says nothing of steps that it no longer keeps', async () => {
    const [bounded, unbounded] = await Promise.all(['G (a -> O[2,3] b)', 'G (a -> O b)'].map(guarded));
    for (let i = 0; i < 40_000; i++) for (const guard of [bounded, unbounded]) guard.step(holds('c'));
    expect(bounded.history.first).toBeGreaterThan(39_000);
    for (const guard of [bounded, unbounded]) guard.step(holds('a'));
    expect(explainRule(bounded, 'r')?.text).toBe(
      'violated at step 40000: none of the steps 39997 to 39998 had `b`, and at step 40000 `a` held',
    );
    expect(explainRule(unbounded, 'r')?.text).toBe(
      'violated at step 40000: the steps that show why are no longer kept',
    );
  });
});
