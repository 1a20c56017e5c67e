import { InvalidArgumentError } from '../../base/errors.js';
import { DECISION_SPAN, USER_ATTRIBUTES } from '../../observations/trace/index.js';
import type { Principal, SessionObserver, Verdict } from '../enforcement/index.js';

/** The part used of `@opentelemetry/api`: its objects fit, and nothing of it is imported. */
export interface TelemetryApi {
  readonly trace: {
    /** The tracer of a name. */
    getTracer(name: string): SpanStarter;
  };
  readonly metrics: {
    /** The meter of a name. */
    getMeter(name: string): InstrumentMaker;
  };
}

/** The part used of a `Tracer` of `@opentelemetry/api`. */
export interface SpanStarter {
  /** Starts a span below the active one. */
  startSpan(
    name: string,
    options?: { readonly startTime?: number; readonly attributes?: TelemetryAttributes },
  ): StartedSpan;
}

/** The part used of a `Span` of `@opentelemetry/api`. */
export interface StartedSpan {
  /** Sets whether the operation failed. */
  setStatus(status: { code: number }): unknown;
  /** Ends the span. */
  end(endTime?: number): void;
}

/** The part used of a `Meter` of `@opentelemetry/api`. */
export interface InstrumentMaker {
  /** Makes a sum that only grows. */
  createCounter(
    name: string,
    options?: { readonly description?: string; readonly unit?: string },
  ): {
    /** Adds to the sum. */
    add(value: number, attributes?: TelemetryAttributes): void;
  };
  /** Makes a distribution of values. */
  createHistogram(
    name: string,
    options?: {
      readonly description?: string;
      readonly unit?: string;
      readonly advice?: { explicitBucketBoundaries?: number[] };
    },
  ): {
    /** Records a value. */
    record(value: number, attributes?: TelemetryAttributes): void;
  };
}

/** Attributes of spans and measurements. */
export type TelemetryAttributes = { [name: string]: string | number | boolean | string[] };

/** Destination of the telemetry; at least one is required. */
export interface TelemetryOptions {
  /** The module `@opentelemetry/api`, whose global tracer and meter, named `foreguard`, are used if no others are given. */
  readonly api?: TelemetryApi;
  readonly tracer?: SpanStarter;
  readonly meter?: InstrumentMaker;
  /** Who is asking in the runs that are observed, for the attributes `user.id` and `user.roles` of spans: personal data, in spans only if given here. */
  readonly principal?: Pick<Principal, 'id' | 'roles'>;
}

/**
 * Reports a session's decisions to OpenTelemetry; for `observers` of `createSession`.
 *
 * With a tracer, each decision is a span `foreguard decide`, below the span that is active while the session decides, such as `execute_tool`. Its attributes
 * are `foreguard.decision`, `foreguard.would_decide` if that differs (shadow mode), `foreguard.reason`, `foreguard.rule`, `foreguard.risk`, `foreguard.lower`
 * and `foreguard.upper` if the guard was asked, `foreguard.run`, `foreguard.number`, `foreguard.runs` (the tool that may run, empty for none),
 * `gen_ai.tool.name` and `gen_ai.tool.call.id`, and `user.id` and `user.roles` of a `principal`; arguments, results and states are not included. A fault sets `error.type`, and the span's status to error.
 *
 * With a meter: counters `foreguard.decisions` by decision, rule and tool, and `foreguard.faults` by `error.type`; histograms `foreguard.decision.duration`, in
 * seconds, by decision, and `foreguard.risk` by rule. If neither the guard nor a reactive rule was asked, the tool counts as `_OTHER`: it may be undeclared,
 * and an agent can make up any number of names.
 *
 * @throws InvalidArgumentError if there is neither an api, nor a tracer, nor a meter.
 */
export function telemetry({ api, tracer, meter, principal }: TelemetryOptions): SessionObserver {
  const spans = tracer ?? api?.trace.getTracer(SCOPE);
  const instruments = meter ?? api?.metrics.getMeter(SCOPE);
  if (spans === undefined && instruments === undefined) {
    throw new InvalidArgumentError(
      'telemetry has nowhere to tell decisions to; give it api: the module @opentelemetry/api, or a tracer, a meter, or both',
    );
  }
  const measure = instruments && measuring(instruments);
  const told = new WeakSet<Verdict>();
  const user: TelemetryAttributes = {
    ...(principal && { [USER_ATTRIBUTES.id]: principal.id }),
    ...(principal?.roles && { [USER_ATTRIBUTES.roles]: [...principal.roles] }),
  };
  return {
    decided(verdict, run, seconds) {
      told.add(verdict);
      if (spans !== undefined) emitSpan(spans, verdict, run, seconds, user);
      measure?.(verdict, seconds);
    },
    // The span of an approved call was emitted with the question; only a run shows that the call was permitted after all.
    ran(verdict, _, run) {
      if (spans !== undefined && verdict.reason === 'approved' && !told.has(verdict))
        emitSpan(spans, verdict, run, 0, user);
    },
  };
}

