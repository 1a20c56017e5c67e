import type { ToolState } from '../../observations/trace/index.js';
import { guardsOf, reactiveRulesOf } from './guardsOf.js';
import type { SessionOptions } from './sessionOptions.js';

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

/**
 * The fields of the calls' history that the judges of a session may read: those that its guards' predicates name, and all where rules without history judge,
 * whose predicates may be functions.
 */
export function historyFields(
  options: Pick<SessionOptions, 'guard' | 'judges' | 'rules'>,
): ReadonlySet<keyof ToolState> {
  if (reactiveRulesOf(options).length > 0) return new Set(FIELDS);
  const sources = guardsOf(options).flatMap(({ file }) =>
    file.predicates.map(({ expression }) => expression),
  );
  return new Set(
    FIELDS.filter((field) => sources.some((source) => new RegExp(`\\b${field}\\b`).test(source))),
  );
}
