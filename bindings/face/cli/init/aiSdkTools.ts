import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError, InvalidDataError, NotSupportedError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import { wordsOf } from '../../../base/words.js';
import { readTools, type ToolDescription } from './toolDescription.js';

/** The part of the AI SDK that makes JSON Schemas of whatever schemas tools have. */
interface AiSdk {
  readonly asSchema: (schema: unknown) => { readonly jsonSchema: unknown };
}

/**
 * Reads the tools of the Vercel AI SDK that a module exports: as `tools`, as its default, or one by one. The module runs.
 *
 * @throws InvalidArgumentError if it cannot be imported; InvalidDataError if it exports no tools; NotSupportedError if it cannot find the AI SDK
 */
export async function aiSdkTools(path: string): Promise<ToolDescription[]> {
  const file = resolve(path);
  let exported: Record<string, unknown>;
  try {
    exported = await import(/* @vite-ignore */ pathToFileURL(file).href);
  } catch (cause) {
    throw new InvalidArgumentError(
      `${path} cannot be imported: ${wordsOf(cause)}; expected a module that exports tools of the AI SDK`,
      { cause },
    );
  }
  const places = [exported.tools, exported.default, exported].filter(isObject);
  const found = places.map(toolsIn).find((tools) => tools.length > 0);
  if (found === undefined)
    throw new InvalidDataError(
      `${path} exports no tools (it exports ${Object.keys(exported).join(', ') || 'nothing'}); expected export const tools = { search: tool({ description, inputSchema, execute }) }`,
    );
  const { asSchema } = await aiSdk(file);
  const described = await Promise.all(
    found.map(async ([name, { description, inputSchema }]) => [
      name,
      { description, inputSchema: await asSchema(inputSchema).jsonSchema },
    ]),
  );
  return readTools(Object.fromEntries(described), path);
}

function toolsIn(container: Record<string, unknown>): [string, Record<string, unknown>][] {
  return Object.entries(container).filter(
    (entry): entry is [string, Record<string, unknown>] =>
      isObject(entry[1]) && (isObject(entry[1].inputSchema) || typeof entry[1].inputSchema === 'function'),
  );
}

/** The AI SDK that the module itself uses. */
async function aiSdk(file: string): Promise<AiSdk> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(createRequire(file).resolve('ai')).href);
  } catch (cause) {
    throw new NotSupportedError(
      `schemas of the AI SDK's tools are read by the package ai, which ${file} does not find: npm install ai`,
      { cause },
    );
  }
}
