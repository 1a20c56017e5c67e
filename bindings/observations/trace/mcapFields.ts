import { InvalidArgumentError } from '../../base/errors.js';

/** A message of a topic, and when it was logged. */
export interface LoggedMessage {
  readonly nanoseconds: bigint;
  readonly topic: string;
  /** Null where it cannot be read. */
  readonly message: Readonly<Record<string, unknown>> | null;
}

/** The topic that each field of the state comes from. Only one topic is allowed, because two would overwrite each other's values. */
export class TopicFields {
  readonly #source: string;
  readonly #topics: Readonly<Record<string, string>>;
  readonly #topicOf = new Map<string, string>();

  /**
   * @param topics each with the field that holds its messages, '' if the messages' fields become fields of the state
   * @throws InvalidArgumentError if two topics share a field
   */
  constructor(source: string, topics: Readonly<Record<string, string>>) {
    this.#source = source;
    this.#topics = topics;
    for (const [topic, field] of Object.entries(topics)) {
      if (field === '') continue;
      const other = this.#topicOf.get(field);
      if (other !== undefined)
        throw this.#clash(`two topics are to be the field "${field}", ${other} and ${topic}`, other, topic);
      this.#topicOf.set(field, topic);
    }
  }

  /** @throws InvalidArgumentError if a field of the message already comes from another topic */
  add({ nanoseconds, topic, message }: LoggedMessage): void {
    if (this.#topics[topic] !== '' || message === null) return;
    for (const field of Object.keys(message)) {
      const other = this.#topicOf.get(field);
      if (other === undefined) this.#topicOf.set(field, topic);
      else if (other !== topic) {
        const when = `at ${inSeconds(nanoseconds)} s (log_time)`;
        throw this.#clash(
          `two topics have the field "${field}", ${other} and, ${when}, ${topic}`,
          other,
          topic,
        );
      }
    }
  }

  /** The fields of the state that come from the topic, by the messages so far. */
  of(topic: string): string[] {
    return [...this.#topicOf].filter(([, from]) => from === topic).map(([field]) => field);
  }

  #clash(found: string, ...topics: readonly string[]): InvalidArgumentError {
    const named = topics.map((topic) => `${topic}=${fieldFor(topic)}`).join(' ');
    return new InvalidArgumentError(
      `${this.#source}: ${found}, and each would overwrite the other; give each topic a field of its own: --topics ${named}`,
    );
  }
}

/** A name that predicates can read: `vehicle_state` for `/vehicle/state`. */
function fieldFor(topic: string): string {
  return topic.replace(/^\W+/, '').replace(/\W+/g, '_') || 'field';
}

/** In full: a double has too few digits for nanoseconds since 1970. */
export function inSeconds(nanoseconds: bigint): string {
  const digits = String(nanoseconds).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '');
}
