import { BitSet } from '../../kernel/index.js';
import type { Rewards } from '../../model/index.js';
import type { TidyRows } from '../normaliseRows.js';
import { checkCount, type ExplicitFile, headerLine } from './lines.js';

/**
 * Reads reward structures from `.srew` and `.trew` files. A file's structure is named in its comment; without a name, the files
 * of a kind are `reward1`, `reward2`, … in order. Files with the same name make one structure.
 *
 * @throws ParseError on a state, or a transition, that the model does not have
 */
export function readRewards(
  srew: readonly ExplicitFile[],
  trew: readonly ExplicitFile[],
  rows: TidyRows,
): Rewards[] {
  const structures = new Map<string, { states?: Float64Array; branches?: Float64Array }>();
  const unique = (name: string, file: ExplicitFile, entity: 'states' | 'branches') => {
    if (!structures.get(name)?.[entity]) return;
    headerLine(file, 'rewards').fail(`"${name}" is a second reward structure of that name`, 'another name');
  };
  srew.forEach((file, i) => {
    const name = nameOf(file, i);
    unique(name, file, 'states');
    structures.set(name, { states: stateRewards(file, rows) });
  });
  trew.forEach((file, i) => {
    const name = nameOf(file, i);
    const structure = structures.get(name);
    unique(name, file, 'branches');
    // PRISM also writes an empty transition file for structures with state rewards only.
    if (structure && file.lines.length === 1) return;
    structures.set(name, { ...structure, branches: transitionRewards(file, rows) });
  });
  return [...structures].map(([name, rewards]) => ({ name, ...rewards }));
}

function nameOf({ comments }: ExplicitFile, i: number): string {
  const names = comments.map((comment) => /^Reward structure "(.*)"$/.exec(comment)?.[1]);
  return names.find((name) => name) ?? `reward${i + 1}`;
}

function stateRewards(file: ExplicitFile, rows: TidyRows): Float64Array {
  const states = checkHeader(file, rows, 2);
  const rewards = new Float64Array(states);
  const seen = new BitSet(states);
  for (const line of file.lines.slice(1)) {
    const state = line.index(0, 'a state', states);
    if (seen.has(state)) line.fail(`found state ${state} twice`, 'each state once');
    seen.add(state);
    rewards[state] = line.value(1, 'a reward');
    line.end(2);
  }
  return rewards;
}

/** Lines `state target reward`, or `state choice target reward` if states have choices. */
function transitionRewards(file: ExplicitFile, rows: TidyRows): Float64Array {
  const { rowGroupStart, rowStart, columns } = rows;
  const states = checkHeader(file, rows, rowGroupStart ? 3 : 2);
  const rewards = new Float64Array(columns.length);
  const target = rowGroupStart ? 2 : 1;
  for (const line of file.lines.slice(1)) {
    const state = line.index(0, 'a state', states);
    const row = rowGroupStart
      ? rowGroupStart[state] + line.index(1, 'a choice', rowGroupStart[state + 1] - rowGroupStart[state])
      : state;
    const to = line.index(target, 'a state', states);
    const reached = columns.subarray(rowStart[row], rowStart[row + 1]);
    const at = reached.indexOf(to);
    if (at < 0) {
      line.fail(
        `found a reward for ${state} → ${to}`,
        `a transition: from ${state} to ${reached.join(', ')}`,
        target,
      );
    }
    rewards[rowStart[row] + at] = line.value(target + 1, 'a reward');
    line.end(target + 2);
  }
  return rewards;
}

/** Compares the header with the model and the lines; returns the number of states. */
function checkHeader(file: ExplicitFile, { rowGroupStart, rowStart }: TidyRows, words: number): number {
  const states = (rowGroupStart ?? rowStart).length - 1;
  const example =
    words === 3 ? 'states, choices and entries, such as: 13 20 7' : 'states and entries, such as: 13 7';
  const header = headerLine(file, `the numbers of ${example}`);
  const found = header.index(0, 'the number of states');
  if (found !== states) header.fail(`found ${found} states`, `${states}, as in the transitions`);
  if (words === 3) header.index(1, 'the number of choices');
  checkCount(header, words - 1, file.lines.length - 1, 'entries');
  header.end(words);
  return states;
}
