import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard, type GuardFile } from '../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from '../unit/guard/guardFiles.js';

const STATES = 4;
const END = STATES;

/** Draws of one row of the agent, `start` being row 4: states 0 to 3, and 4 for the end of the run. */
interface Row {
  readonly data: readonly number[];
  readonly live: readonly number[];
}

/** The four valuations of two predicates, all of them with data, and what a learner would have counted of them. */
function watched(rows: readonly Row[]): GuardFile {
  const counted = rows.map(({ data }) => {
    const drawn = data.filter((t) => t !== END);
    const columns = [...new Set(drawn)].sort();
    const latest = Math.max(0, ...columns.map((t) => drawn.indexOf(t) + 1));
    return {
      columns,
      counts: columns.map((t) => drawn.filter((one) => one === t).length),
      sinceNew: drawn.length - latest,
    };
  });
  const states = counted.slice(0, STATES);
  const { columns, counts } = counted[STATES];
  return guardFile([ruleOf(never, [0, 0, 0, 0])], {
    states: {
      words: 1,
      valuations: [0, 1, 2, 3],
      draws: rows.slice(0, STATES).map(({ data }) => data.length),
    },
    seen: {
      rowStart: [0, 1, 2, 3, 4].map((s) => states.slice(0, s).flatMap((row) => row.columns).length),
      columns: states.flatMap((row) => row.columns),
    },
    drift: {
      falseAlarmRate: 0.01,
      onDrift: 'report',
      start: { columns, counts },
      counts: states.flatMap((row) => row.counts),
      drawsSinceNew: counted.map(({ sinceNew }) => sinceNew),
    },
  });
}

/** The next value is true with the probability that a mixture of Jeffreys' prior and the two running frequencies gives; natural logarithms. */
function betterThan(p: number, data: readonly boolean[], live: readonly boolean[], certain: boolean): number {
  const under = (value: boolean): number => Math.log(value ? p : 1 - p);
  const after = (seen: readonly boolean[], value: boolean): number => {
    const share = (seen.filter(Boolean).length + 0.5) / (seen.length + 1);
    return Math.log(value ? share : 1 - share);
  };
  let truth = 0;
  let quiet = 0;
  data.forEach((value, i) => {
    truth += under(value);
    if (!certain) quiet += after(data.slice(0, i), value);
  });
  // What is left on "no change" before draw l, l from 1, is 1 / (1 + ln l) of the whole.
  const changed = [32, 512].map(() => [] as number[]);
  live.forEach((value, i) => {
    truth += under(value);
    const left = (l: number): number => 1 / (1 + Math.log(l));
    [32, 512].forEach((span, which) => {
      const weight = (j: number): number => (1 - 1 / span) ** (i - 1 - j);
      const seen = live.slice(0, i).reduce((sum, one, j) => sum + (one ? weight(j) : 0), 0);
      const all = live.slice(0, i).reduce((sum, _, j) => sum + weight(j), 0);
      const share = (seen + 0.5) / (all + 1);
      changed[which].push(quiet + Math.log((left(i + 1) - left(i + 2)) / 2));
      changed[which] = changed[which].map((log) => log + Math.log(value ? share : 1 - share));
    });
    quiet += after([...data, ...live.slice(0, i)], value);
  });
  const terms = [quiet - Math.log(1 + Math.log(live.length + 1)), ...changed.flat()];
  return terms.reduce((sum, log) => sum + Math.exp(log - truth), 0);
}

