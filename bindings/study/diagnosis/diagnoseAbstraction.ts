import type { Trace } from '../../observations/trace/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { type AbstractRunsOptions, abstractRuns } from './abstractRuns.js';
import { historyRisk, type RuleHistory } from './historyRisk.js';
import { type ObservedRate, observedRates } from './observedRates.js';
import { type OrderDependence, orderDependence } from './orderDependence.js';
import { type PredicateRole, type RedundancyOptions, redundantPredicates } from './redundantPredicates.js';
import { type PredicateSuggestions, type SuggestOptions, suggestPredicates } from './suggestPredicates.js';

/** Whether an abstraction keeps the relevant information, as far as traces show. */
export interface AbstractionDiagnosis {
  readonly traces: number;
  readonly steps: number;
  /** States that depend on the history. */
  readonly order: OrderDependence;
  /** The effect of history on risks. */
  readonly risks: readonly RuleHistory[];
  /** Observed against predicted rates of violation; null if there are too few runs. */
  readonly rates: readonly ObservedRate[] | null;
  /** Predicates to add. */
  readonly suggestions: PredicateSuggestions;
  /** Predicates to drop. */
  readonly predicates: readonly PredicateRole[];
}

/**
 * Tests whether an abstraction is good enough for a Markov chain over its valuations, the assumption that all predictions rest on. Each
 * part of the diagnosis has its own level. All runs are kept in memory.
 *
 * @throws as `learn`, `certify` and `compileGuard`; InvalidArgumentError for a level outside (0, 1)
 */
export async function diagnoseAbstraction(
  specification: Specification,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
  options: SuggestOptions & RedundancyOptions & AbstractRunsOptions = {},
): Promise<AbstractionDiagnosis> {
  const abstracted = await abstractRuns(specification, traces, options);
  const order = orderDependence(abstracted.history, options);
  const { traces: counted, steps } = abstracted.counter.read;
  return {
    traces: counted,
    steps,
    order,
    risks: historyRisk(abstracted.history, order, specification),
    rates: await observedRates(specification, abstracted, options),
    suggestions: suggestPredicates(abstracted, specification, options),
    predicates: await redundantPredicates(specification, abstracted, options),
  };
}
