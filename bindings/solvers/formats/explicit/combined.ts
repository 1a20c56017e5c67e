import { ParseError } from '../../../base/errors.js';
import type { Model } from '../../model/index.js';
import { readSections } from './readExplicit.js';
import { type WriteExplicitOptions, writeExplicit } from './writeExplicit.js';

/** The comment that begins each section, and the separate file it corresponds to. */
const SECTIONS: readonly (readonly [RegExp, 'tra' | 'sta' | 'lab' | 'reward'])[] = [
  [/^# Transitions/, 'tra'],
  [/^# States/, 'sta'],
  [/^# Labels/, 'lab'],
  [/^# Reward structure/, 'reward'],
];

/**
 * Reads PRISM's combined file (`.pexp`), in which the explicit files follow each other, each introduced by its comment.
 *
 * @throws ParseError if there are no transitions; otherwise as `readExplicit`, with line numbers of the combined file
 */
export function readCombined(text: string, { source }: { source: string }): Model {
  const found: { kind: string; text: string }[] = [];
  const lines = text.split(/\r?\n/);
  lines.forEach((line, i) => {
    const section = SECTIONS.find(([begins]) => begins.test(line));
    // Leading empty lines preserve the line numbers in messages.
    if (section) found.push({ kind: section[1], text: '\n'.repeat(i) });
    else if (found.length === 0 && line.trim() !== '') {
      throw notCombined(source, i + 1, line.trim());
    }
    const last = found.at(-1);
    if (last) {
      last.text += `${line}\n`;
      if (last.kind === 'reward' && /^# State rewards/.test(line)) last.kind = 'srew';
      if (last.kind === 'reward' && /^# Transition rewards/.test(line)) last.kind = 'trew';
    }
  });
  const of = (kind: string): string[] => found.filter((part) => part.kind === kind).map((part) => part.text);
  const [tra] = of('tra');
  if (tra === undefined) throw notCombined(source, 1, lines[0].trim());
  const [sta] = of('sta');
  const [lab] = of('lab');
  const files = {
    source,
    tra,
    ...(sta !== undefined && { sta }),
    ...(lab !== undefined && { lab }),
    srew: of('srew'),
    trew: of('trew'),
  };
  return readSections(files, () => source);
}

function notCombined(source: string, line: number, text: string): ParseError {
  const expected = "a section such as '# Transitions (DTMC)'";
  return new ParseError(`found ${text || 'nothing'}; expected ${expected}`, {
    source,
    line,
    column: 1,
    expected,
  });
}

/** Writes a model as PRISM's combined file (`.pexp`): its explicit files one after the other. Throws as `writeExplicit` does. */
export function writeCombined(model: Model, options: WriteExplicitOptions = {}): string {
  const { tra, sta, lab, srew, trew } = writeExplicit(model, options);
  const rewards = srew.flatMap((text, i) => [text, trew[i]]);
  return [tra, ...(sta === undefined ? [] : [sta]), lab, ...rewards].join('\n');
}
