import { InvalidArgumentError, InvalidDataError, NotSupportedError } from '../../base/errors.js';
import { type LoggedMessage, TopicFields } from './mcapFields.js';
import { loadMcap } from './mcapLibraries.js';
import { type Decode, decoderOf } from './mcapMessages.js';
import { type ReadOptions, readOrSkip, TraceFault } from './reader.js';
import type { Step, Trace } from './trace.js';

/** Options for reading MCAP files. */
export interface ReadMcapOptions extends ReadOptions {
  /**
   * The topics to read, each with the name of the field that holds its last message: `{ '/vehicle/state': 'ego' }` for
   * `ego.speed > 0.5`. Under '' the message's fields become fields of the state: `speed > 0.5`. A field of the state may come from one topic only.
   */
  topics?: Readonly<Record<string, string>>;
  /** Seconds between steps. */
  periodSeconds?: number;
  /**
   * Whether each recording is a complete run, so that its end counts for the rules. MCAP does not record this, so the default is false,
   * which is noted. Other formats record it for each run and refuse `true`.
   */
  complete?: boolean;
  /** For each compression by name, such as lz4 or zstd, the function that decompresses a chunk. Default: none. */
  decompress?: Readonly<Record<string, (chunk: Uint8Array, size: bigint) => Uint8Array>>;
}

/** Most steps of one file. */
const MAX_STEPS = 10_000_000;
const NANOSECONDS = 1e9;

/** A channel: the field that its messages fill, and how they are decoded. */
interface Channel {
  readonly field: string;
  readonly topic: string;
  readonly decode: Decode;
}

interface Received extends LoggedMessage {
  readonly field: string;
}

/**
 * Reads a recording in MCAP: one trace, named after the file. Steps are `periodSeconds` apart, from the first time at which every topic has
 * had a message to the last message. A step holds the last message of each topic up to its time (`log_time`), however old; the greatest age
 * is noted. `time` counts seconds from the first step. Messages may be in any order. `complete` is taken from `options`.
 *
 * Needs the package `@mcap/core`, and for messages of ROS 2 `@foxglove/rosmsg` and `@foxglove/rosmsg2-serialization`.
 *
 * @throws NotSupportedError if a package is absent, messages are neither JSON nor CDR with a ROS 2 definition, or chunks are compressed and
 * `decompress` has no function for them
 * @throws InvalidArgumentError if no topics or period are given, a field would come from two topics, or a topic is not in the file (the
 * message lists those that are)
 * @throws InvalidDataError if the file is damaged or ends early; ParseError, naming the topic, if a message cannot be read (`skipInvalid` skips the message)
 * @see https://mcap.dev/spec
 */
export async function* readMcap(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadMcapOptions,
): AsyncGenerator<Trace[]> {
  const { source, topics = {}, periodSeconds = Number.NaN, complete = false } = options;
  if (!(periodSeconds > 0 && periodSeconds < Infinity)) {
    throw new InvalidArgumentError(
      `${source}: messages of MCAP files come at any time; say how far apart steps are: periodSeconds, or samplingPeriod in the specification`,
    );
  }
  const fields = new TopicFields(source, topics);
  const received = await readMessages(chunks, topics, options);
  received.sort((a, b) => (a.nanoseconds < b.nanoseconds ? -1 : a.nanoseconds > b.nanoseconds ? 1 : 0));
  for (const message of received) fields.add(message);
  const note = (message: string): void => options.onNote?.({ source, message: `${source}: ${message}` });
  const { steps, heldSteps } = hold(received, topics, periodSeconds, source, note);
  if (options.complete === undefined) {
    note(
      'MCAP does not tell whether the run came to its end: it is taken for cut, and nothing follows from where it ends; if each recording is a whole run, say so: --complete (complete: true)',
    );
  }
  const id = source.split(/[\\/]/).at(-1) ?? '';
  yield [{ id, complete, steps, ...(heldSteps > 0 && { heldSteps }) }];
}

