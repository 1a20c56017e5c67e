import { InvalidArgumentError, NotSupportedError } from '../../errors.js';
import { BitSet, type SolveOptions } from '../../kernel/index.js';
import { expressionError, type PrismExpression, type Question, type RewardPath } from '../../logic/index.js';
import type { Model, Rewards } from '../../model/index.js';
import { Rational } from '../../rational.js';
import { nearestName } from '../../suggest.js';
import { cosafeReward, type LtlOptions, ltlProbability } from '../ltl/index.js';
import type { PathEvent } from '../pathEvent.js';
import { type Directions, normaliseDirections } from '../quantities/index.js';
import type { PropertyContext } from './context.js';
import { decide, type NumberSource, type Threshold } from './decide.js';
import type { Engines } from './engines.js';
import { opposite } from './eventProbability.js';
import { type LtlPath, ltlPath } from './ltlPath.js';
import { isAboutPaths } from './parts.js';
import { type EventFormula, eventFormula, extremeEvent, type PathReader } from './pathFormula.js';
import { allPaths, existsPath, refuseStepBounds } from './quantified.js';
import { between, exactSolver, numbersOf, type Solved, type Solver } from './solver.js';
import {
  fromGraph,
  isDecided,
  mayHold,
  type NumberValues,
  type Obtained,
  type StateValues,
  type TruthValues,
  together,
  truth,
} from './stateValues.js';

type Kind<K extends PrismExpression['kind']> = Extract<PrismExpression, { kind: K }>;
type Asking = Kind<'probability' | 'reward' | 'steadyState'>;

/** What operators ask of the expressions inside them. */
export interface OperandReader extends PathReader {
  /** The value of an expression without variables. */
  constant(expression: PrismExpression): { readonly value: number; readonly exact?: Rational | undefined };
}

export interface OperatorOptions extends SolveOptions {
  /** Compute with fractions. Default false. */
  readonly exact?: boolean;
}

/** The values of one P, R, S, A or E operator in all states. */
export class Operators {
  constructor(
    private readonly engines: Engines,
    private readonly context: PropertyContext,
    private readonly options: OperatorOptions,
    private readonly reader: OperandReader,
  ) {}

  /**
   * @param relevant States in which a threshold must be decided
   * @param somebody Whether a threshold asks for one scheduler that meets it, not for all
   */
  value(node: Asking, relevant: BitSet, somebody: boolean): StateValues {
    const directions = this.directions(node, somebody);
    switch (node.kind) {
      case 'probability':
        return this.probability(node, directions, relevant);
      case 'reward':
        return this.answer(node, this.rewards(node, directions, relevant), relevant);
      case 'steadyState':
        return this.answer(node, this.longRun(node, directions), relevant);
    }
  }

  /** A and E: on the graph, whatever the probabilities. */
  quantified({ quantifier, path }: Kind<'quantified'>): TruthValues {
    refuseStepBounds(path);
    const event = eventFormula(path, this.reader);
    const { quantities } = this.engines;
    let states: (which: 'least' | 'greatest') => BitSet;
    if (event !== undefined) {
      const quantify = quantifier === 'E' ? existsPath : allPaths;
      states = (which) => quantify(quantities, extremeEvent(event, which));
    } else {
      const directions: Directions = [quantifier === 'E' ? 'max' : 'min'];
      states = (which) => {
        const { formula, atoms } = ltlPath(path, this.reader, which);
        const { lower } = ltlProbability(
          this.engines.graphOfChoices,
          directions,
          formula,
          atoms,
          this.options,
        );
        // Without chance a probability is 0 or 1.
        return BitSet.where(lower.length, (s) => lower[s] > 0.5);
      };
    }
    const holds = states('least');
    const decided = event ? isDecided(event.remain) && isDecided(event.target) : false;
    const possible = decided ? holds : states('greatest');
    return truth(holds, fromGraph, possible.difference(holds));
  }

  private probability(node: Kind<'probability'>, directions: Directions, relevant: BitSet): StateValues {
    const event = eventFormula(node.path, this.reader);
    if (event === undefined) {
      return this.answer(
        node,
        { bounds: (options) => this.ltl(node.path, directions, { ...options, ...this.seeds(relevant) }) },
        relevant,
      );
    }
    return probabilityOfEvent(this.engines, event, directions, this.options, (source) =>
      this.answer(node, source, relevant, (threshold) =>
        decideOnGraph(this.engines, directions, event, threshold),
      ),
    );
  }

  /** Which states automata start from: others need not be followed. The virtual start asks for those behind it. */
  private seeds(relevant: BitSet): { seeds?: BitSet } {
    return this.engines.start === undefined ? { seeds: relevant } : {};
  }

