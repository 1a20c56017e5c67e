import { describe, expect, it } from 'vitest';
import { InvalidModelError } from '../../../bindings/base/errors.js';
import { dtmcFromRows } from '../../../bindings/solvers/model/index.js';

describe('dtmcFromRows', () => {
  it('sorts each row by target and starts in state 0', () => {
    const model = dtmcFromRows([
      [
        [2, 0.75],
        [1, 0.25],
      ],
      [[1, 1]],
      [[2, 1]],
    ]);
    expect([...model.rowStart]).toEqual([0, 2, 3, 4]);
    expect([...model.columns]).toEqual([1, 2, 1, 2]);
    expect([...model.values]).toEqual([0.25, 0.75, 1, 1]);
    expect(model.initial).toEqual([0]);
    expect(model.unknown).toBeUndefined();
  });

  it('takes labels, initial states and rows that are unknown', () => {
    const model = dtmcFromRows([[[1, 1]], null], { initial: [0, 1], labels: { end: [1] } });
    expect([...(model.unknown ?? [])]).toEqual([1]);
    expect([...(model.labels.get('end') ?? [])]).toEqual([1]);
    expect(model.initial).toEqual([0, 1]);
  });

  it('refuses a transition or a label outside the states', () => {
    expect(() => dtmcFromRows([[[1, 1]]])).toThrow(
      /state 0: its transition names state 1, but the states are 0\.\.0/,
    );
    expect(() => dtmcFromRows([[[-1, 1]]])).toThrow(InvalidModelError);
    expect(() => dtmcFromRows([[[0, 1]]], { labels: { a: [7] } })).toThrow(/label "a" names state 7/);
  });
});
