import type { Action } from '../../observations/trace/index.js';

/** Calls that were let through and may run beside another. */
export interface PendingCalls {
  readonly all: readonly Action[];
  /** Those that predicates have not read in a step that is over. */
  readonly unread: readonly Action[];
}

export const NO_CALLS: PendingCalls = { all: [], unread: [] };

/** @param read how many of them, the first ones, were read in a step that is over */
export function pendingCalls(all: readonly Action[] | undefined, read = 0): PendingCalls {
  if (all === undefined) return NO_CALLS;
  return { all, unread: read === 0 ? all : all.slice(read) };
}
