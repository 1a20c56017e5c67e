import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learn } from '../../bindings/estimation/learning/index.js';
import { bindAutomaton, buildAutomaton, OPEN, VIOLATED } from '../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../bindings/languages/logic/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';
import { explainRule } from '../../bindings/runtime/explanation/index.js';
import { createGuard, type GuardFile, type RecordedStep } from '../../bindings/runtime/guard/index.js';
import { replay } from '../../bindings/study/evaluation/index.js';
import { guardFile, never, response, ruleOf } from '../unit/guard/guardFiles.js';
import { below } from './actionWorlds.js';
import { breaksEarly, fillings, pick, runOf } from './gapRuns.js';

const FORMULAS = [
  'G !b',
  'G (a -> X !b)',
  '!b U a',
  'F b',
  'G (a -> F<=2 b)',
  'a -> X X b',
  'G (b -> O<=2 a)',
  'G (a -> WX false)',
];

async function world(random: Random) {
  const resample = pick(random, ['error', 'hold', 'skip'] as const);
  const specification = parseSpecification(`version: 1
predicates: { a: 'a', b: 'b' }
rules: { rule: { formula: '${pick(random, FORMULAS)}', threshold: 0.37 } }
samplingPeriod: 1s
resample: ${resample}
learning: { smoothing: 0.5 }`);
  const traces = Array.from({ length: 20 }, (_, id) => ({
    id: String(id),
    steps: Array.from({ length: 6 }, (_, i) => {
      const v = below(random, 4);
      return { state: { a: (v & 1) === 1, b: (v & 2) === 2 }, time: i };
    }),
  }));
  const abstraction = new Abstraction(specification.abstraction);
  const { model } = await learn(abstraction, traces, specification.learning);
  const runs = Array.from({ length: 6 }, (_, i) => runOf(random, resample, String(i)));
  return { specification, file: compileGuard(specification, model), runs };
}

const CASES = fc.integer({ min: 0, max: 2 ** 31 - 1 });

