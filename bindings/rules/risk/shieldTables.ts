import { NotConvergedError, NotSupportedError } from '../../base/errors.js';
import {
  type LearntMdpView,
  type LearntView,
  type StayingRows,
  stayingRows,
} from '../../estimation/learning/index.js';
import { bindAutomaton, OPEN, violatedAtEnd } from '../../languages/automaton/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import type { Specification } from '../specification/index.js';
import { decisionRisk, decisionRows } from './decisionRisk.js';
import { entriesOf, openRule } from './ruleCertificate.js';
import { clampToVerdict, type EntryBounds, type RuleRisk } from './ruleRisk.js';

/** Exceeds the relative rounding error of a Bellman step, on rows of up to 2^10 entries. */
const ROUNDING = 2 ** -40;
/** Maximal number of sweeps until an upper bound is inductive. */
const MAX_SWEEPS = 100_000;

/** What a shield needs of a rule beside its risk: the risks over all policies. */
export interface ShieldTable {
  readonly least: EntryBounds;
  readonly most: EntryBounds;
}

/**
 * Solves the minimal and the maximal risk of each rule over all policies that choose among the observed actions. The upper bounds on the
 * minimal risk are made inductive: each is at least the minimum over actions of the expected bound after the action. Hence there is always
 * an action whose risk, computed in one step from the bounds, is no larger. Doing nothing is judged by the steps that went on, and by the
 * ends of runs too where the end breaks the rule (`decisionRisk`).
 *
 * @returns in the order of the rules; null for a rule that is decided by the state
 * @throws NotSupportedError if the mode is `budget` and a rule has no risk over a whole run, or several thresholds; NotConvergedError as
 * the solver
 */
export function shieldTables(
  specification: Specification,
  view: LearntMdpView,
  chain: LearntView,
  risks: readonly RuleRisk[],
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): (ShieldTable | null)[] {
  const staying = stayingRows(view);
  const learnt = decisionRows(view, staying);
  return risks.map((risk) => {
    const { rule, automaton } = risk;
    const byState = rule.formula.kind === 'probability' || rule.horizonSteps !== null;
    if (specification.shield === 'budget' && (byState || rule.levels.length > 1)) {
      throw new NotSupportedError(
        `rule "${rule.name}": a budget bounds the risk of a whole run by one threshold, and this rule ${byState ? 'is about single states or a horizon' : 'has several'}; choose shield: predict or least`,
      );
    }
    if (byState) return null;
    const opened = openRule(risk, specification, learnt.rows, chain);
    const over = (direction: 'min' | 'max'): EntryBounds => {
      const bounds = decisionRisk(opened.problem, learnt, direction, null, options);
      return clampToVerdict(entriesOf(opened, bounds), automaton);
    };
    const least = over('min');
    return {
      least: { lower: least.lower, upper: inductive(least.upper, risk, view, staying) },
      most: over('max'),
    };
  });
}

/** Raises upper bounds until each is at least the minimum, over the actions taken there, of the expected bound after the action. */
function inductive(
  upper: readonly number[],
  { automaton, rule }: RuleRisk,
  { model, predicates, words, valuations, draws, start, end }: LearntMdpView,
  staying: StayingRows,
): number[] {
  const { rowGroupStart, rowStart, columns } = model;
  const width = automaton.states;
  const stepper = bindAutomaton(automaton, predicates);
  const raised = Float64Array.from(upper);
  const atEnd = Array.from(automaton.verdict, (_, q) => Number(violatedAtEnd(automaton, q, rule.atEnd)));
  const after = (row: number, q: number): number => {
    const { values } = atEnd[q] === 1 ? model : staying;
    let sum = 0;
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
      const t = columns[i];
      const value = t === end ? atEnd[q] : raised[t * width + stepper.step(q, valuations, t * words)];
      sum += values[i] * value;
    }
    return Math.min(1, sum * (1 + ROUNDING));
  };
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let moved = false;
    for (let s = start + 1; s < end; s++) {
      if (draws[s] === 0) continue;
      for (let q = 0; q < width; q++) {
        if (automaton.verdict[q] !== OPEN) continue;
        let least = 1;
        for (let row = rowGroupStart[s]; row < rowGroupStart[s + 1]; row++) {
          least = Math.min(least, after(row, q));
        }
        if (least <= raised[s * width + q]) continue;
        raised[s * width + q] = least;
        moved = true;
      }
    }
    if (!moved) return [...raised];
  }
  throw new NotConvergedError(
    `rule "${rule.name}": no inductive bound on the least risk after ${MAX_SWEEPS} sweeps; runs stay in one place too long`,
    { lower: new Float64Array(raised.length), upper: raised },
  );
}
