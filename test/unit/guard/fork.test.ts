import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, response, ruleOf } from './guardFiles.js';

const file = (): GuardFile =>
  guardFile([
    ruleOf(never, [0.1, 0.6, 0.1, 1]),
    { ...ruleOf(response, [0.1, 0.2, 0.3, 0.9]), name: 'second' },
  ]);
const state = fc.record({ a: fc.boolean(), b: fc.oneof(fc.boolean(), fc.constant('unreadable')) });

describe('a fork of a guard', () => {
  it('decides as a guard of its own, whatever the others do meanwhile', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), state), { maxLength: 40 }), (steps) => {
        const first = createGuard(file());
        const forks = [first, first.fork(), first.fork().fork()];
        const alone = forks.map(() => createGuard(file()));
        for (const [run, observed] of steps)
          expect(forks[run].step(observed)).toEqual(alone[run].step(observed));
        expect(forks.map(({ counters }) => counters)).toEqual(alone.map(({ counters }) => counters));
      }),
    );
  });

  it('begins at the beginning, whatever its guard has seen, and leaves that where it is', () => {
    const guard = createGuard(file());
    guard.step({ a: true, b: true });
    const fork = guard.fork();
    expect(guard.rules[0].violated).toBe(true);
    expect(fork.rules[0].violated).toBe(false);
    expect(fork.counters.steps).toBe(0);
    expect(fork.step({ a: false, b: false }).decision).toBe('allow');
    expect(guard.step({ a: false, b: false })).toMatchObject({ step: 1, reason: 'after-violation' });
  });

  it('shares the tables: the file is not read again', () => {
    const changed = file();
    const guard = createGuard(changed);
    for (const { tables } of changed.rules) (tables as { risk: string }).risk = '';
    (changed.states.draws as number[]).fill(0);
    (changed.states.valuations as number[]).fill(3);
    expect(guard.fork().step({ a: false, b: false })).toMatchObject({
      decision: 'allow',
      upper: 0.1,
      state: 0,
    });
    expect(guard.fork().file).toBe(guard.file);
  });
});
