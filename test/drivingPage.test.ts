import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../bindings/estimation/learning/index.js';
import { Abstraction } from '../bindings/observations/abstraction/index.js';
import { compileGuard } from '../bindings/rules/risk/index.js';
import { compileRules, parseSpecification } from '../bindings/rules/specification/index.js';
import { createGuardStep, type GuardFile, loadGuard } from '../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from './unit/guard/guardFiles.js';

const page = readFileSync(new URL('../docs/driving.md', import.meta.url), 'utf8');
const loop = page.split('## In a control loop')[1].split('```js\n')[1].split('```')[0];

interface Tick {
  readonly state: Readonly<Record<string, unknown>>;
  /** Seconds; default: ten ticks a second. */
  readonly time?: number;
  /** What the planner proposes; default `go`. */
  readonly proposed?: string;
}

/** Runs the loop of the page over these ticks; returns what was actuated at each, or null. */
async function drive(file: GuardFile, ticks: readonly Tick[]): Promise<(string | null)[]> {
  const done: (string | null)[] = ticks.map(() => null);
  let at = 0;
  const everyTick = (act: (observed: object, seconds: number, proposed: { name: string }) => void) => {
    for (; at < ticks.length; at++) {
      const { state, time = at / 10, proposed = 'go' } = ticks[at];
      act(state, time, { name: proposed });
    }
  };
  const world = {
    createGuardStep,
    loadGuard,
    text: JSON.stringify(file),
    recorded: ticks.map(({ state }) => ({ state })),
    everyTick,
    actuate: (action: string) => {
      done[at] = action;
    },
  };
  const body = loop.replace(/^import .*\n/, '');
  const run = new Function(...Object.keys(world), `return (async () => {${body}})()`);
  await run(...Object.values(world));
  return done;
}

const safe = { a: false, b: false };

describe('the control loop of docs/driving.md', () => {
  it('answers whatever does not let the vehicle go on', async () => {
    const yields = ruleOf(never, [0.1, 0.6, 0.1, 1], {
      name: 'yields',
      strategy: { kind: 'replace', action: 'yield' },
    });
    const stops = ruleOf(never, [0.1, 0.1, 0.6, 1], { name: 'stops' });
    const states = [safe, { a: true, b: false }, { a: false, b: true }, { b: false }, safe];
    const done = await drive(
      guardFile([yields, stops]),
      states.map((state) => ({ state })),
    );
    expect(done).toEqual(['go', 'yield', 'brake', 'brake', 'go']);
  });

  it('tells the guard that a refused action did not run', async () => {
    const file = compileRules(
      parseSpecification(`
version: 1
samplingPeriod: 0.1s
predicates:
  lowers: 'has(action.name) && action.name == "lower"'
  grips: 'has(action.name) && action.name == "grip"'
  near: 'gap < 10'
rules:
  noGripNear: { formula: 'G !(grips & near)', strategy: block }
  gripFirst: { formula: 'G (lowers -> O grips)', strategy: block }
`),
    );
    const ticks = (gap: number, ...names: string[]) =>
      names.map((proposed) => ({ state: { gap }, proposed }));
    // Nothing gripped.
    expect(await drive(file, [...ticks(5, 'wait', 'grip'), ...ticks(50, 'wait', 'lower')])).toEqual([
      'wait',
      'brake',
      'wait',
      'brake',
    ]);
    // Neither was a rule broken by what did not run.
    expect(await drive(file, [...ticks(5, 'grip'), ...ticks(50, 'wait', 'grip', 'lower')])).toEqual([
      'brake',
      'wait',
      'grip',
      'lower',
    ]);
  });

  it.each(['least', 'budget'])('has actions judged under shield: %s', async (shield) => {
    const specification = parseSpecification(`
version: 1
samplingPeriod: 0.1s
predicates: { near: 'gap < 10', hit: 'gap <= 0' }
rules: { safe: { formula: 'G !hit', threshold: 0.3, strategy: { replace: brake } } }
shield: ${shield}
learning: { model: mdp, smoothing: 0 }
`);
    const steps = (...all: readonly [gap: number, name: string | null][]) =>
      all.map(([gap, name], i) => ({
        state: { gap },
        time: i / 10,
        ...(name !== null && { action: { name } }),
      }));
    const traces = Array.from({ length: 20 }, (_, i) => [
      { id: `go ${i}`, steps: steps([20, 'go'], [5, 'go'], [i % 10 === 0 ? 5 : 0, null]) },
      ...[0, 1, 2].map((j) => ({
        id: `brake ${i} ${j}`,
        steps: steps([20, 'go'], [5, 'brake'], [20, null]),
      })),
    ]).flat();
    const abstraction = new Abstraction(specification.abstraction);
    const { model } = await learnMdp(abstraction, traces, specification.learning);
    const ticks = [20, 5].map((gap) => ({ state: { gap } }));
    expect(await drive(compileGuard(specification, model), ticks)).toEqual(['go', 'brake']);
  });

  it.each(['hold', 'skip'] as const)(
    'brakes if the guard reads nothing for 0.3 s, under resample: %s',
    async (resample) => {
      const file = guardFile([ruleOf(never, [0.1, 0.1, 0.1, 1])], { samplingPeriodSeconds: 0.1, resample });
      const times = [9, 9.1, 1, 1.1, 1.2, 1.3, 1.4, 9, 9.1, 9.2, 9.25];
      const done = await drive(
        file,
        times.map((time) => ({ state: safe, time })),
      );
      expect(done.map((action) => action === 'go')).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1].map(Boolean));
      expect(done[5]).toBe('brake');
    },
  );
});
