import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import {
  bindAutomaton,
  buildAutomaton,
  OPEN,
  VIOLATED,
} from '../../../bindings/languages/automaton/index.js';
import { deriveAbstraction, parseFormula } from '../../../bindings/languages/logic/index.js';
import { Abstraction, Readability } from '../../../bindings/observations/abstraction/index.js';
import { readTraceBatches, resample, type Step } from '../../../bindings/observations/trace/index.js';
import { holds } from '../../oracle/ltlf.js';
import { sharedData, sharedPath } from '../../shared.js';
import { chunked, collect } from './bytes.js';

/** What docs/results/apollo.md says of the recorded drive. */
sharedData('apollo/trace.json', (path) => {
  const laws: Record<string, string> = JSON.parse(readFileSync(sharedPath('traffic-laws/laws.json'), 'utf8'));
  const rules = Object.entries(laws).map(([name, text]) => {
    const { predicates, formulas } = deriveAbstraction([parseFormula(text, { name })]);
    return { name, formula: formulas[0], predicates, automaton: buildAutomaton(formulas[0]) };
  });
  let frames: readonly Step[];
  let judged: typeof rules;
  beforeAll(async () => {
    const [trace] = await collect(readTraceBatches(chunked(readFileSync(path)), { source: path }));
    frames = trace.steps;
    judged = rules.filter(({ predicates }) => new Readability(predicates).unread(trace).size === 0);
  });

  it('does not judge the laws on speed limits and on snow, of which it tells nothing', () => {
    const left = rules.filter((rule) => !judged.includes(rule)).map(({ name }) => name);
    expect(left).toEqual(['rule44', 'rule45', 'rule46_3']);
  });

  /** What the automaton says after the last step, where it first was violated, and what the definition says. */
  function judge({ formula, predicates, automaton }: (typeof rules)[number], steps: readonly Step[]) {
    const abstraction = new Abstraction({ predicates });
    const stepper = bindAutomaton(automaton, abstraction.predicates);
    const valuation = new Uint32Array(abstraction.words);
    let q = automaton.initial;
    let violatedAt: number | null = null;
    const positions = steps.map((step, i) => {
      abstraction.encode(step.state, step, valuation);
      q = stepper.step(q, valuation);
      if (automaton.verdict[q] === VIOLATED) violatedAt ??= i;
      return abstraction.decode(valuation);
    });
    return {
      verdict: automaton.verdict[q],
      accepting: automaton.accepting[q] === 1,
      violatedAt,
      holds: holds(formula, positions),
    };
  }

  it('on its frames keeps every law but the one that is still owed: 38_2', () => {
    for (const rule of judged) {
      const { name } = rule;
      const kept = name !== 'rule38_2';
      expect(judge(rule, frames), name).toEqual({
        verdict: OPEN,
        accepting: kept,
        violatedAt: null,
        holds: kept,
      });
    }
  });

  it('held every 0.08 s breaks 38_2, a hundred steps after the light is yellow', () => {
    const { steps, missing, leftOut } = resample(frames, { seconds: 0.08, tolerance: 0.1, resample: 'hold' });
    expect([steps.length, missing, leftOut]).toEqual([358, 290, 0]);
    for (const rule of judged) {
      const { name } = rule;
      const kept = name !== 'rule38_2';
      const { verdict, violatedAt, ...rest } = judge(rule, steps);
      expect(rest.holds, name).toBe(kept);
      // Frame 44, the first that sees yellow, is 186 periods after the first.
      expect(violatedAt, name).toBe(kept ? null : 286);
      expect(verdict, name).toBe(kept ? OPEN : VIOLATED);
      expect(rest.accepting, name).toBe(kept);
    }
    expect(steps.findIndex(({ state }) => state.trafficLightAheadcolor === 2)).toBe(186);
  });

  it('has the values by which the laws were checked by hand', () => {
    const values = (name: string) => frames.map(({ state }) => Number(state[name]));
    const yellow = frames.flatMap(({ state }, i) => (state.trafficLightAheadcolor === 2 ? [i] : []));
    const green = frames.flatMap(({ state }, i) => (state.trafficLightAheadcolor === 3 ? [i] : []));
    expect([yellow[0], yellow.at(-1), yellow.length]).toEqual([44, 60, 17]);
    expect([green[0], green.at(-1), green.length]).toEqual([32, 43, 12]);
    expect(values('trafficLightAheadcolor')).not.toContain(1);
    expect(Math.min(...values('speed')).toFixed(2)).toBe('2.16');
    expect(Math.max(...values('speed')).toFixed(2)).toBe('32.66');
    expect(Math.min(...values('currentLanenumber'))).toBe(2);
    expect(Math.max(...values('currentLanenumber'))).toBe(6);
    expect(Math.min(...values('stoplineAhead')).toFixed(2)).toBe('2.53');
    // Junctions within 2 m: on the way to it, in it, and behind it.
    const near = values('junctionAhead').flatMap((metres, i) => (metres <= 2 ? [i] : []));
    expect(near).toEqual([44, 45, 48]);
    expect(new Set(values('direction'))).toEqual(new Set([0]));
    expect(new Set(values('NPCAheadAhead'))).toEqual(new Set([200]));
    const yellowFar = yellow.filter((i) => values('stoplineAhead')[i] > 50);
    expect([yellowFar[0], yellowFar.length]).toEqual([49, 12]);
  });
});
