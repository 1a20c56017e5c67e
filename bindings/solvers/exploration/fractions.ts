import { NotSupportedError } from '../../base/errors.js';
import type { Rational } from '../../base/rational.js';
import type { ExactRewards, Model, StateVariables } from '../model/index.js';

/** The numbers of a model's source. */
export interface Fractions {
  /** One entry per transition; undefined if only its double is known. */
  readonly exactValues: readonly (Rational | undefined)[];
  /** Parallel to the model's rewards. */
  readonly exactRewards: readonly ExactRewards[];
}

interface ExploredModel {
  readonly model: Model;
  readonly variables: StateVariables;
}

/**
 * Gives a model explored in doubles the fractions from an exploration of the same source with fractions.
 *
 * @throws NotSupportedError if comparisons of non-integers had other results, so that the two models differ
 */
export function fractionsFor(
  explored: ExploredModel,
  exact: (ExploredModel & Partial<Fractions>) | undefined,
): Fractions {
  if (exact === undefined || !isSame(explored.model, exact.model) || !sameStates(explored, exact)) {
    throw new NotSupportedError(
      'compared exactly, numbers that are not whole give other states, labels or rewards than in doubles: build the model with exact: true (--exact)',
    );
  }
  const { exactValues = [], exactRewards = [] } = exact;
  return { exactValues, exactRewards };
}

function isSame(a: Model, b: Model): boolean {
  return (
    a.states === b.states &&
    sameNumbers(a.initial, b.initial) &&
    sameNumbers(a.rowStart, b.rowStart) &&
    sameNumbers(a.columns, b.columns) &&
    sameNumbers(groupsOf(a), groupsOf(b)) &&
    [...a.labels].every(([name, states]) => b.labels.get(name)?.equals(states)) &&
    (a.rewards ?? []).every((rewards, r) => {
      const other = b.rewards?.[r];
      return sameNumbers(rewards.states, other?.states) && sameNumbers(rewards.choices, other?.choices);
    })
  );
}

function sameStates({ model, variables }: ExploredModel, other: ExploredModel): boolean {
  const size = variables.variables.length;
  const [values, others] = [new Float64Array(size), new Float64Array(size)];
  for (let s = 0; s < model.states; s++) {
    variables.read(s, values);
    other.variables.read(s, others);
    if (!sameNumbers(values, others)) return false;
  }
  return true;
}

function groupsOf(model: Model): ArrayLike<number> | undefined {
  return 'rowGroupStart' in model ? model.rowGroupStart : undefined;
}

function sameNumbers(a: ArrayLike<number> = [], b: ArrayLike<number> = []): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
