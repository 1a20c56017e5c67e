import { InvalidDataError } from '../../base/errors.js';
import { hashJson } from '../../base/hashJson.js';
import { isObject } from '../../base/objectKind.js';
import { definitionOf, differences, type ToolDefinition } from '../../runtime/adapters/mcp/index.js';
import type { Contracts } from './contract.js';

/** A tool as its server lists it. */
export type ListedTool = ToolDefinition & { readonly name: string };

/**
 * SHA-256, in hexadecimal, of all that a server says of a tool but for `_meta`. It is what `foreguard mcp-proxy --pin` writes, so one pin serves both.
 */
export function toolPin(tool: ListedTool): string {
  return hashJson(definitionOf(tool));
}

/**
 * Reads a list of tools: what a server of MCP answers to `tools/list`, the list alone, or the pins that `foreguard mcp-proxy --pin` has written.
 *
 * @param source where it comes from, for messages
 * @throws InvalidDataError if it is none
 */
export function readToolList(value: unknown, source = 'the list of tools'): readonly ListedTool[] {
  const result = isObject(value) && isObject(value.result) ? value.result : value;
  const listed = isObject(result) ? result.tools : result;
  const tools = isObject(listed)
    ? Object.entries(listed).map(([name, pin]) =>
        isObject(pin) && isObject(pin.definition) ? { name, ...pin.definition } : pin,
      )
    : listed;
  if (!Array.isArray(tools))
    throw new InvalidDataError(
      `${source} holds no tools; expected what a server answers to tools/list: {"tools": [{"name": …, "inputSchema": …}]}`,
    );
  const names = new Set<string>();
  return tools.map((tool, i): ListedTool => {
    if (!isObject(tool) || typeof tool.name !== 'string' || tool.name === '')
      throw new InvalidDataError(
        `${source}: tool ${i + 1} has no name; expected {"name": …, "inputSchema": …}`,
      );
    if (names.has(tool.name))
      throw new InvalidDataError(`${source} has two tools of the name ${JSON.stringify(tool.name)}`);
    names.add(tool.name);
    return tool as ListedTool;
  });
}

/** A tool that is not as its contract says. */
export interface PinDifference {
  readonly tool: string;
  /** What is different, in words. */
  readonly text: string;
}

/**
 * Compares the tools that servers list with the pins of contracts.
 *
 * @param before the list that was pinned, to say what has changed; default: only that something has
 * @returns one entry for each tool with a pin that is gone or has another definition
 */
export function checkPins(
  contracts: Pick<Contracts, 'tools'>,
  tools: readonly ListedTool[],
  before: readonly ListedTool[] = [],
): PinDifference[] {
  const now = new Map(tools.map((tool) => [tool.name, tool]));
  const was = new Map(before.map((tool) => [tool.name, tool]));
  return [...contracts.tools.values()].flatMap(({ name, pin }): PinDifference[] => {
    if (pin === null) return [];
    const tool = now.get(name);
    if (tool === undefined) return [{ tool: name, text: 'it is pinned, and no server lists it' }];
    const found = toolPin(tool);
    if (found === pin) return [];
    const pinned = was.get(name);
    const changed =
      pinned !== undefined && toolPin(pinned) === pin
        ? differences(definitionOf(pinned), definitionOf(tool)).join('; ')
        : `its definition has the SHA-256 ${found}, and the contract pins ${pin}`;
    return [
      {
        tool: name,
        text: `its definition has changed since it was pinned: ${changed}; look at it, and pin it anew`,
      },
    ];
  });
}
