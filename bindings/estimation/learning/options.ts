import type { SamplingPeriod } from '../../observations/trace/index.js';

/** How traces become a chain. */
export interface LearnOptions {
  /** What `learnMdp` learns is an `mdp`, all else a `dtmc`. Default `dtmc`. */
  readonly model?: 'dtmc' | 'mdp';
  /** Pseudo-count alpha >= 0 added to every valid successor. Default 1. */
  readonly smoothing?: number;
  /** States of the chain: the valuations seen, or all that the constraint on states allows. Default `observed`. */
  readonly states?: 'observed' | 'valid';
  /**
   * What to do with a trace that does what a constraint forbids: throw; leave the whole trace out; or count it, which makes
   * that transition valid. Counted and reported in each case. Default `error`.
   */
  readonly onContradiction?: 'error' | 'dropTrace' | 'accept';
  /**
   * How far apart steps are, and what becomes of those that are not (`resample`, default `error`: a trace with another gap between two
   * times is at fault, for a step would mean something else in it). A step without time counts as on time. Default null: any gap.
   */
  readonly period?: SamplingPeriod | null;
  /** Leave out (and count) traces at fault: a predicate fails, a gap is irregular. Default false: throw. */
  readonly skipInvalid?: boolean;
  /** Transitions the model may have at most. Default 20,000,000. */
  readonly maxTransitions?: number;
  /** Kept in the model, to tell later which specification it was learnt for. Default null. */
  readonly specificationHash?: string | null;
}

/** Options with their defaults filled in. */
export type LearningSettings = Required<LearnOptions>;
