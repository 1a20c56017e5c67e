import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import {
  type LearningReport,
  type LearnOptions,
  learn,
  learnMdp,
  type MdpReport,
  withNotRecorded,
  withUnreadable,
} from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { describeSampled, type TraceNote } from '../../observations/trace/index.js';
import { requirePredicted, type Specification } from '../../rules/specification/index.js';
import { writeUmb } from '../../solvers/formats/index.js';
import type { Dtmc, Mdp } from '../../solvers/model/index.js';
import { learnWithDuckDb, nodeStorage } from '../node/index.js';
import { learntActionNotes } from './actionUse.js';
import { type EmitSqlOptions, emitSql } from './emitSql.js';
import {
  loadSpecification,
  requireOtherFile,
  rulesOf,
  TraceFiles,
  type TraceOptions,
  type Unreadable,
} from './inputs.js';
import type { NotJudged } from './judgement.js';
import { notesOnPrediction } from './notesOnPrediction.js';
import { parseCount } from './numbers.js';
import { causes, readableTraces, requireSomethingRead } from './readableTraces.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';
import { READING_OPTIONS } from './traceOptions.js';

interface LearnCommandOptions extends Partial<TraceOptions>, Partial<EmitSqlOptions> {
  readonly traces?: readonly string[];
  readonly skipInvalid?: boolean;
  readonly spec: string;
  readonly output?: string;
  readonly gzip?: boolean;
  readonly engine?: 'duckdb';
  readonly memoryLimit?: string;
  readonly threads?: string;
}

/** A model, with what was left out or assumed. */
interface Learnt {
  readonly model: Dtmc | Mdp;
  readonly report: LearningReport & Partial<MdpReport>;
  readonly unreadable: Unreadable;
  readonly leftOut: string;
  readonly notes: readonly TraceNote[];
  readonly notJudged: readonly NotJudged[];
}

/** `foreguard learn`: learns a model from traces and a specification. */
export async function learnModel(options: LearnCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { emitSql: dialect } = options;
  if (dialect !== undefined) {
    refuseOthers(options, [
      'output',
      'gzip',
      'engine',
      'memoryLimit',
      'threads',
      ...READING_OPTIONS,
      'shuffle',
      'strict',
    ]);
    const specification = await loadSpecification(options.spec);
    requireChain(specification, '--emit-sql');
    return emitSql({ ...options, emitSql: dialect }, specification);
  }
  refuseOthers(options, ['table', 'columns']);
  // Required unless a statement is printed.
  const traces = options.traces!;
  const output = options.output!;
  requireOtherFile(output, [options.spec, ...traces]);
  const specification = await loadSpecification(options.spec);
  rulesOf(specification, terminal);
  if (options.engine !== undefined) requireChain(specification, '--engine');
  const learning = { ...specification.learning, skipInvalid: options.skipInvalid ?? false };
  requirePredicted(specification);
  const { notes: found, ...learnt } =
    options.engine === 'duckdb'
      ? await learnByEngine({ ...options, traces }, specification, learning)
      : await learnStreaming({ ...options, traces }, specification, learning, terminal);
  const { model, report, unreadable, leftOut, notJudged } = learnt;
  const notes = [...notesOnPrediction(specification), ...found];
  await nodeStorage.write(output, await writeUmb(model, { gzip: options.gzip ?? /\.gz$/.test(output) }));
  const { contradictions } = report;
  const unchanging = learntActionNotes(model, options.spec);
  const contradicted = contradictions.state + contradictions.transition + contradictions.end;
  const uncertifiable = [
    ...(report.resampled.held > 0
      ? ['steps that are held are not draws of the agent: certify will refuse this model']
      : []),
    ...(report.dropped + report.skipped.count + unreadable.count > 0
      ? [
          'because traces were left out, the rest is not a sample of the agent: certify will refuse this model',
        ]
      : []),
  ].map((message) => ({ source: output, message }));
  const lines = [
    ...notes.map(({ message }) => message),
    `${plural(report.traces, 'trace')}${report.censored > 0 ? ` (${report.censored} cut short)` : ''}, ${plural(report.steps, 'step')}`,
    `${plural(report.states.model, 'state')} (${report.states.seen} seen), ${plural(report.transitions.seen, 'transition')} seen${report.transitions.possible === null ? '' : ` of ${report.transitions.possible} possible`}`,
    `${plural(contradicted, 'contradiction')} of constraints${contradicted > 0 ? ` (state ${contradictions.state}, transition ${contradictions.transition}, end ${contradictions.end}; ${report.dropped} traces dropped)` : ''}`,
    ...describeActions(report, model),
    ...unchanging.lines,
    ...neverCalled(report, specification),
    ...describeSampled(report.resampled),
    ...contradictions.first.slice(0, 5).map(({ message }) => `  ${message}`),
    ...(unreadable.count > 0 ? [leftOut] : []),
    ...(report.empty > 0 ? [`${plural(report.empty, 'trace')} without a step`] : []),
    ...(report.skipped.count > 0
      ? [`${plural(report.skipped.count, 'trace')} at fault left out, the first: ${report.skipped.first[0]}`]
      : []),
    ...uncertifiable.map(({ message }) => message),
    `wrote ${output}`,
  ];
  return {
    text: lines.join('\n'),
    json: {
      output,
      ...report,
      unreadable,
      notJudged,
      notes: [...notes, ...unchanging.notes, ...uncertifiable],
    },
  };
}

