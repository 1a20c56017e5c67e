import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { Learner } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { createGuard, type Guard } from '../../../bindings/runtime/guard/index.js';
import { replay } from '../../../bindings/study/evaluation/index.js';
import { Random } from '../../../worlds/src/index.js';
import { learnFor, specify, word } from './learnt.js';

const rules = "rules:\n  r: { formula: 'G !c', threshold: 1, afterViolation: report }\n";
const watching = (more = ''): ReturnType<typeof specify> =>
  specify(`drift: { falseAlarmRate: 0.05 }\n${more}${rules}`);

describe('what a guard holds live steps against', () => {
  it('is how often each step was taken, ends of runs left out', async () => {
    const specification = watching('onDrift: inspect\n');
    const { drift, seen, states } = compileGuard(specification, (await learnFor(specification)).model);
    // a -> a 3 times, a -> b 6, b -> a 4, b -> c 2; all five runs begin in a.
    expect(states.draws.length).toBe(3);
    expect(seen.columns).toEqual([0, 1, 0, 2]);
    expect(drift).toMatchObject({
      falseAlarmRate: 0.05,
      onDrift: 'inspect',
      start: { columns: [0], counts: [5] },
      counts: [3, 6, 4, 2],
    });
    // From a: a, b, and ten draws more, of which three are ends.
    expect(drift?.drawsSinceNew).toEqual([7, 4, 0, 4]);
  });

  it('counts only draws that are certainly none of an end', async () => {
    const specification = watching();
    const traces = ['a', 'a', 'ab', 'aab', 'abb', 'ab'].map((letters, i) => word(letters, String(i)));
    const { drift } = compileGuard(specification, (await learnFor(specification, {}, traces)).model);
    // Of a: end, end, b, a, b, b, b. The last new one is the fourth draw, of three to come; one end came before, the other may have come after.
    expect(drift?.counts).toEqual([1, 4, 1]);
    expect(drift?.drawsSinceNew[0]).toBe(2);
  });

  it('is not kept where drift is not watched', async () => {
    const specification = specify(rules);
    expect(compileGuard(specification, (await learnFor(specification)).model).drift).toBeUndefined();
  });

  it('is refused of data that are not a sample of the agent', async () => {
    const specification = watching();
    const forgetting = new Learner(new Abstraction(specification.abstraction), {
      ...specification.learning,
      forgetting: { window: 10, of: 'traces' },
    });
    forgetting.add(word('aba'));
    expect(() => compileGuard(specification, forgetting.chain().model)).toThrow(
      'letters.yaml: drift cannot be watched: the model was learnt with forgetting',
    );
    const dropping = watching(
      "constraints: { transition: '!(from.c && to.a)' }\nlearning: { onContradiction: dropTrace }\n",
    );
    const { model } = await learnFor(dropping, {}, [word('aba'), word('aca')]);
    expect(() => compileGuard(dropping, model)).toThrow('drift cannot be watched: traces were left out');
  });
});

describe('replay', () => {
  const specification = watching();
  const many = (letters: string, times: number): Trace[] =>
    Array.from({ length: times }, (_, i) => word(letters, `run ${i}`));
  const guardOf = async (): Promise<Guard> =>
    createGuard(compileGuard(specification, (await learnFor(specification, {}, many('aabab', 200))).model));

  it('says that nothing has changed, or where it showed, and what', async () => {
    const guard = await guardOf();
    const same = await replay(guard, many('aabab', 100));
    expect(same.drift).toMatchObject({ falseAlarmRate: 0.05, alarmAt: null });
    expect(same.drift?.why).toMatch(/^Nothing shows that the agent has changed/);
    const changed = await replay(guard, [...many('aabab', 10), ...many('abcb', 20)]);
    expect(changed.drift?.alarmAt?.step).toBe(2);
    expect(changed.drift?.alarmAt?.trace).toMatch(/^run \d+$/);
    expect(changed.drift?.why).toContain('after "b; none of a, c" comes what the data never show there');
  });

  it('counts nothing across a gap, whether the guard holds the missing steps or whoever sampled the recording did', async () => {
    const timed = watching('samplingPeriod: 1s\nresample: hold\n');
    const recorded = many('aabab', 200).map(({ id, steps }) => ({
      id,
      steps: steps.map((step, time) => ({ ...step, time })),
    }));
    const guard = createGuard(compileGuard(timed, (await learnFor(timed, {}, recorded)).model));
    // The fourth message of every run was lost: after b comes b, which the data never show, or nobody knows what.
    const lossy = recorded
      .slice(0, 50)
      .map(({ id, steps }) => ({ id, steps: steps.filter((_, i) => i !== 3) }));
    const sampled = recorded.slice(0, 50).map(({ id, steps }) => ({
      id,
      heldSteps: 1,
      steps: steps.map((step, i) => (i === 3 ? { ...steps[2], time: 3, held: true } : step)),
    }));
    const byGuard = await replay(guard, lossy);
    const byReader = await replay(guard, sampled);
    expect(byGuard.drift?.alarmAt).toBeNull();
    expect(byReader.drift).toEqual(byGuard.drift);
    expect(byReader.traces.map(({ held }) => held)).toEqual(byGuard.traces.map(({ held }) => held));
    // What the drift is that is not there.
    const unmarked = sampled.map(({ id, steps }) => ({
      id,
      steps: steps.map(({ held: _, ...step }: Step) => step),
    }));
    expect((await replay(guard, unmarked)).drift?.alarmAt).not.toBeNull();
  });

  it('leaves the guard’s own test where it was', async () => {
    const guard = await guardOf();
    guard.step({ x: 'b' });
    const before = guard.drift?.save();
    await replay(guard, many('abcb', 20));
    expect(guard.drift?.save()).toEqual(before);
    expect(guard.drift).toMatchObject({ alarm: false, obeyed: true });
  });
});

