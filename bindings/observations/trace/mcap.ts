import { InvalidArgumentError, InvalidDataError, NotSupportedError } from '../../base/errors.js';
import { holdMessages, type Received } from './heldMessages.js';
import { inSeconds, TopicFields } from './mcapFields.js';
import { loadMcap } from './mcapLibraries.js';
import { type Decode, decoderOf } from './mcapMessages.js';
import { type ReadOptions, readOrSkip, TraceFault } from './reader.js';
import type { Trace } from './trace.js';

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
   * Fields of the state that predicates read (`fieldsRead`): only a copy of what they read makes a step `held`. Default: all fields.
   */
  fieldsRead?: readonly string[];
  /**
   * Whether each recording is a complete run, so that its end counts for the rules. MCAP does not record this, so the default is false,
   * which is noted. Other formats record it for each run and refuse `true`.
   */
  complete?: boolean;
  /** For each compression by name, such as lz4 or zstd, the function that decompresses a chunk. Default: none. */
  decompress?: Readonly<Record<string, (chunk: Uint8Array, size: bigint) => Uint8Array>>;
}

/** What is known of a channel: where its messages go, and how they are read. */
interface Channel {
  readonly field: string;
  readonly topic: string;
  readonly decode: Decode;
}

/**
 * Reads a recording in MCAP: one trace, named after the file. Steps are `periodSeconds` apart, from the first time that every topic has
 * had a message to the first that is due when the last message has come; a step holds the last message of each topic up to its time
 * (`log_time`), however old, whose greatest age is noted. It is `held` where a topic that predicates
 * read had no new message in the period before it. Messages that no step has are counted in `leftOutMessages` of the trace, and noted. `time` counts seconds from the first step.
 * Messages need not be in the order of time. `complete` is that of `options`.
 *
 * Needs the package `@mcap/core`, and for messages of ROS 2 `@foxglove/rosmsg` and `@foxglove/rosmsg2-serialization`.
 *
 * @throws NotSupportedError where a package is absent, messages are neither JSON nor CDR with a definition of ROS 2, or chunks are
 * compressed and `decompress` does not say how
 * @throws InvalidArgumentError where no topics or period are given, a field would come from two topics, or a topic is not in the file: with those that are
 * @throws InvalidDataError where the file is damaged or ends early; ParseError, naming the topic, where a message cannot be read
 * (under `skipInvalid` steps lack what the topic says until its next message, `notRecorded` says so, and `onSkipped` is told of each message)
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
  const isRead = (field: string): boolean => options.fieldsRead?.includes(field) ?? true;
  const readTopics = new Set(Object.keys(topics).filter((topic) => fields.of(topic).some(isRead)));
  const held = holdMessages(received, { source, topics, periodSeconds, readTopics });
  const notRecorded = unreadFields(received, topics, fields);
  held.notes.forEach(note);
  for (const why of new Set(Object.values(notRecorded))) note(why);
  if (options.complete === undefined) {
    note(
      'MCAP does not tell whether the run came to its end: it is taken for cut, and nothing follows from where it ends; if each recording is a whole run, say so: --complete (complete: true)',
    );
  }
  const id = source.split(/[\\/]/).at(-1) ?? '';
  const { steps, heldSteps, leftOutMessages } = held;
  yield [
    {
      id,
      complete,
      steps,
      ...(heldSteps > 0 && { heldSteps }),
      ...(leftOutMessages > 0 && { leftOutMessages }),
      ...(Object.keys(notRecorded).length > 0 && { notRecorded }),
    },
  ];
}

/** Fields that steps lack because a message of their topic cannot be read, each with why. */
function unreadFields(
  received: readonly Received[],
  topics: Readonly<Record<string, string>>,
  fields: TopicFields,
): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const topic of Object.keys(topics)) {
    const all = received.filter((one) => one.topic === topic);
    const unread = all.filter(({ message }) => message === null);
    if (unread.length === 0) continue;
    const first = inSeconds(unread[0].nanoseconds);
    const why = `${unread.length} of ${all.length} messages of ${topic} cannot be read, the first at ${first} s (log_time); steps lack what it says from each of them to the next one that can be read`;
    for (const field of fields.of(topic)) reasons[field] = why;
  }
  return reasons;
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
        const message = readOrSkip(() => decodeMessage(channel, record), 1, options, 'message');
        const { topic, field } = channel;
        received.push({ nanoseconds: record.logTime, topic, field, message: message ?? null });
      }
    }
  }
  if (!reader.done()) throw new InvalidDataError(`${source}: the file ends early; record or copy it again`);
  checkTopics(source, topics, inFile);
  return received;
}

function decodeMessage(
  { topic, decode }: Channel,
  { data, logTime }: { readonly data: Uint8Array; readonly logTime: bigint },
): Record<string, unknown> {
  try {
    return decode(data);
  } catch (fault) {
    if (!(fault instanceof TraceFault)) throw fault;
    throw new TraceFault(
      `topic ${topic}, the message at ${inSeconds(logTime)} s (log_time): ${fault.message}`,
      { reason: fault.reason, cause: fault },
    );
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
