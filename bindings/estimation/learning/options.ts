import type { SamplingPeriod } from '../../observations/trace/index.js';

/** How a chain is learnt from traces. */
export interface LearnOptions {
  /** The kind of model: `learnMdp` learns an `mdp`, all else a `dtmc`. Default `dtmc`. */
  readonly model?: 'dtmc' | 'mdp';
  /** Pseudo-count alpha >= 0 added to every valid successor. Default 1. */
  readonly smoothing?: number;
  /** States of the chain: the valuations seen, or all that the constraint on states allows. Default `observed`. */
  readonly states?: 'observed' | 'valid';
  /**
   * How to handle a trace that violates a constraint: `error` throws; `dropTrace` skips the whole trace; `accept` counts it, which makes
   * that transition valid. The contradiction is counted and reported in each case. Default `error`.
   */
  readonly onContradiction?: 'error' | 'dropTrace' | 'accept';
  /**
   * The sampling period, and the treatment of steps that do not keep to it (`resample`, default `error`: a trace with another gap between
   * two times is invalid, because a step would mean something else in it). A step without time counts as on time. Default null: any gap.
   */
  readonly period?: SamplingPeriod | null;
  /** Skip (and count) invalid traces: a predicate fails, or a gap is irregular. Default false: throw. */
  readonly skipInvalid?: boolean;
  /** Maximal number of transitions of the model. Default 20,000,000. */
  readonly maxTransitions?: number;
  /** Kept in the model, to identify later the specification it was learnt for. Default null. */
  readonly specificationHash?: string | null;
}

/** Options with their defaults filled in. */
export type LearningSettings = Required<LearnOptions>;
