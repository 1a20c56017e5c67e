import { compileGuard } from '../../rules/risk/index.js';
import { compileRules } from '../../rules/specification/index.js';
import type { GuardFile } from '../../runtime/guard/index.js';
import { replay } from '../../study/evaluation/index.js';
import { describeReplay } from './describeReplay.js';
import { loadLearntModel, loadSpecification, TraceFiles, type TraceOptions } from './inputs.js';
import { judgedModel } from './judgedModel.js';
import { Judgement } from './judgement.js';
import { parsePrecision, parseThresholds } from './numbers.js';
import { describeSampledModel, learntNotes, resampleNotes, SampledTraces, sampledOf } from './sampled.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';
import { TimeCheck } from './timeCheck.js';

interface ReplayCommandOptions extends TraceOptions {
  readonly spec: string;
  readonly model?: string;
  readonly precision: string;
  readonly thresholds?: string;
  readonly explain?: boolean;
}

/** The guard to replay: of the specification and its model, or of its rules alone; with what is said of the model. */
async function guardOf({ spec, model: source, strict, precision }: ReplayCommandOptions) {
  const specification = await loadSpecification(spec);
  if (source === undefined) {
    const guard = compileRules(specification);
    return { specification, guard, notes: [], notJudged: [], leftOut: [], sampled: [], learntFrom: null };
  }
  const model = await loadLearntModel(source);
  const judged = judgedModel(specification, model, strict);
  return {
    ...judged,
    guard: compileGuard(judged.specification, model, { precision: parsePrecision(precision) }),
    leftOut: [...learntNotes(model, source), ...resampleNotes(specification, model)],
    sampled: describeSampledModel(model),
    learntFrom: sampledOf(model),
  };
}

/** `foreguard replay`: replays recorded traces through a guard and reports its decisions. */
export async function replayTraces(options: ReplayCommandOptions, terminal: Terminal): Promise<Outcome> {
  const thresholds = parseThresholds(options.thresholds);
  const { specification, guard, ...judged } = await guardOf(options);
  const progress = new Progress(terminal);
  const traces = new TraceFiles(options, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} replayed`),
  );
  const judgement = new Judgement(specification);
  const sampled = new SampledTraces(specification);
  const times = new TimeCheck(specification);
  const result = await replay(guard, judgement.along(times.along(sampled.counted(traces))), {
    explain: options.explain === true,
    ...(thresholds !== undefined && { thresholds }),
  });
  progress.clear();
  const errors = result.unread.map(({ message }) => message);
  const onTimes = [...times.describeUnread(), ...sampled.lostActions()].map((message) => ({
    source: options.spec,
    message,
  }));
  const notes = [
    ...traces.notes,
    ...judged.notes,
    ...judgement.notes(options.strict),
    ...judged.leftOut,
    ...onTimes,
  ];
  const notJudged = [...judged.notJudged, ...judgement.notJudged];
  const lines = [
    ...errors.map((message) => `error: ${message}`),
    ...notes.map(({ message }) => message),
    ...sampled.describe(),
    ...judged.sampled,
    ...describeReplay(result, guard, traces.leftOut()),
  ];
  return {
    json: {
      errors,
      notes,
      notJudged,
      unreadable: traces.unreadable,
      resampled: sampled.total,
      irregularGaps: times.gaps,
      learntFrom: judged.learntFrom,
      ...englishOf(guard),
      ...result,
    },
    text: lines.join('\n'),
    exitCode: errors.length > 0 ? 2 : 0,
  };
}

/** The rules in English, by name, of those that have words; nothing if none has. */
function englishOf({ rules }: GuardFile): { readonly english?: Readonly<Record<string, string>> } {
  const said = rules.flatMap(({ name, english }) =>
    english === undefined ? [] : [[name, english] as const],
  );
  return said.length === 0 ? {} : { english: Object.fromEntries(said) };
}
