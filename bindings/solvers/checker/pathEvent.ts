import { NotSupportedError } from '../../base/errors.js';
import { type Formula, printFormula, untilForm } from '../../languages/logic/index.js';
import { BitSet } from '../kernel/index.js';
import { type Dtmc, labelOf } from '../model/index.js';

/** The paths that satisfy `remain U[from, to] target`, in steps. Paths are infinite. */
export interface WindowedUntil {
  readonly remain: BitSet;
  readonly target: BitSet;
  readonly from: number;
  /** Null for no bound. */
  readonly to: number | null;
}

/** The paths of a windowed until or, with `negated`, all other paths. */
export interface PathEvent extends WindowedUntil {
  readonly negated: boolean;
}

/** A path formula of one temporal operator over labels, as an event of a model. */
export function pathEvent(model: Dtmc, path: Formula, samplingPeriod?: number | string): PathEvent {
  const { left, right, window, negated } = untilForm(path, samplingPeriod);
  return { remain: statesOf(model, left), target: statesOf(model, right), ...window, negated };
}

/**
 * The states that satisfy a Boolean combination of labels. `init` and `deadlock` need not be labels of the model; the only
 * deadlocks of a valid chain are those that its reader labelled and gave a self-loop.
 */
export function statesOf(model: Dtmc, formula: Formula): BitSet {
  const of = (part: Formula): BitSet => statesOf(model, part);
  switch (formula.kind) {
    case 'constant':
      return formula.value ? BitSet.full(model.states) : new BitSet(model.states);
    case 'predicate':
      if (formula.name === 'deadlock' && !model.labels.has('deadlock')) return new BitSet(model.states);
      return labelOf(model, formula.name);
    case 'not':
      return of(formula.operand).complement();
    case 'and':
      return of(formula.left).intersection(of(formula.right));
    case 'or':
      return of(formula.left).union(of(formula.right));
    case 'implies':
      return of(formula.left).complement().union(of(formula.right));
    case 'iff': {
      const left = of(formula.left);
      const right = of(formula.right);
      return left.intersection(right).union(left.union(right).complement());
    }
    default:
      throw new NotSupportedError(
        `${printFormula(formula)} is no Boolean combination of labels, and nothing else is supported inside a path formula`,
      );
  }
}
