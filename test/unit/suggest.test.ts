import { describe, expect, it } from 'vitest';
import { nearestName } from '../../bindings/base/suggest.js';

describe('nearestName', () => {
  it.each([
    ['doorOpne', ['doorOpen', 'microwaveOn'], 'doorOpen'],
    ['thershold', ['strategy', 'threshold', 'escalate'], 'threshold'],
    ['Speed', ['spend', 'speed'], 'speed'],
    ['sped', ['speed', 'sled'], 'speed'],
    ['predicate', ['predicates', 'rules'], 'predicates'],
    ['minimumsafe', ['minimumSafe'], 'minimumSafe'],
  ])('answers for %s among %j the name %s', (name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected);
  });

  it('offers nothing when every candidate is far away', () => {
    expect(nearestName('colour', ['threshold', 'x', ''])).toBeUndefined();
  });

  it('offers nothing when the name is known', () => {
    expect(nearestName('speed', ['spend', 'speed'])).toBeUndefined();
  });
});
