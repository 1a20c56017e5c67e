import { Abstraction } from '../abstraction/index.js';
import { buildAutomaton } from '../automaton/index.js';
import { EvaluationError, NotSupportedError } from '../errors.js';
import { compilePredicate, parseExpression } from '../expression/index.js';
import type { Specification } from '../specification/index.js';
import type { Step } from '../trace/index.js';
import { loadSpecification, TraceFiles, type TraceOptions } from './load.js';
import { type Outcome, Progress, type Terminal, table } from './terminal.js';

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
  new Abstraction(specification.abstraction); // compiles predicates and constraints, which throws where they are wrong
  checkRules(specification);
  const { predicates } = specification.abstraction;
  const summary = `${options.spec}: ${predicates.length} predicates, ${specification.rules.length} rules, no errors`;
  const json = {
    specification: options.spec,
    hash: specification.hash,
    predicates: predicates.map(({ name }) => name),
    rules: specification.rules.map(({ name, formulaText }) => ({ name, formula: formulaText })),
  };
  if (!options.traces) return { json, text: summary };

  const progress = new Progress(terminal);
  const traces = new TraceFiles({ ...options, traces: options.traces }, (read) =>
    progress.show(() => `${read} traces read`),
  );
  const { uses, steps } = await countUses(specification, traces);
  progress.clear();
  const skipped = traces.skipped.length;
  const rows = uses.map((use) => [
    use.name,
    ...[use.true, use.false, use.missing, use.failed].map((count) => String(count)),
  ]);
  const failures = uses.filter(({ firstFailure }) => firstFailure !== null);
  const text = [
    summary,
    `${traces.read} traces, ${steps} steps${skipped > 0 ? `, ${skipped} traces left out, the first: ${traces.skipped[0].message}` : ''}`,
    '',
    table(['predicate', 'true', 'false', 'missing', 'failed'], rows),
    ...failures.map(({ name, firstFailure }) => `${name}: ${firstFailure}`),
    ...uses.filter(({ true: yes }) => yes === 0).map(({ name }) => `${name} is never true`),
  ].join('\n');
  return {
    json: { ...json, traces: traces.read, steps, skipped: traces.skipped, uses },
    text,
    exitCode: failures.length > 0 ? 2 : 0,
  };
}

/** Rules that cannot become automata are found here, not at run time. */
function checkRules({ rules, samplingPeriod, source }: Specification): void {
  for (const { name, formula } of rules) {
    if (formula.kind === 'probability') continue;
    try {
      buildAutomaton(formula, samplingPeriod === null ? {} : { samplingPeriod });
    } catch (error) {
      if (error instanceof NotSupportedError) {
        throw new NotSupportedError(`${source}: rule "${name}": ${error.message}`, { cause: error });
      }
      throw error;
    }
  }
}

async function countUses(
  { abstraction }: Specification,
  traces: AsyncIterable<{ readonly id: string; readonly steps: readonly Step[] }>,
): Promise<{ uses: PredicateUse[]; steps: number }> {
  const predicates = abstraction.predicates.map(({ name, expression }) => ({
    holds: compilePredicate(parseExpression(expression, { name: `predicate "${name}"` }), name),
    use: { name, true: 0, false: 0, missing: 0, failed: 0, firstFailure: null } as PredicateUse,
  }));
  let steps = 0;
  for await (const trace of traces) {
    for (const [index, step] of trace.steps.entries()) {
      steps++;
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
  return { uses: predicates.map(({ use }) => use), steps };
}
