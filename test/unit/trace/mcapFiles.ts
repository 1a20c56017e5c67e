import { parse } from '@foxglove/rosmsg';
import { MessageWriter } from '@foxglove/rosmsg2-serialization';
import { McapWriter } from '@mcap/core';

/** A message, at a time in seconds. */
export type Sent = readonly [topic: string, time: number, message: unknown];

export const VEHICLE_DEFINITION = `float64 speed
uint8 gear
int64 odometer
float32[3] axes
builtin_interfaces/Time stamp
===
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;

/** An MCAP file of `messages` in the order given: JSON, or under `/ros/…` messages of ROS 2 with the definition above. */
export async function mcapFile(
  messages: readonly Sent[],
  options: Pick<ConstructorParameters<typeof McapWriter>[0], 'compressChunk' | 'useChunks'> = {},
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let position = 0n;
  const writable = {
    position: () => position,
    write: async (bytes: Uint8Array) => {
      parts.push(bytes.slice());
      position += BigInt(bytes.length);
    },
  };
  const writer = new McapWriter({ writable, ...options });
  await writer.start({ profile: '', library: 'test' });
  const ros = new MessageWriter(parse(VEHICLE_DEFINITION, { ros2: true }));
  const text = new TextEncoder();
  const schemaId = await writer.registerSchema({
    name: 'my_msgs/msg/Vehicle',
    encoding: 'ros2msg',
    data: text.encode(VEHICLE_DEFINITION),
  });
  const channels = new Map<string, number>();
  for (const [topic, time, message] of messages) {
    const inRos = topic.startsWith('/ros/');
    let channelId = channels.get(topic);
    if (channelId === undefined) {
      const messageEncoding = inRos ? 'cdr' : topic === '/proto' ? 'protobuf' : 'json';
      channelId = await writer.registerChannel({
        topic,
        messageEncoding,
        schemaId: inRos ? schemaId : 0,
        metadata: new Map(),
      });
      channels.set(topic, channelId);
    }
    const logTime = 1_600_000_000_000_000_000n + BigInt(Math.round(time * 1e9));
    await writer.addMessage({
      channelId,
      sequence: 0,
      logTime,
      publishTime: 0n,
      data:
        typeof message === 'string'
          ? text.encode(message)
          : inRos
            ? ros.writeMessage(message)
            : text.encode(JSON.stringify(message)),
    });
  }
  await writer.end();
  return new Uint8Array(Buffer.concat(parts));
}
