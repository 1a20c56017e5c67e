import { InvalidDataError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';

/** A tool as its server, its framework or a file describes it. */
export interface ToolDescription {
  readonly name: string;
  /** Empty if there is none. */
  readonly description: string;
  /** The JSON Schema of its arguments; null if it has none. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** What its annotations say, if it has any; hints, which nobody checks. */
  readonly readOnly: boolean | null;
  readonly destructive: boolean | null;
}

const SCHEMA_KEYS = ['inputSchema', 'input_schema', 'parameters', 'arguments', 'schema'] as const;

const EXPECTED =
  'expected a list of tools, or tools by their names, such as {"send_mail": {"description": "Sends a mail", "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}}}}';

/**
 * Reads descriptions of tools: the answer to MCP's `tools/list`, functions as OpenAI and Anthropic take them, a list of these, or a mapping of names to descriptions
 * or to JSON Schemas of arguments. Of two tools of one name the last counts.
 *
 * @param source what to call it in messages
 * @throws InvalidDataError naming the place, if something is no tool or there is none
 */
export function readTools(content: unknown, source: string): ToolDescription[] {
  const listed = isObject(content) ? (content.tools ?? content.functions ?? resultOf(content)) : content;
  const entries: [string | null, unknown][] = Array.isArray(listed)
    ? listed.map((tool) => [null, tool])
    : isObject(listed) && !isNamedSchema(listed)
      ? Object.entries(listed)
      : [[null, listed]];
  const tools = entries.map(([name, tool], i) => readTool(name, tool, `${source}: ${name ?? `tool ${i}`}`));
  if (tools.length === 0) throw new InvalidDataError(`${source} has no tools; ${EXPECTED}`);
  return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
}

/** The tools in a whole response of MCP; else the content, which is then tools by their names. */
function resultOf(content: Readonly<Record<string, unknown>>): unknown {
  return isObject(content.result) && Array.isArray(content.result.tools) ? content.result.tools : content;
}

/** A description that says its own name, as `{"title": "send_mail", "type": "object", …}`. */
function isNamedSchema(content: Readonly<Record<string, unknown>>): boolean {
  return typeof (content.name ?? content.title) === 'string';
}

function readTool(key: string | null, content: unknown, place: string): ToolDescription {
  const tool = isObject(content) && isObject(content.function) ? content.function : content;
  if (!isObject(tool))
    throw new InvalidDataError(`${place} is ${JSON.stringify(tool) ?? 'nothing'}; ${EXPECTED}`);
  const name = key ?? tool.name ?? tool.title;
  if (typeof name !== 'string' || name === '')
    throw new InvalidDataError(`${place} has no name; ${EXPECTED}`);
  const found = SCHEMA_KEYS.map((schemaKey) => tool[schemaKey]).find(isObject);
  const schema = found ?? (isSchema(tool) ? tool : null);
  const annotations = isObject(tool.annotations) ? tool.annotations : {};
  const hint = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
  return {
    name,
    description: typeof tool.description === 'string' ? tool.description : '',
    schema,
    readOnly: hint(annotations.readOnlyHint),
    destructive: hint(annotations.destructiveHint),
  };
}

function isSchema(content: Readonly<Record<string, unknown>>): boolean {
  return content.type === 'object' || isObject(content.properties);
}
