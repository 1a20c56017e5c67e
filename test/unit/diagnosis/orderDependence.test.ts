import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import { Counter, HistoryCounts, type StateHistory } from '../../../bindings/estimation/learning/index.js';
import { excursionValue } from '../../../bindings/study/diagnosis/excursionTest.js';
import { orderDependence } from '../../../bindings/study/diagnosis/index.js';
import { clopperPearsonInterval } from '../../../bindings/study/evaluation/index.js';
import { word } from '../risk/learnt.js';
import { type Agent, historyOf, letters, markov, runsOf } from './worlds.js';

const abc = letters('abc');
/** Stays, returns, and a rare successor: tables are sparse, and histories depend on outcomes. */
const firstOrder = markov({
  '^': { a: 3, b: 1 },
  a: { a: 6, b: 3, c: 1 },
  b: { a: 4, b: 2, c: 4, '.': 1 },
  c: { a: 1, c: 1, '.': 2 },
});
/** From b mostly back to where it came from. */
const secondOrder: Agent = (before, random) => {
  const last = before.at(-1);
  if (last !== 'b') return firstOrder(before, random);
  if (random.chance(0.1)) return null;
  const back = before.at(-2) === 'a' ? 'a' : 'c';
  return random.chance(0.75) ? back : back === 'a' ? 'c' : 'a';
};

describe('histories', () => {
  it('are counted as by looking at every run', () => {
    const runs = [...runsOf(firstOrder, 30, 1, 12), word('ab'), word('')];
    const history = historyOf(abc, runs);
    const { transitions, table } = history.tally;
    const name = (row: number): string =>
      row === 0 ? '' : [...'abc'].find((_, i) => table.valuations[row - 1] === 1 << i)!;
    const expected = new Map<string, number>();
    for (const { steps, complete } of runs) {
      const all = ['', ...steps.map(({ state }) => String(state.x)), ...(complete ? [''] : [])];
      for (let i = 2; i < all.length; i++) {
        const triple = `${all[i - 2]}|${all[i - 1]}|${all[i]}`;
        expected.set(triple, (expected.get(triple) ?? 0) + 1);
      }
    }
    const counted = new Map<string, number>();
    for (const { row, enteredBy, leftBy, counts } of history.states()) {
      counts.forEach((outcomes, h) => {
        outcomes.forEach((count, t) => {
          const triple = [transitions.from[enteredBy[h]], row, transitions.to[leftBy[t]]].map(name).join('|');
          if (count > 0) counted.set(triple, count);
        });
      });
    }
    expect(new Map([...counted].sort())).toEqual(new Map([...expected].sort()));
  });

  it('are refused of a counter that has counted', () => {
    const counter = new Counter(abc);
    counter.add(word('ab'));
    expect(() => new HistoryCounts(counter)).toThrow(/from the first trace on/);
    const other = new Counter(abc);
    new HistoryCounts(other);
    expect(() => new HistoryCounts(other)).toThrow(/of its own/);
  });
});

/** All orders of what is between 0 and n - 1. */
function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((order) =>
    Array.from({ length: n }, (_, at) => [...order.slice(0, at), n - 1, ...order.slice(at)]),
  );
}

/** The p-value by its definition: the share of all orders of the excursions whose G is not below the one observed. */
function exactValue({ counts, excursions, first, last }: StateHistory): number {
  const G = (table: readonly (readonly number[])[]): number => {
    const n = table.flat().reduce((sum, x) => sum + x);
    let sum = 0;
    for (const [h, row] of table.entries()) {
      for (const [t, x] of row.entries()) {
        const rows = table[h].reduce((a, b) => a + b);
        const columns = table.reduce((a, b) => a + b[t], 0);
        if (x > 0) sum += 2 * x * Math.log((x * n) / (rows * columns));
      }
    }
    return sum;
  };
  const blocks = excursions.flatMap(([t, h, count]) => Array.from({ length: count }, () => [t, h] as const));
  const orders = permutations(blocks.length);
  const reached = orders.filter((order) => {
    const table = counts.map((row) => row.map(() => 0));
    let history = first;
    for (const i of order) {
      table[history][blocks[i][0]]++;
      history = blocks[i][1];
    }
    table[history][last]++;
    return G(table) >= G(counts) - 1e-9;
  });
  return reached.length / orders.length;
}

describe('the order of excursions', () => {
  it('gives the p-value of all orders, on small tables', () => {
    const exact: number[] = [];
    for (let seed = 0; seed < 8; seed++) {
      const history = historyOf(abc, runsOf(secondOrder, 3, seed));
      for (const state of history.states()) {
        const draws = state.counts.flat().reduce((a, b) => a + b);
        if (draws < 5 || draws > 8) continue;
        const value = exactValue(state);
        exact.push(value);
        const random = new Random(seed);
        const drawn = Array.from({ length: 40 }, () => excursionValue(state, 2000, random));
        // Each is off by about a fifth at most, of which 40 take the mean.
        const mean = drawn.reduce((a, b) => a + b) / drawn.length;
        expect(mean).toBeGreaterThan(value * 0.85);
        expect(mean).toBeLessThan(value * 1.2);
      }
    }
    expect(exact.length).toBeGreaterThan(5);
    expect(Math.min(...exact)).toBeLessThan(0.3);
  });
});

describe('a test of the Markov assumption', () => {
  it('finds history where there is none in at most the level of data sets', () => {
    const seeds = 200;
    let found = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const history = historyOf(abc, runsOf(firstOrder, 12, seed));
      const { states } = orderDependence(history, { level: 0.2, seed });
      if (states.some(({ dependent }) => dependent)) found++;
    }
    // The rate of false findings is at most the level, unless a chance of 1e-6 came about.
    expect(clopperPearsonInterval(found, seeds, 1 - 2e-6).confidenceLower).toBeLessThanOrEqual(0.2);
    // And the test is no empty one.
    expect(found).toBeGreaterThan(seeds * 0.05);
  });

  it('finds it where it is, in nine of ten data sets of 120 runs, and says which history', () => {
    const seeds = 20;
    let found = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const history = historyOf(abc, runsOf(secondOrder, 120, seed));
      const { states } = orderDependence(history);
      const [worst] = states;
      if (!worst.dependent) continue;
      expect(worst.description).toMatch(/^b;/);
      expect(worst.variation).toBeGreaterThan(worst.variationByChance);
      const fromA = worst.effects.find(({ after }) => after.startsWith('a'));
      if (fromA?.next.state.startsWith('a')) expect(fromA.next.share).toBeGreaterThan(fromA.next.otherwise);
      found++;
    }
    expect(found).toBeGreaterThanOrEqual(0.9 * seeds);
  });

  it('gives no verdict on too few draws', () => {
    const { tested, untested, states, testedShare } = orderDependence(
      historyOf(abc, [word('ab'), word('ba')]),
    );
    expect([tested, untested, testedShare]).toEqual([0, 2, 0]);
    expect(states.map(({ method, pValue, dependent }) => ({ method, pValue, dependent }))).toEqual(
      [1, 2].map(() => ({ method: null, pValue: null, dependent: false })),
    );
  });

  it('refuses a level that is no probability', () => {
    expect(() => orderDependence(historyOf(abc, [word('ab')]), { level: 1 })).toThrow(/level is 1/);
  });
});
