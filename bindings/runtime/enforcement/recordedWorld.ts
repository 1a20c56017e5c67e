import { pastCall } from '../../observations/trace/index.js';
import type { RecordedDetected } from './detected.js';
import { type Detectors, together } from './detectors.js';
import type { Principal } from './principal.js';
import type { Recording } from './recording.js';
import type { ToolCall, ToolOutcome } from './toolCall.js';
import { World } from './world.js';

/** A world whose observations are recorded. */
export class RecordedWorld extends World {
  readonly #recording: Recording;
  #observed: Promise<unknown> | null = null;

  constructor(
    options: ConstructorParameters<typeof World>[0],
    tools: readonly string[],
    detectors: Detectors,
    principal: Principal | undefined,
    recording: Recording,
  ) {
    super(options, tools, detectors, principal);
    this.#recording = recording;
  }

  /** Observes the world if a call is about to run in one that was not observed since another came back. */
  async beforeRun(): Promise<void> {
    if (!this.#recording.isBehind) return;
    this.refresh();
    // `failed` has told the recording.
    await this.observe().catch(() => undefined);
  }

  override record(
    number: number,
    call: ToolCall,
    outcome: ToolOutcome,
    found?: RecordedDetected,
  ): { readonly at?: number } {
    const came = super.record(number, call, outcome, found);
    const detected = together(call.detected, found);
    this.#recording.answered(pastCall(call, outcome, { time: came.at, detected }));
    return came;
  }

  override refresh(): void {
    super.refresh();
    this.#observed = null;
  }

  override observe(): Promise<unknown> {
    this.#observed ??= super.observe().then(
      (state) => {
        this.#tell(state);
        return state;
      },
      (error) => {
        this.#recording.failed();
        throw error;
      },
    );
    return this.#observed;
  }

  #tell(state: unknown): void {
    try {
      // Also what no judge reads today: a rule that is learnt from the recording may.
      this.#recording.saw(this.withHistory(state), this.clock());
    } catch {
      // The session reads the clock itself, and decides what its error comes to.
      this.#recording.failed();
    }
  }
}