/** What the bets on an event have come to, from the definition: per draw and span, what is put in then, times all ratios since. */
function capital(data: readonly boolean[], live: readonly boolean[]): number {
  const counted = (seen: readonly boolean[]): number => seen.filter(Boolean).length;
  const left = (l: number): number => 1 / (1 + Math.log(l));
  let sum = 0;
  for (const span of [32, 512]) {
    const ratios = live.map((value, i) => {
      const before = live.slice(0, i);
      const weight = (j: number): number => (1 - 1 / span) ** (i - 1 - j);
      const all = before.reduce((total, _, j) => total + weight(j), 0);
      const r = (before.reduce((total, one, j) => total + (one ? weight(j) : 0), 0) + 0.5) / (all + 1);
      const q = (counted(data) + counted(before) + 0.5) / (data.length + i + 1);
      return value ? r / q : (1 - r) / (1 - q);
    });
    for (let l = 1; l <= live.length; l++) {
      sum +=
        ((left(l) - left(l + 1)) / 2) * ratios.slice(l - 1).reduce((product, ratio) => product * ratio, 1);
    }
  }
  return sum;
}

/** The evidence as docs/semantics/drift.md, writes it. */
function written(rows: readonly Row[]): number {
  const rho = (n: number): number => (Math.PI * n + 1) ** -0.5;
  return rows.reduce((product, { data, live }, row) => {
    const drawn = data.filter((t) => t !== END);
    if (drawn.length === 0) return product;
    const N = drawn.length + live.length;
    const found = [...new Set(drawn)];
    const k = found.length;
    let seen = 0;
    for (const t of found) {
      const is = (one: number): boolean => one === t;
      const A = [...drawn, ...live].filter(is).length;
      seen += (capital(drawn.map(is), live.map(is)) * (A - 0.5)) / N;
    }
    const w = drawn.length - 1 - Math.max(...found.map((t) => drawn.indexOf(t)));
    const isNew = (one: number): boolean => !found.includes(one);
    const none = Array.from({ length: w }, () => false);
    const unseen =
      (capital(none, live.map(isNew)) * rho(w + live.length) * Math.sqrt(Math.PI * (w + 0.25))) /
      (k * (k + 1));
    const part = 1 / (2 * (row === STATES ? 1 : row + 2));
    return product * (1 - part + (part * (seen * rho(N - 1) + unseen)) / 2);
  }, 1);
}

/** The martingale of docs/semantics/drift.md, under the true rows: it is 1 before anything is drawn. */
function martingale(rows: readonly Row[], truth: readonly (readonly number[])[]): number {
  return rows.reduce((product, { data, live }, row) => {
    const drawn = data.filter((t) => t !== END);
    if (drawn.length === 0) return product;
    const inner = truth[row].slice(0, STATES);
    const p = inner.map((one) => one / inner.reduce((a, b) => a + b, 0));
    let single = 0;
    for (let t = 0; t < STATES; t++) {
      if (p[t] > 0)
        single +=
          p[t] *
          betterThan(
            p[t],
            drawn.map((one) => one === t),
            live.map((one) => one === t),
            false,
          );
    }
    let unseen = 0;
    const found: number[] = [];
    drawn.forEach((t, i) => {
      if (found.includes(t)) return;
      found.push(t);
      const rest = drawn.slice(i + 1);
      if (rest.some((one) => !found.includes(one))) return;
      const mass = 1 - found.reduce((sum, one) => sum + p[one], 0);
      const isNew = live.map((one) => !found.includes(one));
      const k = found.length;
      // Bets with certainty that the rest of the data show nothing new, then as if it had counted.
      const known = 1 / (k * (k + 1));
      unseen = known * betterOnUnseen(Math.max(0, mass), rest.length, isNew);
    });
    const rank = row === STATES ? 1 : row + 2;
    return product * (1 - 1 / (2 * rank) + (single + unseen) / (4 * rank));
  }, 1);
}

function betterOnUnseen(mass: number, since: number, live: readonly boolean[]): number {
  const nothing = Array.from({ length: since }, () => false);
  const quietSoFar = nothing.reduce((product, _, i) => product * (1 - 0.5 / (i + 1)), 1);
  return betterThan(mass, nothing, live, false) / quietSoFar;
}

