import { InvalidArgumentError } from '../../base/errors.js';
import { type Learner, type LearntView, LiveChain } from '../../estimation/learning/index.js';
import { type Automaton, buildAutomaton } from '../../languages/automaton/index.js';
import { type LiveOptions, LiveViolationRisk, requireJudged } from '../../solvers/checker/index.js';
import { predictedRules, type RuleSpecification, type Specification } from '../specification/index.js';
import { aboutRule, openLearnt, ruleNamed, stateFinder } from './learntChain.js';
import { requireSameLearning } from './requireSameLearning.js';
import type { RiskBounds } from './riskTable.js';
import { type RuleRisk, solveRule } from './ruleRisk.js';
import { TerminationCheck } from './terminationCheck.js';

/** The result of an update of live risks, over all rules that are followed. */
export interface LiveRiskUpdate {
  /** States added to products, product rows replaced, and product states solved again. */
  readonly added: number;
  readonly replaced: number;
  readonly solved: number;
  /** Names of the rules that were solved completely anew: those with `horizonSteps`, and bounds on probabilities. */
  readonly anew: readonly string[];
}

/** A rule that is solved anew: its risk, and the state of each valuation; 0 if there is none. */
interface SolvedAnew {
  readonly risk: RuleRisk;
  readonly find: ReturnType<typeof stateFinder>;
}

/** The risks of a specification's rules, kept up to date with a learner. Free it once, with `free()` or `using`. */
export class LiveRisk implements Disposable {
  readonly specification: Specification;
  readonly learner: Learner;
  readonly #options: LiveOptions;
  /** Rules that are followed incrementally. */
  readonly #followed: readonly { rule: RuleSpecification; automaton: Automaton }[];
  #chain: LiveChain;
  #endless: TerminationCheck;
  readonly #live = new Map<string, LiveViolationRisk>();
  readonly #anew = new Map<string, SolvedAnew>();
  /** Whether the last update completed. */
  #isCurrent = false;
  #isFreed = false;

  /** @internal Use `createLiveRisk`. */
  constructor(specification: Specification, learner: Learner, options: LiveOptions) {
    const { abstraction, settings } = learner;
    requireSameLearning(specification, {
      predicates: abstraction.definition.predicates,
      constraints: abstraction.definition.constraints ?? {},
      learning: settings,
      period: settings.period,
    });
    this.specification = specification;
    this.learner = learner;
    this.#options = options;
    const { samplingPeriod } = specification;
    this.#followed = predictedRules(specification)
      .filter(({ formula, horizonSteps }) => formula.kind !== 'probability' && horizonSteps === null)
      .map((rule) => ({ rule, automaton: buildAutomaton(rule.formula, { samplingPeriod }) }));
    this.#chain = new LiveChain(learner);
    this.#endless = new TerminationCheck(this.#chain);
    this.update();
  }

