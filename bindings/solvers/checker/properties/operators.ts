import { InvalidArgumentError } from '../../../base/errors.js';
import { Rational } from '../../../base/rational.js';
import { nearestName } from '../../../base/suggest.js';
import {
  expressionError,
  type PrismExpression,
  type Question,
  type RewardPath,
} from '../../../languages/logic/index.js';
import { BitSet, type SolveOptions } from '../../kernel/index.js';
import type { Model, Rewards } from '../../model/index.js';
import type { ExactOptions } from '../exact/index.js';
import { ltlProbability } from '../ltl/index.js';
import { type Directions, normaliseDirections } from '../quantities/index.js';
import type { PropertyContext } from './context.js';
import { decide, type NumberSource, type Threshold } from './decide.js';
import { decideEvent, eventSource, type OperatorOptions, spanned } from './decideEvent.js';
import type { Engines } from './engines.js';
import { type LtlPath, ltlPath } from './ltlPath.js';
import { isAboutPaths } from './parts.js';
import { eventFormula, extremeEvent, type PathReader } from './pathFormula.js';
import { allPaths, existsPath, refuseStepBounds } from './quantified.js';
import { exactSolver, numbersOf, type Solved, type Solver } from './solver.js';
import {
  fromGraph,
  isDecided,
  mayHold,
  type NumberValues,
  type StateValues,
  type TruthValues,
  truth,
} from './stateValues.js';

type Kind<K extends PrismExpression['kind']> = Extract<PrismExpression, { kind: K }>;
type Asking = Kind<'probability' | 'reward' | 'steadyState'>;

const INFINITE = Number.POSITIVE_INFINITY;

/** Reads the operands of operators. */
export interface OperandReader extends PathReader {
  /** The value of an expression without variables. */
  constant(expression: PrismExpression): { readonly value: number; readonly exact?: Rational | undefined };
}

/** The values of one P, R, S, A or E operator in all states. */
export class Operators {
  readonly #engines: Engines;
  readonly #context: PropertyContext;
  readonly #options: OperatorOptions;
  readonly #reader: OperandReader;
  constructor(engines: Engines, context: PropertyContext, options: OperatorOptions, reader: OperandReader) {
    this.#engines = engines;
    this.#context = context;
    this.#options = options;
    this.#reader = reader;
  }

  /**
   * @param relevant states in which a threshold must be decided
   * @param somebody whether a threshold must be met by some scheduler, not by all
   */
  value(node: Asking, relevant: BitSet, somebody: boolean): StateValues {
    const directions = this.#directions(node, somebody);
    switch (node.kind) {
      case 'probability':
        return this.#probability(node, directions, relevant);
      case 'reward':
        return this.#answer(node, this.#rewards(node, directions, relevant), relevant);
      case 'steadyState':
        return this.#answer(node, this.#longRun(node, directions), relevant);
    }
  }

