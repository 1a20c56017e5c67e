import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { Random } from '../../bindings/base/random.js';
import { tightGuard } from './actionWorlds.js';
import { Attack } from './sideBySide.js';

/** Longer attacks: `node scripts/fuzz.mjs budget SECONDS SEED`. */
const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);
/** Where the round is written, so that one that hangs is found. */
const journal = process.env.FUZZ_JOURNAL;

describe('a budget', () => {
  it(
    'holds however calls run side by side, come back late, fail or are given up',
    async () => {
      const until = Date.now() + 1000 * seconds;
      let attacks = 0;
      let beside = 0;
      let refused = 0;
      let idled = 0;
      let most = Number.NEGATIVE_INFINITY;
      let spent = 0;
      for (let seed = firstSeed; seed < firstSeed + 10 || Date.now() < until; seed++) {
        if (journal !== undefined) writeFileSync(journal, `seed ${seed}`);
        const guarded = await tightGuard(seed);
        if (guarded === null) continue;
        const attack = new Attack(guarded.file, new Random(seed, 9));
        for (let i = 0; i < 3; i++) {
          const total = attack.worst(2) - guarded.threshold;
          most = Math.max(most, total);
          spent = Math.max(spent, 1 + total / (guarded.threshold - guarded.start));
          expect(total, `seed ${seed}, attack ${i}`).toBeLessThanOrEqual(0);
          attacks++;
        }
        beside += attack.beside;
        refused += attack.refused;
        idled += attack.idled;
      }
      if (seconds > 0)
        console.log(
          `${attacks} attacks: worst total - threshold = ${most}, ${spent} of a budget spent; ${beside} calls and ${idled} pauses let through beside others, ${refused} refused`,
        );
      // Attacks spend most of a budget, and calls do run side by side: else this would show nothing.
      expect(spent).toBeGreaterThan(0.5);
      expect(beside).toBeGreaterThan(100);
      expect(refused).toBeGreaterThan(100);
      expect(idled).toBeGreaterThan(20);
    },
    Math.max(60_000, 2000 * seconds),
  );
});
