import { comparedTexts, type Expression, freePaths, type Place } from '../../languages/expression/index.js';

/** What `ToolHistory` and steps call a tool by. */
const NAMES: ReadonlySet<string> = new Set(['action.name', 'lastTool', 'history[].name']);

/** A tool that a predicate names, and where. */
export interface NamedTool {
  readonly name: string;
  readonly place: Place;
}

/**
 * The tools that a predicate names: in comparisons of `action.name`, `lastTool` and the names in `history`, and as fields of `calls` and `failures`.
 * The empty text, which is the last tool before any call, is none.
 */
export function toolsNamed(expression: Expression): NamedTool[] {
  const compared = comparedTexts(expression)
    .filter(({ path, text }) => NAMES.has(path) && text !== '')
    .map(({ text, place }) => ({ name: text, place }));
  const counted = freePaths(expression).flatMap(({ path, place }) => {
    const [, name] = /^(?:calls|failures)\.([^.]+)$/.exec(path) ?? [];
    return name === undefined ? [] : [{ name, place }];
  });
  return [...compared, ...counted];
}

/** The arguments of the proposed call that a predicate reads, and where. */
export function argumentsRead(expression: Expression): NamedTool[] {
  return freePaths(expression).flatMap(({ path, place }) => {
    const [, name] = /^action\.arguments\.([^.]+)/.exec(path) ?? [];
    return name === undefined ? [] : [{ name, place }];
  });
}

/** The tools whose calls a predicate is about: those that it compares `action.name` with. */
export function toolsProposed(expression: Expression): string[] {
  return comparedTexts(expression).flatMap(({ path, text }) => (path === 'action.name' ? [text] : []));
}
