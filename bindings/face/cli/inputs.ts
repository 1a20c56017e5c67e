import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { Random } from '../../base/random.js';
import { agentChain } from '../../estimation/learning/index.js';
import { loadRegexEngine, parseExpression, usesMatches } from '../../languages/expression/index.js';
import type { AbstractionDefinition } from '../../observations/abstraction/index.js';
import { fieldsRead } from '../../observations/abstraction/index.js';
import {
  RecordedClock,
  type SkippedTrace,
  type Trace,
  type TraceFormat,
  type TraceNote,
} from '../../observations/trace/index.js';
import { type RuleShape, ruleShapes } from '../../rules/risk/index.js';
import { allPredicates, readSpecification, type Specification } from '../../rules/specification/index.js';
import { loadParts } from '../../runtime/policy/index.js';
import { type ModelFile, readModelFile } from '../../solvers/formats/index.js';
import { type Dtmc, type Mdp, type Model, requireDtmc } from '../../solvers/model/index.js';
import { nodeStorage, readerOfSentences, readTraceFileBatches, scriptsBeside } from '../node/index.js';
import { parseSeed } from './numbers.js';
import { RepeatedIds } from './repeatedIds.js';
import { plural, type Terminal } from './terminal.js';

/** Options shared by commands that read traces. */
export interface TraceOptions {
  readonly traces: readonly string[];
  readonly traceFormat?: TraceFormat;
  readonly skipInvalid?: boolean;
  /** `/vehicle/state=ego` for a field, `/vehicle/state` for the state itself. */
  readonly topics?: readonly string[];
  /** Whether MCAP files contain whole runs. */
  readonly complete?: boolean;
  /** As in ReadTracesOptions, for all formats. */
  readonly tools?: readonly string[];
  /** For spans, as in SpanRunOptions. */
  readonly agents?: readonly string[];
  readonly conversations?: boolean;
  /** Report an error if a rule is not judged because recordings lack a field. */
  readonly strict?: boolean;
  /** Seed of a random order of all traces, which are then kept in memory. Default: the order of the files. */
  readonly shuffle?: string;
}

async function readBytes(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of nodeStorage.read(path)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads the text of a file. @throws InvalidArgumentError if it is not text, naming the purpose of reading */
export async function readText(path: string, what: string): Promise<string> {
  const bytes = await readBytes(path);
  try {
    // Texts contain no byte 0, unlike archives, and models are archives.
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
  }
  throw new InvalidArgumentError(`${path} is not text in UTF-8; expected ${what}`);
}

/**
 * Refuses to overwrite an input, because traces cannot be made again.
 * @throws InvalidArgumentError
 */
export function requireOtherFile(output: string, inputs: readonly string[]): void {
  const fileOf = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));
  const read = inputs.find((input) => fileOf(input) === fileOf(output));
  if (read === undefined) return;
  throw new InvalidArgumentError(
    `${output} would be written over ${read}, which is read; give another output`,
  );
}

