import type { PastCall, Step } from '../../observations/trace/index.js';

/** A step as it is kept. */
export interface KeptStep extends Step {
  /** The calls that answered since the step before. Readers make of them the `history` of states, which would grow with the square of the run. */
  readonly answered?: readonly PastCall[];
}

/** Keeps runs as traces while they go on: `openTraceFile` does so in a file. */
export interface TraceSink {
  /** Begins the trace of a run, whose first step follows. */
  begin(run: string): OpenTrace;
}

/** The trace of a run that goes on. What throws or rejects ends the recording of the run, and nothing else. */
export interface OpenTrace {
  /**
   * Keeps a step at its place, from 0, instead of what was there; null takes it away. The step at the last place may still change, all before it are final.
   * A call that is let through is kept before it runs.
   *
   * @param notRecorded fields that the step lacks, and why, as in `Trace`
   */
  put(place: number, step: Step | null, notRecorded: Readonly<Record<string, string>>): void | Promise<void>;
  /** Ends the trace. @param complete whether the run came to its end */
  end(complete: boolean): void | Promise<void>;
}
