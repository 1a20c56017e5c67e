import { ForeguardError } from '../../base/errors.js';
import type { Terminal } from './terminal.js';

/** The user stopped the command before it was done. */
export class InterruptedError extends ForeguardError {
  constructor(message: string) {
    super('aborted', message);
  }
}

/**
 * A signal that polls the terminal whenever it is read: exploration and solvers do not yield to events, so no event could abort the signal
 * meanwhile.
 */
export function interruptionOf(terminal: Terminal): AbortSignal {
  const interrupted = (): boolean => terminal.interrupted?.() ?? false;
  return {
    get aborted() {
      return interrupted();
    },
    throwIfAborted() {
      if (interrupted()) throw new InterruptedError('interrupted');
    },
  } as AbortSignal;
}
