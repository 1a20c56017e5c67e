import { EvaluationError, InvalidDataError } from '../../base/errors.js';
import {
  type ActionEffect,
  actionEffects,
  idleEffect,
  MdpCounter,
  mixedIdleEffect,
  type ObservedEffect,
  readLearntMdp,
  unseenEffects,
} from '../../estimation/learning/index.js';
import { Abstraction, readsAction } from '../../observations/abstraction/index.js';
import type { Trace, TraceNote } from '../../observations/trace/index.js';
import type { Specification } from '../../rules/specification/index.js';
import type { Model } from '../../solvers/model/index.js';
import { plural } from './terminal.js';

/** Maximal number of lines printed; `--json` has all. */
const SHOWN = 10;

/** The effects of actions on predicates over all traces. Predicates that read the action are ignored, because they change with it. */
export class ActionUses {
  readonly #counter: MdpCounter;
  readonly #isChosen: boolean;
  #fault: string | null = null;

  constructor({ abstraction: { predicates, actions }, learning }: Specification) {
    const ofStates = predicates.filter((predicate) => !readsAction(predicate));
    this.#isChosen = learning.model === 'mdp';
    this.#counter = new MdpCounter(new Abstraction({ predicates: ofStates, actions: actions ?? {} }), {
      period: learning.period ?? null,
      skipInvalid: true,
    });
  }

  /** Counts a trace; traces without actions, and invalid ones, are skipped. */
  add(trace: Trace): void {
    if (this.#fault !== null || !trace.steps.some(({ action }) => action !== undefined)) return;
    try {
      this.#counter.add(trace);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      this.#fault = `trace "${trace.id}": ${error.message}`;
    }
  }

  /** The observed effect of each action, in the order of discovery. */
  effects(): ActionEffect[] {
    return this.#counter.effects();
  }

  /** The observed effect of steps without an action, if doing nothing is a choice (in a decision process). */
  idle(): ObservedEffect | undefined {
    return this.#isChosen ? this.#counter.idle() : undefined;
  }

  /** As `idle`, over the states in which some such steps ended the run and others did not. */
  mixedIdle(): ObservedEffect {
    return this.#counter.mixedIdle();
  }

  /** The errors that prevent learning a decision process, in words. */
  errors(): string[] {
    if (!this.#isChosen) return [];
    if (this.#fault !== null) return [this.#fault];
    const { lost } = this.#counter;
    if (lost.count > 0)
      return [
        `${plural(lost.count, 'trace')} with an action in a step that is left out, the first: ${lost.first}`,
      ];
    try {
      this.#counter.requireChoices();
      return [];
    } catch (error) {
      if (error instanceof InvalidDataError) return [error.message];
      throw error;
    }
  }
}

/** Notes on the effects of actions, and of doing nothing, that traces do not show. */
export interface ActionNotes {
  readonly notes: readonly TraceNote[];
  /** The same as text, shortened to a readable length. */
  readonly lines: readonly string[];
}

/** Notes on a model; none for a chain, which has no actions. @param source what was read */
export function learntActionNotes(model: Model, source: string): ActionNotes {
  if (model.type !== 'mdp') return { notes: [], lines: [] };
  const view = readLearntMdp(model);
  return actionNotes(actionEffects(view), idleEffect(view), mixedIdleEffect(view), source);
}

/**
 * @param idle the observed effect of steps without an action, if doing nothing is a choice
 * @param mixedIdle as `idle`, over the states in which some such steps ended the run and others did not
 * @param source what was read
 */
export function actionNotes(
  effects: readonly ActionEffect[],
  idle: ObservedEffect | undefined,
  mixedIdle: ObservedEffect,
  source: string,
): ActionNotes {
  const ofActions = unseenEffects(effects);
  const ofIdle = unseenEffects([], idle, mixedIdle);
  const more = ofActions.length - SHOWN;
  return {
    notes: [...ofActions, ...ofIdle].map((message) => ({ source, message })),
    lines: [
      ...ofActions.slice(0, SHOWN),
      ...(more > 0 ? [`${more} more such notes on actions (--json has all)`] : []),
      ...ofIdle,
    ],
  };
}
