import { Abstraction } from '../abstraction/index.js';
import { EvaluationError, NotSupportedError } from '../errors.js';
import { compilePredicate, parseExpression } from '../expression/index.js';
import { Counter } from '../learning/index.js';
import type { RuleShape } from '../risk/index.js';
import type { Specification } from '../specification/index.js';
import { GapCheck, type Step } from '../trace/index.js';
import { loadSpecification, rulesOf, TraceFiles, type TraceOptions } from './load.js';
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
  checkOptions(specification);
  const rules = rulesOf(specification, terminal);
  const { predicates } = specification.abstraction;
  const summary = `${options.spec}: ${plural(predicates.length, 'predicate')}, ${plural(specification.rules.length, 'rule')}, no errors`;
  const json = {
    specification: options.spec,
    hash: specification.hash,
    predicates: predicates.map(({ name }) => name),
    rules: rules.map(({ formula, ...shape }, i) => ({
      ...shape,
      formula: specification.rules[i].formulaText,
      canonical: formula,
    })),
  };
  const described = [summary, ...rules.map(describeRule)].join('\n');
  if (!options.traces) return { json, text: described };

  const progress = new Progress(terminal);
  const traces = new TraceFiles(
    { ...options, traces: options.traces, periodSeconds: specification.samplingPeriodSeconds },
    (read) => progress.show(() => `${plural(read, 'trace')} read`),
  );
  const { uses, steps, gaps } = await countUses(specification, traces);
  progress.clear();
  const rows = uses.map((use) => [
    use.name,
    ...[use.true, use.false, use.missing, use.failed].map((count) => String(count)),
  ]);
  const failures = uses.filter(({ firstFailure }) => firstFailure !== null);
  const text = [
    described,
    '',
    ...traces.assumed(),
    `${plural(traces.read, 'trace')}, ${plural(steps, 'step')}`,
    ...(traces.unreadable.count > 0 ? [traces.leftOut()] : []),
    ...(gaps.count > 0
      ? [
          `${plural(gaps.count, 'irregular gap')} (resample: ${specification.resample}), the first: ${gaps.first}`,
        ]
      : []),
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
    exitCode: failures.length > 0 || (gaps.count > 0 && specification.resample === 'error') ? 2 : 0,
  };
}

/** What later commands would refuse is refused here. */
function checkOptions({ decideOn, source }: Specification): void {
  if (decideOn === 'upper') return;
  throw new NotSupportedError(
    `${source}: decideOn: ${decideOn} needs statistical bounds, which are not computed yet`,
  );
}

/** What a rule comes to, on a few lines: canonical form, automaton, end, windows. */
function describeRule({ name, formula, evaluation, atEnd, automatonStates, windows }: RuleShape): string {
  const lines = [
    `${name}: ${formula}`,
    evaluation === 'state'
      ? '  judged in every state afresh'
      : `  ${plural(automatonStates, 'automaton state')}, ${atEnd} at the end`,
    ...windows.map(
      ({ text, fromSteps, toSteps, fromSeconds, toSeconds }) =>
        `  ${text} is ${span(fromSteps, toSteps)} steps${fromSeconds === null ? '' : `, ${span(fromSeconds, toSeconds)} s`}`,
    ),
  ];
  return lines.join('\n');
}

function span(from: number, to: number | null): string {
  return to === null ? `${from} and more` : `${from} to ${to}`;
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
  const check = period && new GapCheck(period);
  for await (const trace of traces) {
    check?.reset();
    for (const [index, step] of trace.steps.entries()) {
      steps++;
      if (step.time === undefined) check?.reset();
      else if (check?.isRegular(step.time) === false) {
        gaps.count++;
        gaps.first ??= `trace "${trace.id}", step ${index}: ${step.time - (trace.steps[index - 1].time ?? Number.NaN)} s after the step before it, where the sampling period is ${period?.seconds} s`;
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
