import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../bindings/base/errors.js';
import {
  Learner,
  learn,
  type MergedLearners,
  mergeLearners,
} from '../../bindings/estimation/learning/index.js';
import type { Trace } from '../../bindings/observations/trace/index.js';
import { overFlags, randomTraces, trace } from '../unit/learning/flagTraces.js';

const options = { smoothing: 1, onContradiction: 'accept' as const };
const constraints = { state: '!(p0 && p1)', transition: '!(from.p0 && to.p2)' };

function learnerOf(id: string, traces: readonly Trace[]): Learner {
  const learner = new Learner(overFlags(3, constraints), { ...options, id });
  for (const one of traces) learner.add(one);
  return learner;
}

describe('merging what learners learnt', () => {
  it('gives the chain of all their traces in the order of ids, whoever is merged first, and however often', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomTraces(3, 1), { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        async (machines, choices) => {
          const ids = machines.map((_, i) => `machine ${i}`);
          const learnt = await learn(overFlags(3, constraints), machines.flat(), options);
          const pick = (n: number): number => choices.next().value! % n;
          const left: (Learner | MergedLearners)[] = machines.map((traces, i) => learnerOf(ids[i], traces));
          // States of learners from before, and whole groups again, add nothing.
          left.push(learnerOf(ids[0], machines[0].slice(0, 1)));
          while (left.length > 1) {
            const one = left.splice(pick(left.length), 1)[0];
            const other = left.splice(pick(left.length), 1)[0];
            const both = pick(2) === 0 ? [one, other] : [other, one];
            left.push(mergeLearners(pick(3) === 0 ? [...both, one] : both));
          }
          const merged = mergeLearners(left);
          expect(merged.ids).toEqual(ids);
          expect(merged.chain()).toEqual(learnt);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('leaves learners as they were, and does not follow them', () => {
    const learner = learnerOf('a', [trace('100 000')]);
    const merged = mergeLearners([learner, learnerOf('b', [trace('010')])]);
    const before = merged.chain();
    learner.add(trace('111 100'));
    expect(merged.chain()).toEqual(before);
    expect(learner.chain().report.traces).toBe(2);
  });

  it('refuses learners that do not learn the same, saying what differs', () => {
    const one = learnerOf('one', [trace('100')]);
    const cases: [Learner, string][] = [
      [new Learner(overFlags(2), options), 'predicate 3 is "p2" in the one, absent in the other'],
      [
        new Learner(overFlags(3), options),
        'constraints.state is !(p0 && p1) in the one, absent in the other',
      ],
      [
        new Learner(overFlags(3, constraints), { ...options, smoothing: 0 }),
        'learning.smoothing is 1 in the one, 0 in the other',
      ],
      [
        new Learner(overFlags(3, constraints), { ...options, onContradiction: 'dropTrace' }),
        'learning.onContradiction is accept in the one, dropTrace in the other',
      ],
      [
        new Learner(overFlags(3, constraints), { ...options, period: { seconds: 1, tolerance: 0.1 } }),
        'the sampling period is null in the one, {"seconds":1,"tolerance":0.1} in the other',
      ],
    ];
    for (const [other, what] of cases) {
      expect(() => mergeLearners([one, other])).toThrow(InvalidArgumentError);
      expect(() => mergeLearners([one, other])).toThrow(
        `learners "one" and "learner" do not learn the same: ${what}`,
      );
    }
  });

  it('refuses two learners of one id, learners that forget, and none at all', () => {
    const one = learnerOf('one', [trace('100')]);
    expect(() => mergeLearners([one, learnerOf('one', [trace('000')])])).toThrow(
      'two learners have the id "one" and learnt different things',
    );
    const forgetful = new Learner(overFlags(3, constraints), {
      ...options,
      forgetting: { window: 2, of: 'traces' },
    });
    expect(() => mergeLearners([one, forgetful])).toThrow('learner "learner" forgets');
    expect(() => mergeLearners([])).toThrow('there are no learners to merge');
  });
});
