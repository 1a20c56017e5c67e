import { ForeguardError, InvalidDataError } from '../errors.js';
import { type Equality, RobustnessMonitor, type RobustnessOptions, robustness } from '../robustness/index.js';
import type { RuleSpecification, Specification } from '../specification/index.js';
import { resample, type Step } from '../trace/index.js';
import { loadSpecification, TraceFiles, type TraceOptions } from './load.js';
import { formatNumber, type Outcome, Progress, plural, type Terminal, table } from './terminal.js';

interface RobustnessCommandOptions extends TraceOptions {
  readonly spec: string;
  readonly equality: Equality;
}

/** `foreguard robustness`: how far each trace is from breaking each rule, or from keeping it. */
export async function traceRobustness(
  options: RobustnessCommandOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const specification = await loadSpecification(options.spec);
  const rules = specification.rules.filter(({ formula }) => formula.kind !== 'probability');
  const left = specification.rules.length - rules.length;
  if (rules.length === 0) {
    throw new InvalidDataError(
      `${options.spec}: every rule is a probability; robustness is that of one trace`,
    );
  }
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  const found: { id: string; steps: number; rules: Record<string, { robustness: number }> }[] = [];
  for await (const { id, steps } of traces) {
    try {
      const { period } = specification.learning;
      const sampled = period === null ? steps : resample(steps, period).steps;
      const values = rules.map((rule) => [
        rule.name,
        { robustness: ofRule(rule, sampled, specification, options.equality) },
      ]);
      found.push({ id, steps: sampled.length, rules: Object.fromEntries(values) });
    } catch (error) {
      if (!(error instanceof ForeguardError)) throw error;
      throw new InvalidDataError(`trace "${id}": ${error.message}`, { cause: error });
    }
  }
  progress.clear();
  const worst = rules.map(({ name }) => {
    const values = found.map((trace) => trace.rules[name].robustness);
    const negative = values.filter((value) => value < 0).length;
    return [name, formatNumber(values.reduce((a, b) => Math.min(a, b))), String(negative)];
  });
  const perTrace = found.flatMap(({ id, steps, rules: of }) =>
    rules.map(({ name }) => [id, name, String(steps), formatNumber(of[name].robustness)]),
  );
  const shown = perTrace.slice(0, 50);
  const text = [
    table(['trace', 'rule', 'steps', 'robustness'], shown),
    ...(perTrace.length > shown.length ? [`… ${perTrace.length - shown.length} more; --json has all`] : []),
    '',
    ...traces.assumed(),
    [
      plural(found.length, 'trace'),
      traces.leftOut(),
      left > 0 ? `${plural(left, 'rule')} left out that are probabilities` : '',
    ]
      .filter(Boolean)
      .join('; '),
    table(['rule', 'least robustness', 'negative'], worst),
  ].join('\n');
  return { json: { traces: found }, text };
}

/** As the rule is judged at the end: the trace's own robustness, or under `weak` the largest of its continuations. */
function ofRule(
  { formula, atEnd }: RuleSpecification,
  steps: readonly Step[],
  { abstraction, samplingPeriod }: Specification,
  equality: Equality,
): number {
  const options: RobustnessOptions = {
    predicates: abstraction.predicates,
    equality,
    ...(samplingPeriod === null ? {} : { samplingPeriod }),
  };
  const own = robustness(formula, steps, options);
  if (atEnd === 'strong') return own;
  const monitor = new RobustnessMonitor(formula, options);
  for (const step of steps) monitor.step(step.state, step);
  return monitor.upper;
}
