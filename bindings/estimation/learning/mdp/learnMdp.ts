import { InvalidDataError } from '../../../base/errors.js';
import {
  type Abstraction,
  ActionAbstraction,
  requireNoAction,
} from '../../../observations/abstraction/index.js';
import type { Trace } from '../../../observations/trace/index.js';
import type { Mdp } from '../../../solvers/model/index.js';
import { Counter } from '../counter.js';
import { addAll } from '../learn.js';
import { learntModel } from '../learntChain.js';
import type { LearnOptions } from '../options.js';
import type { LearningReport } from '../report.js';
import { START_OR_END } from '../transitionTable.js';
import {
  type ActionEffect,
  type ObservedEffect,
  requireSomeEffect,
  talliedEffects,
  talliedIdleEffect,
  talliedMixedIdleEffect,
} from './actionEffects.js';
import { ActionTally } from './actionTally.js';
import { describeLostAction, lostAction } from './lostAction.js';

/** A Markov decision process learnt from traces, and the report of the learning. */
export interface LearntMdp {
  readonly model: Mdp;
  readonly report: MdpReport;
}

/** Statistics of learning a decision process: `transitions` are those between states, whatever the action. */
export interface MdpReport extends LearningReport {
  readonly actions: {
    /** Action names in order of discovery. */
    readonly names: readonly string[];
    /** Pairs of a state and an action (or none) with an observed outcome. */
    readonly pairs: number;
    /** Outcomes of steps without an action. */
    readonly without: number;
    /** The observed effect of each action, in the order of `names`. */
    readonly effects: readonly ActionEffect[];
  };
}

/**
 * Learns a Markov decision process over the valuations of an abstraction's predicates from traces with actions, as `learn` learns a chain.
 * The draws are the outcomes of each action in each state. In a step without an action the agent chose to do nothing, a choice without a
 * name; the last steps of runs usually have none.
 *
 * @param options as for `learn`; smoothing is over the valid successors of a state, for each of its actions.
 * @returns the process in the layout described at `readLearntMdp`
 * @throws as `learn`; ParseError if a predicate reads `action`; InvalidDataError if no step has an action, no action ever changes a predicate, or
 * `resample: hold` or `skip` leaves out a step with another action than the step kept before it, whose outcome would be credited to the wrong one
 */
export async function learnMdp(
  abstraction: Abstraction,
  traces: AsyncIterable<Trace | readonly Trace[]> | Iterable<Trace | readonly Trace[]>,
  options: LearnOptions = {},
): Promise<LearntMdp> {
  const counter = new MdpCounter(abstraction, options);
  await addAll(counter, traces);
  return counter.finish();
}

/** Counts as `Counter` does, and records for each draw the action that preceded it. */
export class MdpCounter {
  readonly #counter: Counter;
  readonly #actions = new ActionTally();
  #lost = 0;
  #firstLost: string | null = null;

  /** @throws as `Counter`; ParseError if a predicate reads `action` */
  constructor(abstraction: Abstraction, options: LearnOptions = {}) {
    abstraction.definition.predicates.forEach(requireNoAction);
    const named = new ActionAbstraction(abstraction.definition.actions);
    const period = options.period ?? null;
    this.#counter = new Counter(
      abstraction,
      { ...options, model: 'dtmc' },
      (steps, rows, complete) => {
        const drawn = steps.length - Number(!complete);
        for (let i = 0; i < drawn; i++) {
          const target = i + 1 < steps.length ? rows[i + 1] : START_OR_END;
          this.#actions.draw(rows[i], named.nameOf(steps[i].action), target);
        }
      },
      (trace) => {
        const lost = period && lostAction(trace, period, named);
        if (lost) throw new InvalidDataError(this.#lose(trace.id, describeLostAction(lost, period)));
      },
    );
  }

  /** Traces that were refused because resampling would leave an action out: how many, and what is wrong with the first. */
  get lost(): { readonly count: number; readonly first: string | null } {
    return { count: this.#lost, first: this.#firstLost };
  }

  #lose(id: string, message: string): string {
    this.#lost++;
    this.#firstLost ??= `trace "${id}", ${message}`;
    return message;
  }

  /**
   * Counts one trace.
   * @returns whether it was counted
   * @throws as `Counter.add`; InvalidDataError, naming trace and step, if `resample: hold` or `skip` leaves out a step with another action than the step kept before it
   */
  add(trace: Trace): boolean {
    return this.#counter.add(trace);
  }

  /**
   * The process learnt so far, smoothed.
   * @throws InvalidDataError if no trace was counted, none had an action, or no action ever changed a predicate; InvalidArgumentError as
   * `Counter.finish`
   */
  finish(): LearntMdp {
    const { read, tally, settings } = this.#counter;
    const actions = this.#actions;
    // A missing chain is a missing process, so `Counter.finish` throws the same error.
    if (read.traces === 0) this.#counter.finish();
    this.requireChoices();
    const { traces, steps } = read;
    const counts = { tally, actions, settings: { ...settings, model: 'mdp' as const }, traces, steps };
    const { model, report } = learntModel(counts, read);
    const { names, pairs } = actions;
    return {
      model,
      report: {
        ...report,
        actions: {
          names: [...names],
          pairs: pairs.size,
          without: this.idle().draws,
          effects: this.effects(),
        },
      },
    };
  }

  /** The observed effect of each action so far. */
  effects(): ActionEffect[] {
    return talliedEffects(this.#actions);
  }

  /** The observed effect of steps without an action so far. */
  idle(): ObservedEffect {
    return talliedIdleEffect(this.#actions);
  }

  /** As `idle`, over the states in which some such steps ended the run and others did not. */
  mixedIdle(): ObservedEffect {
    return talliedMixedIdleEffect(this.#actions);
  }

  /** @throws InvalidDataError if no action was taken so far, or none that was taken ever changed a predicate */
  requireChoices(): void {
    if (this.#actions.names.length === 0) {
      throw new InvalidDataError(
        'no step that anything came of has an action, so there is nothing to choose from; give traces whose steps have one, as {"state": {…}, "action": {"name": "open"}}, or learn a chain (learning.model: dtmc)',
      );
    }
    requireSomeEffect(this.effects());
  }
}
