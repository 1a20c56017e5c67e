import type { Office, Reply } from './office.js';
import type { Call, Turn } from './ways.js';

/** Where an agent makes its calls in one run: an entry with an office behind it. */
export interface Desk {
  /** What really ran, and the person who is asked. */
  readonly office: Office;
  /** Makes the calls of a turn side by side. @returns how many were answered, by whatever: a result, a refusal, an error, or the end of the connection */
  play(turn: Turn): Promise<number>;
  /** Ends the run; calls may follow. */
  end(): Promise<void>;
  /** @returns whether the run's log verifies; null where it is verified elsewhere */
  close(): Promise<boolean | null>;
}

/** A way into the guard. */
export interface Entry {
  readonly name: string;
  /** Whether arguments can be objects that are not JSON. */
  readonly objects: boolean;
  /** Whether a run takes so long to begin that ways share one. */
  readonly shares: boolean;
  open(label: string): Promise<Desk>;
  /** Makes the calls in a run that is killed, and again where it goes on; one more run for each moment. */
  killed(label: string, turns: readonly Turn[], reply?: () => Reply): Promise<KilledRun[]>;
}

/** A run that was killed, and what came of it. */
export interface KilledRun {
  readonly forbidden: readonly string[];
  readonly asked: number;
  readonly answered: number;
  readonly verified: boolean;
}

let count = 0;
/** An id that no other call has. */
export const nextId = (): string => `call ${++count}`;

/** The arguments as a program in this process has them: text that is not JSON stays text. */
export function argumentsOf({ args }: Call): unknown {
  if (typeof args !== 'function') return args.object();
  const text = args();
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return text;
  }
}
