import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { Learner, type LearntChain } from '../../estimation/learning/index.js';
import { requireDelta, requireEpsilon } from '../../estimation/pac/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { Trace } from '../../observations/trace/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import { predictedRules, type Specification } from '../specification/index.js';
import { type Certificate, certify } from './certify.js';
import { ruleNamed } from './learntChain.js';
import type { FirstState, PlanScope, SamplingPlan } from './samplingPlan.js';

/** A request to a sampler. */
export interface SampleRequest {
  /** Number of runs; further runs are not taken. */
  readonly runs: number;
  /**
   * The state that the runs should begin in; null: as the agent begins. A run that begins elsewhere does no harm, but its first state is
   * not counted either.
   */
  readonly first: FirstState | null;
  readonly signal?: AbortSignal;
}

/** Generates runs of the agent, independent of each other. */
export type Sampler = (request: SampleRequest) => Iterable<Trace> | AsyncIterable<Trace>;

/** What is to be known, how precisely, and with how many runs. */
export interface LearnUntilOptions extends Pick<SolveOptions, 'precision' | 'signal'> {
  readonly specification: Specification;
  readonly sampler: Sampler;
  /** Maximal number of runs. */
  readonly budget: number;
  /** Half the permitted width of each interval. Default 0.05. */
  readonly epsilon?: number;
  /** The probability that any interval, at any look, misses the truth. Default: that of the specification, or 0.05 if it has none. */
  readonly delta?: number;
  /** Names of the rules that count. Default: all rules of the specification. */
  readonly rules?: readonly string[];
  /** Where their risks are to be known: before the first step, or also in every state that a run was seen to reach. Default `start`. */
  readonly scope?: PlanScope;
  /** Whether the sampler may be asked for runs that begin in a given state. Default false: all runs begin as the agent begins them. */
  readonly favour?: boolean;
  /** Maximal number of runs between two looks. Default: a fifth of the runs so far, at least 50; fewer if fewer are expected to suffice. */
  readonly batch?: number;
  /** Called at each look. */
  readonly onProgress?: (look: Look) => void;
}

/** The findings of one look. */
export interface Look {
  /** Runs taken so far, and those of them begun on request. */
  readonly runs: number;
  readonly onRequest: number;
  /** The largest half width of an interval that counts. */
  readonly error: number;
  /** Rules whose intervals are all narrow enough. */
  readonly met: readonly string[];
  /** The papers' stopping criteria, over all rules. They are only reported and stop nothing, because neither is a guarantee. */
  readonly papers: { readonly firstMet: boolean; readonly secondMet: boolean };
}

/** The chain learnt until sampling stopped. */
export interface LearntUntil extends LearntChain {
  /** Why sampling stopped: all risks are known as precisely as requested; the budget is used up; the sampler had no more runs. */
  readonly stopped: 'met' | 'budget' | 'exhausted';
  /** The certificate; its plan says what is still missing. */
  readonly certificate: Certificate & { readonly plan: SamplingPlan };
  readonly rules: readonly { readonly name: string; readonly met: boolean; readonly error: number }[];
  /** The looks in order; the last one describes the returned chain. */
  readonly looks: readonly Look[];
}

/**
 * Samples, learns and looks in turn. Stops as soon as the certificate shows that all risks are known as precisely as requested, or the
 * budget is used up. Looking after each batch costs no confidence, because the certificate holds at all numbers of runs at once. Neither
 * does choosing where runs begin from what was seen.
 *
 * The sampler must return the agent's runs unchanged. Cut runs are allowed if the cut depended only on their past; no run may be left out
 * because of its content. A run begun on request must continue like one of the agent's own runs that reached that valuation.
 *
 * @throws InvalidArgumentError for epsilon, delta, budget or batch out of range, or an unknown rule; InvalidDataError if the sampler gives
 * no run at all; EvaluationError and InvalidDataError for runs that do not fit the specification, as `learn`; the signal's reason if it was
 * aborted
 */
