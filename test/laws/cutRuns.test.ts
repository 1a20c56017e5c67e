import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { expectReplayed } from '../unit/enforcement/replayed.js';
import { tightGuard } from './actionWorlds.js';
import { type Brought, CutAttack } from './cutRuns.js';

/** Longer attacks: `node scripts/fuzz.mjs budget SECONDS SEED`. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);
/** Where the round is written, so that one that hangs is found. */
const journal = process.env.FUZZ_JOURNAL;

/** The last decision on record, whenever it was. */
function lastDecision({ records }: Brought) {
  return { ...records.findLast(({ kind }) => kind === 'decision'), time: 0 };
}

describe('a budget of a run that is cut off and resumed', () => {
  it(
    'holds wherever it is cut, whichever of the calls that were running take effect later',
    async () => {
      const until = Date.now() + 1000 * seconds;
      let attacks = 0;
      let cuts = 0;
      let beside = 0;
      let refused = 0;
      let settled = 0;
      let most = Number.NEGATIVE_INFINITY;
      let spent = 0;
      let compared = 0;
      for (let seed = firstSeed; seed < firstSeed + 3 || Date.now() < until; seed++) {
        if (journal !== undefined) writeFileSync(journal, `cut seed ${seed}`);
        const guarded = await tightGuard(seed);
        if (guarded === null) continue;
        const { file, threshold, start } = guarded;
        const attack = new CutAttack(file, new Random(seed, 10));
        const total = (await attack.worst(3)) - threshold;
        most = Math.max(most, total);
        spent = Math.max(spent, 1 + total / (threshold - start));
        expect(total, `seed ${seed}`).toBeLessThanOrEqual(0);
        attacks++;
        await expectReplayed((await attack.bring(attack.longest, true)).records, file);
        // A cut where nothing is running changes nothing.
        for (let i = 0; i < attack.quiet.length; i += 20) {
          const events = attack.quiet[i];
          const cut = await attack.bring(events.toSpliced(-1, 0, { kind: 'cut' }), true);
          expect(lastDecision(cut)).toEqual(lastDecision(await attack.bring(events, true)));
          compared++;
        }
        cuts += attack.cuts;
        beside += attack.beside;
        refused += attack.refused;
        settled += attack.settled;
      }
      if (seconds > 0)
        console.log(
          `${attacks} attacks: worst total - threshold = ${most}, ${spent} of a budget spent; ${cuts} cuts, ${settled} calls settled, ${beside} let through beside calls that were cut off, ${refused} refused`,
        );
      expect(spent).toBeGreaterThan(0.5);
      expect(cuts).toBeGreaterThan(100);
      expect(beside).toBeGreaterThan(100);
      expect(refused).toBeGreaterThan(100);
      expect(settled).toBeGreaterThan(20);
      expect(compared).toBeGreaterThan(20);
    },
    Math.max(900_000, 2000 * seconds),
  );

  it('would not hold if what was running were forgotten', async () => {
    const totals: number[] = [];
    // One attack that succeeds is enough; that of the fifth seed does.
    for (let seed = 5; seed > 0 && !totals.some((total) => total > 0); seed--) {
      const guarded = await tightGuard(seed);
      if (guarded === null) continue;
      const attack = new CutAttack(guarded.file, new Random(seed, 10), { forgets: true });
      totals.push((await attack.worst(3)) - guarded.threshold);
    }
    expect(Math.max(...totals)).toBeGreaterThan(0);
  });
});
