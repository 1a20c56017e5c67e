import { hashJson } from '../../base/hashJson.js';
import { isObject } from '../../base/objectKind.js';

/** The hash of a specification's content: what guards are compiled and models learnt from. Tests are not part of it, nor what only checks the file: of tools only whether they are safe. */
export function hashSpecification(content: unknown): string {
  if (!isObject(content)) return hashJson(content);
  const { tests: _, tools, ...rest } = content;
  const safe = isObject(tools)
    ? Object.entries(tools).flatMap(([name, tool]) =>
        isObject(tool) && 'safe' in tool ? [[name, { safe: tool.safe }]] : [],
      )
    : [];
  return hashJson(safe.length === 0 ? rest : { ...rest, tools: Object.fromEntries(safe) });
}