  /** A and E: on the graph, whatever the probabilities. */
  quantified({ quantifier, path }: Kind<'quantified'>): TruthValues {
    refuseStepBounds(path);
    const event = eventFormula(path, this.#reader);
    const { quantities } = this.#engines;
    let states: (which: 'least' | 'greatest') => BitSet;
    if (event !== undefined) {
      const quantify = quantifier === 'E' ? existsPath : allPaths;
      states = (which) =>
        this.#engines.quantifiedWithStart(quantifier, quantify(quantities, extremeEvent(event, which)));
    } else {
      const directions: Directions = [quantifier === 'E' ? 'max' : 'min'];
      states = (which) => {
        const { formula, atoms } = ltlPath(path, this.#reader, which);
        const { lower } = ltlProbability(
          this.#engines.graphOfChoices,
          directions,
          formula,
          atoms,
          this.#options,
        );
        // Without randomness a probability is 0 or 1.
        return this.#engines.quantifiedWithStart(
          quantifier,
          BitSet.where(lower.length, (s) => lower[s] > 0.5),
        );
      };
    }
    const holds = states('least');
    const decided = event ? isDecided(event.remain) && isDecided(event.target) : false;
    const possible = decided ? holds : states('greatest');
    return truth(holds, fromGraph, possible.difference(holds));
  }

  #probability(node: Kind<'probability'>, directions: Directions, relevant: BitSet): StateValues {
    const event = eventFormula(node.path, this.#reader);
    if (event === undefined) {
      return this.#answer(node, this.#alongPaths(node.path, directions, relevant), relevant);
    }
    const threshold = this.#threshold(node);
    return threshold === undefined
      ? eventSource(this.#engines, event, directions, this.#options).bounds(this.#options)
      : decideEvent(this.#engines, directions, event, threshold, relevant, this.#options);
  }

  /** Any path formula, by automata. The product starts only from the states that matter. */
  #alongPaths(path: PrismExpression, directions: Directions, relevant: BitSet): NumberSource {
    const engines = this.#engines;
    const seeds = this.#seeds(relevant);
    const least = ltlPath(path, this.#reader, 'least');
    return this.#sourceOf((options, exact) => {
      const solve = ({ formula, atoms }: LtlPath): Solved =>
        engines.withStart(
          exact
            ? engines.exactLtl(directions, formula, atoms, { ...exact, seeds })
            : engines.ltl(directions, formula, atoms, { ...options, seeds }),
        );
      return spanned(solve(least), () => solve(ltlPath(path, this.#reader, 'greatest')), least.operands, 1);
    });
  }

  /** The states from which a product starts: the virtual start needs the states after it. */
  #seeds(relevant: BitSet): BitSet {
    return this.#engines.start === undefined ? relevant : BitSet.full(relevant.size);
  }

  #longRun({ operand }: Kind<'steadyState'>, directions: Directions): NumberSource {
    const target = this.#reader.truthOf(operand);
    return this.#source((solver, options) => {
      const share = (states: BitSet) => solver.longRunProbability(directions, states, options);
      return spanned(share(target.holds), () => share(mayHold(target)), [target], 1);
    });
  }

  #earned(solution: Solved): NumberValues {
    return numbersOf(this.#engines.withStart(solution, INFINITE), INFINITE);
  }

