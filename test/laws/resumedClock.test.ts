import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { buildAutomaton } from '../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../bindings/languages/logic/index.js';
import {
  createGuard,
  type Guard,
  type GuardFile,
  type RecordedStep,
} from '../../bindings/runtime/guard/index.js';
import { guardFile, ruleOf } from '../unit/guard/guardFiles.js';

const FORMULAS = [
  'G !b',
  'G (a -> F<=2 b)',
  'G (a -> G<=3 !b)',
  '!b U a',
  'F b',
  'G (b -> O<=2 a)',
  'G (a -> X !b)',
];

/** When an observation comes: periods after the one before, or what is no such time. */
const passed = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0.4, 0.95, 1, 1, 1, 1.3, 2, 3, 20, 150) },
  { weight: 1, arbitrary: fc.constantFrom(-1, -200) },
  { weight: 1, arbitrary: fc.constantFrom('untimed', 'unread') },
);

const call = fc.record({
  kind: fc.constantFrom('step', 'step', 'propose', 'propose', 'approve', 'observe', 'idle'),
  state: fc.record({ a: fc.boolean(), b: fc.boolean() }),
  name: fc.constantFrom('go', 'stay'),
  passed,
  withholds: fc.constantFrom(null, null, 'last', 'all'),
});
type Call = typeof call extends fc.Arbitrary<infer T> ? T & { readonly time?: number } : never;

const example = (resample: 'error' | 'hold' | 'skip', readsAction: boolean) =>
  fc
    .record({
      formula: fc.constantFrom(...FORMULAS),
      calls: fc.array(call, { minLength: 2, maxLength: 8 }),
    })
    .map(({ formula, calls }) => {
      const b = readsAction ? 'has(action.name) && action.name == "go"' : 'b';
      const file = guardFile(
        [ruleOf(buildAutomaton(parseFormula(formula)), [0.1, 0.1, 0.1, 0.1], { formula })],
        {
          samplingPeriodSeconds: 0.5,
          resample,
          predicates: [
            { name: 'a', expression: 'a' },
            { name: 'b', expression: b },
          ],
        },
      );
      let now = 3;
      const run = calls.map((one): Call => {
        // What the world was, as an action that did not run left it, is not recorded.
        const made = readsAction ? { ...one, withholds: null } : one;
        if (one.passed === 'untimed') return made;
        if (one.passed === 'unread') return { ...made, time: Number.NaN };
        now += 0.5 * (one.passed as number);
        return { ...made, time: now };
      });
      return { file, run };
    });

/** What the guard comes to; `observed` is what a log has of it. */
function take(guard: Guard, { kind, state, name, time, withholds }: Call) {
  const context = { ...(time !== undefined && { time }) };
  const action = { name };
  let found: unknown;
  if (kind === 'step') found = { ...guard.step(state, { action, ...context }) };
  else if (kind === 'observe') found = { ...guard.observe(state, { action, ...context }) };
  else if (kind === 'propose') found = { ...guard.propose(state, action, context) };
  else if (kind === 'idle') found = { ...guard.idle(state, context) };
  else found = { ...guard.approve(state, action) };
  const observed = JSON.parse(JSON.stringify(guard.observed())) as RecordedStep;
  const rules = guard.rules.map(({ verdict, automatonState }) => ({ verdict, automatonState }));
  if (withholds !== null) guard.withhold(withholds);
  return { found, observed, rules };
}

function resumed(file: GuardFile, recorded: readonly RecordedStep[], { withholds }: Call): Guard {
  const guard = createGuard(file);
  for (const one of recorded) guard.decideAgain(one);
  if (withholds !== null) guard.withhold(withholds);
  return guard;
}

describe.each(['error', 'hold', 'skip'] as const)(
  'a guard that is resumed, under resample: %s',
  (resample) => {
    it.each([false, true])(
      'goes on as the one that never stopped; predicates read the action: %s',
      (reads) => {
        fc.assert(
          fc.property(example(resample, reads), ({ file, run }) => {
            const guard = createGuard(file);
            const found = run.map((one) => take(guard, one));
            for (let cut = 1; cut < run.length; cut++) {
              const records = found.slice(0, cut).map(({ observed }) => observed);
              const again = resumed(file, records, run[cut - 1]);
              // A clock that is behind is another one: see below.
              const latest = Math.max(...records.map(({ time }) => time ?? -Infinity));
              const next = run
                .slice(cut)
                .find(({ kind, time }) => kind !== 'approve' && Number.isFinite(time));
              if (next?.time !== undefined && next.time < latest) continue;
              expect(run.slice(cut).map((one) => take(again, one))).toEqual(found.slice(cut));
            }
          }),
        );
      },
    );

    it('takes a time before those recorded for that of another clock, and goes on with it', () => {
      fc.assert(
        fc.property(example(resample, false), ({ file, run }) => {
          const guard = createGuard(file);
          const records = run.map((one) => take(guard, one).observed);
          const times = records.flatMap(({ time }) => (typeof time === 'number' ? [time] : []));
          fc.pre(times.length > 0);
          const again = resumed(file, records, run[run.length - 1]);
          const state = { a: false, b: false };
          let now = Math.max(...times) - 0.1;
          expect(again.isStep(state, { time: now })).toBe(true);
          again.step(state, { time: now });
          const first = again.observed();
          expect(first.irregular).toBe(true);
          expect(first.lost).toMatch(/some|anywhere/);
          // Also where it is resumed once more.
          const last = { ...run[0], withholds: null };
          for (const one of [again, resumed(file, [...records, first], last)]) {
            now += 0.5;
            one.step(state, { time: now });
            expect(one.observed()).toMatchObject({ call: 'step', irregular: false });
            now -= 0.5;
          }
        }),
      );
    });

    it('does not find a step on time where records have no times', () => {
      fc.assert(
        fc.property(example(resample, false), ({ file, run }) => {
          const guard = createGuard(file);
          const records = run.map((one) => take(guard, one).observed).map(({ time, ...others }) => others);
          // A guard that has observed nothing yet has nothing to lose.
          fc.pre(records.some((record) => record.call === 'step' || record.call === 'observe'));
          const again = resumed(file, records, run[run.length - 1]);
          again.step({ a: false, b: false }, { time: 4 });
          expect(again.observed()).toMatchObject({ call: 'step', irregular: true });
          expect(again.observed().lost).toMatch(/some|anywhere/);
        }),
      );
    });
  },
);
