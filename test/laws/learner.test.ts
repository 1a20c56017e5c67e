import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Forgetting,
  Learner,
  type LearntChain,
  LiveChain,
  learn,
} from '../../bindings/estimation/learning/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { overFlags, randomTraces } from '../unit/learning/flagTraces.js';

const constraints = fc.constantFrom(
  {},
  { state: '!(p0 && p1)' },
  { transition: '!(from.p0 && to.p1)' },
  { state: 'p0 || !p1', transition: 'from.p0 == to.p0 || to.p1', end: '!p0' },
);

const options = fc.record({
  smoothing: fc.constantFrom(0, 1, 0.3),
  states: fc.constantFrom('observed' as const, 'valid' as const),
});

/** Steps of a trace given one by one; the last `open` of them are still to come. */
function stream(learner: Learner, { id, complete = true, steps }: Trace, open = 0): void {
  learner.begin(id);
  for (const step of steps.slice(0, steps.length - open)) learner.observe(step.state, step);
  if (open === 0) learner.end(complete);
}

/** A chain without what forgetting leaves out: the draws that first showed a transition, and what was forgotten. */
function withoutOrder({ model, report }: LearntChain): unknown {
  const { foreguard } = model.parameters as { foreguard: object };
  return {
    ...model,
    annotations: model.annotations!.filter(({ name }) => !['firstDraw', 'drawsSinceNew'].includes(name)),
    parameters: { ...foreguard, forgetting: undefined },
    report: { ...report, empty: 0 },
  };
}

/** The rows of a live chain by valuation, and those of the model that it follows. */
function expectSameRows(live: LiveChain, { model }: LearntChain): void {
  const bits = model.valuations!.values.slice(0, -1);
  const stateOf = Array.from({ length: model.states }, (_, s) => {
    if (s === 0 || s === model.states - 1) return 0;
    const packed = bits.reduce((word, values, i) => word | (values[s] ? 1 << i : 0), 0);
    const state = live.space.find(Uint32Array.of(packed)) + 1;
    expect(state).toBeGreaterThan(0);
    return state;
  });
  for (let s = 0; s < model.states - 1; s++) {
    const { size, targets, values } = live.row(stateOf[s]);
    const found = new Map(Array.from({ length: size }, (_, i) => [targets[i], values[i]]));
    expect([...found.keys()]).toEqual([...found.keys()].sort((a, b) => a - b));
    const [start, end] = [model.rowStart[s], model.rowStart[s + 1]];
    expect(size).toBe(end - start);
    for (let e = start; e < end; e++) expect(found.get(stateOf[model.columns[e]])).toBe(model.values[e]);
  }
}

/** A live chain that says of every row that changes that it did. */
class Followed {
  readonly live: LiveChain;
  #rows: string[] = [];

  constructor(learner: Learner) {
    this.live = new LiveChain(learner);
  }

