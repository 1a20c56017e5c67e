/** What an agent chose to do in a state. */
export interface Action {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** One observation of the agent's world. `action` is chosen **in** `state`; `time` is in seconds. */
export interface Step {
  readonly state: Readonly<Record<string, unknown>>;
  readonly action?: Action;
  readonly time?: number;
}

/** One run of an agent. A trace cut by a time-out, a crash or a guard has `complete: false`. */
export interface Trace {
  readonly id: string;
  /** Whether the run came to its end; absent is true. */
  readonly complete?: boolean;
  readonly steps: readonly Step[];
}
