import { describe, expect, it } from 'vitest';
import { WorkBudget } from '../../bindings/base/workBudget.js';

describe('a work budget', () => {
  it('reports after each slice what was spent by then, and never without slices', () => {
    const told: number[] = [];
    const watch = { onProgress: (spent: number) => told.push(spent) };
    const sliced = new WorkBudget({ slice: 10 }, watch);
    for (let i = 0; i < 10; i++) sliced.charge(3, (spent) => spent);
    expect(told).toEqual([12, 24]);
    new WorkBudget({}, watch).charge(1e300, (spent) => spent);
    expect(told).toEqual([12, 24]);
  });

  it('stops in the slice in which it was aborted', () => {
    const controller = new AbortController();
    const budget = new WorkBudget<number>(
      { slice: 5 },
      { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) },
    );
    budget.charge(4, () => 0);
    expect(() => budget.charge(1, () => 0)).toThrow('enough');
  });

  it('allows as much as its limit, and refuses more, and what is no number', () => {
    const refuse = () => new Error('too much');
    const budget = new WorkBudget({ limit: 5, refuse });
    budget.charge(5);
    expect(() => budget.charge(1)).toThrow('too much');
    expect(() => new WorkBudget({ limit: 5, refuse }).charge(Number.NaN)).toThrow('too much');
  });

  it('takes no callbacks that cannot be called, and nothing that is aborted already', () => {
    expect(() => new WorkBudget({}, { onProgress: 1 as never })).toThrow(/onProgress is 1/);
    expect(() => new WorkBudget({}, { signal: {} as never })).toThrow(/it is an AbortSignal/);
    expect(() => new WorkBudget({}, { signal: AbortSignal.abort(new Error('before')) })).toThrow('before');
  });
});