describe('a guard at work, all the way from traces', () => {
  type Chain = Record<string, readonly (readonly [string, number])[]>;
  /** Per letter what follows, `.` being the end; `^` is the beginning. */
  const chains: Record<string, Chain> = {
    even: {
      '^': [['a', 1]],
      a: [
        ['a', 0.4],
        ['b', 0.4],
        ['.', 0.2],
      ],
      b: [
        ['a', 0.5],
        ['b', 0.5],
      ],
      c: [],
    },
    rare: {
      '^': [['a', 1]],
      a: [
        ['a', 0.9],
        ['b', 0.09],
        ['c', 0.01],
      ],
      b: [['a', 1]],
      c: [['.', 1]],
    },
    certain: {
      '^': [['a', 1]],
      a: [['b', 1]],
      b: [['c', 1]],
      c: [
        ['.', 0.5],
        ['a', 0.5],
      ],
    },
    short: {
      '^': [
        ['a', 0.5],
        ['b', 0.5],
      ],
      a: [
        ['.', 0.9],
        ['c', 0.1],
      ],
      b: [
        ['.', 0.5],
        ['c', 0.5],
      ],
      c: [['.', 1]],
    },
    sticky: {
      '^': [
        ['a', 0.9],
        ['c', 0.1],
      ],
      a: [
        ['a', 0.98],
        ['c', 0.02],
      ],
      b: [],
      c: [
        ['c', 0.97],
        ['.', 0.03],
      ],
    },
    dense: {
      '^': [
        ['a', 0.3],
        ['b', 0.3],
        ['c', 0.4],
      ],
      a: [
        ['a', 0.3],
        ['b', 0.3],
        ['c', 0.3],
        ['.', 0.1],
      ],
      b: [
        ['a', 0.2],
        ['b', 0.1],
        ['c', 0.6],
        ['.', 0.1],
      ],
      c: [
        ['a', 0.05],
        ['b', 0.05],
        ['c', 0.8],
        ['.', 0.1],
      ],
    },
  };

  function run(chain: Chain, random: Random, id: string): Trace {
    let letters = '';
    for (let at = '^'; at !== '.' && letters.length < 100; ) {
      let left = random.next();
      at = (chain[at].find(([, p]) => (left -= p) < 0) ?? chain[at][0])[0];
      if (at !== '.') letters += at;
    }
    return word(letters, id);
  }

  /** Runs of `traces` runs at work after as many; how many of `deployments` guards raise an alarm. */
  async function alarms(
    data: Chain,
    live: Chain,
    runs: readonly [number, number],
    deployments: number,
  ): Promise<number> {
    const specification = watching();
    const random = new Random(5);
    let found = 0;
    for (let i = 0; i < deployments; i++) {
      const learner = new Learner(new Abstraction(specification.abstraction), specification.learning);
      for (let r = 0; r < runs[0]; r++) learner.add(run(data, random, String(r)));
      const guard = createGuard(compileGuard(specification, learner.chain().model));
      for (let r = 0; r < runs[1]; r++) {
        guard.reset();
        for (const { state } of run(live, random, String(r)).steps) guard.step(state);
      }
      if (guard.drift?.alarm === true) found++;
    }
    return found;
  }

  it.each(Object.keys(chains))('rarely finds that an agent has changed that has not: %s', async (name) => {
    // Of 40 at a rate of 0.05 more than 12 are less probable than 1e-6.
    expect(await alarms(chains[name], chains[name], [8, 60], 40)).toBeLessThanOrEqual(12);
  });

  it('finds that an agent has changed', async () => {
    const changed: Chain = {
      ...chains.dense,
      b: [
        ['a', 0.6],
        ['b', 0.1],
        ['c', 0.2],
        ['.', 0.1],
      ],
    };
    expect(await alarms(chains.dense, changed, [100, 150], 10)).toBe(10);
  });
});
