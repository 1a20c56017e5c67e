import { quoted } from '../../../base/yamlText.js';
import type { ToolArgument } from './toolArguments.js';

/** A text, or a list of texts, somewhere in the arguments of a tool. */
export interface ArgumentText {
  /** The names that lead to it, the argument's first: `["files", "path"]`. */
  readonly path: readonly string[];
  readonly argument: ToolArgument;
  /** The list of its texts as an expression; null if no expression can read them. */
  readonly list: string | null;
}

export type Named = (argument: ToolArgument) => boolean;

const PATH =
  /(?:^|_)(?:paths?|files?|(?:file|path)_?(?:name|path)s?|folders?|director(?:y|ies)|dirs?|sources?|destinations?)_?\d*$/;
/** Names of arguments that are often paths, or addresses of files, and often not. */
const OFTEN_PATH =
  /(?:^|_)(?:uris?|src|dest|dst|target|root|cwd|location|attachments?|documents?|images?|config|output|script)_?\d*$/;
/** The same words anywhere in a name, but for those that name many other things. */
const PATH_WORD = /(?:^|_)(?:(?:file|path)_?(?:name|path)?s?|folders?|director(?:y|ies)|dirs?)_?\d*(?:_|$)/;

/** Whether a name, in snake case, or the schema's `format` (pydantic writes `file-path`) says that an argument is a path. */
export const isPath: Named = ({ name, format }) => PATH.test(snakeCase(name)) || /path$/.test(format);

/** Whether what an argument names may be a file: a rule that looks for certain names reads it, whatever else it may be. */
export const mayNameFile: Named = (one) =>
  isPath(one) || (one.type !== 'map' && OFTEN_PATH.test(snakeCase(one.name)));

/** Whether an argument may be a path, which its name or its description suggests. */
const mayBePath: Named = (one) =>
  mayNameFile(one) ||
  PATH_WORD.test(snakeCase(one.name)) ||
  /\b(?:paths?|file ?names?)\b/i.test(one.description);

/** An argument whose snake-cased name fits. */
export function isNamed(pattern: RegExp): Named {
  return ({ name }) => pattern.test(snakeCase(name));
}

/** The texts of arguments, and of the fields of maps in them, that are so named. */
export function textsNamed(all: readonly ToolArgument[], named: Named): (ArgumentText & { list: string })[] {
  return found(all, named).filter((text): text is ArgumentText & { list: string } => text.list !== null);
}

/** The arguments that may be paths, but that no rule on paths reads: `edits.files` is the field of a map, or of maps in a list. */
export function unreadPaths(all: readonly ToolArgument[]): string[] {
  const read = new Set(textsNamed(all, mayNameFile).map(({ path }) => keyOf(path)));
  return found(all, mayBePath)
    .filter(({ path }) => !read.has(keyOf(path)))
    .map(({ path }) => path.join('.'));
}

/**
 * Arguments in which each of the texts is the given one, beside what is required.
 *
 * @param sample a value of an argument
 */
export function argumentsWith(
  all: readonly ToolArgument[],
  texts: readonly ArgumentText[],
  text: string,
  sample: (argument: ToolArgument) => unknown,
  depth = 0,
): Record<string, unknown> {
  const entries = all.flatMap((one): [string, unknown][] => {
    const within = texts.filter(({ path }) => path[depth] === one.name);
    if (within.length === 0) return one.required ? [[one.name, sample(one)]] : [];
    const value = within.some(({ path }) => path.length === depth + 1)
      ? text
      : argumentsWith(one.fields, within, text, sample, depth + 1);
    return [[one.name, one.type === 'list' ? [value] : value]];
  });
  return Object.fromEntries(entries);
}

/** Whether an expression can read a field by a dot. */
export function isField(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !['in', 'true', 'false', 'null'].includes(name);
}

function found(all: readonly ToolArgument[], named: Named): ArgumentText[] {
  return within(all, named, 'action.arguments', [], []).map(({ guards, text, list, ...rest }) => ({
    ...rest,
    list: guarded(guards, list ?? (text === null ? null : `[${text}]`)),
  }));
}

/** A text that is found, before what may be absent on the way to it is asked for. */
interface Found {
  readonly path: readonly string[];
  readonly argument: ToolArgument;
  /** What has to hold so that it is there. */
  readonly guards: readonly string[];
  /** The one text, or else the list of texts, as an expression. */
  readonly text: string | null;
  readonly list: string | null;
}

function within(
  all: readonly ToolArgument[],
  named: Named,
  map: string,
  outer: readonly string[],
  names: readonly string[],
): Found[] {
  return all.flatMap((argument): Found[] => {
    const { name, type, of, fields, values, required } = argument;
    if (values !== null || ['number', 'integer', 'boolean'].includes(type)) return [];
    const path = [...names, name];
    const value = isField(name) ? `${map}.${name}` : `${map}[${quoted(name)}]`;
    const has = isField(name) ? `has(${value})` : `${quoted(name)} in ${map}`;
    const guards = required ? outer : [...outer, has];
    const one = { path, argument, guards, text: null, list: null };
    if (type === 'text') return named(argument) ? [{ ...one, text: value }] : [];
    if (type === 'list' && of === 'text') return named(argument) ? [{ ...one, list: value }] : [];
    const inner =
      type === 'map'
        ? within(fields, named, value, guards, path)
        : within(fields, named, ELEMENT, [], path).map((text) =>
            type === 'list' && of === 'map'
              ? ofElements(text, value, guards)
              : { ...text, guards: [], text: null, list: null },
          );
    // Nothing within it is so named, or nothing is known of what it holds.
    const isHidden = inner.length === 0 && !isOfOther(argument) && named(argument);
    return isHidden ? [one] : inner;
  });
}

const ELEMENT = 'f';

/** A text of each map in a list. No expression joins lists of lists. */
function ofElements({ path, argument, guards, text }: Found, value: string, outer: readonly string[]): Found {
  const maps = guards.length === 0 ? value : `${value}.filter(${ELEMENT}, ${guards.join(' && ')})`;
  const list = text === null ? null : `${maps}.map(${ELEMENT}, ${text})`;
  return { path, argument, guards: outer, text: null, list };
}

/** A list of what holds no text. */
function isOfOther({ of }: ToolArgument): boolean {
  return ['number', 'integer', 'boolean'].includes(of);
}

function guarded(guards: readonly string[], list: string | null): string | null {
  return list === null || guards.length === 0 ? list : `(${guards.join(' && ')} ? ${list} : [])`;
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** `filePath` and `file-path` as `file_path`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
}
