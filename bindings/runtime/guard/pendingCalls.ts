import type { Action } from '../../observations/trace/index.js';

/** Permitted calls that may run beside another. */
export interface PendingCalls {
  readonly all: readonly Action[];
  /** The calls that predicates have not read in a completed step. */
  readonly unread: readonly Action[];
}

export const NO_CALLS: PendingCalls = { all: [], unread: [] };

/** @param read number of calls, counted from the first, that were read in a completed step */
export function pendingCalls(all: readonly Action[] | undefined, read = 0): PendingCalls {
  if (all === undefined) return NO_CALLS;
  return { all, unread: read === 0 ? all : all.slice(read) };
}
