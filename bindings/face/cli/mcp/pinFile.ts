import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { canonicalJson } from '../../../base/canonicalJson.js';
import { InvalidArgumentError, InvalidDataError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import { printable } from '../../../base/words.js';
import {
  definitionOf,
  differences,
  listTools,
  type McpTransport,
  type ToolDefinition,
} from '../../../runtime/adapters/mcp/index.js';

type Definitions = ReadonlyMap<string, ToolDefinition>;

const FORMAT = 'foreguard-tool-pins';

/** A file of the definitions that tools are to have, each with its SHA-256; written when tools are first listed. */
export class PinFile {
  readonly path: string;
  #pins: Definitions | undefined;

  /**
   * @param isLenient whether a file with altered definitions is read as if there were none, since it is to be written anew
   * @throws InvalidArgumentError if the file is there and holds no pins; InvalidDataError if a definition is not of its hash
   */
  constructor(path: string, isLenient = false) {
    this.path = path;
    try {
      this.#pins = existsSync(path) ? readPins(path) : undefined;
    } catch (error) {
      if (!isLenient || !(error instanceof InvalidDataError)) throw error;
    }
  }

  /** Undefined until there is a file. */
  get pins(): Definitions | undefined {
    return this.#pins;
  }

  /** Writes the file. @returns what is different from before, in words */
  write(pins: Definitions): string[] {
    const before = this.#pins;
    const tools = [...pins].map(([name, definition]) => [name, { sha256: sha256Of(definition), definition }]);
    const text = JSON.stringify({ format: FORMAT, version: 1, tools: Object.fromEntries(tools) }, null, 2);
    const aside = `${this.path}.${process.pid}`;
    writeFileSync(aside, `${text}\n`);
    renameSync(aside, this.path);
    this.#pins = pins;
    return before === undefined ? [] : changes(before, pins);
  }
}

/** Lists the tools of a server, as a client of its own, and pins them. @returns what is different from before, in words */
export async function pinAgain(file: PinFile, server: McpTransport, version: string): Promise<string[]> {
  const { tools } = await listTools(server, { name: 'foreguard', version });
  return file.write(new Map(tools.map((tool) => [tool.name, definitionOf(tool)])));
}

function sha256Of(definition: ToolDefinition): string {
  return hash('sha256', canonicalJson(definition), 'hex');
}

function readPins(path: string): Definitions {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new InvalidArgumentError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (!isObject(read) || read.format !== FORMAT || read.version !== 1 || !isObject(read.tools)) {
    throw new InvalidArgumentError(
      `${path} holds no pins of tools; expected what --pin has written: {"format": "${FORMAT}", "version": 1, "tools": …}`,
    );
  }
  const entries = Object.entries(read.tools).map(([name, pin]): [string, ToolDefinition] => {
    if (!isObject(pin) || !isObject(pin.definition))
      throw new InvalidArgumentError(`${path}: "${name}" has no definition`);
    if (sha256Of(pin.definition) !== pin.sha256) {
      throw new InvalidDataError(
        `${path}: the definition of "${name}" does not match its sha256: it was altered; restore what was written, or write the file anew with --repin`,
      );
    }
    return [name, pin.definition];
  });
  return new Map(entries);
}

function changes(before: Definitions, now: Definitions): string[] {
  const names = [...new Set([...before.keys(), ...now.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), now.get(name)];
    if (was === undefined) return [`${printable(name)} is new`];
    if (is === undefined) return [`${printable(name)} is gone`];
    return differences(was, is).map((text) => `${printable(name)}: ${text}`);
  });
}