async function learnStreaming(
  options: TraceOptions,
  specification: Specification,
  learning: LearnOptions,
  terminal: Terminal,
): Promise<Learnt> {
  refuseOthers(options, ['memoryLimit', 'threads']);
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  const readable = await readableTraces(traces.batches(), specification);
  requireSomethingRead(readable);
  const abstraction = new Abstraction(readable.specification.abstraction);
  const learnt: Pick<Learnt, 'model' | 'report'> =
    learning.model === 'mdp'
      ? await learnMdp(abstraction, readable.batches, learning)
      : await learn(abstraction, readable.batches, learning);
  progress.clear();
  const { unreadable } = traces;
  const { judgement, unread } = readable;
  const told = withNotRecorded(learnt, causes(unread), readable.leftOut());
  return {
    ...withUnreadable(told, unreadable.count),
    unreadable,
    leftOut: traces.leftOut(),
    notes: [...traces.notes, ...judgement.notes(options.strict), ...readable.notes()],
    notJudged: judgement.notJudged,
  };
}

/** @throws NotSupportedError for a decision process, because statements only count for chains */
function requireChain({ learning, source }: Specification, option: string): void {
  if (learning.model === 'dtmc') return;
  throw new NotSupportedError(
    `${source}: learning.model is mdp, and ${option} applies only to chains; leave it out`,
  );
}

/** The actions of the agents, for a decision process. */
function describeActions({ actions }: Learnt['report'], { labels }: Learnt['model']): string[] {
  if (actions === undefined) return [];
  const { names, pairs, without } = actions;
  const unknown = labels.get('unknown')?.count() ?? 0;
  return [
    `${plural(names.length, 'action')} (${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}), ${plural(pairs, 'pair')} of state and action${without > 0 ? `; ${plural(without, 'step')} without an action` : ''}`,
    ...(unknown > 0 ? [`${plural(unknown, 'state')} never left, labelled "unknown"`] : []),
  ];
}

async function learnByEngine(
  options: LearnCommandOptions & { readonly traces: readonly string[] },
  specification: Specification,
  learning: LearnOptions,
): Promise<Learnt> {
  refuseOthers(options, [...READING_OPTIONS, 'shuffle', 'strict']);
  const { traces, memoryLimit } = options;
  const threads = parseCount('--threads', options.threads);
  const { unreadable, ...learnt } = await learnWithDuckDb(
    new Abstraction(specification.abstraction),
    traces,
    {
      ...learning,
      ...(threads !== undefined && { threads }),
      ...(memoryLimit !== undefined && { memoryLimit }),
    },
  );
  const leftOut = `${plural(unreadable, 'line')} left out that held no trace`;
  return { ...learnt, unreadable: { count: unreadable, first: [] }, leftOut, notJudged: [] };
}

/** @throws InvalidArgumentError if one of these options is given, because it would be ignored */
function refuseOthers(options: object, names: readonly string[]): void {
  const given = names.find((name) => (options as Record<string, unknown>)[name] !== undefined);
  if (given === undefined) return;
  const option = `--${given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new InvalidArgumentError(`${option} does not go with the other options; leave it out`);
}

/** Tools whose calls the specification distinguishes, but that no trace calls; they are usually misspelt. */
function neverCalled({ actions }: Learnt['report'], { abstraction }: Specification): string[] {
  if (actions === undefined) return [];
  const called = (tool: string): boolean => {
    const plain = /["[]/.test(tool) ? JSON.stringify(tool) : tool;
    return actions.names.some((name) => name.startsWith(`${plain}[`));
  };
  return Object.entries(abstraction.actions ?? {})
    .filter(([tool, predicates]) => predicates.length > 0 && !called(tool))
    .map(([tool]) => {
      const meant = nearestName(tool, actions.names);
      return `warning: \`actions\` tells calls of ${tool} apart, and no trace calls it${meant === undefined ? '' : `; did you mean ${meant}?`}`;
    });
}
