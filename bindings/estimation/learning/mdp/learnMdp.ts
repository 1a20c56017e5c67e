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
} from './actionEffects.js';
import { ActionTally } from './actionTally.js';

/** A Markov decision process learnt from traces, and what was seen on the way. */
export interface LearntMdp {
  readonly model: Mdp;
  readonly report: MdpReport;
}

/** What learning a decision process saw: `transitions` are those between states, whatever the action. */
export interface MdpReport extends LearningReport {
  readonly actions: {
    /** In order of discovery. */
    readonly names: readonly string[];
    /** Pairs of a state and an action, none included, of which an outcome was seen. */
    readonly pairs: number;
    /** Outcomes of steps without an action. */
    readonly without: number;
    /** What each was seen to do, in the order of `names`. */
    readonly effects: readonly ActionEffect[];
  };
}

/**
 * Learns a Markov decision process over the valuations of an abstraction's predicates from traces with actions, as `learn` learns a chain: what is
 * drawn from now are the outcomes of each action in each state. A step without an action is one where the agent chose to do nothing, a choice
 * without a name; the last steps of runs are, as a rule.
 *
 * @param options as of `learn`; smoothing is over the valid successors of a state, for each of its actions.
 * @returns the process in the layout described at `readLearntMdp`
 * @throws as `learn`; ParseError if a predicate reads `action`; InvalidDataError if no step has an action, or no action ever changes a predicate
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

/** Counts as `Counter` does, and for each draw the action that it followed. */
export class MdpCounter {
  readonly #counter: Counter;
  readonly #actions = new ActionTally();

  /** @throws as `Counter`; ParseError if a predicate reads `action` */
  constructor(abstraction: Abstraction, options: LearnOptions = {}) {
    abstraction.definition.predicates.forEach(requireNoAction);
    const named = new ActionAbstraction(abstraction.definition.actions);
    this.#counter = new Counter(abstraction, { ...options, model: 'dtmc' }, (steps, rows, complete) => {
      const drawn = steps.length - Number(!complete);
      for (let i = 0; i < drawn; i++) {
        const target = i + 1 < steps.length ? rows[i + 1] : START_OR_END;
        this.#actions.draw(rows[i], named.nameOf(steps[i].action), target);
      }
    });
  }

  /**
   * Counts one trace.
   * @returns whether it was counted
   * @throws as `Counter.add`
   */
  add(trace: Trace): boolean {
    return this.#counter.add(trace);
  }

  /**
   * The process learnt so far, smoothed.
   * @throws InvalidDataError if no trace was counted, or none with an action, or if no action ever changed a predicate; InvalidArgumentError as `Counter.finish`
   */
  finish(): LearntMdp {
    const { read, tally, settings } = this.#counter;
    const actions = this.#actions;
    // What is missing of a chain is missing here, and told in the same words.
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

  /** What each action was seen to do so far. */
  effects(): ActionEffect[] {
    return talliedEffects(this.#actions);
  }

  /** What came of steps without an action so far. */
  idle(): ObservedEffect {
    return talliedIdleEffect(this.#actions);
  }

  /** @throws InvalidDataError if nothing was chosen so far, or nothing that was chosen ever changed a predicate */
  requireChoices(): void {
    if (this.#actions.names.length === 0) {
      throw new InvalidDataError(
        'no step that anything came of has an action, so there is nothing to choose from; give traces whose steps have one, as {"state": {…}, "action": {"name": "open"}}, or learn a chain (learning.model: dtmc)',
      );
    }
    requireSomeEffect(this.effects());
  }
}
