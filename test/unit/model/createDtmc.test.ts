import { describe, expect, it } from 'vitest';
import { InvalidModelError } from '../../../bindings/base/errors.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import { createDtmc, type DtmcParts } from '../../../bindings/solvers/model/index.js';

/** 0 → {1: 1/4, 2: 3/4}, 1 and 2 absorbing. */
function parts(changes: Partial<DtmcParts> = {}): DtmcParts {
  return {
    rowStart: Uint32Array.of(0, 2, 3, 4),
    columns: Uint32Array.of(1, 2, 1, 2),
    values: Float64Array.of(0.25, 0.75, 1, 1),
    initial: [0],
    labels: new Map([['goal', BitSet.of(3, [2])]]),
    ...changes,
  };
}

/** The error of a refused model, for looking at its fields. */
function refusal(changes: Partial<DtmcParts>): InvalidModelError {
  try {
    createDtmc(parts(changes));
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidModelError);
    return error as InvalidModelError;
  }
  throw new Error('the model was accepted');
}

describe('createDtmc', () => {
  it('keeps the parts and counts the states', () => {
    const given = parts({ parameters: { a: 1 } });
    const model = createDtmc(given);
    expect(model).toEqual({ ...given, type: 'dtmc', states: 3 });
    expect(model.values).toBe(given.values);
  });

  it('accepts a row sum off by less than 1e-9 and refuses one off by more, with state and sum', () => {
    expect(createDtmc(parts({ values: Float64Array.of(0.25, 0.75 - 9e-10, 1, 1) })).states).toBe(3);
    const error = refusal({ values: Float64Array.of(0.25, 0.5, 1, 1) });
    expect([error.state, error.rowSum]).toEqual([0, 0.75]);
    expect(error.message).toMatch(/state 0: its probabilities sum to 0\.75, not to 1/);
  });

  it.each([
    ['NaN', Number.NaN],
    ['negative', -0.25],
    ['zero', 0],
    ['above 1', 1.5],
    ['infinite', Number.POSITIVE_INFINITY],
  ])('refuses a probability that is %s', (_, value) => {
    const error = refusal({ values: Float64Array.of(0.25, 0.75, value, 1) });
    expect(error.state).toBe(1);
    expect(error.message).toContain(`has probability ${value}`);
  });

  it('refuses columns that are out of range, unsorted or repeated', () => {
    expect(refusal({ columns: Uint32Array.of(1, 3, 1, 2) }).message).toMatch(/leads to state 3.*0\.\.2/);
    expect(refusal({ columns: Uint32Array.of(2, 1, 1, 2) }).message).toMatch(/comes after the one to 2/);
    expect(refusal({ columns: Uint32Array.of(1, 1, 1, 2) }).message).toMatch(/occurs twice/);
  });

  it('refuses row starts that do not fit the transitions', () => {
    expect(refusal({ rowStart: Uint32Array.of(0) }).message).toMatch(/no states/);
    expect(refusal({ rowStart: Uint32Array.of(1, 2, 3, 4) }).message).toMatch(/begins with 1/);
    expect(refusal({ rowStart: Uint32Array.of(0, 2, 3, 5) }).message).toMatch(/ends with 5.*4 columns/);
    expect(refusal({ rowStart: Uint32Array.of(0, 2, 1, 4) }).message).toMatch(
      /state 1: its row starts at 2 and ends before it, at 1/,
    );
  });

  it('allows an empty row for unknown states only, and there asks for one', () => {
    const empty = {
      rowStart: Uint32Array.of(0, 2, 3, 3),
      columns: Uint32Array.of(1, 2, 1),
      values: Float64Array.of(0.25, 0.75, 1),
    };
    expect(createDtmc(parts({ ...empty, unknown: BitSet.of(3, [2]) })).unknown?.has(2)).toBe(true);
    expect(refusal(empty).message).toMatch(/state 2 has no transitions/);
    expect(refusal({ unknown: BitSet.of(3, [2]) }).message).toMatch(
      /state 2 is unknown, yet has 1 transitions/,
    );
    expect(refusal({ unknown: BitSet.of(4, []) }).message).toMatch(/4 entries for 3 states/);
  });

  it('refuses initial states that are out of range, repeated or unsorted', () => {
    expect(refusal({ initial: [3] }).message).toMatch(/initial state 3 .* 0\.\.2/);
    expect(refusal({ initial: [0.5] }).message).toMatch(/initial state 0\.5/);
    expect(refusal({ initial: [1, 1] }).message).toMatch(/comes after 1/);
    expect(refusal({ initial: [2, 0] }).message).toMatch(/comes after 2/);
  });

  it('refuses labels, rewards and annotations of the wrong length', () => {
    expect(refusal({ labels: new Map([['x', BitSet.of(2, [])]]) }).message).toMatch(
      /label "x": 2 entries for 3 states/,
    );
    expect(refusal({ rewards: [{ name: 'r', states: new Float64Array(4) }] }).message).toMatch(
      /"r": 4 entries for 3 states/,
    );
    expect(refusal({ rewards: [{ name: 'r', branches: new Float64Array(3) }] }).message).toMatch(
      /3 entries for 4 transitions/,
    );
    const annotation = {
      name: 'n',
      appliesTo: 'branches',
      type: 'uint',
      values: new Float64Array(3),
    } as const;
    expect(refusal({ annotations: [annotation] }).message).toMatch(/"n": 3 entries for 4 branches/);
  });

  it('refuses names that are empty or used twice', () => {
    const rewards = { name: 'r', states: new Float64Array(3) };
    const annotation = {
      name: 'n',
      appliesTo: 'states',
      type: 'double',
      values: new Float64Array(3),
    } as const;
    const variable = { name: 'v', type: 'bool' } as const;
    const column = [true, false, true];
    expect(refusal({ labels: new Map([['', BitSet.of(3, [])]]) }).message).toMatch(/empty name/);
    expect(refusal({ rewards: [rewards, rewards] }).message).toMatch(/two reward structures named "r"/);
    expect(refusal({ annotations: [annotation, annotation] }).message).toMatch(
      /two annotations of states named "n"/,
    );
    expect(
      refusal({ valuations: { variables: [variable, variable], values: [column, column] } }).message,
    ).toMatch(/two variables named "v"/);
  });

  it('lets a state annotation and a branch annotation share a name', () => {
    const annotations = [
      { name: 'n', appliesTo: 'states', type: 'uint', values: new Float64Array(3) },
      { name: 'n', appliesTo: 'branches', type: 'uint', values: new Float64Array(4) },
    ] as const;
    expect(createDtmc(parts({ annotations })).annotations).toHaveLength(2);
  });

  it('refuses values that do not have their type, naming the state', () => {
    const error = refusal({ valuations: { variables: [{ name: 'x', type: 'int' }], values: [[0, 1.5, 2]] } });
    expect(error.state).toBe(1);
    expect(error.message).toMatch(/state 1: variable "x" is 1\.5/);
    expect(
      refusal({ valuations: { variables: [{ name: 'x', type: 'bool' }], values: [[true, 1, true]] } }).state,
    ).toBe(1);
    expect(
      refusal({ valuations: { variables: [{ name: 'x', type: 'string' }], values: [['', '', 1]] } }).state,
    ).toBe(2);
    expect(
      refusal({ valuations: { variables: [{ name: 'x', type: 'double' }], values: [['', 0, 1]] } }).state,
    ).toBe(0);
    expect(
      refusal({ valuations: { variables: [{ name: 'x', type: 'double' }], values: [] } }).message,
    ).toMatch(/0 entries/);
    expect(refusal({ rewards: [{ name: 'r', states: Float64Array.of(0, Number.NaN, 0) }] }).message).toMatch(
      /holds NaN/,
    );
    const count = {
      name: 'n',
      appliesTo: 'states',
      type: 'uint',
      values: Float64Array.of(0, -1, 0),
    } as const;
    expect(refusal({ annotations: [count] }).message).toMatch(/"n" holds -1/);
  });
});
