import { InvalidDataError } from '../../base/errors.js';
import type { LoggedMessage } from './mcapFields.js';
import type { Step } from './trace.js';

/** Steps of one file. */
const MAX_STEPS = 10_000_000;
const NANOSECONDS = 1e9;

/** A message, with the field of the state that holds it; '' where its fields are the state's own. */
export interface Received extends LoggedMessage {
  readonly field: string;
}

/** What becomes of messages that come at any time. */
export interface HeldMessages {
  readonly steps: readonly Step[];
  readonly heldSteps: number;
  /** Messages that no step has: another one of their topic came before the next step was due. */
  readonly leftOutMessages: number;
  readonly notes: readonly string[];
}

/**
 * Steps a period apart, each with the last message of every topic. The first is due when every topic has had a message that can be read; the last is the
 * first that is due when the last message has come, so that each message is in a step or counted as left out. While the last message of a
 * topic is one that cannot be read, steps lack its fields. A step is held where a topic that predicates read had no new message in the period before it: a state
 * of which a part is a copy is no draw of the world.
 *
 * @param received in the order of time
 * @param readTopics those of which predicates read a field
 * @throws InvalidDataError, naming `source`, where a topic has no message that can be read, or there would be more than ten million steps
 */
export function holdMessages(
  received: readonly Received[],
  {
    source,
    topics,
    periodSeconds,
    readTopics,
  }: {
    readonly source: string;
    readonly topics: Readonly<Record<string, string>>;
    readonly periodSeconds: number;
    readonly readTopics: ReadonlySet<string>;
  },
): HeldMessages {
  const begin = firstOfAll(received, source, topics);
  const start = received[begin].nanoseconds;
  const seconds = (nanoseconds: bigint): number => Number(nanoseconds - start) / NANOSECONDS;
  const count = Math.ceil(seconds(received[received.length - 1].nanoseconds) / periodSeconds - 1e-9) + 1;
  if (count > MAX_STEPS) {
    throw new InvalidDataError(
      `${source}: from its first to its last message it would have ${count} steps of ${periodSeconds} s, and may have ${MAX_STEPS}; is a time wrong, or the period too short?`,
    );
  }
  /** By topic, in the order of time. */
  const last = new Map<string, Received>();
  /** Topics with a message that no step has yet. */
  const fresh = new Set<string>();
  const leftOut = new Map<string, number>();
  let beforeFirst = 0;
  const steps: Step[] = [];
  let heldSteps = 0;
  /** In how many steps a topic's message came before the period that the step ends. */
  const copies = new Map<string, number>();
  let oldest = { age: 0, topic: '' };
  for (let at = 0; at < received.length; ) {
    const time = steps.length * periodSeconds;
    // A message that comes at the time of a step, but for rounding, is in it.
    for (; at < received.length && seconds(received[at].nanoseconds) <= time + 1e-9 * periodSeconds; at++) {
      const { topic } = received[at];
      if (fresh.has(topic)) leftOut.set(topic, (leftOut.get(topic) ?? 0) + 1);
      fresh.add(topic);
      last.delete(topic);
      last.set(topic, received[at]);
    }
    if (steps.length === 0) {
      beforeFirst = sum(leftOut);
      leftOut.clear();
    }
    let held = false;
    const state: Record<string, unknown> = {};
    for (const { field, message, nanoseconds, topic } of last.values()) {
      const age = time - seconds(nanoseconds);
      if (!fresh.has(topic) || age > periodSeconds) {
        copies.set(topic, (copies.get(topic) ?? 0) + 1);
        held ||= readTopics.has(topic);
      }
      // What a message that cannot be read says is not known: the one before it may no longer be true.
      if (message === null) continue;
      if (field === '') Object.assign(state, message);
      else state[field] = message;
      if (age > oldest.age) oldest = { age, topic };
    }
    fresh.clear();
    if (held) heldSteps++;
    steps.push({ state, time, ...(held && { held }) });
  }
  const notes = [
    `messages are held until the next one; the oldest in a step is ${oldest.age.toPrecision(3)} s old${oldest.topic && ` (${oldest.topic})`}`,
  ];
  if (copies.size > 0) {
    const each = Array.from(
      copies,
      ([topic, number]) => `${topic} in ${number}${readTopics.has(topic) ? '' : ' (no predicate reads it)'}`,
    );
    notes.push(
      `${heldSteps} of ${steps.length} steps ${heldSteps === 1 ? 'is' : 'are'} held: in the period before them a topic had no message, ${each.join(', ')}`,
    );
  }
  if (beforeFirst > 0) {
    const late = -seconds(received[0].nanoseconds);
    notes.push(
      `the first step is ${late.toPrecision(3)} s after the first message, when ${received[begin].topic} has its first; ${counted(beforeFirst)} before it ${beforeFirst === 1 ? 'is' : 'are'} in no step`,
    );
  }
  if (leftOut.size > 0) {
    const each = Array.from(leftOut, ([topic, number]) => {
      const all = received.reduce((of, one) => of + Number(one.topic === topic), 0);
      return `${number} of ${counted(all)} of ${topic}`;
    });
    notes.push(
      `${each.join(', ')} ${sum(leftOut) === 1 ? 'is' : 'are'} left out: another one of the topic came before the next step was due, and what only they say is not judged; a shorter samplingPeriod keeps more`,
    );
  }
  return { steps, heldSteps, leftOutMessages: beforeFirst + sum(leftOut), notes };
}

/** The number of the message with which every topic has had one that can be read. */
function firstOfAll(
  received: readonly Received[],
  source: string,
  topics: Readonly<Record<string, string>>,
): number {
  const missing = new Set(Object.keys(topics));
  let read = 0;
  for (; read < received.length && missing.size > 0; read++)
    if (received[read].message !== null) missing.delete(received[read].topic);
  if (missing.size > 0)
    throw new InvalidDataError(`${source}: there is no message of ${[...missing].join(', ')}`);
  return read - 1;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((a, b) => a + b, 0);
}

function counted(messages: number): string {
  return messages === 1 ? '1 message' : `${messages.toLocaleString('en')} messages`;
}
