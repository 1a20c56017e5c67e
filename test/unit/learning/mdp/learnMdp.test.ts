import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../../bindings/solvers/kernel/inline.js';
import {
  agentChain,
  learn,
  learnMdp,
  readLearntChain,
  readLearntMdp,
} from '../../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../../bindings/observations/trace/index.js';
import { readUmb, writeUmb } from '../../../../bindings/solvers/formats/index.js';
import type { Mdp } from '../../../../bindings/solvers/model/index.js';
import { overFlags } from '../flagTraces.js';

/** A trace written `10 go, 11 wait, 00`: valuations, each with the action taken there, if any; cut if it ends in `…`. */
function acted(text: string): Trace {
  const steps = text
    .replace('…', '')
    .split(',')
    .map((step) => step.trim().split(' '))
    .map(([bits, name]) => ({
      state: Object.fromEntries([...bits].map((bit, i) => [`p${i}`, bit === '1'])),
      ...(name && { action: { name } }),
    }));
  return { id: text, steps, complete: !text.endsWith('…') };
}

const written = fc
  .array(fc.tuple(fc.constantFrom('00', '10', '01', '11'), fc.constantFrom('', ' go', ' wait', ' stop')), {
    minLength: 1,
    maxLength: 10,
  })
  .map((steps) => steps.map((step) => step.join('')).join(', '));
const traces = fc
  .array(fc.tuple(written, fc.boolean()), { minLength: 1, maxLength: 15 })
  .map((all) => [acted('00 go, 10'), ...all.map(([text, cut]) => acted(cut ? `${text} …` : text))]);

/** Per state and action the outcomes in the order of draws, by definition. */
function draws(all: readonly Trace[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { steps, complete } of all) {
    const name = (i: number): string => `${Number(steps[i].state.p0)}${Number(steps[i].state.p1)}`;
    steps.forEach(({ action }, i) => {
      if (i + 1 === steps.length && !complete) return;
      const pair = `${name(i)} ${action?.name ?? '-'}`;
      found.set(pair, [...(found.get(pair) ?? []), i + 1 < steps.length ? name(i + 1) : 'end']);
    });
  }
  return found;
}

/** Model states as in `draws`. */
function stateName(model: Mdp, s: number): string {
  if (s === model.states - 1) return 'end';
  return [0, 1].map((i) => Number(model.valuations?.values[i][s])).join('');
}

