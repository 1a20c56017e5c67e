/**
 * How steps that do not come a sampling period apart are treated:
 * - `error`: they are a fault;
 * - `hold`: a missing step repeats the step before it, and a step that comes too early is left out;
 * - `skip`: a missing step is not counted, so deadlines stretch, and a step that comes too early is left out.
 */
export type ResamplePolicy = 'error' | 'hold' | 'skip';

/** All resampling policies, the default first. */
export const RESAMPLE_POLICIES = ['error', 'hold', 'skip'] as const satisfies readonly ResamplePolicy[];
