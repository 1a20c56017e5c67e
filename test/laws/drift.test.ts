import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard, type GuardFile } from '../../bindings/guard/index.js';
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

/** The martingale of docs/semantics.md, section 6, under the true rows: it is 1 before anything is drawn. */
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
  it('is never above the martingale of the true chain, whatever that is and whatever is drawn', () => {
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
      }),
      { numRuns: 300 },
    );
  });
});
