import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Random } from '../../../bindings/base/random.js';
import { agentChain, learn, learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import {
  type CertifiedRisk,
  certify,
  certifyMdp,
  compileGuard,
  riskTable,
} from '../../../bindings/rules/risk/index.js';
import { parseSpecification, type Specification } from '../../../bindings/rules/specification/index.js';
import { readUmb, writeUmb } from '../../../bindings/solvers/formats/index.js';

const specificationOf = (rule: string, learning = '') =>
  parseSpecification(
    `version: 1
predicates: { warm: x >= 1, hot: x >= 2, broken: x >= 3 }
constraints: { state: '(!hot || warm) && (!broken || hot)' }
rules: { fine: ${rule} }
learning: { model: mdp, smoothing: 0${learning} }
`,
    { source: 'oven.yaml' },
  );

/** Both actions end the run with 0.3; `heat` makes it warmer with 0.4, `idle` with 0.1, colder otherwise. Broken at 3, the run ends. */
const WARMER = { heat: 0.4, idle: 0.1 } as const;
type Choice = keyof typeof WARMER;

/** An agent that heats until it was cooled once, and then half of the time. */
function runs(count: number, seed = 5): Trace[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, id) => {
    const steps: Step[] = [];
    let cooled = false;
    for (let x = 0; ; ) {
      if (x === 3) return { id: String(id), steps: [...steps, { state: { x } }] };
      const name: Choice = cooled && random.next() < 0.5 ? 'idle' : 'heat';
      steps.push({ state: { x }, action: { name } });
      if (random.next() < 0.3) return { id: String(id), steps };
      const up: boolean = random.next() < WARMER[name] / 0.7;
      cooled ||= !up;
      x = Math.max(0, x + (up ? 1 : -1));
    }
  });
}

/** P(broken) from x = 0, 1, 2, within `steps`, where each action is taken with these probabilities. */
function truth(policy: (x: number) => Record<Choice, number>, steps: number): number[] {
  let values = [0, 0, 0, 1];
  for (let i = 0; i < steps; i++) {
    values = values.map((value, x) => {
      if (x === 3) return value;
      const { heat, idle } = policy(x);
      const up = heat * WARMER.heat + idle * WARMER.idle;
      return up * values[x + 1] + (0.7 - up) * values[Math.max(0, x - 1)];
    });
  }
  return values;
}

const learnt = async (specification: Specification, traces: readonly Trace[]) =>
  (await learnMdp(new Abstraction(specification.abstraction), traces, specification.learning)).model;

