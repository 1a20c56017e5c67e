import { InvalidArgumentError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { printableName } from '../../base/words.js';
import type { Trace } from '../../observations/trace/index.js';
import { type ReadFor, TraceFiles, type TraceOptions } from './inputs.js';
import { plural } from './terminal.js';

/** Which trace of recordings, and which of its steps. */
export interface PlaceWords extends TraceOptions {
  readonly id?: string;
  readonly at?: string;
}

/** A trace, and a step of it; null if none was named. */
export interface ChosenPlace {
  readonly trace: Trace;
  readonly at: number | null;
}

/** Ids that a message lists. */
const LISTED = 5;

/** The trace that `--id` names, or the only one, and the step that `--at` names. @throws InvalidArgumentError if there is no such trace or step */
export async function chosenPlace(options: PlaceWords, readFor: ReadFor): Promise<ChosenPlace> {
  const { id } = options;
  const ids: string[] = [];
  let found: Trace | null = null;
  for await (const trace of new TraceFiles(options, readFor, () => undefined)) {
    ids.push(trace.id);
    if (id === undefined ? found === null : trace.id === id) found ??= trace;
  }
  const known = ids.slice(0, LISTED).map(printableName).join(', ') + (ids.length > LISTED ? ', …' : '');
  if (id === undefined && ids.length > 1)
    throw new InvalidArgumentError(
      `the recordings have ${plural(ids.length, 'trace')}: ${known}; name one with --id`,
    );
  if (found === null) {
    const nearest = nearestName(id ?? '', ids);
    throw new InvalidArgumentError(
      `there is no trace "${id}"; ${nearest === undefined ? `there are: ${known}` : `did you mean "${nearest}"?`}`,
    );
  }
  return { trace: found, at: stepOf(options.at, found) };
}

function stepOf(text: string | undefined, { id, steps }: Trace): number | null {
  if (text === undefined) return null;
  const at = Number(text);
  if (/^\d+$/.test(text) && at < steps.length) return at;
  throw new InvalidArgumentError(
    `--at is "${text}", which is no step of trace ${printableName(id)}, which has ${plural(steps.length, 'step')}: expected 0 to ${steps.length - 1}`,
  );
}
