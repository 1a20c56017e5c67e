/**
 * Which drives serve for what, by their seeds. Nothing is chosen on the drives that judge: what the chains see and how far the
 * baseline looks ahead were chosen on those for tuning (`tune.mjs`).
 */
export const firstSeeds = { learning: 1, tuning: 1_000_001, judging: 3_000_001, supervising: 4_000_001 };

/** Drives to learn from, to judge on, and to supervise; also what one scenario does at 100 Hz, where only the guard is judged. */
export function planOf(short) {
  const learn = { firstSeed: firstSeeds.learning, count: short ? 60 : 3000 };
  const judge = { firstSeed: firstSeeds.judging, count: short ? 60 : 1000 };
  const live = { firstSeed: firstSeeds.supervising, count: short ? 8 : 500, ofBaseline: short ? 3 : 200 };
  const fast = { hz: 100, count: short ? 10 : 500 };
  return { learn, judge, live, at100Hz: { learn: { ...learn, ...fast }, judge: { ...judge, ...fast } } };
}

/** Drives to choose on: chains learn from those for learning, and are compared on these; the baseline, which is slower, on fewer. */
export const tuning = {
  learn: planOf(false).learn,
  judge: { firstSeed: firstSeeds.tuning, count: 1000, ofBaseline: 400 },
};