const SCOPE = 'foreguard';
const STATUS_ERROR = 2;

/** Reasons that are not faults: a new reason is a fault until it is listed here. */
const ORDINARY: ReadonlySet<Verdict['reason']> = new Set<Verdict['reason']>([
  'below-threshold',
  'safe-tool',
  'kept',
  'at-threshold',
  'violated',
  'after-violation',
  'over-budget',
  'too-many-pending',
  'nothing-permitted',
  'escalated',
  'drift',
  'reactive-rule',
  'approved',
  'refused',
  'run-over',
  'calls-running',
  'too-early',
  'repeated-call',
]);

function emitSpan(
  tracer: SpanStarter,
  verdict: Verdict,
  run: string,
  seconds: number,
  user: TelemetryAttributes,
): void {
  const { number, decision, wouldDecide, reason, rule, step } = verdict;
  const fault = !ORDINARY.has(reason);
  const attributes: TelemetryAttributes = {
    ...user,
    [DECISION_SPAN.decision]: decision,
    'foreguard.reason': reason,
    'foreguard.rule': rule,
    'foreguard.run': run,
    'foreguard.number': number,
    [DECISION_SPAN.runs]: verdict.run?.name ?? '',
    'gen_ai.tool.name': nameOf(verdict),
    'gen_ai.tool.call.id': String(verdict.call?.id).slice(0, LONGEST_NAME),
  };
  if (wouldDecide !== decision) attributes['foreguard.would_decide'] = wouldDecide;
  if (step !== null) {
    if (!Number.isNaN(step.risk)) attributes['foreguard.risk'] = step.risk;
    attributes['foreguard.lower'] = step.lower;
    attributes['foreguard.upper'] = step.upper;
  }
  if (fault) attributes['error.type'] = reason;
  const endTime = Date.now();
  const span = tracer.startSpan(DECISION_SPAN.name, { startTime: endTime - 1000 * seconds, attributes });
  if (fault) span.setStatus({ code: STATUS_ERROR });
  span.end(endTime);
}

const LONGEST_NAME = 1000;

/** The name as the agent gave it, which may be any value. */
function nameOf({ call }: Verdict): string {
  return String(call?.name).slice(0, LONGEST_NAME);
}

/** In seconds: deciding takes microseconds, or as long as an observation of the world. */
const DURATIONS = [1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 5e-3, 0.02, 0.1, 0.5, 2, 10];
const RISKS = [0, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1];

function measuring(meter: InstrumentMaker): (verdict: Verdict, seconds: number) => void {
  const decisions = meter.createCounter('foreguard.decisions', {
    description: 'Decisions on calls of tools',
    unit: '{decision}',
  });
  const faults = meter.createCounter('foreguard.faults', {
    description: 'Decisions made by a fault, not by a risk',
    unit: '{fault}',
  });
  const durations = meter.createHistogram('foreguard.decision.duration', {
    description: 'What deciding took',
    unit: 's',
    advice: { explicitBucketBoundaries: DURATIONS },
  });
  const risks = meter.createHistogram('foreguard.risk', {
    description: 'Risks that met a threshold or stayed below it',
    unit: '1',
    advice: { explicitBucketBoundaries: RISKS },
  });
  return (verdict, seconds) => {
    const { decision, reason, rule, step } = verdict;
    const tool = step === null && reason !== 'reactive-rule' ? '_OTHER' : nameOf(verdict);
    decisions.add(1, {
      [DECISION_SPAN.decision]: decision,
      'foreguard.rule': rule,
      'gen_ai.tool.name': tool,
    });
    durations.record(seconds, { [DECISION_SPAN.decision]: decision });
    if (step !== null && !Number.isNaN(step.risk)) risks.record(step.risk, { 'foreguard.rule': rule });
    if (!ORDINARY.has(reason)) faults.add(1, { 'error.type': reason });
  };
}
