import { InvalidDataError, NotSupportedError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { loadRos2 } from './mcapLibraries.js';
import { parseJsonWithNaN, TraceFault, unexpected } from './reader.js';

/** Decodes a message to an object of numbers, texts, lists and objects. @throws TraceFault if it cannot be decoded to an object */
export type Decode = (message: Uint8Array) => Record<string, unknown>;

/** How the messages of a channel are written. */
export interface Encoding {
  readonly messageEncoding: string;
  readonly schema:
    | { readonly name: string; readonly encoding: string; readonly data: Uint8Array }
    | undefined;
}

/**
 * The decoder of a channel's messages: JSON, or CDR with a definition in ROS 2's language.
 *
 * @throws NotSupportedError for another encoding, or if the packages for ROS 2 are absent
 * @throws InvalidDataError if the definition cannot be read
 */
export async function decoderOf(topic: string, { messageEncoding, schema }: Encoding): Promise<Decode> {
  if (messageEncoding === 'json') return decodeJson;
  if (messageEncoding !== 'cdr' || schema?.encoding !== 'ros2msg') {
    throw new NotSupportedError(
      `topic ${topic} holds messages in "${messageEncoding}" with a schema in "${schema?.encoding ?? ''}"; expected "json", or "cdr" with "ros2msg"`,
    );
  }
  const { parse, MessageReader } = await loadRos2();
  let reader: InstanceType<typeof MessageReader>;
  try {
    reader = new MessageReader(parse(new TextDecoder().decode(schema.data), { ros2: true }));
  } catch (cause) {
    throw new InvalidDataError(
      `the definition of ${schema.name}, topic ${topic}, cannot be read: ${(cause as Error).message}`,
      { cause },
    );
  }
  return (message) => {
    try {
      return plain(reader.readMessage(message)) as Record<string, unknown>;
    } catch (cause) {
      throw new TraceFault(`not a ${schema.name}: ${(cause as Error).message}`, {
        reason: 'malformed',
        cause,
      });
    }
  };
}

function decodeJson(message: Uint8Array): Record<string, unknown> {
  const value = parseJsonWithNaN(new TextDecoder().decode(message));
  if (!isObject(value)) throw unexpected('the message', value, 'an object');
  return value;
}

/** Converts typed arrays to lists, and 64-bit integers to the nearest doubles, which expressions compute with. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<unknown>, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}
