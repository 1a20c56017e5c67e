import { type Abstraction, ActionAbstraction, requireNoAction } from '../../abstraction/index.js';
import { InvalidArgumentError, InvalidDataError } from '../../errors.js';
import type { Mdp } from '../../model/index.js';
import { resample, type Step, type Trace } from '../../trace/index.js';
import { Counter } from '../counter.js';
import type { LearningSettings, LearnOptions } from '../options.js';
import type { LearningReport } from '../report.js';
import { OUTSIDE } from '../transitionTable.js';
import {
  type ActionEffect,
  type ObservedEffect,
  requireSomeEffect,
  talliedEffects,
  talliedIdleEffect,
} from './actionEffects.js';
import { ActionTally } from './actionTally.js';
import { buildMdp } from './buildMdp.js';

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
  for await (const next of traces) {
    if (Array.isArray(next)) for (const trace of next as readonly Trace[]) counter.add(trace);
    else counter.add(next as Trace);
  }
  return counter.finish();
}

/** Counts as `Counter` does, and for each draw the action that it followed. */
export class MdpCounter {
  readonly #counter: Counter;
  readonly #settings: LearningSettings;
  readonly #actions = new ActionTally();
  readonly #abstraction: ActionAbstraction;
  #steps: readonly Step[] = [];
  /** Draws of the trace at hand so far: the first is of `start`, number i of the step before step i. */
  #drawn = 0;

  /** @throws as `Counter`; ParseError if a predicate reads `action` */
  constructor(abstraction: Abstraction, options: LearnOptions = {}) {
    abstraction.definition.predicates.forEach(requireNoAction);
    this.#abstraction = new ActionAbstraction(abstraction.definition.actions);
    this.#counter = new Counter(abstraction, { ...options, model: 'dtmc' });
    this.#settings = { ...this.#counter.settings, model: 'mdp' };
    const { tally } = this.#counter;
    tally.onDraw = (from, entry) => {
      const step = this.#drawn++;
      if (from !== OUTSIDE) this.#actions.draw(from, this.#actionOf(step - 1), tally.transitions.to[entry]);
    };
  }

  /**
   * Counts one trace.
   * @returns whether it was counted
   * @throws as `Counter.add`
   */
  add(trace: Trace): boolean {
    this.#steps = this.#regularSteps(trace);
    this.#drawn = 0;
    return this.#counter.add(trace);
  }

  /**
   * The process learnt so far, smoothed.
   * @throws InvalidDataError if no trace was counted, or none with an action, or if no action ever changed a predicate; InvalidArgumentError as `Counter.finish`
   */
  finish(): LearntMdp {
    const counter = this.#counter;
    const { read, tally } = counter;
    const actions = this.#actions;
    // What is missing of a chain is missing here, and told in the same words.
    if (read.traces === 0) counter.finish();
    this.requireChoices();
    const leftOut = { dropped: read.dropped, skipped: read.skipped.count, unreadable: 0 };
    const { traces, steps, resampled } = read;
    const counts = { tally, settings: this.#settings, traces, steps, leftOut, resampled };
    const { model, possible } = buildMdp({ ...counts, actions });
    const { transitions } = tally;
    const seen = transitions.from.subarray(0, transitions.size).filter((from) => from !== OUTSIDE).length;
    return {
      model,
      report: {
        ...read,
        states: { seen: tally.table.size, model: model.states - 2 },
        transitions: { seen, possible },
        actions: {
          names: [...actions.names],
          pairs: actions.pairs.size,
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

  #actionOf(step: number): string | null {
    const found = this.#steps[step];
    if (found === undefined) throw new InvalidArgumentError(`there is no step ${step}`);
    return this.#abstraction.nameOf(found.action);
  }

  /** The steps that the counter counts. */
  #regularSteps({ steps }: Trace): readonly Step[] {
    const { period } = this.#settings;
    if (period === null) return steps;
    try {
      return resample(steps, period).steps;
    } catch (error) {
      // The counter finds the same, and leaves the trace out, or throws.
      if (error instanceof InvalidDataError) return [];
      throw error;
    }
  }
}