  private ltl(
    path: PrismExpression,
    directions: Directions,
    options: SolveOptions & LtlOptions,
  ): NumberValues {
    this.refuseExact('path formulas with several temporal operators');
    const least = ltlPath(path, this.reader, 'least');
    const solve = ({ formula, atoms }: LtlPath): Solved =>
      this.engines.withStart(ltlProbability(this.engines.model, directions, formula, atoms, options));
    return spanned(solve(least), () => solve(ltlPath(path, this.reader, 'greatest')), least.operands);
  }

  private longRun({ operand }: Kind<'steadyState'>, directions: Directions): NumberSource {
    const target = this.reader.truthOf(operand);
    return this.source((solver, options) => {
      const share = (states: BitSet) => solver.longRunProbability(directions, states, options);
      return spanned(share(target.holds), () => share(mayHold(target)), [target]);
    });
  }

  private rewards(node: Kind<'reward'>, directions: Directions, relevant: BitSet): NumberSource {
    const rewards = this.structure(node);
    const { path } = node;
    switch (path.kind) {
      case 'longRun':
        return this.source((solver, options) =>
          numbersOf(solver.longRunReward(directions, rewards, options)),
        );
      case 'instantaneous': {
        const steps = this.steps(path.time, 0);
        return this.source((solver, options) =>
          numbersOf(solver.instantaneousReward(directions, rewards, steps, options)),
        );
      }
      case 'cumulative': {
        if (path.bound === null) {
          return this.source((solver, options) =>
            numbersOf(solver.totalReward(directions, rewards, options)),
          );
        }
        const steps = this.steps(path.bound, path.strict ? 1 : 0);
        return this.source((solver, options) =>
          numbersOf(solver.cumulativeReward(directions, rewards, steps, options)),
        );
      }
      case 'reach':
        return this.reward(path, directions, rewards, relevant);
    }
  }

  /** More states in a target, or more paths that satisfy a formula, never earn more: it is reached sooner, if at all. */
  private reward(
    { path }: Extract<RewardPath, { kind: 'reach' }>,
    directions: Directions,
    rewards: Rewards,
    relevant: BitSet,
  ): NumberSource {
    const simple = path.kind === 'temporal' && path.operator === 'F' && path.bound === null;
    if (simple && !isAboutPaths(path.operand)) {
      const target = this.reader.truthOf(path.operand);
      return this.source((solver, options) => {
        const until = (states: BitSet) => solver.reachabilityReward(directions, rewards, states, options);
        return spanned(until(mayHold(target)), () => until(target.holds), [target]);
      });
    }
    return {
      bounds: (given) => {
        const options = { ...given, seeds: relevant };
        this.refuseExact('rewards until a path formula other than F');
        const most = ltlPath(path, this.reader, 'greatest');
        const solve = ({ formula, atoms }: LtlPath): Solved =>
          cosafeReward(this.engines.model, directions, rewards, formula, atoms, options);
        return spanned(solve(most), () => solve(ltlPath(path, this.reader, 'least')), most.operands);
      },
    };
  }

  /** Numbers from either arithmetic. */
  private source(solve: (solver: Solver, options: SolveOptions) => NumberValues): NumberSource {
    const { engines, options } = this;
    const exactly = (workLimit?: number): NumberValues => {
      const { signal } = options;
      const limits = { ...(signal && { signal }), ...(workLimit !== undefined && { workLimit }) };
      return solve(exactSolver(engines.exact, limits), options);
    };
    return {
      bounds: (given) => (options.exact ? exactly() : solve(engines.quantities, given)),
      exactly: () => exactly(engines.settlingWork),
    };
  }

  /** The numbers themselves, or whether they meet the threshold. */
  private answer(
    node: Asking,
    source: NumberSource,
    relevant: BitSet,
    onGraph?: (threshold: Threshold) => TruthValues | undefined,
  ): StateValues {
    const threshold = this.threshold(node, node.kind === 'reward' ? this.structure(node) : undefined);
    if (threshold === undefined) return source.bounds(this.options);
    return onGraph?.(threshold) ?? decide(threshold, source, relevant, this.options);
  }

  private threshold(node: Asking, rewards?: Rewards): Threshold | undefined {
    const { comparison, threshold } = node.question;
    if (comparison === null || threshold === null) return undefined;
    const { value, exact } = this.reader.constant(threshold);
    if (node.kind !== 'reward' && !(value >= 0 && value <= 1)) {
      throw expressionError(
        this.context.scope,
        threshold,
        `the threshold of a probability is ${value}`,
        'a number from 0 to 1',
      );
    }
    // Bounds are those of the chain that the doubles define, and so is the threshold, unless all comes from the source.
    const asWritten = this.engines.isFromSource(rewards) ? exact : undefined;
    return { comparison, value, exact: asWritten ?? Rational.fromDouble(value) };
  }

