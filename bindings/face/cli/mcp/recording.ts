import { InvalidArgumentError } from '../../../base/errors.js';
import type { SessionOptions } from '../../../runtime/enforcement/index.js';
import { openTraceFile, type TraceFile } from '../../node/index.js';
import type { GuardSource } from '../openGuards.js';

/** Options that say what becomes of decisions, by their names in the command. */
const OF_DECISIONS = {
  log: '--log',
  ask: '--ask',
  headFile: '--head-file',
  inspections: '--inspections',
  inspectionsKey: '--inspections-key',
  askTimeout: '--ask-timeout',
  edits: '--edits',
  replacements: '--replacements',
  maxPending: '--max-pending',
  onFault: '--on-fault',
  extractModel: '--extract-model',
  extractTimeout: '--extract-timeout',
} as const;

type RecordingOptions = GuardSource & {
  readonly record?: string;
} & { readonly [Name in keyof typeof OF_DECISIONS]?: unknown };

/**
 * Whether calls only pass and are recorded, since neither a guard nor a specification is given.
 * @throws InvalidArgumentError if nothing is to be recorded either, or an option is about decisions, which nobody makes then
 */
export function onlyRecords(options: RecordingOptions): boolean {
  const { guard, spec, record } = options;
  if (guard !== undefined || spec !== undefined) return false;
  if (record === undefined) {
    throw new InvalidArgumentError(
      'give --spec FILE, a specification whose rules are enforced without a model, --guard FILE, a guard that foreguard compile wrote, or both; or --record FILE alone, which records every call and guards nothing',
    );
  }
  for (const [name, word] of Object.entries(OF_DECISIONS)) {
    if (options[name as keyof typeof OF_DECISIONS] === undefined) continue;
    throw new InvalidArgumentError(
      `${word} is about decisions, and without --spec or --guard nothing is decided: every call passes and is recorded; give one of them, or leave ${word} out`,
    );
  }
  return true;
}

/** Opens the file to record in; null if there is none. @throws as `openTraceFile` */
export async function recordFile(
  { record }: RecordingOptions,
  onNote: (text: string) => void,
): Promise<TraceFile | null> {
  return record === undefined ? null : openTraceFile(record, { onNote });
}

/** The options of a recorded session, whose steps have times that never descend: seconds since 1970. */
export function recordingSettings(
  file: TraceFile,
  { time = () => (performance.timeOrigin + performance.now()) / 1000 }: Pick<SessionOptions, 'time'>,
  alone: boolean,
): Pick<SessionOptions, 'record' | 'time' | 'shadow'> {
  return { record: file, time, ...(alone && { shadow: true }) };
}