function annotation(model: Mdp, appliesTo: string, name: string): Float64Array {
  const found = model.annotations?.find((one) => one.appliesTo === appliesTo && one.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found.values;
}

describe('learnMdp', () => {
  it('counts per state and action, first draws and draws since new among it, as the definition does', async () => {
    await fc.assert(
      fc.asyncProperty(traces, fc.constantFrom(0, 0.5), async (all, smoothing) => {
        const { model } = await learnMdp(overFlags(2), all, { smoothing });
        const expected = draws(all);
        const { actions, rowDraws, policy } = readLearntMdp(model);
        const ranked: [number, string][] = [];
        for (let s = 1; s + 1 < model.states; s++) {
          const state = stateName(model, s);
          const left = [...expected].reduce(
            (n, [pair, list]) => n + (pair.startsWith(`${state} `) ? list.length : 0),
            0,
          );
          for (let row = model.rowGroupStart[s]; row < model.rowGroupStart[s + 1]; row++) {
            if (rowDraws[row] === 0) continue;
            const pair = `${state} ${actions[row] ?? '-'}`;
            const list = expected.get(pair) ?? [];
            expected.delete(pair);
            expect(rowDraws[row]).toBe(list.length);
            expect(policy[row]).toBe(list.length / left);
            ranked.push([annotation(model, 'choices', 'rank')[row], pair]);
            const firsts = [...new Set(list)].map((t) => list.indexOf(t) + 1);
            expect(annotation(model, 'choices', 'drawsSinceNew')[row]).toBe(
              list.length - Math.max(...firsts),
            );
            const width = model.rowStart[row + 1] - model.rowStart[row];
            for (let i = model.rowStart[row]; i < model.rowStart[row + 1]; i++) {
              const t = stateName(model, model.columns[i]);
              const count = list.filter((one) => one === t).length;
              expect(annotation(model, 'branches', 'count')[i]).toBe(count);
              expect(annotation(model, 'branches', 'firstDraw')[i]).toBe(list.indexOf(t) + 1);
              expect(model.values[i]).toBe((count + smoothing) / (list.length + width * smoothing));
            }
          }
        }
        expect(expected.size).toBe(0);
        const inOrder = [...draws(all).keys()];
        expect(ranked.sort(([a], [b]) => a - b)).toEqual(inOrder.map((pair, i) => [i + 2, pair]));
      }),
      { numRuns: 60 },
    );
  });

  it('mixes to the chain of the agent, which is the one that is learnt from the same traces', async () => {
    await fc.assert(
      fc.asyncProperty(traces, async (all) => {
        const { model } = await learnMdp(overFlags(2), all, { smoothing: 0 });
        const { model: chain } = await learn(overFlags(2), all, { smoothing: 0 });
        const agent = agentChain(model);
        const { rowStart, columns, unknown } = chain;
        expect([agent.rowStart, agent.columns, agent.unknown]).toEqual([rowStart, columns, unknown]);
        agent.values.forEach((value, i) => {
          expect(Math.abs(value - chain.values[i])).toBeLessThan(1e-15);
        });
        expect(readLearntChain(agent).counts).toEqual(readLearntChain(chain).counts);
        expect(readLearntChain(agent).draws).toEqual(readLearntChain(chain).draws);
      }),
      { numRuns: 40 },
    );
  });

  it('is kept in UMB with its actions and annotations', async () => {
    const { model } = await learnMdp(overFlags(2), [acted('00 go, 10 wait, 11'), acted('00, 10 go, 01 …')]);
    const read = await readUmb(await writeUmb(model), { source: 'kept' });
    if (read.type !== 'mdp') throw new Error(`it became ${read.type}`);
    const { model: _, ...view } = readLearntMdp(model);
    const { model: __, ...again } = readLearntMdp(read);
    expect(again).toEqual(view);
    expect(read.values).toEqual(model.values);
  });

  it('labels states that were never left, and lets them stay where nothing is smoothed', async () => {
    const all = [acted('00 go, 10 go …'), acted('00 go, 00')];
    for (const [smoothing, width] of [
      [0, 1],
      [1, 3],
    ]) {
      const { model, report } = await learnMdp(overFlags(2), all, { smoothing });
      expect([...(model.labels.get('unknown') ?? [])]).toEqual([2]);
      const row = model.rowGroupStart[2];
      expect(model.rowGroupStart[3] - row).toBe(1);
      expect(model.rowStart[row + 1] - model.rowStart[row]).toBe(width);
      const effects = [{ name: 'go', draws: 2, changed: 1, ended: 0 }];
      expect(report.actions).toEqual({ names: ['go'], pairs: 2, without: 1, effects });
    }
  });

  it('holds a transition for valid after every action once it was seen and accepted', async () => {
    const abstraction = overFlags(2, { transition: '!(from.p0 && !to.p0)' });
    const all = [acted('10 go, 00 go, 00'), acted('10 wait, 10')];
    const { model } = await learnMdp(abstraction, all, { onContradiction: 'accept' });
    const { actions } = readLearntMdp(model);
    const wait = actions.indexOf('wait');
    expect(model.rowStart[wait + 1] - model.rowStart[wait]).toBe(3);
  });

  it('counts held steps with their action', async () => {
    const at = (trace: Trace, times: number[]): Trace => ({
      ...trace,
      steps: trace.steps.map((step, i) => ({ ...step, time: times[i] })),
    });
    const period = { seconds: 1, tolerance: 0.1, resample: 'hold' } as const;
    const { model } = await learnMdp(overFlags(2), [at(acted('00 go, 10 wait, 00'), [0, 3, 4])], {
      period,
      smoothing: 0,
    });
    const { rowDraws, actions } = readLearntMdp(model);
    expect(rowDraws[actions.indexOf('go')]).toBe(3);
  });

  it('refuses predicates that read the action, traces without actions, and a predicate of the name of its label', async () => {
    const reads = new Abstraction({
      predicates: [{ name: 'goes', expression: 'x > 1 && action.name == "go"' }],
    });
    await expect(learnMdp(reads, [])).rejects.toThrow(/predicate "goes":1:10: it reads action\.name/);
    await expect(learnMdp(overFlags(2), [acted('00, 10')])).rejects.toThrow(/no step .* has an action/);
    await expect(learnMdp(overFlags(2), [])).rejects.toThrow(/no traces to learn from/);
    const named = new Abstraction({ predicates: [{ name: 'unknown', expression: 'p0' }] });
    await expect(learnMdp(named, [acted('0 go, 1 go …')], { smoothing: 0 })).rejects.toThrow(
      /label of states/,
    );
  });

  it('is refused by readers of another kind of model', async () => {
    const { model } = await learnMdp(overFlags(2), [acted('00 go, 10')]);
    const { annotations: _, ...bare } = model;
    expect(() => readLearntMdp(bare)).toThrow(/states have no annotation "left"/);
  });
});
