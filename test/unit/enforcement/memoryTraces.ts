import { type Step, ToolHistory, type Trace } from '../../../bindings/observations/trace/index.js';
import type { KeptStep, TraceSink } from '../../../bindings/runtime/enforcement/index.js';

const FROM_CALLS = new ToolHistory([]).state();

/** Keeps recorded runs in memory: those that go on, and those that have ended. */
export function memoryTraces(): TraceSink & {
  readonly running: Map<string, Trace>;
  readonly ended: Trace[];
  /** Those that have ended, without the calls of which readers make the history. */
  withoutHistory(): Trace[];
  /** Those that have ended, with no more than the state that was given: without all that follows from the calls. */
  asGiven(): Trace[];
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
    asGiven: () =>
      ended.map((trace) => ({
        ...trace,
        steps: trace.steps.map(({ answered: _, state, ...step }: KeptStep) => ({
          ...step,
          state: Object.fromEntries(
            Object.entries(state).filter(([field]) => !Object.hasOwn(FROM_CALLS, field)),
          ),
        })),
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
