import { Abstraction } from '../abstraction/index.js';
import { writeUmb } from '../formats/index.js';
import { type LearningReport, learn } from '../learning/index.js';
import { nodeStorage } from '../node/index.js';
import type { Specification } from '../specification/index.js';
import { loadSpecification, requireOtherFile, rulesOf, TraceFiles, type TraceOptions } from './load.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';

interface LearnCommandOptions extends TraceOptions {
  readonly spec: string;
  readonly output: string;
  readonly gzip?: boolean;
}

/** `foreguard learn`: traces and a specification to a model. */
export async function learnModel(options: LearnCommandOptions, terminal: Terminal): Promise<Outcome> {
  requireOtherFile(options.output, [options.spec, ...options.traces]);
  const specification = await loadSpecification(options.spec);
  rulesOf(specification, terminal);
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  const skipInvalid = options.skipInvalid ?? false;
  const { model, report } = await learn(new Abstraction(specification.abstraction), traces.batches(), {
    ...specification.learning,
    skipInvalid,
  });
  progress.clear();
  await nodeStorage.write(
    options.output,
    await writeUmb(model, { gzip: options.gzip ?? /\.gz$/.test(options.output) }),
  );
  const { contradictions } = report;
  const contradicted = contradictions.state + contradictions.transition + contradictions.end;
  const lines = [
    ...traces.assumed(),
    `${plural(report.traces, 'trace')}${report.censored > 0 ? ` (${report.censored} cut short)` : ''}, ${plural(report.steps, 'step')}`,
    `${plural(report.states.model, 'state')} (${report.states.seen} seen), ${plural(report.transitions.seen, 'transition')} seen${report.transitions.possible === null ? '' : ` of ${report.transitions.possible} possible`}`,
    `${plural(contradicted, 'contradiction')} of constraints${contradicted > 0 ? ` (state ${contradictions.state}, transition ${contradictions.transition}, end ${contradictions.end}; ${report.dropped} traces dropped)` : ''}`,
    ...describeResampled(specification, report.resampled),
    ...contradictions.first.slice(0, 5).map(({ message }) => `  ${message}`),
    ...(traces.unreadable.count > 0 ? [traces.leftOut()] : []),
    ...(report.empty > 0 ? [`${plural(report.empty, 'trace')} without a step`] : []),
    ...(report.skipped.count > 0
      ? [`${plural(report.skipped.count, 'trace')} at fault left out, the first: ${report.skipped.first[0]}`]
      : []),
    `wrote ${options.output}`,
  ];
  return {
    text: lines.join('\n'),
    json: { output: options.output, ...report, unreadable: traces.unreadable, notes: traces.notes },
  };
}

/** What it took to have steps a sampling period apart; nothing where they were. */
export function describeResampled(
  { resample }: Specification,
  { missing, leftOut }: LearningReport['resampled'],
): string[] {
  if (missing + leftOut === 0) return [];
  const how = resample === 'hold' ? 'held' : 'not counted';
  return [`steps a sampling period apart: ${plural(missing, 'step')} missing (${how}), ${leftOut} left out`];
}
