import fc from 'fast-check';

/** Runs with scores from 0 to 5, some of them violated. */
export const someRuns = fc.array(
  fc.record({
    scores: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 6 }),
    violatedAt: fc.option(fc.nat(6), { nil: null }),
  }),
  { maxLength: 25 },
);
