import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import type { KeptStep, TraceSink } from '../../../bindings/runtime/enforcement/index.js';

/** Keeps recorded runs in memory: those that go on, and those that have ended. */
export function memoryTraces(): TraceSink & {
  readonly running: Map<string, Trace>;
  readonly ended: Trace[];
  /** Those that have ended, without the calls of which readers make the history. */
  withoutHistory(): Trace[];
} {
  const running = new Map<string, Trace>();
  const ended: Trace[] = [];
  return {
    running,
    ended,
    withoutHistory: () =>
      ended.map((trace) => ({
        ...trace,
        steps: trace.steps.map(({ answered: _, ...step }: KeptStep) => step),
      })),
    begin(id) {
      const steps: Step[] = [];
      const notRecorded: Record<string, string> = {};
      running.set(id, { id, complete: false, steps, notRecorded });
      return {
        put(place, step, lacking) {
          Object.assign(notRecorded, structuredClone(lacking));
          if (step === null) steps.length = place;
          else steps[place] = structuredClone(step);
        },
        end(complete) {
          running.delete(id);
          ended.push({
            id,
            complete,
            steps,
            ...(Object.keys(notRecorded).length > 0 && { notRecorded }),
          });
        },
      };
    },
  };
}
