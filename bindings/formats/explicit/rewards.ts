import { NotSupportedError } from '../../errors.js';
import type { Csr } from '../../kernel/index.js';
import type { Rewards } from '../../model/index.js';
import { checkCount, type ExplicitFile, headerLine } from './lines.js';

/**
 * Reads reward structures from `.srew` and `.trew` files. A file's name stands in its comment; without one the files of a
 * kind are `reward1`, `reward2`, … in order. Files of one name make one structure.
 *
 * @throws ParseError on a state, or a transition, that the model does not have
 */
export function readRewards(
  srew: readonly ExplicitFile[],
  trew: readonly ExplicitFile[],
  matrix: Csr,
): Rewards[] {
  const structures = new Map<string, { states?: Float64Array; branches?: Float64Array }>();
  srew.forEach((file, i) => {
    structures.set(nameOf(file, i), { states: stateRewards(file, matrix) });
  });
  trew.forEach((file, i) => {
    const name = nameOf(file, i);
    const structure = structures.get(name);
    // PRISM writes a file without entries beside the rewards of states.
    if (structure && file.lines.length === 1) return;
    structures.set(name, { ...structure, branches: transitionRewards(file, matrix) });
  });
  return [...structures].map(([name, rewards]) => ({ name, ...rewards }));
}

function nameOf({ comments }: ExplicitFile, i: number): string {
  const names = comments.map((comment) => /^Reward structure "(.*)"$/.exec(comment)?.[1]);
  return names.find((name) => name) ?? `reward${i + 1}`;
}

function stateRewards(file: ExplicitFile, matrix: Csr): Float64Array {
  const states = checkHeader(file, matrix);
  const rewards = new Float64Array(states);
  for (const line of file.lines.slice(1)) {
    rewards[line.index(0, 'a state', states)] = line.value(1, 'a reward');
    line.end(2);
  }
  return rewards;
}

function transitionRewards(file: ExplicitFile, { rowStart, columns, values }: Csr): Float64Array {
  const states = checkHeader(file, { rowStart, columns, values });
  const rewards = new Float64Array(columns.length);
  for (const line of file.lines.slice(1)) {
    const state = line.index(0, 'a state', states);
    const target = line.index(1, 'a state', states);
    const row = columns.subarray(rowStart[state], rowStart[state + 1]);
    const at = row.indexOf(target);
    if (at < 0)
      line.fail(
        `found a reward for ${state} → ${target}`,
        `a transition: from ${state} to ${row.join(', ')}`,
        1,
      );
    rewards[rowStart[state] + at] = line.value(2, 'a reward');
    line.end(3);
  }
  return rewards;
}

/** Compares the header with the model and the lines; gives the number of states. */
function checkHeader(file: ExplicitFile, { rowStart }: Csr): number {
  const states = rowStart.length - 1;
  const header = headerLine(file, 'the numbers of states and entries, such as: 13 7');
  if (header.words.length === 3) {
    throw new NotSupportedError(
      `${file.source} holds rewards of an MDP; this version of Foreguard reads DTMCs`,
    );
  }
  const found = header.index(0, 'the number of states');
  if (found !== states) header.fail(`found ${found} states`, `${states}, as in the transitions`);
  checkCount(header, 1, file.lines.length - 1, 'entries');
  header.end(2);
  return states;
}