describe('after a gap in time', () => {
  it('a verdict is certain only if every way to fill the missing steps has it', async () => {
    const count = { kept: 0, violated: 0, open: 0 };
    await fc.assert(
      fc.asyncProperty(CASES, async (seed) => {
        const { specification, file, runs } = await world(new Random(seed));
        const [{ formula, atEnd }] = specification.rules;
        const automaton = buildAutomaton(formula, { samplingPeriod: specification.samplingPeriod });
        const stepper = bindAutomaton(automaton, ['a', 'b']);
        const isBroken = (word: readonly number[]): boolean => {
          let q = automaton.initial;
          for (const v of word) q = stepper.step(q, Uint32Array.of(v), 0);
          return automaton.verdict[q] === VIOLATED;
        };
        const { traces, totals } = await replay(
          file,
          runs.map(({ trace }) => trace),
        );
        const found = { kept: 0, violations: 0, open: 0 };
        runs.forEach((run, i) => {
          const { verdict } = traces[i].rules.rule;
          found[verdict === 'violated' ? 'violations' : (verdict ?? 'open')]++;
          if (run.missing.every((lost) => lost === 0)) return;
          count[verdict ?? 'open']++;
          if (verdict === 'open') return;
          const verdicts = new Set<string>();
          for (const word of fillings(run)) {
            let q = automaton.initial;
            for (const v of word) q = stepper.step(q, Uint32Array.of(v), 0);
            const decided = automaton.verdict[q];
            if (decided !== OPEN) verdicts.add(decided === VIOLATED ? 'violated' : 'kept');
            else if (run.trace.complete === false) verdicts.add('open');
            else verdicts.add(atEnd === 'weak' || automaton.accepting[q] === 1 ? 'kept' : 'violated');
          }
          // What was violated for certain before a gap was so on the steps as they were taken then.
          if (verdict === 'violated' && run.missing.includes('anywhere')) return;
          if (verdict === 'violated' && breaksEarly(run, isBroken)) return;
          expect([...verdicts]).toEqual([verdict]);
        });
        expect(totals.rule).toMatchObject(found);
      }),
      { numRuns: 150 },
    );
    for (const seen of Object.values(count)) expect(seen).toBeGreaterThan(40);
  });

  it('a guard that is given what was observed decides the same, and is explained the same', async () => {
    let lost = 0;
    await fc.assert(
      fc.asyncProperty(CASES, async (seed) => {
        const { file, runs } = await world(new Random(seed));
        const [guard, again] = [createGuard(file), createGuard(file)];
        for (const { trace } of runs) {
          guard.reset();
          again.reset();
          for (const step of trace.steps) {
            const { step: number, decision, reason, risk, lower } = guard.step(step.state, step);
            const observed = JSON.parse(JSON.stringify(guard.observed()));
            if (observed.lost !== undefined) lost++;
            expect(again.decideAgain(observed)).toMatchObject({
              step: number,
              decision,
              reason,
              risk,
              lower,
            });
            expect(again.rules[0].verdict).toBe(guard.rules[0].verdict);
            const explained = explainRule(guard, 'rule');
            expect(explainRule(again, 'rule')).toEqual(explained);
            expect(explained?.verdict).toBe(['open', 'violated', 'satisfied'][guard.rules[0].verdict]);
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(lost).toBeGreaterThan(100);
  });
});

/** An obstacle at 0.1 and 0.2 s, and the vehicle moves; then a gap, and it stands 0.3 s after that. */
const gapOf = (seconds: number): Trace => ({
  id: `gap of ${seconds} s`,
  complete: true,
  steps: [
    [0, 0, 6],
    [0.1, 1, 6],
    [0.2, 1, 6],
    ...[6, 6, 6, 0].map((v, i) => [0.2 + seconds + i / 10, 1, v]),
    [0.6 + seconds, 0, 0],
  ].map(([time, obst, v]) => ({ state: { obst, v }, time: Number(time.toFixed(2)) })),
});

async function stopping(resample: 'error' | 'hold'): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
samplingPeriod: 0.1s
resample: ${resample}
predicates: { obst: 'obst == 1', still: 'v < 0.5' }
rules: { stops: { formula: 'G (obst -> F[0s,1s] still)', threshold: 0.4, strategy: { replace: brake } } }
learning: { smoothing: 0 }`);
  const drive = (moving: number): [number, number][] => [
    [0, 6],
    [0, 6],
    ...Array.from({ length: moving }, (): [number, number] => [1, 6]),
    [1, 0],
    [0, 0],
  ];
  const traces = Array.from({ length: 60 }, (_, id) => ({
    id: String(id),
    steps: drive([2, 4, 12][id % 3]).map(([obst, v], i) => ({ state: { obst, v }, time: i / 10 })),
  }));
  const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
  return compileGuard(specification, model);
}

describe('a deadline that may have passed in a gap', () => {
  it.each([
    ['error', 6],
    ['error', 20],
    ['hold', 20],
  ] as const)(
    'under %s, in a gap of %d s, is neither kept nor has it time left',
    async (resample, seconds) => {
      const file = await stopping(resample);
      const trace = gapOf(seconds);
      const guard = createGuard(file);
      const results = trace.steps.map((step) => {
        const { decision, reason } = guard.step(step.state, step);
        return { decision, reason, text: explainRule(guard, 'stops')?.text ?? '' };
      });
      expect(results.map(({ decision }) => decision)).toEqual([
        'allow',
        'allow',
        'allow',
        'replace',
        'replace',
        'replace',
        'allow',
        'allow',
      ]);
      expect(results[3].reason).toBe('irregular-time');
      expect(results[4].reason).toBe('at-threshold');
      for (const { text } of results.slice(3, 6)) {
        const missing =
          seconds === 20
            ? 'nobody knows how many steps there were'
            : 'steps that nobody observed are missing';
        expect(text).toContain(
          `: ${missing} before step 3, so neither whether one of them broke it nor what is still due is known`,
        );
      }
      const { traces, totals } = await replay(file, [trace], { explain: true });
      expect(traces[0].rules.stops).toMatchObject({ verdict: 'open', whyOpen: 'unread', violatedAt: null });
      expect(totals.stops).toMatchObject({ kept: 0, open: 1, violations: 0, falseAlarms: 0 });
    },
  );

  it('under hold, in a gap of 6 s, is violated', async () => {
    const { traces } = await replay(await stopping('hold'), [gapOf(6)]);
    expect(traces[0].rules.stops).toMatchObject({ verdict: 'violated', violatedWhileHeld: true });
  });

  it('a rule broken across a gap names the steps that were observed', () => {
    const automaton = buildAutomaton(parseFormula('a -> X X b'));
    const file = guardFile([ruleOf(automaton, [0.1, 0.1, 0.1, 0.1], { formula: 'a -> X X b' })], {
      samplingPeriodSeconds: 0.1,
    });
    const guard = createGuard(file);
    guard.step({ a: true, b: false }, { time: 1 });
    const broken = guard.step({ a: false, b: false }, { time: 1.2 });
    expect(broken.reason).toBe('violated');
    expect(explainRule(guard, 'rule')?.text).toBe(
      'violated at step 1 (0.2 s): at step 0 `a` held, and at step 1 `b` did not hold',
    );
    expect(guard.explain(broken)).toContain('This step breaks');
  });

  it('does not end for steps that come too early, nor has it been kept', () => {
    const guard = createGuard(
      guardFile([ruleOf(response, [0.1, 0.1, 0.1, 0.1])], { samplingPeriodSeconds: 0.1 }),
    );
    guard.step({ a: true, b: false }, { time: 1 });
    expect(guard.step({ a: false, b: false }, { time: 1.05 }).reason).toBe('irregular-time');
    expect([0, 1, 2].map((q) => guard.rules[0].mayBeIn(q))).toEqual([false, true, true]);
    // The deadline is at 1.2 s: it may have passed only if the early step counts.
    expect(guard.step({ a: false, b: false }, { time: 1.15 })).toMatchObject({
      reason: 'at-threshold',
      risk: 1,
    });
    expect(guard.step({ a: false, b: false }, { time: 1.25 }).reason).toBe('violated');
  });

  it('what a step that comes too early makes due is not known: it may be no step', () => {
    const file = guardFile([ruleOf(response, [0.1, 0.1, 0.1, 0.1], { formula: 'G (a -> F<=2 b)' })], {
      samplingPeriodSeconds: 1,
    });
    const guard = createGuard(file);
    guard.step({ a: false, b: false }, { time: 1 });
    guard.step({ a: true, b: false }, { time: 1.05 });
    expect([0, 1].map((q) => guard.rules[0].mayBeIn(q))).toEqual([true, true]);
    expect(explainRule(guard, 'rule')?.text).toBe(
      'open after step 1: nobody knows how many steps there were before step 1, so neither whether one of them broke it nor what is still due is known',
    );
    guard.step({ a: false, b: true }, { time: 2 });
    expect(explainRule(guard, 'rule')?.text).toBe(
      'open after step 2: nothing is due, but every step must have `a -> F<=2 b`',
    );
  });

  it('a step that comes too early breaks what it breaks as a step, and in place of the one before', () => {
    const guard = createGuard(guardFile([ruleOf(never, [0.1, 0.1, 0.1, 1])], { samplingPeriodSeconds: 0.1 }));
    guard.step({ a: true, b: false }, { time: 1 });
    expect(guard.step({ a: true, b: true }, { time: 1.02 }).reason).toBe('violated');
  });

  it('is remembered where the step after it is read again, for another action', () => {
    const file = guardFile([ruleOf(response, [0.1, 0.1, 0.1, 0.1])], {
      samplingPeriodSeconds: 0.1,
      predicates: [
        { name: 'a', expression: 'a' },
        { name: 'b', expression: 'action.name == "b"' },
      ],
    });
    const guard = createGuard(file);
    const records: RecordedStep[] = [];
    const verdicts: unknown[] = [];
    const take = (): void => {
      records.push(JSON.parse(JSON.stringify(guard.observed())));
      const [{ automatonState, verdict }] = guard.rules;
      verdicts.push([automatonState, verdict, [0, 1, 2].map((q) => guard.rules[0].mayBeIn(q))]);
    };
    guard.step({ a: true }, { action: { name: 'c' }, time: 1 });
    take();
    guard.withhold('all');
    // The step before was none: this one stands in its place, behind the gap.
    guard.step({ a: false }, { action: { name: 'c' }, time: 1.9 });
    take();
    expect(verdicts[1]).toEqual([-1, 0, [true, false, true]]);
    guard.propose({ a: false }, { name: 'd' });
    take();
    expect(verdicts[2]).toEqual(verdicts[1]);
    guard.propose({ a: false }, { name: 'b' });
    take();
    expect(verdicts[3]).toEqual([0, 0, [true, false, false]]);
    expect(records.map(({ lost }) => lost)).toEqual([undefined, 8, undefined, undefined]);
    const again = createGuard(file);
    records.forEach((record, i) => {
      again.decideAgain(record);
      const [{ automatonState, verdict }] = again.rules;
      expect([automatonState, verdict, [0, 1, 2].map((q) => again.rules[0].mayBeIn(q))]).toEqual(verdicts[i]);
    });
  });

  it.each(['error', 'hold'] as const)(
    'under %s, what a rule on probabilities bounds may have happened in one',
    async (resample) => {
      const specification = parseSpecification(`version: 1
predicates: { b: 'b' }
rules: { rare: { formula: 'P<=0.5 [ X b ]' } }
samplingPeriod: 1s
resample: ${resample}
learning: { smoothing: 0.5 }`);
      const traceOf = (id: string, times: readonly number[]): Trace => ({
        id,
        complete: true,
        steps: times.map((time) => ({ state: { b: false }, time })),
      });
      const quiet = traceOf('quiet', [0, 1, 2, 3]);
      const { model } = await learn(
        new Abstraction(specification.abstraction),
        [{ id: 'b', steps: [false, true, false].map((b, time) => ({ state: { b }, time })) }],
        specification.learning,
      );
      const { traces } = await replay(compileGuard(specification, model), [
        quiet,
        traceOf('gap', [0, 1, 301, 302]),
      ]);
      expect(traces.map(({ rules }) => rules.rare.verdict)).toEqual(['kept', 'open']);
    },
  );

  it('gaps that are each a little too long add up', async () => {
    const file = await stopping('error');
    const late = (seconds: number): Trace => ({
      id: 'late',
      complete: true,
      steps: Array.from({ length: 12 }, (_, i) => ({
        state: { obst: i === 1 ? 1 : 0, v: i < 10 ? 6 : 0 },
        time: i * seconds,
      })),
    });
    const { traces } = await replay(file, [late(0.1), late(0.13)]);
    expect(traces.map(({ rules }) => rules.stops.verdict)).toEqual(['kept', 'open']);
  });
});
