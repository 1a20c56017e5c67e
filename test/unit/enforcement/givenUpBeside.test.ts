import { beforeAll, describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learn } from '../../../bindings/estimation/learning/index.js';
import { SATISFIED } from '../../../bindings/languages/automaton/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession, type RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';

const call = (name: string) => ({ id: name, name, arguments: {} });

/** Somebody must brake within four steps, a second apart. */
async function brakesSoon(): Promise<GuardFile> {
  const specification = parseSpecification(`version: 1
predicates: { brakes: 'action.name == "brake"' }
rules: { brakesSoon: { formula: 'F<=3 brakes', threshold: 0.9, strategy: block } }
samplingPeriod: 1s
learning: { smoothing: 0 }`);
  const runs = ['brake', 'look', 'look'].map((first, id) => ({
    id: String(id),
    steps: [first, 'look', 'brake', 'look', 'brake'].map((name, time) => ({
      state: {},
      action: { name },
      time,
    })),
  }));
  const { model } = await learn(new Abstraction(specification.abstraction), runs, specification.learning);
  return compileGuard(specification, model);
}

describe('a call given up beside others, where predicates read the action', () => {
  let file: GuardFile;
  beforeAll(async () => {
    file = await brakesSoon();
  });

  /** Decides on two calls so many seconds apart, gives up one of them or none, and lets a second pass. */
  async function run(names: readonly [string, string], apart: number, givenUp: 0 | 1 | null) {
    let now = 0;
    const records: RunRecord[] = [];
    const options = {
      tools: ['brake', 'look'],
      state: () => ({}),
      time: () => now,
      id: 'run',
      maxPending: 6,
    };
    const log = { append: (record: RunRecord) => void records.push(structuredClone(record)) };
    const guard = createGuard(file);
    const session = createSession({ guard, ...options, log });
    const first = await session.check(call(names[0]));
    now += apart;
    const second = await session.check(call(names[1]));
    if (givenUp !== null) await session.withdraw([first, second][givenUp]);
    now++;
    await session.check(call('look'));
    const resumed = createGuard(file);
    const { stopped } = createSession({ guard: resumed, ...options, resume: records });
    expect(stopped).toBeNull();
    const [{ verdict }] = resumed.rules;
    expect(guard.rules[0].verdict).toBe(verdict);
    return verdict === SATISFIED;
  }

  it.each([
    ['the first ran', ['brake', 'look'], 0, null, true],
    ['the first ran, the second not', ['brake', 'look'], 0, 1, true],
    ['the first did not run', ['brake', 'look'], 0, 0, false],
    ['the second runs in the step that the first left', ['look', 'brake'], 0, 0, true],
    ['the second did not run, in a step of its own', ['look', 'brake'], 1, 1, false],
  ] as const)(
    'leaves the step to the call that runs, or to none: %s',
    async (_, names, apart, givenUp, is) => {
      expect(await run(names, apart, givenUp)).toBe(is);
    },
  );
});
