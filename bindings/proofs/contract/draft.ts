import { isObject } from '../../base/objectKind.js';
import { wordsOf } from '../../base/words.js';
import { comment, flow, plain } from '../../base/yamlText.js';
import { schemaOfType, typeOfSchema } from './jsonSchema.js';
import { type ListedTool, toolPin } from './toolList.js';
import type { ValueType } from './valueType.js';

const HEAD = `# You decide who reads what, what each tool touches, and what it may be given. Nothing here is trusted yet, every result is private, and every call matters.
# Fill in, for each tool: what is shown to whom (readers of arguments and of the result), which stores it reads and writes, and what it requires.
version: 1
# Groups of readers: readers: { company: '*@company.example' }
readers: {}
# What tools read and write. Until you divide it, everything is one store.
stores:
  world: {}
tools:`;

const TAIL = `# Data of a source that may not reach a sink: flows: { NAME: { from: TOOL, to: TOOL.ARGUMENT, unless: 'CONDITION' } }
flows: {}
# Calls for which a condition holds, and rules over them: rules: { NAME: 'G (external -> O approved)' }
events: {}
rules: {}
`;

/**
 * Drafts contracts of the tools that a server lists: all are untrusted and pinned, with comments that say what to fill in. What the server says of them stands in
 * comments alone.
 *
 * @returns YAML, which `readContracts` reads without errors
 */
export function draftContracts(
  tools: readonly ListedTool[],
  options: { readonly source?: string } = {},
): string {
  const title = `# Contracts of the tools of ${comment(options.source ?? 'a server', 80)}, drafted by foreguard.`;
  const body = tools.length === 0 ? ['  {}'] : tools.flatMap(draftTool);
  return [title, HEAD, ...body, TAIL].join('\n');
}

function draftTool(tool: ListedTool): string[] {
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const said =
    typeof tool.description === 'string' && tool.description.trim() !== ''
      ? [`  # The server says: ${comment(tool.description, 160)}`]
      : [];
  return [
    ...said,
    `  ${plain(tool.name)}:`,
    `    pin: sha256:${toolPin(tool)}`,
    ...(properties.length > 0 ? ['    arguments:'] : []),
    ...properties.flatMap(([name, property]) =>
      draftArgument(name, property, schema, !required.includes(name)),
    ),
    `    result: ${flow({ ...typeText(resultOf(tool)), integrity: 'untrusted', readers: 'nobody' })}`,
    '    reads: all',
    '    writes: all',
    ...hints(tool),
    '    consequential: true',
    '    observable: everyone',
  ];
}

function draftArgument(name: string, property: unknown, root: unknown, optional: boolean): string[] {
  const lines: string[] = [];
  let type: ValueType = { kind: 'any' };
  try {
    type = typeOfSchema(property, { root, name: `"${name}"` });
  } catch (error) {
    lines.push(`      # Any value is taken: ${comment(wordsOf(error), 200)}`);
  }
  if (isObject(property) && typeof property.description === 'string')
    lines.push(`      # ${comment(property.description, 160)}`);
  const contract = {
    ...typeText(type),
    ...(optional && { optional }),
    integrity: 'trusted',
    readers: 'everyone',
  };
  return [...lines, `      ${plain(name)}: ${flow(contract)}`];
}

function typeText(type: ValueType): Readonly<Record<string, unknown>> {
  return type.kind === 'any' ? { type: 'any' } : schemaOfType(type);
}

function resultOf({ outputSchema }: ListedTool): ValueType {
  try {
    return outputSchema === undefined ? { kind: 'any' } : typeOfSchema(outputSchema);
  } catch {
    return { kind: 'any' };
  }
}

/** What the server claims of a tool, which is for people to believe. */
function hints({ annotations }: ListedTool): string[] {
  if (!isObject(annotations)) return [];
  const said = [
    annotations.readOnlyHint === true && 'it changes nothing (then writes: [], consequential: false)',
    annotations.idempotentHint === true && 'a second call changes nothing more (then idempotent: true)',
    annotations.openWorldHint === false &&
      'it touches nothing outside (then observable: nobody, and readers: nobody of each argument)',
  ].filter((text) => text !== false);
  return said.length === 0 ? [] : [`    # The server says that ${said.join('; that ')}.`];
}