  #rewards(node: Kind<'reward'>, directions: Directions, relevant: BitSet): NumberSource {
    const rewards = this.#structure(node);
    const { path } = node;
    switch (path.kind) {
      case 'longRun':
        return this.#source(
          (solver, options) => this.#earned(solver.longRunReward(directions, rewards, options)),
          rewards,
        );
      case 'instantaneous': {
        const steps = this.#steps(path.time, 0);
        return this.#source(
          (solver, options) => this.#earned(solver.instantaneousReward(directions, rewards, steps, options)),
          rewards,
        );
      }
      case 'cumulative': {
        if (path.bound === null) {
          return this.#source(
            (solver, options) => this.#earned(solver.totalReward(directions, rewards, options)),
            rewards,
          );
        }
        const steps = this.#steps(path.bound, path.strict ? 1 : 0);
        return this.#source(
          (solver, options) => this.#earned(solver.cumulativeReward(directions, rewards, steps, options)),
          rewards,
        );
      }
      case 'reach':
        return this.#reward(path, directions, rewards, relevant);
    }
  }

  /**
   * Rewards until a target or formula is reached. More target states, or more satisfying paths, never increase them, because
   * the target is reached sooner.
   */
  #reward(
    { path }: Extract<RewardPath, { kind: 'reach' }>,
    directions: Directions,
    rewards: Rewards,
    relevant: BitSet,
  ): NumberSource {
    const simple = path.kind === 'temporal' && path.operator === 'F' && path.bound === null;
    if (simple && !isAboutPaths(path.operand)) {
      const target = this.#reader.truthOf(path.operand);
      return this.#source((solver, options) => {
        const until = (states: BitSet) =>
          this.#engines.withStart(solver.reachabilityReward(directions, rewards, states, options), INFINITE);
        return spanned(until(mayHold(target)), () => until(target.holds), [target], INFINITE);
      }, rewards);
    }
    const most = ltlPath(path, this.#reader, 'greatest');
    return this.#sourceOf((given, exact) => {
      const engines = this.#engines;
      const seeds = this.#seeds(relevant);
      const solve = ({ formula, atoms }: LtlPath): Solved =>
        engines.withStart(
          exact
            ? engines.exactCosafeReward(directions, rewards, formula, atoms, { ...exact, seeds })
            : engines.cosafeReward(directions, rewards, formula, atoms, { ...given, seeds }),
          INFINITE,
        );
      return spanned(solve(most), () => solve(ltlPath(path, this.#reader, 'least')), most.operands, INFINITE);
    }, rewards);
  }

  /** Numbers from either arithmetic. */
  #source(solve: (solver: Solver, options: SolveOptions) => NumberValues, rewards?: Rewards): NumberSource {
    const engines = this.#engines;
    return this.#sourceOf(
      (options, exact) => solve(exact ? exactSolver(engines.exact, exact) : engines.quantities, options),
      rewards,
    );
  }

  /** @param solve receives the limits of exact arithmetic if it is to use exact arithmetic */
  #sourceOf(
    solve: (options: SolveOptions, exact?: ExactOptions) => NumberValues,
    rewards?: Rewards,
  ): NumberSource {
    const { exact, ...options } = this.#options;
    return {
      bounds: (given) => solve(given, exact),
      ...(this.#engines.hasFractions &&
        this.#engines.complete && {
          exactly: () => solve(options, this.#engines.settling(options, rewards)),
        }),
    };
  }

  /** The numbers themselves, or whether they meet the threshold. */
  #answer(node: Asking, source: NumberSource, relevant: BitSet): StateValues {
    const threshold = this.#threshold(node);
    if (threshold === undefined) return source.bounds(this.#options);
    return decide(threshold, source, relevant, this.#options);
  }

  #threshold(node: Asking): Threshold | undefined {
    const { comparison, threshold } = node.question;
    if (comparison === null || threshold === null) return undefined;
    const { value, exact } = this.#reader.constant(threshold);
    if (node.kind !== 'reward' && !(value >= 0 && value <= 1)) {
      throw expressionError(
        this.#context.scope,
        threshold,
        `the threshold of a probability is ${value}`,
        'a number from 0 to 1',
      );
    }
    if (!Number.isFinite(value)) {
      throw expressionError(this.#context.scope, threshold, `the threshold is ${value}`, 'a finite number');
    }
    // If the model's numbers are doubles, so is the threshold: each stands for the decimal that it is nearest to.
    const asWritten = this.#engines.hasSource ? exact : undefined;
    return { comparison, value: asWritten ?? Rational.fromDouble(value) };
  }

  #directions(node: Asking, somebody: boolean): Directions {
    const { model } = this.#engines;
    const { question } = node;
    try {
      return normaliseDirections(model, asked(model, question, somebody));
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw expressionError(this.#context.scope, node, error.message);
    }
  }

  #structure({ structure, place }: Kind<'reward'>): Rewards {
    const { model } = this.#engines;
    if (structure !== null && 'time' in structure) {
      return { name: 'time', states: new Float64Array(model.states).fill(1) };
    }
    const all = model.rewards ?? [];
    const wrong = (message: string, expected?: string) =>
      expressionError(this.#context.scope, { place }, message, expected);
    if (all.length === 0)
      throw wrong('the model has no rewards', 'a model with rewards, or T, which counts steps');
    if (structure === null) return all[0];
    if ('index' in structure) {
      const { value } = this.#reader.constant(structure.index);
      if (Number.isInteger(value) && value >= 1 && value <= all.length) return all[value - 1];
      throw wrong(`there is no reward structure number ${value}`, `1 to ${all.length}`);
    }
    const named = all.find(({ name }) => name === structure.name);
    if (named) return named;
    const names = all.map(({ name }) => name);
    const nearest = nearestName(structure.name, names);
    const listed = names.map((name) => (name === '' ? 'one without a name' : `"${name}"`)).join(', ');
    const unknown = `the model has no reward structure "${structure.name}"`;
    if (nearest !== undefined) throw wrong(`${unknown}; did you mean "${nearest}"?`);
    throw wrong(unknown, listed);
  }

  #steps(expression: PrismExpression, less: number): number {
    const steps = this.#reader.constant(expression).value - less;
    if (Number.isSafeInteger(steps) && steps >= 0) return steps;
    throw expressionError(this.#context.scope, expression, `${steps} steps`, 'a whole number, at least 0');
  }
}

/**
 * The direction of a threshold that all choices, or some choices, must meet. The worst case for a lower bound is the least
 * number.
 */
function asked(
  { type }: Pick<Model, 'type'>,
  { directions, comparison }: Question,
  somebody: boolean,
): Directions {
  if (comparison === null || directions.length > 0) return directions;
  const fromBelow = comparison === '>' || comparison === '>=';
  const direction = fromBelow !== somebody ? 'min' : 'max';
  return type === 'imdp' ? [direction, direction] : [direction];
}