const distribution = fc
  .array(fc.integer({ min: 0, max: 20 }), { minLength: STATES + 1, maxLength: STATES + 1 })
  .map((weights) => weights.map((w, i) => (i === END ? w : w + (i === 0 ? 1 : 0))))
  .map((weights) => weights.map((w) => w / weights.reduce((a, b) => a + b, 0)));

describe('evidence of drift', () => {
  it('is what is written, and never above the martingale of the true chain, whatever that is and whatever is drawn', () => {
    const lists = fc.array(
      fc.record({
        data: fc.array(fc.integer({ min: 0, max: END }), { maxLength: 25 }),
        live: fc.array(fc.integer({ min: 0, max: STATES - 1 }), { maxLength: 40 }),
        truth: distribution,
      }),
      { minLength: STATES + 1, maxLength: STATES + 1 },
    );
    fc.assert(
      fc.property(lists, (all) => {
        const possible = (t: number, truth: readonly number[]): boolean => truth[t] > 0;
        const rows = all.map(({ data, live, truth }, row) => ({
          data: data.filter((t) => possible(t, truth) && (row < STATES || t !== END)),
          live: live.filter((t) => possible(t, truth)),
        }));
        const { drift } = createGuard(watched(rows));
        if (drift === null) throw new Error('drift is watched');
        rows.forEach(({ live }, row) => {
          for (const t of live) {
            drift.begin();
            if (row < STATES) {
              drift.lose();
              drift.read({ complete: true, irregular: false, state: row });
            }
            drift.read({ complete: true, irregular: false, state: t });
          }
        });
        const exact = martingale(
          rows,
          all.map(({ truth }) => truth),
        );
        expect(drift.evalue).toBeLessThanOrEqual(exact * (1 + 1e-9));
        expect(drift.evalue / written(rows)).toBeCloseTo(1, 9);
      }),
      { numRuns: 300 },
    );
  });

  it('loses little: the martingale under the chain that explains all draws best is at most twice as large', () => {
    const still = { data: [], live: [] };
    const mixed = (ones: number, zeros: number): number[] =>
      Array.from({ length: ones + zeros }, (_, i) => (i < zeros ? 0 : 1));
    for (const [data, live] of [
      [mixed(5, 80), mixed(60, 0)],
      [mixed(1, 200), mixed(20, 0)],
      [mixed(60, 60), mixed(0, 90)],
    ]) {
      const rows = [still, still, still, still, { data, live }];
      const ones = [...data, ...live].filter((t) => t === 1).length;
      const p = ones / (data.length + live.length);
      const { drift } = createGuard(watched(rows));
      for (const t of live) {
        drift?.begin();
        drift?.read({ complete: true, irregular: false, state: t });
      }
      const evidence = (drift?.evalue ?? Number.NaN) - 0.5;
      const best =
        martingale(rows, [
          [1, 0, 0, 0, 0],
          [1, 0, 0, 0, 0],
          [1, 0, 0, 0, 0],
          [1, 0, 0, 0, 0],
          [1 - p, p, 0, 0, 0],
        ]) - 0.5;
      expect(evidence).toBeGreaterThan(100);
      expect(best / evidence).toBeGreaterThanOrEqual(1);
      expect(best / evidence).toBeLessThanOrEqual(2);
    }
  });

  it('is discounted by no more than the theorem allows', () => {
    // ln KT(a, n) and ln of the largest p^a (1-p)^(n-a), by sums.
    const log = (x: number): number => (x === 0 ? 0 : x * Math.log(x));
    for (let n = 0; n <= 60; n++) {
      for (let a = 0; a <= n; a++) {
        let estimated = 0;
        for (let i = 0; i < n; i++) estimated += Math.log(((i < a ? i : i - a) + 0.5) / (i + 1));
        const largest = log(a) + log(n - a) - log(n);
        expect(estimated - largest).toBeGreaterThanOrEqual(-Math.log(Math.PI * n + 1) / 2 - 1e-12);
      }
    }
  });
});
