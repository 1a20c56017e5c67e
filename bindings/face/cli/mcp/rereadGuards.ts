import { wordsOf } from '../../../base/words.js';
import type { Guard } from '../../../runtime/guard/index.js';
import { readText } from '../inputs.js';
import { type GuardSource, openGuards } from '../openGuards.js';

/**
 * Opens the guards of a command that serves several runs. The specification is read again for each of them: a run follows it as it stands when the run begins. One that
 * has become wrong, or is gone, leaves runs with the rules before, and is told once.
 *
 * @param prepare what runs need of the guards; a specification for which it throws counts as wrong
 * @returns what the next run needs
 * @throws InvalidArgumentError and others, as `openGuards` and `prepare`, for what is wrong at the beginning
 */
export async function rereadGuards<Prepared>(
  source: GuardSource,
  prepare: (guards: readonly Guard[]) => Prepared,
  note: (text: string) => void,
): Promise<() => Promise<Prepared>> {
  const { guard, spec } = source;
  // Read before it is opened: a change in between is then seen by the first run.
  let seen = spec === undefined ? '' : await textOf(spec);
  const first = await openGuards(source);
  const fixed = guard === undefined ? [] : first.slice(0, 1);
  let current = prepare(first);
  if (spec === undefined) return async () => current;
  const reread = async (): Promise<Prepared> => {
    const text = await textOf(spec);
    if (text === seen) return current;
    seen = text;
    try {
      const [rules] = await openGuards({ spec });
      current = prepare([...fixed, rules]);
      note(
        `${spec} has changed: from this run on its rules are enforced as they stand now (specification ${rules.file.specificationHash})`,
      );
    } catch (error) {
      note(`${spec} has changed and is refused, so runs still follow it as it was: ${wordsOf(error)}`);
    }
    return current;
  };
  // One after another: who asks while a changed file is being opened gets the new rules too.
  let latest: Promise<unknown> = Promise.resolve();
  return () => {
    const next = latest.then(reread);
    latest = next;
    return next;
  };
}

/** The text of a file; if it cannot be read, why, so that this counts as a change. */
async function textOf(path: string): Promise<string> {
  try {
    return await readText(path, 'a specification, YAML or JSON');
  } catch (error) {
    return `\0${wordsOf(error)}`;
  }
}
