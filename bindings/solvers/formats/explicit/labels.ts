import { BitSet } from '../../kernel/index.js';
import { type ExplicitFile, headerLine } from './lines.js';

/** Reads a `.lab` file; the label `init` marks the initial states. Without it, state 0 is initial. */
export function readLabels(
  file: ExplicitFile,
  states: number,
): { initial: number[]; labels: Map<string, BitSet> } {
  const expected = 'numbered labels, such as: 0="init" 1="deadlock"';
  const header = headerLine(file, expected);
  const byNumber = new Map<number, BitSet>();
  const labels = new Map<string, BitSet>();
  if (!/^\s*(\d+="[^"]*"\s*)*$/.test(header.text)) header.fail(`found ${header.text.trim()}`, expected);
  for (const [, number, name] of header.text.matchAll(/(\d+)="([^"]*)"/g)) {
    if (byNumber.has(Number(number)) || labels.has(name))
      header.fail(`found ${number}="${name}" twice`, 'each label once');
    const members = new BitSet(states);
    byNumber.set(Number(number), members);
    labels.set(name, members);
  }
  for (const line of file.lines.slice(1)) {
    const [, prefix, rest] =
      /^\s*(\d+)\s*:(.*)$/.exec(line.text) ?? line.fail(`found ${line.words[0]}`, 'a state, such as: 3: 0 2');
    const state = Number(prefix);
    if (state >= states) line.fail(`found state ${state}`, `a state from 0 to ${states - 1}`);
    for (const number of rest.trim() === '' ? [] : rest.trim().split(/\s+/)) {
      const members = /^\d+$/.test(number) ? byNumber.get(Number(number)) : undefined;
      if (!members) return line.fail(`found label ${number}`, `one of ${[...byNumber.keys()].join(', ')}`);
      members.add(state);
    }
  }
  const initial = labels.get('init');
  if (initial?.count() === 0) header.fail('no state has the label "init"', 'an initial state');
  labels.delete('init');
  return { initial: initial ? [...initial] : [0], labels };
}
