import { NotSupportedError } from '../../base/errors.js';

type Core = typeof import('@mcap/core');
type Definitions = typeof import('@foxglove/rosmsg');
type Serialization = typeof import('@foxglove/rosmsg2-serialization');

/** Loads the reader of the container. @throws NotSupportedError that says how to install it */
export async function loadMcap(): Promise<Core> {
  return (await load('@mcap/core', 'MCAP files are read')) as Core;
}

/** Loads the readers of ROS 2 definitions and messages. @throws NotSupportedError that says how to install it */
export async function loadRos2(): Promise<{
  readonly parse: Definitions['parse'];
  readonly MessageReader: Serialization['MessageReader'];
}> {
  const use = 'messages of ROS 2 are read';
  const { parse } = (await load('@foxglove/rosmsg', use)) as Definitions;
  const { MessageReader } = (await load('@foxglove/rosmsg2-serialization', use)) as Serialization;
  return { parse, MessageReader };
}

/** Imports under a name that bundlers cannot see, so that the package is needed only to read MCAP. */
async function load(name: string, use: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ name);
  } catch (cause) {
    throw new NotSupportedError(
      `${use} by the package ${name}, which is not installed: npm install ${name}`,
      {
        cause,
      },
    );
  }
}
