import { describe, expect, it } from 'vitest';
import { type StateVariables, valuationsOf } from '../../../bindings/solvers/model/index.js';

function variables(rows: readonly (readonly number[])[]): StateVariables {
  return {
    variables: [
      { name: 'b', type: 'bool' },
      { name: 'i', type: 'int' },
      { name: 'd', type: 'double' },
    ],
    read: (state, into) => into.set(rows[state]),
  };
}

describe('valuationsOf', () => {
  it('writes one typed array per variable', () => {
    const found = valuationsOf(
      variables([
        [0, -3, 0.5],
        [1, 7, 2],
      ]),
      2,
    );
    expect(found.variables).toEqual(variables([]).variables);
    expect(found.values).toEqual([Uint8Array.of(0, 1), Int32Array.of(-3, 7), Float64Array.of(0.5, 2)]);
  });

  it('keeps integers beyond 32 bits', () => {
    const found = valuationsOf(
      variables([
        [0, 1, 0],
        [0, 2 ** 31, 0],
        [0, -5, 0],
      ]),
      3,
    );
    expect(found.values[1]).toEqual(Float64Array.of(1, 2 ** 31, -5));
  });
});
