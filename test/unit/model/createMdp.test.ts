import { describe, expect, it } from 'vitest';
import { InvalidModelError } from '../../../bindings/base/errors.js';
import { BitSet } from '../../../bindings/solvers/kernel/index.js';
import {
  createIntervalDtmc,
  createIntervalMdp,
  createMdp,
  type IntervalMdpParts,
  type MdpParts,
  NO_ACTION,
} from '../../../bindings/solvers/model/index.js';

/** State 0 chooses between {0: 1/2, 1: 1/2} and {1: 1}; state 1 is absorbing. */
const shape = {
  rowGroupStart: Uint32Array.of(0, 2, 3),
  rowStart: Uint32Array.of(0, 2, 3, 4),
  columns: Uint32Array.of(0, 1, 1, 1),
  initial: [0],
  labels: new Map([['goal', BitSet.of(2, [1])]]),
};

function mdp(changes: Partial<MdpParts> = {}): MdpParts {
  return { ...shape, values: Float64Array.of(0.5, 0.5, 1, 1), ...changes };
}

function imdp(changes: Partial<IntervalMdpParts> = {}): IntervalMdpParts {
  return {
    ...shape,
    lower: Float64Array.of(0.25, 0.5, 1, 1),
    upper: Float64Array.of(0.5, 0.75, 1, 1),
    ...changes,
  };
}

function refusal(create: () => unknown): InvalidModelError {
  try {
    create();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidModelError);
    return error as InvalidModelError;
  }
  throw new Error('the model was accepted');
}

describe('createMdp', () => {
  it('keeps the parts, shares their arrays and counts the states', () => {
    const parts = mdp({ actions: { names: ['go'], ofRow: Uint32Array.of(0, NO_ACTION, NO_ACTION) } });
    const model = createMdp(parts);
    expect(model).toEqual({ ...parts, type: 'mdp', states: 2 });
    expect(model.rowGroupStart).toBe(parts.rowGroupStart);
  });

  it.each<[string, Partial<MdpParts>, RegExp, number | undefined]>([
    [
      'a sum',
      { values: Float64Array.of(0.5, 0.25, 1, 1) },
      /choice 0 of state 0: its probabilities sum to 0\.75/,
      0,
    ],
    [
      'a column',
      { columns: Uint32Array.of(0, 1, 2, 1) },
      /choice 1 of state 0: its transition to 2 leads to state 2/,
      0,
    ],
    ['an order', { columns: Uint32Array.of(1, 0, 1, 1) }, /choice 0 of state 0: .*must ascend/, 0],
    ['a state without a choice', { rowGroupStart: Uint32Array.of(0, 3, 3) }, /state 1 has no choice/, 1],
    ['groups that descend', { rowGroupStart: Uint32Array.of(0, 4, 3) }, /state 1: its choices start at 4/, 1],
    [
      'groups that do not fit',
      { rowGroupStart: Uint32Array.of(0, 1, 2) },
      /runs from 0 to 2; expected 0 to 3/,
      undefined,
    ],
    ['an empty row', { rowStart: Uint32Array.of(0, 2, 2, 4) }, /choice 1 of state 0 has no transitions/, 0],
    [
      'too few actions',
      { actions: { names: [], ofRow: Uint32Array.of(NO_ACTION) } },
      /the actions: 1 entries for 3 choices/,
      undefined,
    ],
    [
      'an action without a name',
      { actions: { names: ['a'], ofRow: Uint32Array.of(0, 1, 0) } },
      /choice 1 of the model has action 1, but there are 1 names/,
      undefined,
    ],
    [
      'rewards of another number of choices',
      { rewards: [{ name: 'r', choices: Float64Array.of(1, 2) }] },
      /reward structure "r": 2 entries for 3 rows/,
      undefined,
    ],
    [
      'annotations of another number of choices',
      { annotations: [{ name: 'n', appliesTo: 'choices', type: 'uint', values: Float64Array.of(1, 2) }] },
      /annotation "n": 2 entries for 3 choices/,
      undefined,
    ],
  ])('refuses %s', (_, changes, message, state) => {
    const error = refusal(() => createMdp(mdp(changes)));
    expect(error.message).toMatch(message);
    expect(error.state).toBe(state);
  });

  it('takes columns of valuations as typed arrays, Booleans as 0 and 1', () => {
    const variables = [{ name: 'b', type: 'bool' }] as const;
    expect(createMdp(mdp({ valuations: { variables, values: [Uint8Array.of(0, 1)] } })).states).toBe(2);
    const wrong = mdp({ valuations: { variables, values: [Uint8Array.of(0, 2)] } });
    expect(refusal(() => createMdp(wrong)).message).toMatch(/state 1: variable "b" is 2, which is no bool/);
  });
});

describe('createIntervalMdp and createIntervalDtmc', () => {
  it('keep the parts and count the states', () => {
    expect(createIntervalMdp(imdp())).toEqual({ ...imdp(), type: 'imdp', states: 2 });
    const { rowGroupStart: _, ...chain } = imdp({
      rowStart: Uint32Array.of(0, 2, 3),
      columns: Uint32Array.of(0, 1, 1),
      lower: Float64Array.of(0, 0.5, 1),
      upper: Float64Array.of(0.5, 1, 1),
    });
    expect(createIntervalDtmc(chain)).toEqual({ ...chain, type: 'idtmc', states: 2 });
  });

  it.each<[string, Partial<IntervalMdpParts>, RegExp]>([
    [
      'lower bounds above 1 in sum',
      { lower: Float64Array.of(0.5, 0.75, 1, 1) },
      /choice 0 of state 0: its lower bounds sum to 1\.25 and its upper bounds to 1\.25/,
    ],
    [
      'upper bounds below 1 in sum',
      { upper: Float64Array.of(0.25, 0.5, 1, 1) },
      /no distribution lies between/,
    ],
    ['an empty interval', { lower: Float64Array.of(0.75, 0.25, 1, 1) }, /has probability \[0\.75,0\.5\]/],
    [
      'an interval that is 0',
      { lower: Float64Array.of(0, 0, 1, 1), upper: Float64Array.of(0, 1, 1, 1) },
      /upper above 0/,
    ],
    ['a bound above 1', { upper: Float64Array.of(0.5, 1.5, 1, 1) }, /\[0\.5,1\.5\]/],
    ['NaN', { lower: Float64Array.of(Number.NaN, 0.5, 1, 1) }, /\[NaN,0\.5\]/],
    ['other lengths', { upper: Float64Array.of(1) }, /4 columns and 1 upper bounds/],
  ])('refuse %s, naming state and choice', (_, changes, message) => {
    expect(refusal(() => createIntervalMdp(imdp(changes))).message).toMatch(message);
  });
});
