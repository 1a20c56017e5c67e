import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { learnMdp } from '../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { compileGuard } from '../../bindings/rules/risk/index.js';
import {
  type ActionRisks,
  createGuard,
  type GuardFile,
  openTables,
} from '../../bindings/runtime/guard/index.js';
import { BAD, randomRuns, specificationOf, stateOf } from './actionWorlds.js';

/** By state x: how many steps without an action went on, and how many ended their runs. */
interface Idle {
  readonly wentOn: number[];
  readonly ended: number[];
}

function idleSteps(traces: readonly Trace[]): Idle {
  const idle: Idle = { wentOn: new Array(BAD + 1).fill(0), ended: new Array(BAD + 1).fill(0) };
  for (const { steps } of traces) {
    steps.forEach(({ state, action }, i) => {
      if (action === undefined) (i + 1 < steps.length ? idle.wentOn : idle.ended)[state.x as number]++;
    });
  }
  return idle;
}

const isMixed = ({ wentOn, ended }: Idle, x: number): boolean => wentOn[x] > 0 && ended[x] > 0;

/** The same recordings, in which doing nothing in mid-run has a name. */
const named = (traces: readonly Trace[]): Trace[] =>
  traces.map((trace) => ({
    ...trace,
    steps: trace.steps.map((step, i) =>
      step.action === undefined && i + 1 < trace.steps.length ? { ...step, action: { name: 'wait' } } : step,
    ),
  }));

/** As `named`, and the recordings are cut that end without an action where others went on. */
function namedAndCut(traces: readonly Trace[]): Trace[] {
  const idle = idleSteps(traces);
  return named(traces).map((trace) => {
    const { state, action } = trace.steps[trace.steps.length - 1];
    return action === undefined && isMixed(idle, state.x as number) ? { ...trace, complete: false } : trace;
  });
}

async function guardOf(
  traces: readonly Trace[],
  rule: string,
  smoothing: number,
  shield = 'predict',
): Promise<GuardFile> {
  const specification = specificationOf(shield, rule, smoothing);
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  return compileGuard(specification, model, { precision: 1e-10 });
}

/** The risks of an action, or of doing nothing (null), in a run that begins in state x; null if it was not taken there. */
function risksAt(file: GuardFile, x: number, name: string | null): ActionRisks | null {
  const s = file.states.draws.findIndex((_, one) => stateOf(file, one).x === x);
  if (s < 0) return null;
  const guard = createGuard(file);
  guard.step({ x });
  return guard.permitted({ x }).actions.find((one) => one.name === name)?.rules.safe ?? null;
}

function expectClose(one: ActionRisks, other: ActionRisks, kinds: readonly (keyof ActionRisks)[]): void {
  for (const kind of kinds) {
    expect(one[kind].lower).toBeCloseTo(other[kind].lower, 7);
    expect(one[kind].upper).toBeCloseTo(other[kind].upper, 7);
  }
}

/** Runs of 25 worlds, with the states in which some steps without an action went on and others ended their runs. */
function* mixedRuns(): Generator<{ traces: Trace[]; idle: Idle; states: number[] }> {
  for (let seed = 1; seed <= 25; seed++) {
    const traces = randomRuns(new Random(seed, 11), 40, true);
    const idle = idleSteps(traces);
    const states = Array.from({ length: BAD }, (_, x) => x).filter((x) => isMixed(idle, x));
    if (states.length > 0) yield { traces, idle, states };
  }
}

const SAFE = `{ formula: 'G !bad', threshold: 0.5 }`;

describe('the risk of doing nothing where recordings also end', () => {
  it('is that of waiting by name, if the agent goes on as learnt', async () => {
    let diluted = 0;
    for (const { traces, idle, states } of mixedRuns()) {
      const [file, waits] = [await guardOf(traces, SAFE, 0), await guardOf(named(traces), SAFE, 0)];
      for (const x of states) {
        const [nothing, wait] = [risksAt(file, x, null)!, risksAt(waits, x, 'wait')!];
        expectClose(nothing, wait, ['asAgent']);
        const share = idle.wentOn[x] / (idle.wentOn[x] + idle.ended[x]);
        if (nothing.asAgent.lower > 0.01 + share * wait.asAgent.upper) diluted++;
      }
    }
    expect(diluted).toBeGreaterThan(20);
  });

  it.each([0, 0.5])(
    'is that of waiting by name in runs that are cut, over all ways to go on, smoothed by %s',
    async (smoothing) => {
      let compared = 0;
      for (const { traces, states } of mixedRuns()) {
        const file = await guardOf(traces, SAFE, smoothing);
        const waits = await guardOf(namedAndCut(traces), SAFE, smoothing);
        for (const x of states) {
          expectClose(risksAt(file, x, null)!, risksAt(waits, x, 'wait')!, ['least', 'most']);
          for (const name of ['a', 'b', 'c']) {
            const [one, other] = [risksAt(file, x, name), risksAt(waits, x, name)];
            expect(one === null).toBe(other === null);
            if (one !== null) expectClose(one, other!, ['least', 'most']);
          }
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(20);
    },
  );

  it('counts the ends as often as recorded for a rule that they break', async () => {
    const rule = `{ formula: 'F two', threshold: 0.5 }`;
    let compared = 0;
    for (const { traces, idle, states } of mixedRuns()) {
      const [file, waits] = [await guardOf(traces, rule, 0), await guardOf(named(traces), rule, 0)];
      for (const x of states) {
        if (x === 2 || x === 3) continue;
        const ends = idle.ended[x] / (idle.ended[x] + idle.wentOn[x]);
        const wait = risksAt(waits, x, 'wait')!.asAgent;
        const nothing = risksAt(file, x, null)!.asAgent;
        expect(nothing.lower).toBeCloseTo(ends + (1 - ends) * wait.lower, 7);
        expect(nothing.upper).toBeCloseTo(ends + (1 - ends) * wait.upper, 7);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('leaves some choice that takes nothing of a budget, wherever there is data', async () => {
    let nothing = 0;
    for (const { traces } of mixedRuns()) {
      const whole = await guardOf(traces, `{ formula: 'G !bad', threshold: 1 }`, 0);
      const { columns, values } = whole.actions!.start;
      const { least } = openTables(whole.rules[0]);
      const { initial } = whole.rules[0].automaton;
      const start = columns.reduce((sum, s, i) => sum + values[i] * least!.upper(s, initial), 0);
      const threshold = Math.min(1, start + 1e-9);
      const file = await guardOf(traces, `{ formula: 'G !bad', threshold: ${threshold} }`, 0, 'budget');
      for (let s = 0; s < file.states.draws.length; s++) {
        const state = stateOf(file, s);
        if (state.x === BAD || file.states.draws[s] === 0) continue;
        const guard = createGuard(file);
        guard.step(state);
        const { safest, actions } = guard.permitted(state);
        expect(safest).not.toBeNull();
        expect(actions.some(({ permitted }) => permitted)).toBe(true);
        if (safest!.name !== null) continue;
        expect(guard.idle(state).decision).toBe('allow');
        nothing++;
      }
    }
    expect(nothing).toBeGreaterThan(5);
  });
});
