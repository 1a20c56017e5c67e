/** The seed of every case that is drawn at random, the same in each run: what passed once passes again. `npm run test:seeds` tries others. */
export const USUAL_SEED = 20260101;

/** `FAST_CHECK_SEED`, where it is set, else the usual one. */
export function seedOfThisRun(): number {
  const { FAST_CHECK_SEED: given } = process.env;
  if (given === undefined || given === '') return USUAL_SEED;
  if (!/^-?\d{1,10}$/.test(given) || Math.abs(Number(given)) > 2 ** 31 - 1) {
    throw new Error(`FAST_CHECK_SEED is ${given}; expected a whole number of 32 bits`);
  }
  return Number(given);
}
