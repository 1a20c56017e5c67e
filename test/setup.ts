import fc from 'fast-check';

// The same cases in every CI run; elsewhere new ones each time. A failure prints its seed: FAST_CHECK_SEED=… repeats it.
const seed = process.env.FAST_CHECK_SEED ?? (process.env.CI === 'true' ? '20260101' : undefined);
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
