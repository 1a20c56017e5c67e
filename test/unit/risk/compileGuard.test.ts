import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Random } from '../../../bindings/base/random.js';
import type { LearnOptions } from '../../../bindings/estimation/learning/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { certify, compileGuard } from '../../../bindings/rules/risk/index.js';
import { createGuard, type GuardFile, loadGuard, openTables } from '../../../bindings/runtime/guard/index.js';
import { readUmb, writeUmb } from '../../../bindings/solvers/formats/index.js';
import { requireDtmc } from '../../../bindings/solvers/model/index.js';
import { replay } from '../../../bindings/study/evaluation/index.js';
import { learnFor, runs, specify, word } from './learnt.js';

async function compile(rest: string): Promise<GuardFile> {
  const specification = specify(rest);
  return compileGuard(specification, (await learnFor(specification)).model);
}

const unsmoothed = 'learning: { smoothing: 0 }\n';

describe('a compiled guard', () => {
  it('decides by the risk of the state: 2/5 in a, 3/5 in b', async () => {
    const guard = createGuard(await compile(`${unsmoothed}rules:\n  r: { formula: 'G !c', threshold: 0.5 }`));
    const first = guard.step({ x: 'a' });
    expect(first).toMatchObject({ decision: 'allow', reason: 'below-threshold', rule: 'r' });
    expect(first.lower).toBeLessThanOrEqual(0.4);
    expect(first.upper).toBeGreaterThanOrEqual(0.4);
    expect(guard.step({ x: 'b' })).toMatchObject({ decision: 'stop', reason: 'at-threshold' });
    expect(guard.step({ x: 'c' })).toMatchObject({ decision: 'stop', reason: 'violated', risk: 1 });
    expect(guard.step({ x: 'd' })).toMatchObject({ reason: 'after-violation' });
    guard.reset();
    expect(guard.step({ x: 'd' })).toMatchObject({ decision: 'stop', reason: 'unknown-state', state: -1 });
  });

  it('goes through JSON unchanged', async () => {
    const file = await compile(
      "onUnknown: inspect\nrules:\n  r: { formula: 'G (a -> F[0,1] b)', minimumSafe: 0.7 }",
    );
    const text = JSON.stringify(file);
    expect(JSON.parse(text)).toEqual(file);
    const [loaded, created] = [await loadGuard(text), createGuard(file)];
    for (const x of 'abacbq') expect(loaded.step({ x })).toEqual(created.step({ x }));
  });

  it('knows the states and transitions of the data, and no others', async () => {
    const file = await compile(
      "learning: { states: valid }\nrules:\n  r: { formula: 'G !c', threshold: 0.99 }",
    );
    const guard = createGuard(file);
    expect(file.states.draws.length).toBe(8);
    expect(guard.step({ x: 'c' }).reason).not.toBe('unknown-state');
    guard.reset();
    // No letter at all is a valuation that the smoothing has a row for, but no run was in it.
    expect(guard.step({ x: '' })).toMatchObject({ reason: 'unknown-state', risk: 1 });
    guard.reset();
    guard.step({ x: 'b' });
    expect(guard.step({ x: 'b' }).unseenTransition).toBe(true);
    expect(guard.step({ x: 'a' }).unseenTransition).toBe(false);
  });

  it('carries what the specification says', async () => {
    const file = await compile(
      'samplingPeriod: 0.1s\nonUnknown: allow\nunsafeAllowUnknown: true\nperiodTolerance: 0.2\nrules:\n' +
        "  r: { formula: 'G !c', levels: [{ threshold: 0.2, strategy: report }, { threshold: 0.6, strategy: { replace: wait } }], escalate: [inspect], maxReflections: 1, afterViolation: report, onFailure: block }\n" +
        "  s: { formula: 'P>=0.5 [ F<=1 b ]', strategy: inspect }",
    );
    expect(file).toMatchObject({
      onUnknown: 'allow',
      unsafeAllowUnknown: true,
      samplingPeriodSeconds: 0.1,
      periodTolerance: 0.2,
      constraints: {},
      rules: [
        {
          name: 'r',
          formula: 'G !c',
          evaluation: 'trace',
          levels: [
            { threshold: { compare: 'risk>=', value: 0.2 }, strategy: { kind: 'report' } },
            { threshold: { compare: 'risk>=', value: 0.6 }, strategy: { kind: 'replace', action: 'wait' } },
          ],
          escalate: [{ kind: 'inspect' }],
          maxReflections: 1,
          afterViolation: { kind: 'report' },
          onFailure: { kind: 'block' },
        },
        {
          name: 's',
          evaluation: 'state',
          levels: [{ threshold: { compare: 'safety<', value: 0.5 }, strategy: { kind: 'inspect' } }],
        },
      ],
    });
    expect(file.specificationHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has the hash of its model, also after the model was kept in a file', async () => {
    const specification = specify("rules:\n  r: { formula: 'G !c', threshold: 0.5 }");
    const { model } = await learnFor(specification);
    const file = compileGuard(specification, model);
    const kept = requireDtmc(await readUmb(await writeUmb(model), { source: 'model.umb' }));
    expect(compileGuard(specification, kept)).toEqual(file);
    const { model: other } = await learnFor(specification, {}, runs.slice(1));
    expect(compileGuard(specification, other).modelHash).not.toBe(file.modelHash);
  });

  it('refuses strategies that do not go together', async () => {
    await expect(compile("rules:\n  r: { formula: 'P<0.5 [ F c ]', horizonSteps: 3 }")).rejects.toThrow(
      'horizonSteps',
    );
  });
});

describe('a guard compiled to decide on confidence bounds', () => {
  const confident = `${unsmoothed}decideOn: confidenceUpper\nconfidence: { delta: 0.01 }\n`;
  const rules = `rules:
  r: { formula: 'G !c', threshold: 0.75 }
  soon: { formula: 'G !c', threshold: 0.75, horizonSteps: 2 }
  answered: { formula: 'G (a -> F[0,1] b)', minimumSafe: 0.3 }
  s: { formula: 'P<0.75 [ F c ]' }
  t: { formula: 'P>0.2 [ G !c ]' }
`;
  const many = Array.from({ length: 60 }, (_, i) =>
    runs.map((run) => ({ ...run, id: `${run.id} ${i}` })),
  ).flat();
  const fileOf = async (
    head: string,
    traces: readonly Trace[] = many,
    options: LearnOptions = {},
  ): Promise<GuardFile> => {
    const specification = specify(head + rules);
    const { model } = await learnFor(specification, options, traces);
    return compileGuard(specification, model, { horizons: [3], precision: 1e-9 });
  };

  it('has the bounds of certify, rounded up to six digits, within horizons too', async () => {
    const specification = specify(confident + rules);
    const { model } = await learnFor(specification, {}, many);
    const file = compileGuard(specification, model, { horizons: [3], precision: 1e-9 });
    expect(file).toMatchObject({ decideOn: 'confidenceUpper', confidence: { delta: 0.01 } });
    const certificate = certify(specification, model, { precision: 1e-9 });
    expect(certificate.delta).toBe(0.01);
    certificate.rules.forEach(({ entries }, r) => {
      const { horizonSteps } = file.rules[r];
      const tables = openTables(file.rules[r]);
      const inThree = tables.horizons.get('3')?.confidence;
      for (const entry of entries) {
        const at = [entry.state, entry.automatonState] as const;
        const bound = tables.confidence!.upper(...at);
        expect(bound).toBeGreaterThanOrEqual(entry.confidenceUpper);
        expect(bound).toBeLessThanOrEqual(entry.confidenceUpper * (1 + 1.1e-5));
        const within = horizonSteps === null ? (inThree?.upper(...at) ?? 0) : 0;
        expect(within).toBeLessThanOrEqual(bound * (1 + 1.1e-5));
        // The risk as learnt lies below: nothing was smoothed.
        expect(bound).toBeGreaterThanOrEqual(entry.risk.lower);
      }
    });
    const guard = createGuard(file);
    guard.step({ x: 'a' });
    const { upper, confidenceUpper = 0 } = guard.riskWithin('r', 3);
    expect(confidenceUpper).toBeGreaterThan(upper);
  });

  it('bounds the truth of the agent that the runs come from, ever and within steps', async () => {
    // From a: a with 0.2, b with 0.5, else the end; from b: a with 0.5, c with 0.2, else the end; c ends.
    const random = new Random(11);
    const traces = Array.from({ length: 3000 }, (_, id) => {
      let letters = 'a';
      for (;;) {
        const draw = random.next();
        const last = letters.at(-1);
        const next =
          last === 'a'
            ? draw < 0.2
              ? 'a'
              : draw < 0.7
                ? 'b'
                : ''
            : draw < 0.5
              ? 'a'
              : draw < 0.7
                ? 'c'
                : '';
        if (next === '') return word(letters, String(id));
        letters += next;
        if (next === 'c') return word(letters, String(id));
      }
    });
    /** P(c within k steps) from a and b. */
    const truth = (steps: number): [number, number] => {
      let [a, b] = [0, 0];
      for (let k = 0; k < steps; k++) [a, b] = [0.2 * a + 0.5 * b, 0.5 * a + 0.2];
      return [a, b];
    };
    const head =
      "decideOn: confidenceUpper\nconfidence: { delta: 1e-3 }\nrules:\n  r: { formula: 'G !c', threshold: 0.5 }\n";
    for (const learning of ['{ smoothing: 0 }', '{ smoothing: 5, states: valid }']) {
      const specification = specify(`learning: ${learning}\n${head}`);
      const { model } = await learnFor(specification, {}, traces);
      const guard = createGuard(compileGuard(specification, model, { horizons: [1, 2, 5] }));
      for (const [i, x] of ['a', 'b'].entries()) {
        guard.reset();
        const { confidenceUpper } = guard.step({ x });
        const within = [1, 2, 5].map((steps) => guard.riskWithin('r', steps).confidenceUpper ?? 0);
        const exact = [...[1, 2, 5].map((steps) => truth(steps)[i]), truth(1000)[i]];
        [...within, confidenceUpper].forEach((bound, h) => {
          expect(bound).toBeGreaterThanOrEqual(exact[h]);
          expect(bound).toBeLessThan(exact[h] + 0.15);
        });
      }
    }
  });

  it('has tables that are a part of the file that stays small', async () => {
    const size = (file: GuardFile): number => JSON.stringify(file).length;
    expect(size(await fileOf(confident))).toBeLessThan(1.4 * size(await fileOf(unsmoothed)));
  });

  it('stops where the data do not support that the risk is low, and allows with more of them', async () => {
    const first = async (traces: readonly Trace[]) =>
      createGuard(await fileOf(confident, traces)).step({ x: 'a' });
    expect(await first(runs)).toMatchObject({ decision: 'stop', decidedOn: 'confidenceUpper' });
    const allowed = await first(many);
    expect(allowed).toMatchObject({ decision: 'allow', decidedOn: 'confidenceUpper' });
    expect(allowed.risk).toBe(allowed.confidenceUpper);
  });

  it('is refused where the model is no sample of the agent', async () => {
    const odd = { id: 'odd', steps: [{ state: {} }] };
    await expect(fileOf(confident, [...many, odd], { skipInvalid: true })).rejects.toThrow(
      'traces were left out for what they do',
    );
    await expect(fileOf(unsmoothed, [...many, odd], { skipInvalid: true })).resolves.toBeDefined();
  });

  it('is replayed with the bound that intervened first', async () => {
    const { traces } = await replay(await fileOf(confident, runs), [word('ab'), word('c')]);
    expect(traces[0].rules.r).toMatchObject({ firstIntervention: 0, decidedOn: 'confidenceUpper' });
    expect(traces[1].rules.r).toMatchObject({ firstIntervention: 0, violatedAt: 0, decidedOn: 'upper' });
    const plain = await replay(await fileOf(unsmoothed, runs), [word('ab')]);
    expect(plain.traces[0].rules.r).not.toHaveProperty('decidedOn');
  });
});

describe('replaying with a compiled guard', () => {
  const rule = (formula: string) => `${unsmoothed}rules:\n  r: { formula: '${formula}', threshold: 0.5 }`;

  it('finds the violations and sees them coming', async () => {
    const { traces, totals } = await replay(await compile(rule('G !c')), [...runs, word('c'), word('ac')]);
    expect(traces.map(({ rules }) => rules.r.violatedAt)).toEqual([5, 5, null, null, null, 0, 1]);
    expect(traces.map(({ rules }) => rules.r.firstIntervention)).toEqual([2, 2, 2, 1, null, 0, 1]);
    expect(totals.r).toMatchObject({
      violations: 4,
      predicted: 2,
      missed: 2,
      falseAlarms: 2,
      unknown: 0,
      meanStepsAhead: 3,
    });
  });

  it('tells strong from weak at the end', async () => {
    const window = "{ formula: 'G (b -> F[0,2] a)', threshold: 0.9";
    for (const [atEnd, violatedAt] of [
      ['strong', 2],
      ['weak', null],
    ]) {
      const file = await compile(`${unsmoothed}rules:\n  r: ${window}, atEnd: ${atEnd} }`);
      const { traces } = await replay(file, [word('ab'), word('abccc')]);
      expect(traces.map(({ rules }) => rules.r.violatedAt)).toEqual([violatedAt, 3]);
    }
  });

  it('watches what a PCTL rule bounds', async () => {
    const file = await compile(
      `${unsmoothed}rules:\n  r: { formula: 'P<0.5 [ F<=1 c ]' }\n  s: { formula: 'P>0.1 [ X !a ]' }`,
    );
    const { traces } = await replay(file, [word('ababc'), word('aba'), word('aa')]);
    expect(traces.map(({ rules }) => rules.r.violatedAt)).toEqual([4, null, null]);
    expect(traces.map(({ rules }) => rules.s.violatedAt)).toEqual([2, 2, 1]);
  });
});
