import { describe, expect, it } from 'vitest';
import { type Automaton, buildAutomaton } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { replay } from '../../../bindings/study/evaluation/index.js';
import { eventually, guardFile, never, ruleOf } from '../guard/guardFiles.js';

/** A trace of the letters `-`, `a`, `b`, `*` (both) and `?` (unreadable), one step a letter, `times` seconds where given. */
function trace(id: string, letters: string, times?: readonly number[], complete = true): Trace {
  const states: Record<string, Record<string, unknown>> = {
    '-': { a: false, b: false },
    a: { a: true, b: false },
    b: { a: false, b: true },
    '*': { a: true, b: true },
    '?': {},
  };
  const steps = [...letters].map(
    (letter, i): Step => ({ state: states[letter], ...(times === undefined ? {} : { time: times[i] }) }),
  );
  return { id, complete, steps };
}

const allSeen = { words: 1, valuations: [0, 1, 2, 3], draws: [1, 1, 1, 1] };

/** Risk of `G !(a & b)`: 0.1 with neither, 0.6 with a, 0.3 with b. */
const file = guardFile([ruleOf(never, [0.1, 0.6, 0.3, 1])], { states: allSeen });

describe('replaying', () => {
  it('finds violation, alarms by reason and largest known risk before it of each trace', async () => {
    const { traces } = await replay(file, [
      trace('predicted', '--ab*-'),
      trace('missed', '-*a'),
      trace('false alarm', '-a-'),
      trace('quiet', '-b-'),
      trace('at once', '*'),
      trace('unknown', '-?b'),
    ]);
    const stop = 'stop';
    const met = (from: number, to = from) =>
      ({ from, to, kind: 'threshold', reason: 'at-threshold', decision: stop }) as const;
    const broken = (from: number, to: number): object[] => [
      { from, to: from, kind: 'violated', reason: 'violated', decision: stop },
      ...(to > from
        ? [{ from: from + 1, to, kind: 'violated', reason: 'after-violation', decision: stop }]
        : []),
    ];
    const whole = { held: 0, leftOut: 0, leftOutSteps: [] };
    const quiet = {
      verdict: 'kept',
      violatedAt: null,
      firstIntervention: null,
      first: { threshold: null, unknown: null, violated: null },
      alarms: [] as object[],
      unknown: 0,
      firstUnknown: null as number | null,
    };
    expect(traces.map(({ rules: _, ...of }) => of)).toEqual(
      traces.map(({ id, steps }) => ({ id, steps, ...whole })),
    );
    expect(traces.map(({ id, steps, rules }) => ({ id, steps, ...rules.rule }))).toEqual([
      {
        ...quiet,
        ...{
          id: 'predicted',
          verdict: 'violated',
          steps: 6,
          violatedAt: 4,
          firstIntervention: 2,
          maxRisk: 0.6,
        },
        first: { threshold: 2, unknown: null, violated: 4 },
        alarms: [met(2), ...broken(4, 5)],
      },
      {
        ...quiet,
        ...{ id: 'missed', verdict: 'violated', steps: 3, violatedAt: 1, firstIntervention: 1, maxRisk: 0.1 },
        first: { threshold: null, unknown: null, violated: 1 },
        alarms: broken(1, 2),
      },
      {
        ...quiet,
        ...{ id: 'false alarm', steps: 3, firstIntervention: 1, maxRisk: 0.6 },
        first: { threshold: 1, unknown: null, violated: null },
        alarms: [met(1)],
      },
      { ...quiet, id: 'quiet', steps: 3, maxRisk: 0.3 },
      {
        ...quiet,
        ...{
          id: 'at once',
          verdict: 'violated',
          steps: 1,
          violatedAt: 0,
          firstIntervention: 0,
          maxRisk: null,
        },
        first: { threshold: null, unknown: null, violated: 0 },
        alarms: broken(0, 0),
      },
      {
        ...quiet,
        ...{
          id: 'unknown',
          verdict: 'open',
          whyOpen: 'unread',
          steps: 3,
          firstIntervention: 1,
          maxRisk: 0.3,
          unknown: 1,
          firstUnknown: 1,
        },
        first: { threshold: null, unknown: 1, violated: null },
        alarms: [{ from: 1, to: 1, kind: 'unknown', reason: 'predicate-failed', decision: stop }],
      },
    ]);
  });

  it.each([
    ['stop', 'stop', true],
    ['inspect', 'inspect', true],
    ['rule', 'reflect', true],
    ['allow', null, false],
  ] as const)(
    'decides steps that it cannot judge as onUnknown says: %s',
    async (onUnknown, decision, alarms) => {
      const rule = ruleOf(never, [0.1, 0.6, 0.3, 1], { strategy: { kind: 'reflect' } });
      const guard = guardFile([rule], {
        onUnknown,
        ...(onUnknown === 'allow' && { unsafeAllowUnknown: true }),
        states: { ...allSeen, draws: [1, 1, 0, 1] },
      });
      // b has no data: its state is unknown, though its predicates are read.
      const { traces, totals, decisions } = await replay(guard, [
        trace('kept', '-b-'),
        trace('broken', '-b*'),
      ]);
      expect(traces.map(({ rules }) => rules.rule.first.unknown)).toEqual(alarms ? [1, 1] : [null, null]);
      expect(traces[0].rules.rule.alarms).toEqual(
        alarms ? [{ from: 1, to: 1, kind: 'unknown', reason: 'unknown-state', decision }] : [],
      );
      expect(totals.rule).toMatchObject({
        unknown: 2,
        unknownBy: { 'unknown-state': 2 },
        violations: 1,
        predicted: 0,
        missed: alarms ? 0 : 1,
        falseAlarms: 0,
        onUnknownOnly: alarms ? { violated: 1, kept: 1 } : { violated: 0, kept: 0 },
      });
      expect(decisions.allow).toBe(alarms ? 3 : 5);
    },
  );

  it('predicts nothing where it could judge nothing, and says which rule could be read in no step', async () => {
    const two = guardFile(
      [
        ruleOf(never, [0.1, 0.6, 0.3, 1], { name: 'both' }),
        ruleOf(eventually, [0.1, 0.6, 0.3, 1], { name: 'onlyB' }),
      ],
      { states: allSeen },
    );
    const states = [{ b: false }, { a: 'warm', b: true }, { b: false }];
    const lame: Trace = { id: 'lame', steps: states.map((state) => ({ state })) };
    const { totals, unread } = await replay(two, [lame, { ...lame, id: 'again' }]);
    expect(totals.both).toMatchObject({ predicted: 0, falseAlarms: 0, unknown: 6 });
    expect(unread).toEqual([
      {
        rule: 'both',
        predicates: ['a'],
        message: expect.stringMatching(
          /^rule "both" could be read in full at none of 6 steps: "a" could not be read, the first time at trace "lame", step 0: .*"a"/,
        ),
      },
    ]);
    expect((await replay(two, [lame, trace('read', '-')])).unread).toEqual([]);
  });

  it('tells escalations and steps that nothing permits by what was at their beginning', async () => {
    const rule = ruleOf(never, [0.1, 0.6, 0.3, 1], { strategy: { kind: 'reflect' }, maxReflections: 1 });
    const { traces } = await replay(guardFile([rule], { states: allSeen, onUnknown: 'reflect' }), [
      trace('both', 'aaa-???'),
    ]);
    expect(traces[0].rules.rule.alarms).toEqual([
      { from: 0, to: 0, kind: 'threshold', reason: 'at-threshold', decision: 'reflect' },
      { from: 1, to: 2, kind: 'threshold', reason: 'escalated', decision: 'stop' },
      { from: 4, to: 4, kind: 'unknown', reason: 'predicate-failed', decision: 'reflect' },
      { from: 5, to: 6, kind: 'unknown', reason: 'escalated', decision: 'stop' },
    ]);
  });

  it('explains on request what broke a rule and how it stood at the first intervention', async () => {
    const { traces } = await replay(file, [trace('predicted', '--ab*-'), trace('quiet', '-b')], {
      explain: true,
    });
    expect(traces.map(({ rules }) => rules.rule)).toMatchObject([
      {
        violatedAt: 4,
        firstIntervention: 2,
        maxRisk: 0.6,
        whyViolated: 'violated at step 4: at step 4 `a & b` held',
        whyIntervened: 'open after step 2: nothing is due, but no step may have `a & b`',
      },
      { violatedAt: null, firstIntervention: null, maxRisk: 0.3, whyViolated: null, whyIntervened: null },
    ]);
    const rule = ruleOf(eventually, [0.1, 0.6, 0.3, 1], { formula: 'F b' });
    const ended = await replay(guardFile([rule], { states: allSeen }), [trace('never', '--')], {
      explain: true,
    });
    expect(ended.traces[0].rules.rule.whyViolated).toBe(
      'violated by a run that ends at step 1: none of the steps 0 to 1 had `b`',
    );
  });

  it('says what Guard.explain says where alarms begin, each cause once with the runs it holds for', async () => {
    const runs = [trace('one', '-aa-a'), trace('two', '?-a'), trace('three', '---')];
    const guard = createGuard(file);
    const said = runs.map(({ steps }) => {
      guard.reset();
      return steps.map((step) => guard.explain(guard.step(step.state, step)).replace(/^Step \d+: /, ''));
    });
    expect(said[0][1]).toMatch(/^stop\. The risk of breaking rule "rule" .* is 0\.6/);
    const { causes } = await replay(file, runs, { explain: true });
    expect(causes).toEqual([
      {
        ...{ rule: 'rule', kind: 'threshold', reason: 'at-threshold', decision: 'stop', text: said[0][1] },
        alarms: 3,
        runs: [
          { trace: 'one', steps: [1, 4] },
          { trace: 'two', steps: [2] },
        ],
      },
      {
        ...{ rule: 'rule', kind: 'unknown', reason: 'predicate-failed', decision: 'stop', text: said[1][0] },
        alarms: 1,
        runs: [{ trace: 'two', steps: [0] }],
      },
    ]);
    expect((await replay(file, runs)).causes).toBeUndefined();
  });

  it('keeps runs of one name apart where it explains', async () => {
    const { causes } = await replay(file, [trace('same', 'a'), trace('same', '-a')], { explain: true });
    expect(causes?.map(({ runs }) => runs)).toEqual([
      [
        { trace: 'same', steps: [0] },
        { trace: 'same', steps: [1] },
      ],
    ]);
  });

  it('explains each rule by itself where several speak up', async () => {
    const two = guardFile(
      [
        ruleOf(never, [0.1, 0.6, 0.3, 1], { name: 'first' }),
        ruleOf(never, [0.1, 0.7, 0.3, 1], {
          name: 'second',
          strategy: { kind: 'replace', action: 'brake' },
        }),
      ],
      { states: allSeen },
    );
    const { causes } = await replay(two, [trace('one', '-a')], { explain: true });
    expect(causes?.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^stop\. The risk of breaking rule "first" \(.*\) is 0\.6, /),
      expect.stringMatching(/^replace by "brake"\. The risk of breaking rule "second" \(.*\) is 0\.7, /),
    ]);
  });

  it('numbers steps as the trace does, those held and left out aside, in explanations too', async () => {
    const rule = ruleOf(never, [0.1, 0.6, 0.3, 1]);
    const held = guardFile([rule], {
      states: allSeen,
      samplingPeriodSeconds: 0.1,
      resample: 'hold' as const,
    });
    // Two steps are missing before step 1, and step 2 comes before its time.
    const late = trace('late', '-b-a*', [0, 0.3, 0.32, 0.4, 0.6]);
    const { traces } = await replay(held, [late], { explain: true });
    expect(traces[0].rules.rule).toMatchObject({
      violatedAt: 4,
      firstIntervention: 3,
      whyViolated: 'violated at step 4 (0.6 s): at step 4 `a & b` held',
      whyIntervened: 'open after step 3 (0.4 s): nothing is due, but no step may have `a & b`',
    });
    const goal = ruleOf(eventually, [0.1, 0.6, 0.3, 1], { formula: 'F b' });
    const ended = await replay({ ...held, rules: [goal] }, [trace('never', '---', [0, 0.3, 0.4])], {
      explain: true,
    });
    expect(ended.traces[0].rules.rule.whyViolated).toBe(
      'violated by a run that ends at step 2 (0.4 s): none of the steps 0 to 2 had `b`',
    );
  });

  it('sums up per rule', async () => {
    const { totals } = await replay(file, [
      trace('two ahead', '-a-*', [0, 1, 2, 3.5]),
      trace('one ahead', 'a*', [0, 0.5]),
      trace('missed', '-*', [0, 1]),
      trace('false alarm', 'a', [0]),
      trace('unknown', '?-?', [0, 1, 2]),
      trace('unknown before', '?-*', [0, 1, 2]),
    ]);
    const { tradeOff, ...sums } = totals.rule;
    expect(sums).toEqual({
      kept: 1,
      open: 1,
      violations: 4,
      predicted: 2,
      missed: 1,
      falseAlarms: 1,
      onUnknownOnly: { violated: 1, kept: 0 },
      notJudged: 0,
      alarms: { threshold: 3, unknown: 2, violated: 4 },
      unknown: 3,
      unknownBy: { 'predicate-failed': 3 },
      meanStepsAhead: 1.5,
      meanSecondsAhead: 1.5,
    });
    const own = tradeOff?.find((row) => row.own);
    expect(own).toMatchObject({ threshold: 'risk >= 0.5', predicted: 2, missed: 1, falseAlarms: 1 });
  });

  it('has no means without predictions, and no seconds without time', async () => {
    const none = await replay(file, [trace('missed', '-*')]);
    expect(none.totals.rule).toMatchObject({ predicted: 0, meanStepsAhead: null, meanSecondsAhead: null });
    const untimed = await replay(file, [trace('timed', 'a*', [0, 1]), trace('untimed', 'a*')]);
    expect(untimed.totals.rule).toMatchObject({ predicted: 2, meanStepsAhead: 1, meanSecondsAhead: null });
  });

  it('counts an obligation that only the end breaks at the number of steps, of complete traces alone', async () => {
    const goal = guardFile([ruleOf(eventually, [0.1, 0.6, 0, 0])], { states: allSeen });
    const { traces, totals } = await replay(goal, [
      trace('broken', '-a-', [0, 1, 2]),
      trace('kept', '-ab', [0, 1, 2]),
      trace('cut', '-a-', [0, 1, 2], false),
    ]);
    expect(traces.map(({ rules }) => rules.rule.violatedAt)).toEqual([3, null, null]);
    expect(totals.rule).toMatchObject({
      violations: 1,
      predicted: 1,
      kept: 1,
      open: 1,
      falseAlarms: 1,
      meanStepsAhead: 1,
      meanSecondsAhead: 1,
    });
  });

  it('does not count it where the rule is weak at the end', async () => {
    const weak = { ...eventually, accepting: [1, 1] };
    const { traces } = await replay(guardFile([ruleOf(weak, [0.1, 0.6, 0, 0])]), [trace('open', '-a-')]);
    expect(traces[0].rules.rule).toMatchObject({ violatedAt: null, verdict: 'kept' });
  });

  it.each([
    ['G !(a & b)', '?-', true, 'open', 'unread'],
    ['G !(a & b)', '?*', true, 'violated', undefined],
    ['G !(a & b)', '--', false, 'open', 'cut'],
    ['F b', '??', true, 'open', 'unread'],
    ['F b', '?b', true, 'kept', undefined],
    ['F b', '-b', false, 'kept', undefined],
    ['F b', '-?', false, 'open', 'cut'],
    ['G (a -> F[0,3] b)', 'a?-', true, 'kept', undefined],
    ['G (a -> F[0,1] b)', 'a?-', true, 'open', 'unread'],
  ] as const)(
    'knows of %s on %s, complete: %s, that it is %s',
    async (text, letters, complete, verdict, why) => {
      const formula = parseFormula(text);
      const built = buildAutomaton(formula);
      // A window makes a rule weak at the end.
      const automaton = text.includes('[')
        ? { ...built, accepting: Array.from(built.verdict, (of) => (of === 1 ? 0 : 1)) }
        : built;
      const rule = ruleOf(
        automaton,
        Array.from({ length: 4 * automaton.states }, () => 0.6),
      );
      const { traces, totals } = await replay(guardFile([rule], { states: allSeen }), [
        trace('one', letters, undefined, complete),
      ]);
      expect(traces[0].rules.rule).toMatchObject({ verdict });
      expect(traces[0].rules.rule.whyOpen).toBe(why);
      const { kept, open, violations, tradeOff } = totals.rule;
      expect({ kept, open, violations }).toEqual({
        kept: Number(verdict === 'kept'),
        open: Number(verdict === 'open'),
        violations: Number(verdict === 'violated'),
      });
      if (verdict === 'open') {
        expect(totals.rule).toMatchObject({ falseAlarms: 0, onUnknownOnly: { violated: 0, kept: 0 } });
        for (const row of tradeOff ?? []) expect(row.falseAlarmRate.rate).toBeNaN();
      }
    },
  );

  it('keeps rules apart, strategies aside', async () => {
    const both = guardFile(
      [
        ruleOf(never, [0.1, 0.6, 0.3, 1], { name: 'never', strategy: { kind: 'report' } }),
        ruleOf(never, [0.1, 0.2, 0.3, 1], { name: 'later' }),
      ],
      { states: allSeen },
    );
    const { traces } = await replay(both, [trace('one', '-ab*')]);
    expect(traces[0].rules).toMatchObject({
      never: { violatedAt: 3, firstIntervention: 1, maxRisk: 0.6 },
      later: { violatedAt: 3, firstIntervention: 3, maxRisk: 0.3 },
    });
  });

  it('takes a guard as well as a file, and streams', async () => {
    const guard = createGuard(file);
    guard.step({ a: true, b: true });
    async function* stream(): AsyncGenerator<Trace> {
      yield trace('one', '-ab*-');
    }
    expect(await replay(guard, stream())).toEqual(await replay(file, [trace('one', '-ab*-')]));
    expect(guard.step({ a: false, b: false })).toMatchObject({ step: 0, decision: 'allow' });
  });
});

