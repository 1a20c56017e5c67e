import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { dtmcFromRows, labelOf } from '../../../bindings/solvers/model/index.js';

const rows = [[[1, 1]], [[1, 1]]] as const;

describe('labelOf', () => {
  it('gives the states of a label', () => {
    expect([...labelOf(dtmcFromRows(rows, { labels: { broken: [1] } }), 'broken')]).toEqual([1]);
  });

  it('reads init as the initial states unless the model has a label of that name', () => {
    expect([...labelOf(dtmcFromRows(rows), 'init')]).toEqual([0]);
    expect([...labelOf(dtmcFromRows(rows, { labels: { init: [1] } }), 'init')]).toEqual([1]);
  });

  it('suggests the nearest label for one that is not there, else lists them', () => {
    const model = dtmcFromRows(rows, { labels: { broken: [1], end: [1] } });
    expect(() => labelOf(model, 'borken')).toThrow(/no label "borken"; did you mean "broken"/);
    expect(() => labelOf(model, 'somethingElse')).toThrow(/its labels are: broken, end/);
    expect(() => labelOf(dtmcFromRows(rows), 'x')).toThrow(InvalidArgumentError);
  });
});
