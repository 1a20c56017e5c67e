import type { History } from '../guard/index.js';
import type { Prefix } from './prefix.js';

/** Maximum number of steps no longer kept that an explanation still counts. */
const FORGOTTEN_COUNTED = 100_000;

/**
 * The steps on which rule number r depends, up to the one that decided it, followed by the valuations in `further`, one after another. The rule is explained from
 * step `origin` of the prefix on, as if the run began there; it looks back at those before. Steps no longer kept count as unreadable. `numberOf` is the number
 * of a step's observation, or, if `isMissing`, of the one before it; `keptFrom` is the first kept step for a rule that depends on earlier ones, else 0.
 */
export function recordedPrefix(
  history: History,
  r: number,
  predicates: readonly string[],
  further: Uint32Array = new Uint32Array(0),
): {
  prefix: Prefix;
  firstStep: number;
  origin: number;
  numberOf: (step: number) => number;
  isMissing: (step: number) => boolean;
  keptFrom: number;
} {
  const { words } = history;
  const decidedAt = history.decidedAt(r);
  const to = decidedAt < 0 ? history.length : decidedAt + 1;
  const past = history.pastSteps(r);
  // What decided a rule that looks back without limit may lie anywhere.
  const origin = decidedAt >= 0 && past === Number.POSITIVE_INFINITY ? 0 : Math.min(history.origin(r), to);
  const since = Math.max(0, origin - past);
  const kept = Math.max(since, Math.min(history.first, to));
  const firstStep = Math.max(since, kept - FORGOTTEN_COUNTED);
  const recording = history.read(kept, to);
  const valuations = new Uint32Array((to - firstStep) * words + further.length);
  const known = new Uint32Array(valuations.length);
  valuations.set(recording.valuations, (kept - firstStep) * words);
  known.set(recording.known, (kept - firstStep) * words);
  valuations.set(further, (to - firstStep) * words);
  known.fill(0xffffffff, (to - firstStep) * words);
  const prefix = { predicates, words, length: valuations.length / words, valuations, known };
  return {
    prefix,
    firstStep,
    origin: Math.max(0, origin - firstStep),
    numberOf: (step) => history.observationOf(step, r),
    isMissing: (step) => history.isMissing(step, r),
    keptFrom: kept > origin ? kept : 0,
  };
}
