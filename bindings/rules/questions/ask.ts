import type { Formula } from '../../languages/logic/index.js';
import type { Step } from '../../observations/trace/index.js';
import type { Guard } from '../../runtime/guard/index.js';
import type { Specification } from '../specification/index.js';
import type { ProbabilityBounds } from './answers.js';
import { partsOf, Questions, requireCall } from './asking.js';
import { GuardView } from './guardView.js';
import type { AskedCall } from './moves.js';
import { AskedRun } from './run.js';

/** What questions are answered from. */
export interface AskOptions {
  readonly specification: Specification;
  /** A guard, which is asked what it would decide; it is copied, and never changed. Default: the rules are asked alone. */
  readonly guard?: Guard;
  /** Bounds on the probability that the run satisfies a formula, given the steps so far; default: no model is known. */
  readonly probabilityOf?: (formula: Formula, steps: readonly Step[]) => ProbabilityBounds | null;
}

/** Answers questions about the rules of a specification, at a place of a run that it follows. No answer changes anything. */
export class Ask extends Questions {
  readonly #run: AskedRun;
  /** The steps so far; the last is the one at hand, unless its call was made. */
  readonly #steps: Step[];
  readonly #place: { isAtHand: boolean };

  /** @internal Use `createAsk`. */
  constructor({ specification, guard, probabilityOf }: AskOptions) {
    const parts = partsOf(specification);
    const run = new AskedRun(parts.knowledge, parts.beliefs);
    const steps: Step[] = [];
    const place = { isAtHand: false };
    const view = guard === undefined ? null : new GuardView(guard);
    super(parts, run, {
      guardOn: (call) => (place.isAtHand ? (view?.judge(steps, call) ?? null) : null),
      ...(probabilityOf && { probabilityOf: (formula) => probabilityOf(formula, steps) }),
    });
    this.#run = run;
    this.#steps = steps;
    this.#place = place;
  }

  /**
   * The run goes on to the next step, in which the call is still to be made. The step before it is done, with its `action`, if it has one.
   *
   * @throws InvalidDataError if the constraints of the specification exclude the step before it
   */
  observe(step: Step): void {
    this.#run.observe(step);
    this.#steps.push(step);
    this.#place.isAtHand = true;
  }

  /** The call was made in the step at hand: nothing is known of the next one until it is observed. */
  acted(call: AskedCall): void {
    this.#run.acted(requireCall(call));
    const last = (this.#place.isAtHand ? this.#steps.pop() : undefined) ?? { state: {} };
    this.#steps.push({ ...last, action: { name: call.name, arguments: call.arguments ?? {} } });
    this.#place.isAtHand = false;
  }

  /** Begins a new run. */
  reset(): void {
    this.#run.reset();
    this.#steps.length = 0;
  }
}