/** Reads a specification and loads what its predicates need to be compiled. @param beside receives the scripts that it names, as they were read */
export async function loadSpecification(
  path: string,
  beside?: Map<string, string | null>,
): Promise<Specification> {
  const expected = 'a specification, YAML or JSON';
  const text = await readText(path, expected);
  const [, first] = /^\s*\{\s*"(\w+)"/.exec(text) ?? [];
  const other =
    first === 'id' || first === 'steps'
      ? 'holds traces'
      : first === 'format'
        ? 'is a compiled guard'
        : undefined;
  if (other !== undefined) throw new InvalidArgumentError(`${path} ${other}; expected ${expected}`);
  const specification = readSpecification(text, {
    source: path,
    scripts: scriptsBeside(path, beside),
    ...(await readerOfSentences(text)),
  });
  await prepare({ ...specification.abstraction, predicates: allPredicates(specification) });
  if (specification.policies !== null) await loadParts(specification.policies.set);
  return specification;
}

/** The shapes of the rules; warnings about them are written to standard error. */
export function rulesOf(specification: Specification, terminal: Terminal): RuleShape[] {
  const shapes = ruleShapes(specification);
  for (const { warning } of shapes) if (warning !== null) terminal.err(`foreguard: warning: ${warning}\n`);
  return shapes;
}

/** Loads the regular expression engine, only if a predicate uses `matches`. */
async function prepare({ predicates, constraints }: AbstractionDefinition): Promise<void> {
  const sources = [...predicates.map(({ expression }) => expression), ...Object.values(constraints ?? {})];
  if (sources.some((source) => usesMatches(parseExpression(source)))) await loadRegexEngine();
}

/** Reads a model file with `readModelFile`, with the files beside it. */
export async function loadModelFile(path: string): Promise<ModelFile> {
  const open = async (beside: string): Promise<Uint8Array | undefined> =>
    existsSync(beside) ? readBytes(beside) : undefined;
  return readModelFile(await readBytes(path), { source: path, open });
}

/**
 * Loads a chain: as `learn` writes it, or the agent's own chain in a learnt decision process.
 * @throws InvalidArgumentError if the file holds another kind of model
 */
export async function loadModel(path: string): Promise<Dtmc> {
  const model = await loadLearnt(path);
  return model.type === 'mdp' && isLearnt(model) ? agentChain(model) : requireDtmc(model, path);
}

/** As `loadModel`, but a learnt decision process stays one. */
export async function loadLearntModel(path: string): Promise<Dtmc | Mdp> {
  const model = await loadLearnt(path);
  return model.type === 'mdp' && isLearnt(model) ? model : requireDtmc(model, path);
}

/** Loads a model of known states. @throws InvalidArgumentError if the file holds none */
export async function loadLearnt(path: string): Promise<Model> {
  const file = await loadModelFile(path);
  if (file.kind === 'model') return file.model;
  throw new InvalidArgumentError(
    `${path}: expected a model whose states are known, UMB (.umb) or PRISM explicit (.tra); explore this one first: foreguard convert ${path} model.umb`,
  );
}

function isLearnt({ parameters }: Mdp): boolean {
  return (parameters as { foreguard?: unknown } | undefined)?.foreguard !== undefined;
}

/** Traces, and messages of MCAP files, left out by reading: how many, and the first of them. */
export interface Unreadable {
  count: number;
  /** How many of them are messages of MCAP files, whose traces are there; absent if none is. */
  messages?: number;
  readonly first: SkippedTrace[];
}

const MAX_REPORTED = 100;

/** What traces are read for: the parts of a specification that say how. */
export type ReadFor = Pick<
  Specification,
  'abstraction' | 'exactPredicates' | 'samplingPeriodSeconds' | 'resample'
> & { readonly learning: Pick<Specification['learning'], 'period'> };

/** The traces of all files in order; traces left out are counted. */
export class TraceFiles {
  readonly unreadable: Unreadable = { count: 0, first: [] };
  readonly #notes: TraceNote[] = [];
  #furtherNotes = 0;
  /** Traces handed out so far. */
  read = 0;
  readonly #options: TraceOptions;
  readonly #specification: ReadFor;
  readonly #onRead: (read: number) => void;
  readonly #clock: RecordedClock;
  readonly #ids = new RepeatedIds();

  /** @param specification for recordings whose steps have to be constructed, and for the treatment of times out of order */
  constructor(options: TraceOptions, specification: ReadFor, onRead: (read: number) => void) {
    this.#options = options;
    this.#specification = specification;
    this.#onRead = onRead;
    this.#clock = new RecordedClock(specification.learning.period);
  }

  /** @throws InvalidDataError at the end if there was no trace to return. */
  async *batches(): AsyncGenerator<Trace[]> {
    const { traces, traceFormat, skipInvalid = false, topics = [], complete, shuffle } = this.#options;
    const { agents, tools, conversations = false } = this.#options;
    const { samplingPeriodSeconds: periodSeconds, resample } = this.#specification;
    const options = {
      fieldsRead: fieldsRead(allPredicates(this.#specification)),
      skipInvalid,
      resample,
      onSkipped: (skipped: SkippedTrace): void => {
        this.unreadable.count++;
        if (skipped.what === 'message') this.unreadable.messages = (this.unreadable.messages ?? 0) + 1;
        if (this.unreadable.first.length < MAX_REPORTED) this.unreadable.first.push(skipped);
      },
      onNote: (note: TraceNote): void => {
        if (this.#notes.length < MAX_REPORTED) this.#notes.push(note);
        else this.#furtherNotes++;
      },
      ...(traceFormat === undefined ? {} : { format: traceFormat }),
      ...(topics.length > 0 && { topics: Object.fromEntries(topics.map(topicAndField)) }),
      ...(complete && { complete }),
      ...(periodSeconds !== null && { periodSeconds }),
      ...(tools && { tools }),
      spans: {
        ...(agents && { agents }),
        ...(tools && { tools }),
        runs: conversations ? ('conversation' as const) : ('agent' as const),
      },
    };
    const seed = parseSeed('--shuffle', shuffle);
    const kept: Trace[] = [];
    for await (const batch of readTraceFileBatches(traces, options)) {
      this.read += batch.length;
      for (const trace of batch) {
        this.#clock.add(trace.steps);
        this.#ids.add(trace);
      }
      this.#onRead(this.read);
      if (seed === undefined) yield batch;
      else for (const trace of batch) kept.push(trace);
    }
    if (seed !== undefined && kept.length > 0) yield new Random(seed).shuffled(kept);
    if (this.read === 0) {
      const why =
        this.unreadable.count > 0
          ? `: ${this.leftOut()}`
          : '; expected lines such as {"id": "a", "steps": [{"state": {"speed": 3}}]}';
      throw new InvalidDataError(`there is no trace in ${traces.join(', ')}${why}`);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Trace> {
    for await (const batch of this.batches()) yield* batch;
  }

  /**
   * Assumptions made about the recordings so far; beyond a hundred, only their number. The last note describes the deviation of their clock
   * from the sampling period.
   */
  get notes(): readonly TraceNote[] {
    const more =
      this.#furtherNotes === 0
        ? []
        : [`… and ${plural(this.#furtherNotes, 'more note')} on recordings, mostly the same as those above`];
    const [source] = this.#options.traces;
    const others = [...more, ...this.#ids.notes(), ...this.#clock.describe()].map((message) => ({
      source,
      message,
    }));
    return [...this.#notes, ...others];
  }

  /** Describes in words what was left out; empty if nothing was. */
  leftOut(): string {
    const { count, messages = 0, first } = this.unreadable;
    if (count === 0) return '';
    const parts = [
      ...(count > messages ? [plural(count - messages, 'trace')] : []),
      ...(messages > 0 ? [plural(messages, 'message')] : []),
    ];
    return `${parts.join(' and ')} left out, the first: ${first[0].message}`;
  }
}

function topicAndField(text: string): [topic: string, field: string] {
  const [topic, field = ''] = text.split('=');
  return [topic, field];
}