  private directions(node: Asking, somebody: boolean): Directions {
    const { model } = this.engines;
    const { question } = node;
    try {
      return normaliseDirections(model, asked(model, question, somebody));
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw expressionError(this.context.scope, node, error.message);
    }
  }

  private structure({ structure, place }: Kind<'reward'>): Rewards {
    const { model } = this.engines;
    if (structure !== null && 'time' in structure) {
      return { name: 'time', states: new Float64Array(model.states).fill(1) };
    }
    const all = model.rewards ?? [];
    const wrong = (message: string, expected?: string) =>
      expressionError(this.context.scope, { place }, message, expected);
    if (all.length === 0)
      throw wrong('the model has no rewards', 'a model with rewards, or T, which counts steps');
    if (structure === null) return all[0];
    if ('index' in structure) {
      const { value } = this.reader.constant(structure.index);
      if (Number.isInteger(value) && value >= 1 && value <= all.length) return all[value - 1];
      throw wrong(`there is no reward structure number ${value}`, `1 to ${all.length}`);
    }
    const named = all.find(({ name }) => name === structure.name);
    if (named) return named;
    const names = all.map(({ name }) => name);
    const nearest = nearestName(structure.name, names);
    const listed = names.map((name) => (name === '' ? 'one without a name' : `"${name}"`)).join(', ');
    throw wrong(
      `the model has no reward structure "${structure.name}"`,
      nearest === undefined ? listed : `perhaps "${nearest}"`,
    );
  }

  private steps(expression: PrismExpression, less: number): number {
    const steps = this.reader.constant(expression).value - less;
    if (Number.isSafeInteger(steps) && steps >= 0) return steps;
    throw expressionError(this.context.scope, expression, `${steps} steps`, 'a whole number, at least 0');
  }

  private refuseExact(what: string): void {
    if (this.options.exact)
      throw new NotSupportedError(`exact arithmetic does not do ${what}; ask for bounds`);
  }
}

/**
 * Hands on where the probability of an event comes from: bounds, and fractions for thresholds that bounds leave open. An event
 * with open states has what lies between the least and the greatest that it can be.
 */
export function probabilityOfEvent<T>(
  engines: Engines,
  event: EventFormula,
  directions: Directions,
  { exact = false, ...solving }: OperatorOptions,
  use: (source: NumberSource) => T,
): T {
  const least = extremeEvent(event, 'least');
  const decided = isDecided(event.remain) && isDecided(event.target);
  return use({
    bounds: (options) => {
      const solve = (extreme: PathEvent) => engines.probability(directions, extreme, options, exact);
      return spanned(solve(least), () => solve(extremeEvent(event, 'greatest')), [
        event.remain,
        event.target,
      ]);
    },
    exactly: decided ? (states) => engines.settle(directions, least, states, solving) : undefined,
  });
}

/** What lies between the least and the greatest that operands with open states leave possible; one of them if none is open. */
function spanned(least: Solved, greatest: () => Solved, operands: readonly TruthValues[]): NumberValues {
  if (operands.every(isDecided)) return numbersOf(least);
  return { ...numbersOf(between(least, greatest())), doubt: together(...operands).doubt };
}

/** P>0, P<=0, P>=1 and P<1 ask whether an event, or its negation, is possible at all. */
export function decideOnGraph(
  engines: Engines,
  directions: Directions,
  event: EventFormula,
  { comparison, exact }: Threshold,
): TruthValues | undefined {
  const possible = exact.numerator === 0n && (comparison === '>' || comparison === '<=');
  const certain = exact.compare(Rational.ONE) === 0 && (comparison === '>=' || comparison === '<');
  if (!possible && !certain) return undefined;
  const asked = possible ? event : { ...event, negated: !event.negated };
  const players = possible ? directions : opposite(directions);
  const least = engines.support(players, extremeEvent(asked, 'least'));
  if (least === undefined) return undefined;
  const decided = isDecided(event.remain) && isDecided(event.target);
  const greatest = decided ? least : engines.support(players, extremeEvent(asked, 'greatest'));
  if (greatest === undefined) return undefined;
  const open = greatest.difference(least);
  const holds = comparison === '>' || comparison === '<' ? least : greatest.complement();
  const obtained: Obtained = decided ? fromGraph : together(fromGraph, event.remain, event.target);
  return truth(holds, obtained, open);
}

/** A threshold is to be met whoever has choices, or by somebody's: the worst case is the least number for a bound from below. */
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
