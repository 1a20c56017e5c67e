import type { ToolState } from '../../observations/trace/index.js';
import { type Judging, judgesOf } from './judgesOf.js';

const FIELDS = [
  'lastTool',
  'lastToolFailed',
  'lastArguments',
  'lastResult',
  'lastDetected',
  'calls',
  'failures',
  'history',
] as const satisfies readonly (keyof ToolState)[];

/** The fields of the calls' history that a judge of a session may read. */
export function historyFields(options: Judging): ReadonlySet<keyof ToolState> {
  const judges = judgesOf(options);
  return new Set(FIELDS.filter((field) => judges.some(({ needs }) => needs?.reads?.(field) ?? true)));
}