describe('replaying a PCTL rule', () => {
  const oneState: Automaton = {
    predicates: [],
    states: 1,
    initial: 0,
    verdict: [0],
    accepting: [1],
    roots: [-1],
    nodes: [],
  };
  const ofState = (monitor: Automaton) =>
    guardFile([ruleOf(oneState, [0.1, 0.6, 0.3, 0.9], { evaluation: 'state', monitor })], {
      states: allSeen,
    });

  it('sees the event counted from any step', async () => {
    // Bounded: X b. It has happened at a step with b that is not the first.
    const nextNot: Automaton = {
      predicates: ['b'],
      states: 4,
      initial: 0,
      verdict: [0, 0, 1, 2],
      accepting: [0, 0, 0, 1],
      roots: [-2, 0, -3, -4],
      nodes: [0, -4, -3],
    };
    const { traces } = await replay(ofState(nextNot), [trace('later', 'b-a-b'), trace('never', 'b---')]);
    expect(traces.map(({ rules }) => rules.rule)).toMatchObject([
      { violatedAt: 4, firstIntervention: 2, maxRisk: 0.6 },
      { violatedAt: null, firstIntervention: null, maxRisk: 0.3 },
    ]);
  });

  it('goes on in `end`, where no predicate holds', async () => {
    // Bounded: G !b, so the event does not happen only if b still comes; in `end` it does not.
    const { traces } = await replay(ofState(eventually), [
      trace('b last', '-b'),
      trace('b early', 'b-'),
      trace('cut', 'b-', undefined, false),
    ]);
    expect(traces.map(({ rules }) => rules.rule.violatedAt)).toEqual([null, 2, null]);
  });

  it('knows `end` by name, in steps that could not be read too', async () => {
    const until = buildAutomaton(parseFormula('b W end'));
    const { traces } = await replay(ofState(until), [
      trace('kept', 'bb'),
      trace('lost', 'b-b'),
      trace('unread', 'b?b'),
      trace('cut', 'bb', undefined, false),
    ]);
    expect(traces.map(({ rules }) => rules.rule.violatedAt)).toEqual([null, 1, null, null]);
  });

  it('holds what is missing and leaves out what comes early, as the guard does', async () => {
    // Bounded: X a.
    const nextNot = buildAutomaton(parseFormula('WX !a'));
    const held = { ...ofState(nextNot), samplingPeriodSeconds: 0.1, resample: 'hold' as const };
    const { traces, totals } = await replay(held, [
      trace('regular', 'a--', [0, 0.1, 0.2]),
      trace('gap', 'a--', [0, 0.2, 0.3]),
      trace('early', 'ba-', [0, 0.02, 0.1]),
      trace('unread once', '?--', [0, 0.02, 0.1]),
    ]);
    expect(traces.map(({ rules }) => rules.rule.violatedAt)).toEqual([null, 0, null, null]);
    expect(traces[1].rules.rule.violatedWhileHeld).toBe(true);
    expect(traces.map(({ rules }) => rules.rule.verdict)).toEqual(['kept', 'violated', 'kept', 'kept']);
    expect(totals.rule.unknown).toBe(1);
  });

  it('is sure only of what could be read', async () => {
    const { traces } = await replay(ofState(never), [trace('unread', '-?-'), trace('read', '-?*')]);
    expect(traces.map(({ rules }) => rules.rule.violatedAt)).toEqual([null, 2]);
    expect(traces.map(({ rules }) => rules.rule.verdict)).toEqual(['open', 'violated']);
  });
});
