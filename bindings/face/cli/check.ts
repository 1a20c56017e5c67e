import { existsSync } from 'node:fs';
import { ForeguardError, InvalidArgumentError } from '../../base/errors.js';
import { type GivenConstants, refuseUndeclared } from '../../languages/logic/index.js';
import {
  openChecker,
  type PropertyChecker,
  type Subject,
  statesInOrder,
} from '../../solvers/checker/index.js';
import type { SolveMethod } from '../../solvers/kernel/index.js';
import { type Answer, type AnsweredModel, answerAsJson, answerAsText, exitCodeOf } from './answer.js';
import { type AskedProperties, readAsked } from './askedProperties.js';
import { assignments, overridden, parseConstants, pick } from './constants.js';
import { loadModelFile } from './inputs.js';
import { InterruptedError, interruptionOf } from './interruption.js';
import { type ModelStatistics, modelStatistics, statisticsAsText } from './modelStatistics.js';
import { parseCount, parsePrecision } from './numbers.js';
import { ModelOpener } from './openModel.js';
import { describeSampledModel, learntNotes, sampledOf } from './sampled.js';
import { openValuations, stateText } from './stateText.js';
import { formatCount, type Outcome, Progress, type Terminal } from './terminal.js';

interface CheckCommandOptions {
  readonly model?: string | undefined;
  readonly property?: readonly string[];
  readonly properties?: string;
  readonly const?: readonly string[];
  readonly precision: string;
  readonly relative?: boolean;
  readonly absolute?: boolean;
  readonly method: SolveMethod;
  readonly maxIterations?: string;
  readonly exact?: boolean;
  readonly maxStates?: string;
  readonly components?: boolean;
  readonly json?: boolean;
}

/** The results of the properties of a model with given constants. */
interface Experiment {
  /** Undefined if its states could not be explored. */
  readonly model?: ModelStatistics;
  /** What a learnt model records of its traces. */
  readonly learnt?: object;
  readonly answers: readonly Answer[];
  readonly results: readonly object[];
  readonly seconds: { readonly build: number; readonly solve: number };
}

/**
 * `foreguard check`: checks properties of a model, with bounds, for each combination of constants if ranges are given. Text is written as
 * answers arrive.
 */
export async function check(options: CheckCommandOptions, terminal: Terminal): Promise<Outcome> {
  if (options.relative && options.absolute) {
    throw new InvalidArgumentError('--relative and --absolute exclude each other');
  }
  const started = performance.now();
  const combinations = parseConstants(options.const);
  const solve = solveOptions(options, terminal);
  const maxStates = parseCount('--max-states', options.maxStates);
  const { path, property } = modelAmong(options);
  const parts = await readAsked({ ...options, property });
  const file = await loadModelFile(path);
  const parse = secondsSince(started);

  const own = file.kind === 'source' ? file.source.constants : [];
  const declared = [...own, ...parts.flatMap((part) => part.file.constants)];
  refuseUndeclared(
    combinations[0],
    declared.map(({ name }) => name),
  );
  const warnings = overridden(combinations[0], declared);
  for (const warning of warnings) terminal.err(`warning: ${warning}\n`);

  const say = (text: string): void => {
    if (!options.json) terminal.out(`${text}\n`);
  };
  const opener = new ModelOpener(file, { exact: options.exact ?? false, maxStates }, terminal);
  const several = combinations.length > 1;
  const experiments: Experiment[] = [];
  for (const given of combinations) {
    if (several) say(`${experiments.length > 0 ? '\n' : ''}${assignments(given)}`);
    experiments.push(experiment(given));
  }

  /** Builds the model for some constants, and answers all properties. */
  function experiment(given: GivenConstants): Experiment {
    const begun = performance.now();
    let subject: Subject;
    try {
      subject = opener.open(given);
    } catch (error) {
      const kept = error instanceof InterruptedError || (several && error instanceof ForeguardError);
      if (!kept) throw error;
      const unknown = { initial: [], states: 0, ordered: () => [] };
      const answers = parts.flatMap(({ asked }) =>
        asked.map(({ name, text }) => ({ name, property: text, error, seconds: 0 })),
      );
      for (const answer of answers) say(answerAsText(answer, unknown));
      const results = answers.map((answer) => answerAsJson(answer, unknown));
      return { answers, results, seconds: { build: secondsSince(begun), solve: 0 } };
    }
    const { model } = subject;
    const build = secondsSince(begun);
    for (const warning of model.warnings ?? []) terminal.err(`warning: ${warning}\n`);
    const notes = learntNotes(model, path);
    for (const text of [...describeSampledModel(model), ...notes.map(({ message }) => message)]) say(text);
    const statistics = modelStatistics(model, options.components ?? false);
    const answered: AnsweredModel = {
      ...statistics,
      valuation: openValuations(subject),
      ordered: (states) => statesInOrder(states, subject),
    };
    say(statisticsAsText(statistics, (state) => stateText(state, answered.valuation?.(state))));
    const solving = performance.now();
    const answers: Answer[] = [];
    for (const part of parts) {
      const names = [...own, ...part.file.constants].map(({ name }) => name);
      for (const answer of answersOf(part, subject, { ...solve, constants: pick(given, names) }, terminal)) {
        answers.push(answer);
        say(answerAsText(answer, answered));
      }
    }
    const seconds = { build, solve: secondsSince(solving) };
    const results = answers.map((answer) => answerAsJson(answer, answered));
    const resampled = sampledOf(model);
    const learnt = { ...(resampled && { resampled }), ...(notes.length > 0 && { notes }) };
    return { model: statistics, learnt, answers, results, seconds };
  }

  const total = (part: keyof Experiment['seconds']): number =>
    experiments.reduce((sum, { seconds }) => sum + seconds[part], 0);
  const seconds = { parse, build: total('build'), solve: total('solve'), total: secondsSince(started) };
  const peakMemoryBytes = process.resourceUsage().maxRSS * 1024;
  const documents = experiments.map(({ model, learnt, results, seconds }, i) => ({
    ...(several && { constants: combinations[i], seconds }),
    ...(model && { model }),
    ...learnt,
    results,
  }));
  const json = {
    ...(several ? { experiments: documents } : documents[0]),
    ...(warnings.length > 0 && { warnings }),
    seconds,
    peakMemoryBytes,
  };
  const times = Object.entries(seconds).map(([part, time]) => `${part} ${time.toFixed(3)}`);
  const text = `${times.join(', ')} s; ${(peakMemoryBytes / 2 ** 20).toFixed(0)} MiB`;
  return { json, text, exitCode: exitCodeOf(experiments.flatMap(({ answers }) => answers)) };
}

