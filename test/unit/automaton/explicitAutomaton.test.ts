import { describe, expect, it } from 'vitest';
import {
  buildAutomaton,
  explicitAutomaton,
  OPEN,
  SATISFIED,
  successors,
  successorsUnder,
  VIOLATED,
} from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';

const drawn = explicitAutomaton({
  states: ['safe', 'start', 'warned', 'bad'],
  initial: 'start',
  errors: ['bad'],
  transitions: [
    { from: 'start', to: 'warned' },
    { from: 'start', to: 'bad' },
    { from: 'warned', to: 'safe' },
    { from: 'bad', to: 'start' },
  ],
});

describe('a drawn automaton', () => {
  it('begins with its initial state, takes the first transition that it may, and stays in errors', () => {
    const next = (q: number, ...true_: number[]) => successorsUnder(drawn, q, (i) => true_.includes(i));
    expect(next(0)).toEqual([0]);
    expect(next(0, 0, 1)).toEqual([2]);
    expect(next(0, 1)).toEqual([3]);
    expect(next(2, 2)).toEqual([1]);
    expect(next(3, 3)).toEqual([3]);
    expect(drawn.verdict).toEqual([OPEN, SATISFIED, SATISFIED, VIOLATED]);
    expect(drawn.accepting).toEqual([1, 1, 1, 0]);
  });
});

describe('successors under what is known', () => {
  it('are both where a predicate is not known, and all where none is', () => {
    expect(successorsUnder(drawn, 0, (i) => (i === 0 ? undefined : true))).toEqual([2, 3]);
    const rule = buildAutomaton(parseFormula('G (a -> WX (b || O c))'));
    for (let q = 0; q < rule.states; q++) {
      expect(successorsUnder(rule, q, () => undefined)).toEqual(successors(rule, q));
      const known = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
        successorsUnder(rule, q, (i) => ((bits >> i) & 1) === 1),
      );
      expect(known.every((one) => one.length === 1)).toBe(true);
      expect([...new Set(known.flat())].sort((a, b) => a - b)).toEqual(successors(rule, q));
    }
  });
});
