/**
 * Markov chains that the authors of Pro²Guard published: folders with `dtmc.prism`, the same chain as `model.json`, where
 * probabilities are fractions, and `abstraction.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseFraction } from './expectation.mjs';
import { foldersBelow } from './foldersBelow.mjs';

/** A job for each folder at or below `root` that holds a chain. */
export function pro2guardJobs(root, { prism } = {}) {
  const folders = foldersBelow(root).filter((folder) => existsSync(join(folder, 'dtmc.prism')));
  if (folders.length === 0) throw new Error(`${root} holds no folder with a dtmc.prism`);
  return folders.map((directory) => ({
    kind: 'published chain',
    folder: relative(root, dirname(directory)) || '.',
    title: basename(directory),
    model: join(directory, 'dtmc.prism'),
    directory,
    ...(prism && { prism }),
  }));
}

/**
 * What the other files say about the chain: `rows`, per state a map from successor to fraction, and the `targets` to ask about,
 * { name, state }. Of a household that is every state.
 *
 * Of a vehicle it is three: the codes of its states begin with three digits more than there are predicates, one of which is 1 in
 * the last three states, and no file says what they mean. The counts behind the probabilities do. 001… is left again: a rule is
 * broken. The others are ends. In s1, s2, s4 and s9 all thirty recordings end in 010…: the destination. In s3, the left turn
 * with collisions, 28 end there, from a state of free road and driving, and 30 in 100…, most of them standing with a vehicle ahead.
 */
export function readPublishedChain(directory) {
  const json = (name) => JSON.parse(readFileSync(join(directory, name), 'utf8'));
  const { states, state_index: numbers, transition_probs: probabilities } = json('model.json');
  const rows = states.map(() => new Map());
  for (const [code, row] of Object.entries(probabilities)) {
    for (const [successor, text] of Object.entries(row))
      rows[numbers[code]].set(numbers[successor], parseFraction(text));
  }
  const ends = { 'rule broken': /^0010*$/, destination: /^0100*$/, collision: /^1000*$/ };
  const targets =
    'collision' in json('abstraction.json')
      ? Object.entries(ends).map(([name, code]) => ({
          name,
          state: numbers[states.find((text) => code.test(text))],
        }))
      : states.map((code) => ({ name: code, state: numbers[code] }));
  return { rows, targets };
}
