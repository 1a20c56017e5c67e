import { describe, expect, it } from 'vitest';
import { type Automaton, buildAutomaton } from '../../../bindings/automaton/index.js';
import { replay } from '../../../bindings/evaluation/index.js';
import { createGuard } from '../../../bindings/guard/index.js';
import { parseFormula } from '../../../bindings/logic/index.js';
import type { Step, Trace } from '../../../bindings/trace/index.js';
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
  it('finds violation, first intervention and largest risk before it of each trace', async () => {
    const { traces } = await replay(file, [
      trace('predicted', '--ab*-'),
      trace('missed', '-*a'),
      trace('false alarm', '-a-'),
      trace('quiet', '-b-'),
      trace('at once', '*'),
      trace('unknown', '-?b'),
    ]);
    expect(traces).toEqual([
      { id: 'predicted', steps: 6, rules: { rule: { violatedAt: 4, firstIntervention: 2, maxRisk: 0.6 } } },
      { id: 'missed', steps: 3, rules: { rule: { violatedAt: 1, firstIntervention: 1, maxRisk: 0.1 } } },
      {
        id: 'false alarm',
        steps: 3,
        rules: { rule: { violatedAt: null, firstIntervention: 1, maxRisk: 0.6 } },
      },
      { id: 'quiet', steps: 3, rules: { rule: { violatedAt: null, firstIntervention: null, maxRisk: 0.3 } } },
      { id: 'at once', steps: 1, rules: { rule: { violatedAt: 0, firstIntervention: 0, maxRisk: 0 } } },
      { id: 'unknown', steps: 3, rules: { rule: { violatedAt: null, firstIntervention: 1, maxRisk: 1 } } },
    ]);
  });

  it('explains on request what broke a rule and how it stood at the first intervention', async () => {
    const { traces } = await replay(file, [trace('predicted', '--ab*-'), trace('quiet', '-b')], {
      explain: true,
    });
    expect(traces.map(({ rules }) => rules.rule)).toEqual([
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

  it('sums up per rule', async () => {
    const { totals } = await replay(file, [
      trace('two ahead', '-a-*', [0, 1, 2, 3.5]),
      trace('one ahead', 'a*', [0, 0.5]),
      trace('missed', '-*', [0, 1]),
      trace('false alarm', 'a', [0]),
      trace('unknown', '?-?', [0, 1, 2]),
    ]);
    expect(totals).toEqual({
      rule: {
        violations: 3,
        predicted: 2,
        missed: 1,
        falseAlarms: 2,
        unknown: 2,
        meanStepsAhead: 1.5,
        meanSecondsAhead: 1.5,
      },
    });
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
      falseAlarms: 2,
      meanStepsAhead: 2,
      meanSecondsAhead: 1,
    });
  });

  it('does not count it where the rule is weak at the end', async () => {
    const weak = { ...eventually, accepting: [1, 1] };
    const { traces } = await replay(guardFile([ruleOf(weak, [0.1, 0.6, 0, 0])]), [trace('open', '-a-')]);
    expect(traces[0].rules.rule.violatedAt).toBeNull();
  });

  it('keeps rules apart, strategies aside', async () => {
    const both = guardFile(
      [
        ruleOf(never, [0.1, 0.6, 0.3, 1], { name: 'never', strategy: { kind: 'report' } }),
        ruleOf(never, [0.1, 0.2, 0.3, 1], { name: 'later' }),
      ],
      { states: allSeen },
    );
    const { traces } = await replay(both, [trace('one', '-ab*')]);
    expect(traces[0].rules).toEqual({
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
    expect(traces.map(({ rules }) => rules.rule)).toEqual([
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
    expect(traces.map(({ rules }) => rules.rule.violatedAt)).toEqual([null, 1, null, null]);
    expect(totals.rule.unknown).toBe(1);
  });

  it('is sure only of what could be read', async () => {
    const { traces } = await replay(ofState(never), [trace('unread', '-?-'), trace('read', '-?*')]);
    expect(traces.map(({ rules }) => rules.rule.violatedAt)).toEqual([null, 2]);
  });
});