/** `--property` takes all words that follow it, including the model's file if that comes last. */
function modelAmong({ model, property = [] }: CheckCommandOptions): {
  readonly path: string;
  readonly property: readonly string[];
} {
  if (model !== undefined) return { path: model, property };
  const last = property.at(-1);
  if (property.length > 1 && last !== undefined && existsSync(last)) {
    return { path: last, property: property.slice(0, -1) };
  }
  throw new InvalidArgumentError(
    "the model's file is missing; expected foreguard check MODEL --property TEXT",
  );
}

function solveOptions(options: CheckCommandOptions, terminal: Terminal) {
  const maxIterations = parseCount('--max-iterations', options.maxIterations);
  return {
    precision: parsePrecision(options.precision),
    relative: options.relative ?? false,
    absolute: options.absolute ?? false,
    method: options.method,
    exact: options.exact ?? false,
    ...(maxIterations !== undefined && { maxIterations }),
    signal: interruptionOf(terminal),
  };
}

/** Answers the properties of one text, one after the other. */
function* answersOf(
  { file, asked }: AskedProperties,
  subject: Subject,
  options: ReturnType<typeof solveOptions> & { readonly constants: GivenConstants },
  terminal: Terminal,
): Generator<Answer> {
  const progress = new Progress(terminal);
  let checker: PropertyChecker | undefined;
  let [current, started, reached] = ['', 0, ''];
  const open = (): PropertyChecker =>
    openChecker(subject, file, {
      ...options,
      onProgress: ({ fraction, gap, iterations }) => {
        reached = `${(100 * fraction).toFixed(0)}% of states solved, ${formatCount(iterations)} sweeps, gap ${gap.toExponential(1)}`;
        progress.show(() => `${current}: ${reached}, ${secondsSince(started).toFixed(0)} s`);
      },
    });
  try {
    for (const { name, text, property } of asked) {
      [current, started, reached] = [name, performance.now(), ''];
      const answer = { name, property: text };
      if (property instanceof ForeguardError) {
        yield { ...answer, error: property, seconds: 0 };
        continue;
      }
      if (options.signal.aborted) {
        yield { ...answer, error: new InterruptedError('interrupted before it began'), seconds: 0 };
        continue;
      }
      try {
        checker ??= open();
        const result = checker.check(property);
        progress.clear();
        const { expression } = property;
        yield { ...answer, expression, result, seconds: secondsSince(started) };
      } catch (error) {
        progress.clear();
        if (!(error instanceof ForeguardError)) throw error;
        const seconds = secondsSince(started);
        const where = `interrupted after ${seconds.toFixed(1)} s${reached && `: ${reached}`}`;
        const known = error instanceof InterruptedError ? new InterruptedError(where) : error;
        yield { ...answer, error: known, seconds };
      }
    }
  } finally {
    progress.clear();
    checker?.free();
  }
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}
