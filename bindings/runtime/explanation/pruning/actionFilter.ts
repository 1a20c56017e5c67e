import { type Automaton, type bindAutomaton, VIOLATED } from '../../../languages/automaton/index.js';

/** A candidate action with its expected outcome. */
export interface Proposal<Action = string> {
  readonly action: Action;
  /** Predicate values, or a state to read them from, depending on the pruner. */
  readonly valuation: Readonly<Record<string, unknown>>;
}

/** The reason for a refusal. */
export interface Refusal {
  /** The rules it would break; empty if the constraints forbid the expected outcome. */
  readonly rules: readonly string[];
  readonly explanation: string;
}

/** The permitted and the refused actions. */
export interface FilteredActions<Action = string> {
  readonly permitted: readonly Action[];
  readonly refused: readonly (Refusal & { readonly action: Action })[];
}

/** The first step of a plan after which a rule can no longer be satisfied. */
export interface PlanViolation extends Refusal {
  /** From 0; the length of the plan if the plan breaks a rule by ending. */
  readonly step: number;
}

/** One automaton whose violation is to be prevented, with its current states and its explanations. */
export interface Track {
  /** The rules it stands for. */
  readonly rules: readonly string[];
  /** A track counts only if tracks of lower rank find nothing: constraints first, then rules, then all rules together. */
  readonly rank: number;
  readonly automaton: Automaton;
  readonly stepper: ReturnType<typeof bindAutomaton>;
  /** The states it may be in; a single one if all steps could be read. */
  states(): readonly number[];
  /** Explains the effect of these valuations, one after another. */
  explain(further: Uint32Array, ended: boolean): string;
}

/** Finds the actions that keep every rule satisfiable. */
export class ActionFilter {
  readonly #tracks: readonly Track[];
  readonly #words: number;
  readonly #encode: (valuation: Readonly<Record<string, unknown>>, into: Uint32Array) => void;

  /** @internal Use `createPruner` or `prunerFromGuard`. */
  constructor(
    tracks: readonly Track[],
    words: number,
    encode: (valuation: Readonly<Record<string, unknown>>, into: Uint32Array) => void,
  ) {
    this.#tracks = tracks;
    this.#words = words;
    this.#encode = encode;
  }

  /**
   * Sorts actions by whether every rule has a satisfying continuation after the expected outcome. If the present is only partly known, an action that may break
   * a rule is refused.
   *
   * @throws InvalidArgumentError or EvaluationError if a predicate has no value
   */
  filterActions<Action>(proposals: readonly Proposal<Action>[]): FilteredActions<Action> {
    const permitted: Action[] = [];
    const refused: (Refusal & { readonly action: Action })[] = [];
    for (const { action, valuation } of proposals) {
      const found = this.wouldViolate([valuation]);
      if (found === null) permitted.push(action);
      else refused.push({ action, rules: found.rules, explanation: found.explanation });
    }
    return { permitted, refused };
  }

  /**
   * Checks whether a plan, given as the expected outcome of each of its actions, breaks a rule on the way, so that no continuation satisfies it.
   *
   * @param options.ends Whether the run ends with the plan, so that everything due by then must have happened. Default false.
   * @returns the first such step, and the rules that it breaks; null if there is none
   * @throws InvalidArgumentError or EvaluationError if a predicate has no value
   */
  wouldViolate(
    plan: readonly Readonly<Record<string, unknown>>[],
    options: { readonly ends?: boolean } = {},
  ): PlanViolation | null {
    const words = this.#words;
    const valuations = new Uint32Array(plan.length * words);
    const one = new Uint32Array(words);
    const now = this.#tracks.map((track) => [...track.states()]);
    for (let step = 0; step < plan.length; step++) {
      this.#encode(plan[step], one);
      valuations.set(one, step * words);
      const broken = this.#tracks.filter(({ stepper, automaton }, t) => {
        now[t] = [...new Set(now[t].map((q) => stepper.step(q, one)))];
        return now[t].some((q) => automaton.verdict[q] === VIOLATED);
      });
      if (broken.length > 0) return this.#violation(step, broken, valuations.subarray(0, (step + 1) * words));
    }
    if (options.ends !== true) return null;
    const missed = this.#tracks.filter(({ automaton }, t) =>
      now[t].some((q) => automaton.accepting[q] === 0),
    );
    return missed.length > 0 ? this.#violation(plan.length, missed, valuations, true) : null;
  }

  #violation(step: number, broken: readonly Track[], further: Uint32Array, ended = false): PlanViolation {
    const rank = Math.min(...broken.map((track) => track.rank));
    const told = broken.filter((track) => track.rank === rank);
    return {
      step,
      rules: told.flatMap(({ rules }) => rules),
      explanation: told.map((track) => track.explain(further, ended)).join('; '),
    };
  }
}