describe('certifyMdp', () => {
  it.each([
    ['traces', '{ formula: "G !broken", threshold: 0.5 }', ''],
    ['states', '{ formula: "P<0.5 [ F broken ]" }', ''],
    ['states, of what is good', '{ formula: "P>=0.5 [ G !broken ]" }', ''],
    ['traces, within five steps', '{ formula: "G !broken", threshold: 0.5, horizonSteps: 5 }', ''],
    ['traces, all successors known', '{ formula: "G !broken", threshold: 0.5 }', ', states: valid'],
  ])(
    'bounds the least, the greatest and the agent’s risk of rules on %s around the truth',
    async (_, rule, learning) => {
      const specification = specificationOf(rule, learning);
      const widths: number[][] = [];
      for (const count of [300, 2000, 12000]) {
        const traces = runs(count);
        const { rules, actions } = certifyMdp(specification, await learnt(specification, traces), {
          precision: 1e-9,
        });
        const taken = (x: number, action: Choice): number =>
          actions.find((one) => one.action === action && warmth(one.description) === x)?.draws ?? 0;
        const steps = rule.includes('horizonSteps') ? 5 : 2000;
        const expected = {
          least: truth(() => ({ heat: 0, idle: 1 }), steps),
          greatest: truth(() => ({ heat: 1, idle: 0 }), steps),
          asAgent: truth((x) => {
            const heat = taken(x, 'heat') / (taken(x, 'heat') + taken(x, 'idle'));
            return { heat, idle: 1 - heat };
          }, steps),
        };
        const [{ entries, start }] = rules;
        const kinds = ['least', 'greatest', 'asAgent'] as const;
        for (const kind of kinds) {
          for (const entry of entries) {
            expectInside(entry[kind], expected[kind][warmth(entry.description)]);
            expect(entry[kind].riskOutside).toBe(false);
          }
          expectInside(start[kind], expected[kind][0]);
        }
        widths.push(kinds.map((kind) => start[kind].confidenceUpper - start[kind].confidenceLower));
      }
      // Three actions are ten times as rare.
      for (const kind of [0, 1, 2]) {
        expect(widths[1][kind]).toBeLessThan(0.7 * widths[0][kind]);
        expect(widths[2][kind]).toBeLessThan(0.7 * widths[1][kind]);
      }
    },
  );

  it('says of every state and action how often it was taken, and how often it would have to be', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const traces = runs(1000);
    const { actions, epsilon, delta } = certifyMdp(specification, await learnt(specification, traces));
    expect([epsilon, delta]).toEqual([0.05, 0.05]);
    for (const { description, action, draws, policy, successors, distance, needed } of actions.slice(1)) {
      const at = traces.flatMap(({ steps }) => steps).filter(({ state }) => state.x === warmth(description));
      const taken = at.filter((step) => (step.action?.name ?? null) === action).length;
      expect(draws).toBe(taken);
      expect(policy).toBe(taken / at.length);
      expect(successors).toBe(warmth(description) === 3 ? 1 : 3);
      expect(distance).toBeGreaterThan(0);
      expect(needed === 0).toBe(warmth(description) === 3);
    }
    expect(actions.map(({ action }) => action).filter((action) => action === 'heat')).toHaveLength(3);
  });

  it('has as the risk of the agent as learnt that of the chain learnt from the same traces, between the least and the greatest', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const model = await learnt(specification, runs(500));
    const kept = await readUmb(await writeUmb(model), { source: 'kept' });
    if (kept.type !== 'mdp') throw new Error('it is not a decision process any more');
    const [{ entries }] = certifyMdp(specification, kept).rules;
    const asChain = parseSpecification(
      `version: 1
predicates: { warm: x >= 1, hot: x >= 2, broken: x >= 3 }
constraints: { state: '(!hot || warm) && (!broken || hot)' }
rules: { fine: { formula: "G !broken", threshold: 0.5 } }
learning: { smoothing: 0 }
`,
      { source: 'oven.yaml' },
    );
    const chain = await learn(new Abstraction(asChain.abstraction), runs(500), asChain.learning);
    const ofChain = riskTable(asChain, chain.model, { precision: 1e-9 }).rules[0].entries;
    const ofAgent = riskTable(specification, agentChain(kept), { precision: 1e-9 }).rules[0].entries;
    for (const { state, automatonState, least, greatest, asAgent } of entries) {
      const same = (table: typeof ofChain) =>
        table.find((one) => one.state === state && one.automatonState === automatonState);
      expect(same(ofAgent)?.lower).toBeCloseTo(same(ofChain)?.lower ?? Number.NaN, 8);
      expect(asAgent.risk.lower).toBeLessThanOrEqual(same(ofChain)?.upper ?? Number.NaN);
      expect(asAgent.risk.upper).toBeGreaterThanOrEqual(same(ofChain)?.lower ?? Number.NaN);
      expect(least.risk.lower).toBeLessThanOrEqual(asAgent.risk.upper);
      expect(greatest.risk.upper).toBeGreaterThanOrEqual(asAgent.risk.lower);
    }
  });

  it('plans which actions to take more often, and about how many runs that takes', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const known = (count: number) =>
      learnt(specification, runs(count)).then((model) =>
        certifyMdp(specification, model, { epsilon: 0.1, plan: 'start' }),
      );
    const { plan } = await known(1000);
    expect(plan).toMatchObject({ scope: 'start', epsilon: 0.1 });
    const { actions, runsAsAgent, runsFavoured } = plan!;
    // Idling, which the agent does seldom, is what the least risk is about.
    expect(actions[0].action).toBe('idle');
    expect(actions[0].needed).toBeGreaterThan(actions[0].draws);
    for (const { gain, share } of actions) expect(gain > 0 && share > 0).toBe(true);
    expect(runsFavoured).toBeLessThanOrEqual(runsAsAgent);
    const errors = ({ rules }: Awaited<ReturnType<typeof known>>): number =>
      Math.max(
        ...(['least', 'greatest', 'asAgent'] as const).map((kind) => {
          const { confidenceLower, confidenceUpper } = rules[0].start[kind];
          return (confidenceUpper - confidenceLower) / 2;
        }),
      );
    expect(errors(await known(1000 + Math.round(0.4 * runsAsAgent)))).toBeGreaterThan(0.1);
    expect(errors(await known(1000 + Math.round(1.5 * runsAsAgent)))).toBeLessThan(0.1);
  });

  it('is what certifies, not the agent’s own chain, nor a guard that decides on confidence', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const chain = agentChain(await learnt(specification, runs(50)));
    expect(() => certify(specification, chain)).toThrow(
      'guards of one decide on upper, and drift is not watched',
    );
    expect(() => compileGuard({ ...specification, decideOn: 'confidenceUpper' }, chain)).toThrow(
      'guards of one decide on upper, and drift is not watched',
    );
    expect(compileGuard(specification, chain).rules).toHaveLength(1);
  });

  it('gives no number where every path seen comes to a state that was never left', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const cut: Trace = {
      id: 'cut',
      steps: [1, 2].map((x) => ({ state: { x }, action: { name: 'heat' } })),
      complete: false,
    };
    const [{ entries }] = certifyMdp(specification, await learnt(specification, [cut])).rules;
    expect(entries.map(({ unbounded }) => unbounded)).toEqual(
      Array(entries.length).fill('cannot be bounded: state 1 (warm, hot; not broken) was never left'),
    );
    for (const { least, greatest, asAgent } of entries) {
      for (const { confidenceLower, confidenceUpper, risk } of [least, greatest, asAgent]) {
        expect([confidenceLower, confidenceUpper]).toEqual([0, 1]);
        expect(risk).toEqual({ lower: 0, upper: 1 });
      }
    }
  });

  it('leaves the greatest risk open where some action may be repeated for ever, and the least not', async () => {
    const specification = specificationOf('{ formula: "G !broken", threshold: 0.5 }');
    const look: Trace[] = Array.from({ length: 400 }, (_, id) => ({
      id: String(id),
      steps: [
        { state: { x: 0 }, action: { name: 'look' } },
        { state: { x: 0 }, action: { name: 'leave' } },
      ],
    }));
    // What no action ever changes is refused.
    const heat: Trace = {
      id: 'heat',
      steps: [{ state: { x: 0 }, action: { name: 'heat' } }, { state: { x: 1 } }],
    };
    const model = await learnt(specification, [...look, heat]);
    const [{ start, criteria }] = certifyMdp(specification, model).rules;
    expect(start.greatest.confidenceUpper).toBe(1);
    expect(start.greatest.risk.upper).toBe(0);
    expect(start.least.confidenceUpper).toBeLessThan(0.1);
    expect(criteria.amplification).toBe(Number.POSITIVE_INFINITY);
    expect(criteria.secondMet).toBe(false);
    expect([...criteria.second].every((draws) => !Number.isNaN(draws))).toBe(true);
  });
});

function warmth(description: string): number {
  const holding = description.startsWith('none of') ? '' : description.split(';')[0];
  return ['warm', 'hot', 'broken'].filter((name) => holding.includes(name)).length;
}

function expectInside({ confidenceLower, confidenceUpper }: CertifiedRisk, value: number): void {
  expect(confidenceLower).toBeLessThanOrEqual(value);
  expect(confidenceUpper).toBeGreaterThanOrEqual(value);
}
