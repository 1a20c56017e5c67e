import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../../bindings/base/errors.js';
import { type Directions, normaliseDirections } from '../../../../bindings/solvers/checker/index.js';
import type { Model } from '../../../../bindings/solvers/model/index.js';

const normalised = (type: Model['type'], ...directions: Directions) =>
  normaliseDirections({ type }, directions);

describe('directions', () => {
  it('are as many as there are players', () => {
    expect(normalised('mdp', 'max')).toEqual(['max']);
    expect(normalised('idtmc', 'min')).toEqual(['min']);
    expect(normalised('imdp', 'max', 'min')).toEqual(['max', 'min']);
  });

  it('mean nothing in a chain', () => {
    expect(normalised('dtmc')).toEqual([]);
    expect(normalised('dtmc', 'max')).toEqual([]);
  });

  it('of two letters count in an interval chain for nature, as there is no scheduler', () => {
    expect(normalised('idtmc', 'max', 'min')).toEqual(['min']);
  });

  it('that are too few or too many are refused, and what can be written is said', () => {
    const refusals = [
      () => normalised('mdp'),
      () => normalised('mdp', 'min', 'max'),
      () => normalised('idtmc'),
      () => normalised('imdp', 'max'),
    ];
    for (const refusal of refusals) expect(refusal).toThrow(InvalidArgumentError);
    expect(refusals[0]).toThrow('no direction was given, but in an mdp the choices of the scheduler');
    expect(refusals[3]).toThrow(
      "'max' was given, but in an imdp the choices of the scheduler and of nature are to be resolved: write Pminmin=?",
    );
  });
});
