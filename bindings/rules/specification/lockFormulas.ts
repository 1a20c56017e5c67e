import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidDataError, NotSupportedError } from '../../base/errors.js';

/**
 * The text of a specification with formulas written beside the sentences of rules. Nothing else changes, neither comments nor layout: each formula is put behind its
 * sentence, as the YAML library places it.
 *
 * @param formulas by the names of rules that have `english` and no `formula`
 * @throws NotSupportedError for a rule that is written by an alias; InvalidDataError if the text would not say just that
 */
export function lockFormulas(text: string, formulas: ReadonlyMap<string, string>, source: string): string {
  const document = parseDocument(text);
  const edits = [...formulas].map(([name, formula]) => {
    const rule = document.getIn(['rules', name], true);
    const pair = isMap(rule)
      ? rule.items.find(({ key }) => isScalar(key) && key.value === 'english')
      : undefined;
    if (!isMap(rule) || pair === undefined)
      throw new NotSupportedError(
        `${source}: rule "${name}" is written elsewhere, by an alias; write its formula by hand: formula: ${quotedIn(formula, "'")}`,
      );
    return editOf(text, rule, pair as Pair<Keyed, Keyed>, formula);
  });
  let locked = text;
  for (const { at, insert } of edits.sort((one, other) => other.at - one.at))
    locked = locked.slice(0, at) + insert + locked.slice(at);
  requireSame(text, locked, formulas, source);
  return locked;
}

/** A node that stands in a text. */
interface Keyed {
  readonly range?: readonly [start: number, valueEnd: number, nodeEnd: number] | null;
}

function editOf(
  text: string,
  rule: YAMLMap,
  { key, value }: Pair<Keyed, Keyed>,
  formula: string,
): { readonly at: number; readonly insert: string } {
  const [start, keyEnd] = key.range as [number, number, number];
  const [, valueEnd] = (value as Keyed).range as [number, number, number];
  const [open] = /^["']/.exec(text.slice(start, keyEnd)) ?? [''];
  const entry = `${open}formula${open}: ${quotedIn(formula, open === '"' ? '"' : "'")}`;
  if (rule.flow) return { at: valueEnd, insert: `, ${entry}` };
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(lineStart, start).replace(/\S/g, ' ');
  // A block scalar ends with its line; anything else may have a comment behind it.
  const found = text[valueEnd - 1] === '\n' ? valueEnd - 1 : text.indexOf('\n', valueEnd);
  const at = found < 0 ? text.length : text[found - 1] === '\r' ? found - 1 : found;
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  return { at, insert: `${newline}${indent}${entry}` };
}

function quotedIn(text: string, quote: '"' | "'"): string {
  return quote === '"' ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
}

/** @throws InvalidDataError if the changed text says anything else than the text before with these formulas */
function requireSame(
  before: string,
  after: string,
  formulas: ReadonlyMap<string, string>,
  source: string,
): void {
  const expected = parseDocument(before).toJSON();
  for (const [name, formula] of formulas) expected.rules[name] = { ...expected.rules[name], formula };
  const document = parseDocument(after);
  if (document.errors.length > 0 || canonicalJson(document.toJSON()) !== canonicalJson(expected))
    throw new InvalidDataError(
      `${source}: the formulas cannot be written without changing other parts of the file; write each as formula beside english by hand:\n${[...formulas].map(([name, formula]) => `  ${name}: ${formula}`).join('\n')}`,
    );
}
