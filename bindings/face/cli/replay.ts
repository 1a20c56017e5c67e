import { compileGuard } from '../../rules/risk/index.js';
import { replay } from '../../study/evaluation/index.js';
import { describeReplay } from './describeReplay.js';
import { loadLearntModel, loadSpecification, TraceFiles, type TraceOptions } from './inputs.js';
import { judgedModel } from './judgedModel.js';
import { Judgement } from './judgement.js';
import { parsePrecision, parseThresholds } from './numbers.js';
import { describeSampledModel, learntNotes, SampledTraces, sampledOf } from './sampled.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';

interface ReplayCommandOptions extends TraceOptions {
  readonly spec: string;
  readonly model: string;
  readonly precision: string;
  readonly thresholds?: string;
  readonly explain?: boolean;
}

/** `foreguard replay`: replays recorded traces through a guard and reports its decisions. */
export async function replayTraces(options: ReplayCommandOptions, terminal: Terminal): Promise<Outcome> {
  const thresholds = parseThresholds(options.thresholds);
  const model = await loadLearntModel(options.model);
  const judged = judgedModel(await loadSpecification(options.spec), model, options.strict);
  const { specification } = judged;
  const guard = compileGuard(specification, model, { precision: parsePrecision(options.precision) });
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} replayed`),
  );
  const judgement = new Judgement(specification);
  const sampled = new SampledTraces(specification);
  const result = await replay(guard, judgement.along(sampled.counted(traces)), {
    explain: options.explain === true,
    ...(thresholds !== undefined && { thresholds }),
  });
  progress.clear();
  const errors = result.unread.map(({ message }) => message);
  const notes = [
    ...traces.notes,
    ...judged.notes,
    ...judgement.notes(options.strict),
    ...learntNotes(model, options.model),
  ];
  const notJudged = [...judged.notJudged, ...judgement.notJudged];
  const lines = [
    ...errors.map((message) => `error: ${message}`),
    ...notes.map(({ message }) => message),
    ...sampled.describe(),
    ...describeSampledModel(model),
    ...describeReplay(result, guard, traces.leftOut()),
  ];
  return {
    json: {
      errors,
      notes,
      notJudged,
      unreadable: traces.unreadable,
      resampled: sampled.total,
      learntFrom: sampledOf(model),
      ...result,
    },
    text: lines.join('\n'),
    exitCode: errors.length > 0 ? 2 : 0,
  };
}
