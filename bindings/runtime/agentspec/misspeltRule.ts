import { nearestName } from '../../base/suggest.js';
import { KEYWORDS } from './reader.js';

/** Where a line looks like a rule that is written otherwise. */
export interface MisspeltRule {
  /** Offset in the line. */
  readonly at: number;
  readonly found: string;
  /** What was likely meant. */
  readonly meant: string;
}

/** Marks of lists and quotes, numbers, and characters that are not seen; then a word, `@` and a name. */
const HEAD = /^((?:[^\p{L}\d_@]|\d+[.):])*)([\p{L}\p{N}_]+)\s*@\s*([^\s|&!=(){}[\],"]*)/u;

/**
 * Whether a line between rules looks like a rule, or a part of one: `RULE @x`, `- rule @x`, `ruel @x`, a whole rule in one line, or a keyword alone in other
 * letters. Passed over as a note, such a rule would enforce nothing.
 *
 * @returns undefined for a note
 */
export function misspeltRule(line: string): MisspeltRule | undefined {
  const [head, marks = '', word = '', name = ''] = HEAD.exec(line) ?? [];
  const lower = word.toLowerCase();
  if (head !== undefined && (lower === 'rule' || nearestName(lower, ['rule']) !== undefined)) {
    // Of a line that begins with marks the first one is at fault.
    const at = word === 'rule' && marks !== '' ? 0 : marks.length;
    return { at, found: head.slice(at), meant: `rule @${name}` };
  }
  const keyword = KEYWORDS.find((known) => known === line.toLowerCase());
  if (keyword !== undefined) return { at: 0, found: line, meant: keyword };
  return isWhole(line) ? { at: 0, found: line, meant: 'rule @name' } : undefined;
}

/** Whether a line has all parts of a rule, in order. */
function isWhole(line: string): boolean {
  const words = line.toLowerCase().split(/[^\p{L}_]+/u);
  let from = 0;
  for (const part of KEYWORDS.slice(1)) {
    from = words.indexOf(part, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
