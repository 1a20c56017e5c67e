import { InvalidArgumentError } from '../../../base/errors.js';
import { nearestName } from '../../../base/suggest.js';
import type { ActionModel, DeclaredCall } from '../../../observations/effects/index.js';
import { Foresight, type PackedPosition, type PlannedRule } from './foresight.js';
import { type Landmark, landmarks } from './landmarks.js';
import { PositionGraph } from './positionGraph.js';
import { certainWay, shortestWay, type WayStep } from './search.js';

/** A call by its tool and its arguments. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** What calls are judged by. */
export interface PlannerOptions {
  readonly model: ActionModel;
  readonly rules: readonly PlannedRule[];
  /** Seconds between steps, for windows in time. Default: such windows are refused. */
  readonly samplingPeriod?: number | string | null;
  /** Largest number of positions that a search looks at. Default 100,000. */
  readonly maxPositions?: number;
}

/** A place in a run: what the rules have read, and the present. It is immutable, so that questions change nothing. */
export interface Position {
  /** The value of each predicate at the present step, whose call is not chosen yet: predicates over the call are false. */
  readonly valuation: Readonly<Record<string, boolean>>;
  /** The rules that are broken already. They are against no call. */
  readonly broken: readonly string[];
  /** @internal */
  readonly packed: PackedPosition;
}

/** What is known of a call before it runs. */
export interface CallProspect {
  /**
   * - `permitted`: it can be executed, and breaks no rule;
   * - `refused`: it breaks a rule, or may break one;
   * - `inexecutable`: what it requires does not hold, or no valuation that could follow meets the constraints;
   * - `undeclared`: nothing is declared of it.
   */
  readonly verdict: 'permitted' | 'refused' | 'inexecutable' | 'undeclared';
  /** The call in one line, such as `walk to=kitchen`; null if nothing is declared of it. */
  readonly text: string | null;
  /** The rules that it breaks, or may break. */
  readonly rules: readonly string[];
  /** Whether that is certain: whether it breaks one however it turns out, or can surely be executed. */
  readonly certain: boolean;
  /** The positions that may follow. */
  readonly after: readonly Position[];
}

/** A call of a plan, and the valuation that it leads to, or in an uncertain plan may lead to. */
export interface PlanStep {
  readonly call: PlannedCall;
  readonly text: string;
  readonly after: Readonly<Record<string, boolean>>;
}

/** What has to happen before a call is permitted. */
export interface Prerequisites {
  /** A shortest plan of permitted calls after which the call is permitted, itself left out: empty if it is permitted now, null if nothing leads there. */
  readonly plan: readonly PlanStep[] | null;
  /** Whether the plan leads there however uncertain effects turn out. True without a plan: none is surely none. */
  readonly certain: boolean;
  /** The facts that become true on every way there, in the order of the plan. */
  readonly landmarks: readonly Landmark[];
  /** Positions that were looked at. */
  readonly explored: number;
}

/** Most sets of positions that are looked at for a plan that is certain. */
const MAX_SETS = 20_000;

/** Foresees calls by what is declared of them, and searches for plans. It has no state: positions do. */
export class Planner {
  readonly model: ActionModel;
  readonly #foresight: Foresight;
  readonly #maxPositions: number;

  /** @internal Use `createPlanner`. */
  constructor({ model, rules, samplingPeriod, maxPositions = 100_000 }: PlannerOptions) {
    this.model = model;
    this.#foresight = new Foresight(model, rules, samplingPeriod);
    this.#maxPositions = maxPositions;
  }

  /** The beginning of a run. @param valuation the value of each predicate now, those over the call aside. @throws InvalidArgumentError if one has none */
  begin(valuation: Readonly<Record<string, boolean>>): Position {
    return this.#position(this.#foresight.first(this.model.pack(valuation)));
  }

  /**
   * The position after a step.
   *
   * @param step the value of each predicate at the step that is over, with the call that ran there
   * @param valuation the value of each predicate now, those over the call aside
   * @throws InvalidArgumentError if one has none
   */
  advance(
    position: Position,
    step: Readonly<Record<string, boolean>>,
    valuation: Readonly<Record<string, boolean>>,
  ): Position {
    const [read, present] = [this.model.pack(step), this.model.pack(valuation)];
    return this.#position(this.#foresight.advance(position.packed, read, present));
  }

  /** What is known of a call before it runs. @throws NotSupportedError if it may turn out in too many ways */
  foresee(position: Position, action: PlannedCall): CallProspect {
    const call = this.model.callOf(action);
    if (call === null) return { verdict: 'undeclared', text: null, rules: [], certain: true, after: [] };
    return this.#foreseen(position, call);
  }