async function readMessages(
  chunks: AsyncIterable<Uint8Array>,
  topics: Readonly<Record<string, string>>,
  options: ReadMcapOptions,
): Promise<Received[]> {
  const { source, decompress = {} } = options;
  const { McapStreamReader } = await loadMcap();
  const reader = new McapStreamReader({ decompressHandlers: { ...decompress }, includeChunks: true });
  const schemas = new Map<number, { name: string; encoding: string; data: Uint8Array }>();
  const channels = new Map<number, Channel | null>();
  const inFile = new Map<string, string>();
  const received: Received[] = [];
  const next = (): ReturnType<typeof reader.nextRecord> => {
    try {
      return reader.nextRecord();
    } catch (cause) {
      throw new InvalidDataError(`${source}: the file is damaged: ${(cause as Error).message}`, { cause });
    }
  };
  for await (const chunk of chunks) {
    if (!reader.done()) reader.append(chunk);
    for (let record = next(); record !== undefined; record = next()) {
      if (record.type === 'Chunk' && record.compression !== '' && !(record.compression in decompress)) {
        throw new NotSupportedError(
          `${source}: its chunks are compressed with ${record.compression}; make a copy that is not (mcap decompress ${source} -o copy.mcap), or give decompress a function for ${record.compression}`,
        );
      } else if (record.type === 'Schema') {
        schemas.set(record.id, record);
      } else if (record.type === 'Channel' && !channels.has(record.id)) {
        const { id, topic, messageEncoding, schemaId } = record;
        const schema = schemas.get(schemaId);
        inFile.set(topic, [messageEncoding, schema?.name].filter(Boolean).join(' '));
        channels.set(
          id,
          Object.hasOwn(topics, topic)
            ? { topic, field: topics[topic], decode: await decoderOf(topic, { messageEncoding, schema }) }
            : null,
        );
      } else if (record.type === 'Message') {
        const channel = channels.get(record.channelId);
        if (channel == null) continue;
        const message = readOrSkip(() => decodeMessage(channel, record.data), 1, options);
        if (message !== undefined)
          received.push({ nanoseconds: record.logTime, topic: channel.topic, field: channel.field, message });
      }
    }
  }
  if (!reader.done()) throw new InvalidDataError(`${source}: the file ends early; record or copy it again`);
  checkTopics(source, topics, inFile);
  return received;
}

function decodeMessage({ topic, decode }: Channel, data: Uint8Array): Record<string, unknown> {
  try {
    return decode(data);
  } catch (fault) {
    if (!(fault instanceof TraceFault)) throw fault;
    throw new TraceFault(`topic ${topic}: ${fault.message}`, { reason: fault.reason, cause: fault });
  }
}

function checkTopics(
  source: string,
  topics: Readonly<Record<string, string>>,
  inFile: ReadonlyMap<string, string>,
): void {
  const absent = Object.keys(topics).filter((topic) => !inFile.has(topic));
  if (absent.length === 0 && Object.keys(topics).length > 0) return;
  const found = [...inFile].map(([topic, kind]) => `${topic} (${kind})`).join(', ') || 'none';
  throw new InvalidArgumentError(
    `${source}: ${absent.length === 0 ? 'no topics are given' : `it has no topic ${absent.join(', ')}`}; its topics are ${found}`,
  );
}

/** Steps a period apart, each with the last message of every topic. `received` is ordered by time. */
function hold(
  received: readonly Received[],
  topics: Readonly<Record<string, string>>,
  periodSeconds: number,
  source: string,
  note: (message: string) => void,
): { steps: Step[]; heldSteps: number } {
  const missing = new Set(Object.keys(topics));
  let begin = 0;
  while (begin < received.length && missing.size > 0) missing.delete(received[begin++].topic);
  if (missing.size > 0)
    throw new InvalidDataError(`${source}: there is no message of ${[...missing].join(', ')}`);
  const start = received[begin - 1].nanoseconds;
  const seconds = (nanoseconds: bigint): number => Number(nanoseconds - start) / NANOSECONDS;
  const count = Math.floor(seconds(received[received.length - 1].nanoseconds) / periodSeconds + 1e-9) + 1;
  if (count > MAX_STEPS) {
    throw new InvalidDataError(
      `${source}: from its first to its last message it would have ${count} steps of ${periodSeconds} s, and may have ${MAX_STEPS}; is a time wrong, or the period too short?`,
    );
  }
  /** By topic, in the order of time. */
  const last = new Map<string, Received>();
  const steps: Step[] = [];
  let heldSteps = 0;
  let oldest = { age: 0, topic: '' };
  let at = 0;
  for (let i = 0; i < count; i++) {
    const time = i * periodSeconds;
    const before = at;
    // A message at the time of a step, up to rounding, belongs to that step.
    for (; at < received.length && seconds(received[at].nanoseconds) <= time + 1e-9 * periodSeconds; at++) {
      last.delete(received[at].topic);
      last.set(received[at].topic, received[at]);
    }
    const held = at === before;
    if (held) heldSteps++;
    const state: Record<string, unknown> = {};
    for (const { field, message, nanoseconds, topic } of last.values()) {
      if (field === '') Object.assign(state, message);
      else state[field] = message;
      const age = time - seconds(nanoseconds);
      if (age > oldest.age) oldest = { age, topic };
    }
    steps.push({ state, time, ...(held && { held }) });
  }
  note(
    `messages are held until the next one; the oldest in a step is ${oldest.age.toPrecision(3)} s old${oldest.topic && ` (${oldest.topic})`}`,
  );
  return { steps, heldSteps };
}
