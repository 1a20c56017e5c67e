import { readFile } from 'node:fs/promises';
import { wordsOf } from '../../base/words.js';

/** What was made of a specification, and the specification's hash. */
export interface Opened<T> {
  readonly value: T;
  readonly hash: string;
}

/** Files beside a specification that were read with it, by their paths; null for what could not be read. */
export type Beside = Map<string, string | null>;

/**
 * Follows a specification's file, and those beside it of which it was made, which are read whenever the next run asks: there is no timer. One that has become wrong, or is gone, leaves runs with what
 * there was before, and is told once.
 *
 * @param open makes of the file what runs need, and says what else it has read, also if it throws; then the file counts as wrong
 * @param note called with words for people when the file has changed
 * @returns what the next run needs
 * @throws any error of `open` at the beginning
 */
export async function followFile<T>(
  path: string,
  open: (beside: Beside) => Promise<Opened<T>>,
  note: (text: string) => void,
): Promise<() => Promise<T>> {
  // Read before it is opened: a change in between is then seen by the first run.
  let seen = await contentOf(path);
  let beside: Beside = new Map();
  let current = (await open(beside)).value;
  let last: Promise<unknown> = Promise.resolve();
  const next = async (): Promise<T> => {
    const content = await contentOf(path);
    if (content === seen && (await areAsRead(beside))) return current;
    seen = content;
    beside = new Map();
    try {
      const { value, hash } = await open(beside);
      current = value;
      note(
        `${path} has changed: from this run on its rules are enforced as they stand now (specification ${hash})`,
      );
    } catch (error) {
      note(`${path} has changed and is refused, so runs still follow it as it was: ${wordsOf(error)}`);
    }
    return current;
  };
  // One after another: a run that begins while the file is opened waits for what it says.
  return () => {
    const turn = last.then(next);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** What a file holds; if it cannot be read, why, so that this counts as a change. */
async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    return `\0${wordsOf(error)}`;
  }
}

/** Whether files hold what was read of them. */
async function areAsRead(beside: Beside): Promise<boolean> {
  for (const [path, text] of beside)
    if ((await readFile(path, 'utf8').catch(() => null)) !== text) return false;
  return true;
}
