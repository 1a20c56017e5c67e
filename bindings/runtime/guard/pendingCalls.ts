import type { Action } from '../../observations/trace/index.js';
import type { ReadAction } from './recordedStep.js';

/** Permitted calls that may run beside another. */
export interface PendingCalls {
  readonly all: readonly Action[];
  /** The calls that predicates have not read in a completed step. */
  readonly unread: readonly Action[];
  /** For each of `unread`, the rules whose violation by it a person has excused; empty if there are none. */
  readonly excused: readonly (readonly string[])[];
  /** Earlier calls without a known outcome, of which only the abstraction is known. */
  readonly unsettled: readonly ReadAction[];
}

export const NO_CALLS: PendingCalls = { all: [], unread: [], excused: [], unsettled: [] };

/** @param given `read`: number of calls, counted from the first, that were read in a completed step */
export function pendingCalls(given: {
  readonly pending?: readonly Action[];
  readonly read?: number;
  readonly excused?: readonly (readonly string[])[];
  readonly unsettled?: readonly ReadAction[];
}): PendingCalls {
  const { pending: all = [], read = 0, excused = [], unsettled = [] } = given;
  if (all.length + unsettled.length === 0) return NO_CALLS;
  const ofUnread = excused.slice(read);
  return {
    all,
    unread: read === 0 ? all : all.slice(read),
    excused: ofUnread.some((names) => names.length > 0) ? ofUnread : [],
    unsettled,
  };
}
