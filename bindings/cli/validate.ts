import { Abstraction } from '../abstraction/index.js';
import { buildAutomaton } from '../automaton/index.js';
import { requireViolable } from '../checker/index.js';
import { EvaluationError, ForeguardError, NotSupportedError } from '../errors.js';
import { compilePredicate, parseExpression } from '../expression/index.js';
import { Counter } from '../learning/index.js';
import type { Specification } from '../specification/index.js';
import { isRegularGap, type Step } from '../trace/index.js';
import { loadSpecification, TraceFiles, type TraceOptions } from './load.js';
import { type Outcome, Progress, plural, type Terminal, table } from './terminal.js';

interface ValidateCommandOptions extends Partial<TraceOptions> {
  readonly spec: string;
}

/** What one predicate did over all steps. */
interface PredicateUse {
  readonly name: string;
  true: number;
  false: number;
  /** A field it reads was absent. */
  missing: number;
  /** It failed in any other way. */
  failed: number;
  /** The first message of a failure. */
  firstFailure: string | null;
}

/** `foreguard validate`: a specification, and what its predicates make of traces. */
export async function validate(options: ValidateCommandOptions, terminal: Terminal): Promise<Outcome> {
  const specification = await loadSpecification(options.spec);
  // What later commands would refuse is refused here: counting checks the options of learning.
  new Counter(new Abstraction(specification.abstraction), specification.learning);
  checkRules(specification);
  const { predicates } = specification.abstraction;
  const summary = `${options.spec}: ${plural(predicates.length, 'predicate')}, ${plural(specification.rules.length, 'rule')}, no errors`;
  const json = {
    specification: options.spec,
    hash: specification.hash,
    predicates: predicates.map(({ name }) => name),
    rules: specification.rules.map(({ name, formulaText }) => ({ name, formula: formulaText })),
  };
  if (!options.traces) return { json, text: summary };

  const progress = new Progress(terminal);
  const traces = new TraceFiles({ ...options, traces: options.traces }, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  const { uses, steps, gaps } = await countUses(specification, traces);
  progress.clear();
  const rows = uses.map((use) => [
    use.name,
    ...[use.true, use.false, use.missing, use.failed].map((count) => String(count)),
  ]);
  const failures = uses.filter(({ firstFailure }) => firstFailure !== null);
  const text = [
    summary,
    ...traces.assumed(),
    `${plural(traces.read, 'trace')}, ${plural(steps, 'step')}`,
    ...(traces.unreadable.count > 0 ? [traces.leftOut()] : []),
    ...(gaps.count > 0 ? [`${plural(gaps.count, 'irregular gap')}, the first: ${gaps.first}`] : []),
    '',
    table(['predicate', 'true', 'false', 'missing', 'failed'], rows),
    ...failures.map(({ name, firstFailure }) => `${name}: ${firstFailure}`),
    ...uses.filter(({ true: yes }) => yes === 0).map(({ name }) => `${name} is never true`),
  ].join('\n');
  return {
    json: {
      ...json,
      traces: traces.read,
      steps,
      unreadable: traces.unreadable,
      notes: traces.notes,
      irregularGaps: gaps,
      uses,
    },
    text,
    exitCode: failures.length > 0 || gaps.count > 0 ? 2 : 0,
  };
}

/** What a rule cannot be judged by is found here, not at run time. */
function checkRules({ rules, samplingPeriod, decideOn, source }: Specification): void {
  if (decideOn !== 'upper') {
    throw new NotSupportedError(
      `${source}: decideOn: ${decideOn} needs statistical bounds, which are not computed yet`,
    );
  }
  for (const { name, formula, atEnd } of rules) {
    if (formula.kind === 'probability') continue;
    try {
      requireViolable(buildAutomaton(formula, { samplingPeriod }), atEnd);
    } catch (error) {
      if (error instanceof ForeguardError) error.message = `${source}: rule "${name}": ${error.message}`;
      throw error;
    }
  }
}

/** Steps that are not the sampling period apart. */
interface IrregularGaps {
  count: number;
  first: string | null;
}

async function countUses(
  { abstraction, learning: { period } }: Specification,
  traces: AsyncIterable<{ readonly id: string; readonly steps: readonly Step[] }>,
): Promise<{ uses: PredicateUse[]; steps: number; gaps: IrregularGaps }> {
  const predicates = abstraction.predicates.map(({ name, expression }) => ({
    holds: compilePredicate(parseExpression(expression, { name: `predicate "${name}"` }), name),
    use: { name, true: 0, false: 0, missing: 0, failed: 0, firstFailure: null } as PredicateUse,
  }));
  let steps = 0;
  const gaps: IrregularGaps = { count: 0, first: null };
  for await (const trace of traces) {
    for (const [index, step] of trace.steps.entries()) {
      steps++;
      const previous = trace.steps[index - 1]?.time;
      if (
        period &&
        previous !== undefined &&
        step.time !== undefined &&
        !isRegularGap(period, previous, step.time)
      ) {
        gaps.count++;
        gaps.first ??= `trace "${trace.id}", step ${index}: ${step.time - previous} s after the step before it, where the sampling period is ${period.seconds} s`;
      }
      for (const { holds, use } of predicates) {
        try {
          use[holds(step.state, step) ? 'true' : 'false']++;
        } catch (error) {
          if (!(error instanceof EvaluationError)) throw error;
          use[error.missingField === undefined ? 'failed' : 'missing']++;
          use.firstFailure ??= `trace "${trace.id}", step ${index}: ${error.message}`;
        }
      }
    }
  }
  return { uses: predicates.map(({ use }) => use), steps, gaps };
}