  update(): void {
    const { before, changed } = this.live.update();
    const rows = Array.from({ length: this.live.states }, (_, i) => {
      const { size, targets, values } = this.live.row(i + 1);
      return `${targets.subarray(0, size)}: ${values.subarray(0, size)}`;
    });
    for (let state = 1; state <= before; state++) {
      if (!changed.includes(state)) expect(rows[state - 1]).toBe(this.#rows[state - 1]);
    }
    this.#rows = rows;
  }
}

describe('a learner', () => {
  it('has at every step the chain of all traces so far, to the last digit and in the same order', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        randomTraces(2, 1),
        constraints,
        options,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        fc.nat(3),
        async (traces, given, settings, streamed, open) => {
          const all = { ...settings, onContradiction: 'accept' as const };
          const learner = new Learner(overFlags(2, given), all);
          const followed = new Followed(learner);
          const { live } = followed;
          for (const [i, trace] of traces.entries()) {
            if (streamed[i]) stream(learner, trace);
            else learner.add(trace);
            followed.update();
            if (i % 3 > 0) continue;
            const learnt = await learn(overFlags(2, given), traces.slice(0, i + 1), all);
            expect(learner.chain()).toEqual(learnt);
            expectSameRows(live, learnt);
            compared++;
          }
          const last = traces[traces.length - 1];
          if (open === 0 || open >= last.steps.length) return;
          stream(learner, last, open);
          const cut = { ...last, complete: false, steps: last.steps.slice(0, -open) };
          const learnt = await learn(overFlags(2, given), [...traces, cut], all);
          expect(learner.chain()).toEqual(learnt);
          followed.update();
          expectSameRows(live, learnt);
        },
      ),
      { numRuns: 100 },
    );
    expect(compared).toBeGreaterThan(50);
  });

  it('with a window of traces, or of seconds, has the chain of the last of them alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomTraces(2, 1),
        constraints,
        options,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('traces' as const, 'seconds' as const),
        async (traces, given, settings, window, of) => {
          const all = { ...settings, onContradiction: 'accept' as const };
          const learner = new Learner(overFlags(2, given), { ...all, forgetting: { window, of } });
          const followed = new Followed(learner);
          const { live } = followed;
          for (const [i, trace] of traces.entries()) {
            // Two traces a second.
            if (of === 'seconds') learner.add(trace, Math.floor(i / 2));
            else if (i % 2 === 0) stream(learner, trace);
            else learner.add(trace);
            followed.update();
            const kept = of === 'traces' ? i + 1 - window : 2 * Math.max(0, Math.floor(i / 2) + 1 - window);
            const last = traces.slice(Math.max(0, kept), i + 1);
            const learnt = await learn(overFlags(2, given), last, all);
            expect(withoutOrder({ ...learner.chain(), report: learnt.report })).toEqual(withoutOrder(learnt));
            expect(learner.chain().report).toMatchObject({
              traces: learnt.report.traces,
              steps: learnt.report.steps,
              censored: learnt.report.censored,
              states: learnt.report.states,
              transitions: learnt.report.transitions,
            });
            expectSameRows(live, learnt);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('with weights or windows of draws, counts what a sum over all draws counts', () => {
    const forgettings = fc.oneof(
      fc.record({ window: fc.integer({ min: 1, max: 4 }), of: fc.constant('draws' as const) }),
      fc.record({
        halfLife: fc.constantFrom(0.5, 2, 7),
        of: fc.constantFrom('draws' as const, 'traces' as const, 'seconds' as const),
      }),
    );
    fc.assert(
      fc.property(randomTraces(2, 1), forgettings, (traces, forgetting) => {
        const learner = new Learner(overFlags(2), { smoothing: 0, forgetting });
        for (const [i, trace] of traces.entries()) learner.add(trace, 3 * i);
        const { model } = learner.chain();
        const expected = weigh(traces, forgetting);
        const bits = model.valuations!.values.slice(0, -1);
        const nameOf = (s: number): string =>
          s === 0 ? 'start' : s === model.states - 1 ? 'end' : bits.map((v) => Number(v[s])).join('');
        const counts = model.annotations!.find(({ name }) => name === 'count')!.values;
        let found = 0;
        for (let s = 0; s < model.states - 1; s++) {
          for (let e = model.rowStart[s]; e < model.rowStart[s + 1]; e++) {
            const weight = expected.get(`${nameOf(s)} ${nameOf(model.columns[e])}`)!;
            expect(Math.abs(counts[e] - weight)).toBeLessThanOrEqual(1e-12 * weight);
            found++;
          }
        }
        expect(found).toBe(expected.size);
        expect(model.annotations!.find(({ name }) => name === 'count')!.type).toBe(
          'halfLife' in forgetting ? 'double' : 'uint',
        );
      }),
      { numRuns: 150 },
    );
  });
});

/** The weight of each transition, from the definition. */
function weigh(traces: readonly Trace[], forgetting: Forgetting): Map<string, number> {
  const draws: { from: string; to: string; trace: number }[] = [];
  traces.forEach(({ steps, complete = true }, trace) => {
    const names = steps.map(({ state }) => [state.p0, state.p1].map(Number).join(''));
    const path = ['start', ...names, ...(complete ? ['end'] : [])];
    for (let i = 1; i < path.length; i++) draws.push({ from: path[i - 1], to: path[i], trace });
  });
  const weights = new Map<string, number>();
  draws.forEach(({ from, to, trace }, i) => {
    const later = draws.slice(i + 1).filter((draw) => draw.from === from).length;
    const traceAge = traces.length - 1 - trace;
    const age = { draws: later, traces: traceAge, seconds: 3 * traceAge }[forgetting.of];
    const weight =
      'window' in forgetting ? Number(age < forgetting.window) : 2 ** (-age / forgetting.halfLife);
    if (weight > 0) weights.set(`${from} ${to}`, (weights.get(`${from} ${to}`) ?? 0) + weight);
  });
  return weights;
}
