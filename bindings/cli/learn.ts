import { Abstraction } from '../abstraction/index.js';
import { writeUmb } from '../formats/index.js';
import { learn } from '../learning/index.js';
import { nodeStorage } from '../node/index.js';
import { loadSpecification, TraceFiles, type TraceOptions } from './load.js';
import { type Outcome, Progress, type Terminal } from './terminal.js';

interface LearnCommandOptions extends TraceOptions {
  readonly spec: string;
  readonly output: string;
  readonly gzip?: boolean;
}

/** `foreguard learn`: traces and a specification to a model. */
export async function learnModel(options: LearnCommandOptions, terminal: Terminal): Promise<Outcome> {
  const specification = await loadSpecification(options.spec);
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, (read) => progress.show(() => `${read} traces read`));
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
  const unreadable = traces.skipped.length;
  const { contradictions } = report;
  const contradicted = contradictions.state + contradictions.transition + contradictions.end;
  const lines = [
    `${report.traces} traces, ${report.steps} steps${report.censored > 0 ? `, ${report.censored} of them cut short` : ''}`,
    `${report.states.model} states (${report.states.seen} seen), ${report.transitions.seen} transitions seen${report.transitions.possible === null ? '' : ` of ${report.transitions.possible} possible`}`,
    `${contradicted} contradictions of constraints${contradicted > 0 ? ` (state ${contradictions.state}, transition ${contradictions.transition}, end ${contradictions.end}; ${report.dropped} traces dropped)` : ''}`,
    ...contradictions.first.slice(0, 5).map(({ message }) => `  ${message}`),
    ...(unreadable > 0
      ? [`${unreadable} traces could not be read, the first: ${traces.skipped[0].message}`]
      : []),
    ...(report.empty > 0 ? [`${report.empty} traces without a step`] : []),
    ...(report.skipped.count > 0
      ? [`${report.skipped.count} traces on which a predicate failed, the first: ${report.skipped.first[0]}`]
      : []),
    `wrote ${options.output}`,
  ];
  return { text: lines.join('\n'), json: { output: options.output, ...report, unreadable: traces.skipped } };
}
