import { type Automaton, type bindAutomaton, VIOLATED } from '../../../languages/automaton/index.js';

/** An action under consideration, and what is expected after it. */
export interface Proposal<Action = string> {
  readonly action: Action;
  /** Predicate values, or a state to read them from; whichever the pruner takes. */
  readonly valuation: Readonly<Record<string, unknown>>;
}

/** Why something must not be done. */
export interface Refusal {
  /** The rules it would break; none where the constraints rule out what is expected. */
  readonly rules: readonly string[];
  readonly explanation: string;
}

/** Which actions may be taken. */
export interface FilteredActions<Action = string> {
  readonly permitted: readonly Action[];
  readonly refused: readonly (Refusal & { readonly action: Action })[];
}

/** The first step of a plan after which a rule cannot be kept any more. */
export interface PlanViolation extends Refusal {
  /** From 0; as many as the plan has where it breaks a rule by ending. */
  readonly step: number;
}

/** One automaton to be kept from violation, where it is now, and how to speak of it. */
export interface Track {
  /** The rules it stands for. */
  readonly rules: readonly string[];
  /** Counts only where tracks of a lower rank find nothing: constraints, then rules, then all rules at once. */
  readonly rank: number;
  readonly automaton: Automaton;
  readonly stepper: ReturnType<typeof bindAutomaton>;
  /** The states it may be in; one where all steps could be read. */
  states(): readonly number[];
  /** What these valuations, one behind the other, would do. */
  explain(further: Uint32Array, ended: boolean): string;
}

/** Says which actions keep every rule satisfiable. */
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
   * Sorts actions by whether what is expected after them leaves every rule a continuation that satisfies it. Where the present is not
   * known whole, one that may break a rule is refused.
   *
   * @throws InvalidArgumentError or EvaluationError where a predicate has no value
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
   * Whether a plan, given by what is expected after each of its actions, breaks a rule on the way, so that no continuation satisfies it.
   *
   * @param options.ends Whether the run ends with the plan: what is due by then must have come. Default false.
   * @returns the first such step, and the rules that it breaks; null if there is none
   * @throws InvalidArgumentError or EvaluationError where a predicate has no value
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
