import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import { InvalidDataError } from '../../../../bindings/base/errors.js';
import {
  type ActionEffect,
  actionEffects,
  idleEffect,
  learnMdp,
  readLearntMdp,
  requireSomeEffect,
  unseenEffects,
} from '../../../../bindings/estimation/learning/index.js';
import type { Trace } from '../../../../bindings/observations/trace/index.js';
import { readUmb, writeUmb } from '../../../../bindings/solvers/formats/index.js';
import type { Mdp } from '../../../../bindings/solvers/model/index.js';
import { overFlags } from '../flagTraces.js';

type Sketch = readonly { readonly flags: readonly [boolean, boolean]; readonly action: string }[];

function trace(sketch: Sketch, complete = true): Trace {
  const steps = sketch.map(({ flags: [p0, p1], action }) => ({
    state: { p0, p1 },
    ...(action !== '' && { action: { name: action } }),
  }));
  return { id: 'run', complete, steps };
}

const sketch: fc.Arbitrary<Sketch> = fc.array(
  fc.record({
    flags: fc.tuple(fc.boolean(), fc.boolean()),
    action: fc.constantFrom('', 'go', 'wait', 'look'),
  }),
  { minLength: 1, maxLength: 8 },
);

/** By definition, step by step. */
function counted(all: readonly Trace[], without = ''): Record<string, ActionEffect> {
  const found: Record<string, { name: string; draws: number; changed: number; ended: number }> = {};
  for (const { steps, complete } of all) {
    steps.forEach(({ state, action }, i) => {
      const next = steps[i + 1]?.state;
      const name = action?.name ?? without;
      if (name === '' || (next === undefined && complete === false)) return;
      const effect = (found[name] ??= { name, draws: 0, changed: 0, ended: 0 });
      effect.draws++;
      if (next === undefined) effect.ended++;
      else if (next.p0 !== state.p0 || next.p1 !== state.p1) effect.changed++;
    });
  }
  return found;
}

const changing: Trace = trace([
  { flags: [false, false], action: 'go' },
  { flags: [true, false], action: '' },
]);

describe('what actions were seen to do', () => {
  it('is counted as the definition does, in the report, from the model, smoothed or not, and from its file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(sketch, fc.boolean()), { maxLength: 10 }),
        fc.constantFrom(0, 1),
        async (sketches, smoothing) => {
          const all = [changing, ...sketches.map(([steps, complete]) => trace(steps, complete))];
          const { model, report } = await learnMdp(overFlags(2), all, { smoothing });
          const expected = counted(all);
          const { effects, names } = report.actions;
          expect(effects.map(({ name }) => name)).toEqual(names);
          expect(effects).toEqual(names.map((name) => expected[name]));
          expect(actionEffects(readLearntMdp(model))).toEqual(effects);
          const read = (await readUmb(await writeUmb(model), { source: 'm.umb' })) as Mdp;
          expect(actionEffects(readLearntMdp(read))).toEqual(effects);
          const { name: _, ...idle } = counted(all, 'none').none;
          expect(report.actions.without).toBe(idle.draws);
          expect(idleEffect(readLearntMdp(model))).toEqual(idle);
          expect(idleEffect(readLearntMdp(read))).toEqual(idle);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is said of actions that never change a predicate, and of those that runs end with', () => {
    expect(
      unseenEffects([
        { name: 'go', draws: 9, changed: 1, ended: 0 },
        { name: 'look', draws: 4, changed: 0, ended: 0 },
        { name: 'wait', draws: 1, changed: 0, ended: 0 },
        { name: 'leave', draws: 5, changed: 0, ended: 2 },
        { name: 'stop', draws: 3, changed: 0, ended: 3 },
      ]),
    ).toEqual([
      'the action "look" never changes a predicate in 4 draws: a learnt guard cannot tell it from doing nothing',
      'the action "wait" never changes a predicate in 1 draw: a learnt guard cannot tell it from doing nothing',
      'the action "leave" never changes a predicate in 5 draws, 2 of which end the run: a learnt guard can tell it from doing nothing only by that',
      'the action "leave" ends the run in 2 of its 5 draws: no step shows what it did there, so that it counts as having done no harm; end such runs with one more step, without an action, that shows the state after it',
      'the action "stop" ends the run in all of its 3 draws: no step shows what it did there, so that it counts as having done no harm; end such runs with one more step, without an action, that shows the state after it',
    ]);
  });

  it('is said of steps without an action where all of them end the run, and to do nothing is a choice', () => {
    const message =
      'a step without an action ends the run in all of its 40 draws: as something the agent may do it counts as harmless, and nothing shows what comes of it if the world goes on; mark runs that were cut with "complete": false';
    const go = { name: 'go', draws: 9, changed: 1, ended: 0 };
    expect(unseenEffects([go], { draws: 40, changed: 0, ended: 40 })).toEqual([message]);
    expect(unseenEffects([go], { draws: 40, changed: 0, ended: 39 })).toEqual([]);
    expect(unseenEffects([go], { draws: 0, changed: 0, ended: 0 })).toEqual([]);
    expect(unseenEffects([go])).toEqual([]);
  });

  it('is no decision process to learn where no action ever changes a predicate', async () => {
    // One step a message: what a call did shows after a step in which nothing was chosen.
    const messages = trace([
      { flags: [false, false], action: 'go' },
      { flags: [false, false], action: '' },
      { flags: [true, false], action: 'look' },
    ]);
    const error = await learnMdp(overFlags(2), [messages], { smoothing: 0 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidDataError);
    expect(error.message).toMatch(/no action ever changes a predicate: after all 2 draws of "go", "look"/);
    expect(error.message).toMatch(/one step a call.*learning\.model: dtmc/);
    expect((await learnMdp(overFlags(2), [messages, changing])).report.traces).toBe(2);
  });

  it('names five actions where there are many, and the source', () => {
    const effects = [...'abcdefg'].map((name) => ({ name, draws: 1, changed: 0, ended: 0 }));
    expect(() => requireSomeEffect(effects, 'clerk.yaml')).toThrow(
      /^clerk\.yaml: .* all 7 draws of "a", "b", "c", "d", "e" and 2 more every predicate/,
    );
    expect(() => requireSomeEffect([])).not.toThrow();
  });
});