  /**
   * Brings all risks up to date with the learner. After an error they are unknown until the next update, which solves everything anew.
   *
   * @throws as `riskTable`
   */
  update(): LiveRiskUpdate {
    if (this.#isFreed) throw new InvalidArgumentError('these risks were freed already');
    if (!this.#isCurrent) this.#restart();
    this.#isCurrent = false;
    const chain = this.#chain;
    const { before, changed } = chain.update();
    const total = { added: 0, replaced: 0, solved: 0 };
    let learnt: LearntView | undefined;
    const open = (): LearntView => {
      learnt ??= openLearnt(this.specification, this.learner.chain().model);
      return learnt;
    };
    if (this.learner.forgetting !== null) this.#endless.forget();
    const mayBeEndless = this.#followed.some(({ rule }) => rule.atEnd === 'strong') && this.#endless.isAny();
    for (const { rule, automaton } of this.#followed) {
      const { atEnd } = rule;
      if (mayBeEndless && atEnd === 'strong') {
        const view = open();
        aboutRule(rule, this.specification, view, () => requireJudged({ chain: view, automaton, atEnd }));
      }
      const { added, replaced, solved } = this.#liveOf(rule, automaton).update(chain, before, changed);
      total.added += added;
      total.replaced += replaced;
      total.solved += solved;
    }
    const anew = predictedRules(this.specification).filter((rule) => !this.#live.has(rule.name));
    this.#anew.clear();
    if (chain.row(0).size > 0) for (const rule of anew) this.#anew.set(rule.name, this.#solve(rule, open()));
    this.#isCurrent = true;
    return { ...total, anew: anew.map(({ name }) => name) };
  }

  /**
   * The risk of a rule after its automaton has read a valuation and reached a state: 1 if it is violated, 0 if it is satisfied, 0 to 1 if
   * it is open and the valuation was never seen.
   *
   * @param valuation packed, as `Abstraction.encode` writes it from `offset` on.
   * @param automatonState of `automaton(rule)`; 0 for a rule that bounds a probability, which has no history.
   * @throws InvalidArgumentError for an unknown rule, or after an update that did not complete
   */
  at(rule: string, valuation: Uint32Array, automatonState: number, offset = 0): RiskBounds {
    const live = this.#find(rule);
    if (live instanceof LiveViolationRisk) {
      return live.at(this.#chain.space.find(valuation, offset) + 1, automatonState);
    }
    const state = live?.find(valuation, offset) ?? 0;
    if (live === undefined || state === 0) return { lower: 0, upper: 1 };
    const { risk } = live;
    const entry = state * risk.automaton.states + automatonState;
    return { lower: risk.lower[entry], upper: risk.upper[entry] };
  }

  /** The risk of a rule before the first step. @throws as `at` */
  start(rule: string): RiskBounds {
    const live = this.#find(rule);
    if (live instanceof LiveViolationRisk) return live.start(this.#chain);
    return live?.risk.start ?? { lower: 0, upper: 1 };
  }

  /** Total number of states of the products that are followed. */
  get nodes(): number {
    return [...this.#live.values()].reduce((sum, { nodes }) => sum + nodes, 0);
  }

  /** The automaton whose states `at` takes. @throws InvalidArgumentError for an unknown rule */
  automaton(rule: string): Automaton | null {
    const live = this.#find(rule);
    return (live instanceof LiveViolationRisk ? live.automaton : live?.risk.automaton) ?? null;
  }

  /** Releases the memory. */
  free(): void {
    if (this.#isFreed) throw new InvalidArgumentError('these risks were freed already');
    this.#isFreed = true;
    this.#drop();
  }

  /** Same as `free`, for `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  #find(name: string): LiveViolationRisk | SolvedAnew | undefined {
    ruleNamed(this.specification, name);
    if (!this.#isCurrent || this.#isFreed) {
      throw new InvalidArgumentError(
        'the risks are unknown, because their last update was not finished: call update()',
      );
    }
    return this.#live.get(name) ?? this.#anew.get(name);
  }

  #liveOf(rule: RuleSpecification, automaton: Automaton): LiveViolationRisk {
    const found = this.#live.get(rule.name);
    if (found !== undefined) return found;
    const { predicates } = this.learner.abstraction;
    const live = new LiveViolationRisk(automaton, rule.atEnd, predicates, this.#options);
    this.#live.set(rule.name, live);
    return live;
  }

  #solve(rule: RuleSpecification, view: LearntView): SolvedAnew {
    return { risk: solveRule(rule, this.specification, view, [], this.#options), find: stateFinder(view) };
  }

  #restart(): void {
    this.#drop();
    this.#chain = new LiveChain(this.learner);
    this.#endless = new TerminationCheck(this.#chain);
  }

  #drop(): void {
    for (const live of this.#live.values()) live.free();
    this.#live.clear();
    this.#anew.clear();
  }
}

/**
 * Keeps the certified risks of a specification's rules up to date with a learner: after `update()` they equal those of `riskTable` on
 * `learner.chain()`, at the same precision, but only the part that the new traces affect is solved again. Rules with `horizonSteps` and
 * bounds on probabilities are solved anew each time.
 *
 * @param options default precision 1e-6, absolute.
 * @throws InvalidArgumentError if the learner's abstraction or options differ from the specification's; else as `riskTable`
 */
export function createLiveRisk(
  specification: Specification,
  learner: Learner,
  options: LiveOptions = {},
): LiveRisk {
  return new LiveRisk(specification, learner, options);
}