export async function learnUntil(options: LearnUntilOptions): Promise<LearntUntil> {
  const { budget, epsilon = 0.05, scope = 'start', favour = false, batch, signal } = options;
  const { delta = options.specification.confidence.delta } = options;
  requireEpsilon(epsilon);
  requireDelta(delta);
  requireRuns('budget', budget);
  if (batch !== undefined) requireRuns('batch', batch);
  const specification = withRules(options.specification, options.rules);
  const learner = new Learner(new Abstraction(specification.abstraction), {
    ...specification.learning,
    specificationHash: specification.hash,
  });
  const solve = {
    ...(options.precision !== undefined && { precision: options.precision }),
    ...(signal && { signal }),
  };
  const looks: Look[] = [];
  let requests: readonly SampleRequest[] = [{ runs: Math.min(budget, batch ?? 50), first: null }];
  for (let runs = 0, onRequest = 0; ; ) {
    let taken = 0;
    for (const request of requests) {
      const given = await take(options.sampler, { ...request, ...(signal && { signal }) }, learner);
      taken += given;
      if (request.first !== null) onRequest += given;
    }
    runs += taken;
    if (runs === 0) {
      throw new InvalidDataError(
        `the sampler gave no run when asked for ${requests[0].runs}: it should return or yield traces of the agent`,
      );
    }
    const { model, report } = learner.chain();
    const certificate = certify(specification, model, { delta, epsilon, plan: scope, ...solve });
    const plan = certificate.plan!;
    const rules = certificate.rules.map((rule) => {
      const places = scope === 'start' ? [rule.start] : [rule.start, ...rule.entries];
      const error = Math.max(...places.map((place) => (place.confidenceUpper - place.confidenceLower) / 2));
      return { name: rule.name, met: error <= epsilon, error };
    });
    const look = lookAt(certificate, rules, runs, onRequest);
    looks.push(look);
    options.onProgress?.(look);
    const stopped = rules.every(({ met }) => met)
      ? 'met'
      : runs >= budget
        ? 'budget'
        : taken === 0
          ? 'exhausted'
          : null;
    if (stopped !== null) {
      return { model, report, stopped, certificate: { ...certificate, plan }, rules, looks };
    }
    // Lets timers run, so that the signal can be aborted even if the sampler is synchronous.
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    const next = Math.min(budget - runs, nextBatch(plan, runs, favour, batch));
    requests = favour ? favoured(plan, next) : [{ runs: next, first: null }];
  }
}

/** Counts the runs of the sampler, at most as many as requested; returns their number. */
async function take(sampler: Sampler, request: SampleRequest, learner: Learner): Promise<number> {
  const { runs, first, signal } = request;
  let taken = 0;
  for await (const trace of sampler(request)) {
    signal?.throwIfAborted();
    learner.add(trace, undefined, { onRequest: first !== null });
    taken++;
    if (taken === runs) break;
  }
  return taken;
}

/** The number of runs until the next look: hardly more than the plan expects to need, if that is few. */
function nextBatch(plan: SamplingPlan, runs: number, favour: boolean, batch: number | undefined): number {
  const expected = favour ? plan.runsFavoured : plan.runsAsAgent;
  const most = batch ?? Math.max(50, Math.ceil(runs / 5));
  return Math.min(most, Math.max(10, Math.ceil(runs / 50), expected));
}

/** The first `runs` runs of a plan, in its proportions. */
function favoured({ begun, runsFavoured }: SamplingPlan, runs: number): SampleRequest[] {
  if (!(runsFavoured > 0 && runsFavoured < Number.POSITIVE_INFINITY)) return [{ runs, first: null }];
  const requests: SampleRequest[] = [];
  let [planned, asked] = [0, 0];
  for (const part of begun) {
    planned += part.runs;
    const until = Math.round((planned / runsFavoured) * runs);
    if (until > asked) requests.push({ runs: until - asked, first: part.first });
    asked = until;
  }
  return requests;
}

function lookAt(
  { rules: certified }: Certificate,
  rules: LearntUntil['rules'],
  runs: number,
  onRequest: number,
): Look {
  return {
    runs,
    onRequest,
    error: Math.max(...rules.map(({ error }) => error)),
    met: rules.filter(({ met }) => met).map(({ name }) => name),
    papers: {
      firstMet: certified.every(({ criteria }) => criteria.firstMet),
      secondMet: certified.every(({ criteria }) => criteria.secondMet),
    },
  };
}

function withRules(specification: Specification, names: readonly string[] | undefined): Specification {
  const rules =
    names === undefined ? predictedRules(specification) : names.map((name) => ruleNamed(specification, name));
  if (rules.length > 0) return { ...specification, rules };
  throw new InvalidArgumentError(
    'there is no rule whose risk could be learnt: name one, or give a specification with rules',
  );
}

function requireRuns(name: string, count: number): void {
  if (Number.isSafeInteger(count) && count > 0) return;
  throw new InvalidArgumentError(`${name} is ${count}; expected a whole number of runs, at least 1`);
}