  /** The listed calls that are permitted, in the order of their declaration. */
  permitted(position: Position): readonly CallProspect[] {
    return this.model.calls
      .map((call) => this.#foreseen(position, call))
      .filter(({ verdict }) => verdict === 'permitted');
  }

  /**
   * What has to happen before a call is permitted: a shortest plan, and the facts on every way. Predicates of which nothing is declared are taken to stay as they are.
   *
   * @throws InvalidArgumentError if nothing is declared of the call (the message suggests the nearest name); NotSupportedError if there are too many positions
   */
  prerequisites(position: Position, action: PlannedCall): Prerequisites {
    const wanted = this.model.callOf(action);
    if (wanted === null) throw undeclared(action, this.model);
    const verdicts = new Map<number, boolean>();
    const graph = new PositionGraph(this.#foresight, this.#maxPositions);
    const isWanted = (number: number): boolean => {
      let isPermitted = verdicts.get(number);
      if (isPermitted === undefined) {
        isPermitted = this.#isPermitted(graph.position(number), wanted);
        verdicts.set(number, isPermitted);
      }
      return isPermitted;
    };
    const from = graph.numberOf(position.packed);
    const anyhow = shortestWay(graph, from, isWanted);
    if (anyhow === null) return { plan: null, certain: true, landmarks: [], explored: graph.size };
    const certain = turnsOutOneWay(graph, from, anyhow)
      ? anyhow
      : certainWay(graph, from, isWanted, MAX_SETS);
    const plan = (certain ?? anyhow).map(({ call, to }) => ({
      call: call.action,
      text: call.text,
      after: this.model.unpack(this.#foresight.present(graph.position(to))),
    }));
    const facts = landmarks(graph, from, isWanted, anyhow);
    return { plan, certain: certain !== null, landmarks: facts, explored: graph.size };
  }

  #isPermitted(position: PackedPosition, call: DeclaredCall): boolean {
    if (call.executable(this.#foresight.present(position)) === false) return false;
    const { broken, positions } = this.#foresight.prospect(position, call);
    return broken.length === 0 && positions.length > 0;
  }

  #foreseen({ packed }: Position, call: DeclaredCall): CallProspect {
    const { text } = call;
    const executable = call.executable(this.#foresight.present(packed));
    if (executable === false) return { verdict: 'inexecutable', text, rules: [], certain: true, after: [] };
    const { broken, certainly, positions } = this.#foresight.prospect(packed, call);
    if (positions.length === 0) return { verdict: 'inexecutable', text, rules: [], certain: true, after: [] };
    const after = positions.map((one) => this.#position(one));
    const rules = broken.map((rule) => this.#foresight.rules[rule]);
    return broken.length === 0
      ? { verdict: 'permitted', text, rules, certain: executable === true, after }
      : { verdict: 'refused', text, rules, certain: certainly, after };
  }

  #position(packed: PackedPosition): Position {
    const foresight = this.#foresight;
    return {
      valuation: this.model.unpack(foresight.present(packed)),
      broken: foresight.rules.filter((_, rule) => foresight.isBroken(packed, rule)),
      packed,
    };
  }
}

/** Whether each call of a way leads to one position only. */
function turnsOutOneWay(graph: PositionGraph, from: number, way: readonly WayStep[]): boolean {
  return way.every(({ call }, i) => {
    const moves = graph.moves(i === 0 ? from : way[i - 1].to);
    return moves.some((move) => move.call === call && move.to.length === 1);
  });
}

/**
 * Makes a planner from declared actions and rules.
 *
 * @throws InvalidArgumentError if a rule reads an unknown predicate, or bounds a probability; NotSupportedError if a rule reads a predicate over earlier calls of
 * which nothing is declared, or its automaton is too large
 */
export function createPlanner(options: PlannerOptions): Planner {
  return new Planner(options);
}

function undeclared({ name, arguments: given = {} }: PlannedCall, model: ActionModel): InvalidArgumentError {
  const tools = [...new Set(model.calls.map(({ action }) => action.name))];
  if (!tools.includes(name)) {
    const nearest = nearestName(name, tools);
    return new InvalidArgumentError(
      `nothing is declared of the action "${name}"; ${nearest === undefined ? `declared are: ${tools.join(', ') || 'none'}` : `did you mean "${nearest}"?`}`,
    );
  }
  const known = model.calls.filter(({ action }) => action.name === name).slice(0, 10);
  return new InvalidArgumentError(
    `nothing is declared of the action "${name}" with the arguments ${JSON.stringify(given)}; declared are: ${known.map(({ text }) => text).join(', ')}`,
  );
}
