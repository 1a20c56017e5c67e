import { NotSupportedError } from '../../../base/errors.js';
import type { LtlFormula, LtlWindow } from '../../../languages/automaton/index.js';
import type { PrismExpression, StepBound } from '../../../languages/logic/index.js';
import type { BitSet } from '../../kernel/index.js';
import { isAboutPaths } from './parts.js';
import type { PathReader } from './pathFormula.js';
import { mayHold, type TruthValues } from './stateValues.js';

/** A path formula over numbered sets of states. */
export interface LtlPath {
  readonly formula: LtlFormula;
  /** The states in which each atom holds. */
  readonly atoms: readonly BitSet[];
  /** The state formulas inside. */
  readonly operands: readonly TruthValues[];
}

type Extreme = 'least' | 'greatest';

/**
 * Reads a path formula of any form. If it is open whether a state is in an atom, the returned formula holds on as few paths as
 * possible, or on as many: an open atom under an even number of negations counts as false, or as true.
 *
 * @throws NotSupportedError if path formulas are compared or used in arithmetic
 */
export function ltlPath(path: PrismExpression, reader: PathReader, which: Extreme): LtlPath {
  const translation = new Translation(reader);
  const formula = translation.of(path, which);
  return { formula, atoms: translation.atoms, operands: translation.operands };
}

const other = (which: Extreme): Extreme => (which === 'least' ? 'greatest' : 'least');

class Translation {
  readonly atoms: BitSet[] = [];
  readonly operands: TruthValues[] = [];
  readonly #reader: PathReader;

  constructor(reader: PathReader) {
    this.#reader = reader;
  }

  of(path: PrismExpression, which: Extreme): LtlFormula {
    if (!isAboutPaths(path)) return this.#atom(path, which);
    switch (path.kind) {
      case 'not':
        return not(this.of(path.operand, other(which)));
      case 'temporal': {
        const operand = this.of(path.operand, which);
        if (path.operator === 'X') return { kind: 'next', operand };
        const kind = ({ F: 'finally', G: 'globally' } as const)[path.operator];
        return { kind, operand, ...this.#window(path.bound) };
      }
      case 'until': {
        const kind = ({ U: 'until', W: 'weakUntil', R: 'release' } as const)[path.operator];
        const [left, right] = [this.of(path.left, which), this.of(path.right, which)];
        return { kind, left, right, ...this.#window(path.bound) };
      }
      case 'conditional':
        return or(
          and(this.of(path.condition, which), this.of(path.whenTrue, which)),
          and(not(this.of(path.condition, other(which))), this.of(path.whenFalse, which)),
        );
      case 'binary':
        return this.#connective(path, which);
      default:
        throw new NotSupportedError(
          'path formulas are combined with !, &, |, => and <=> only; numbers of paths have no meaning',
        );
    }
  }

  #connective(
    { operator, left, right }: Extract<PrismExpression, { kind: 'binary' }>,
    which: Extreme,
  ): LtlFormula {
    switch (operator) {
      case '&':
        return and(this.of(left, which), this.of(right, which));
      case '|':
        return or(this.of(left, which), this.of(right, which));
      case '=>':
        return or(not(this.of(left, other(which))), this.of(right, which));
      case '<=>':
      case '=':
        return this.#same(left, right, which);
      case '!=':
        return not(this.#same(left, right, other(which)));
      default:
        throw new NotSupportedError(`${operator} is applied to a path formula, which is not a number`);
    }
  }

  #same(left: PrismExpression, right: PrismExpression, which: Extreme): LtlFormula {
    return or(
      and(this.of(left, which), this.of(right, which)),
      and(not(this.of(left, other(which))), not(this.of(right, other(which)))),
    );
  }

  #atom(expression: PrismExpression, which: Extreme): LtlFormula {
    const values = this.#reader.truthOf(expression);
    this.operands.push(values);
    const states = which === 'least' ? values.holds : mayHold(values);
    const count = states.count();
    if (count === 0 || count === states.size) return { kind: 'boolean', value: count > 0 };
    // Equal sets share one atom, as do their complements, because automata read every combination of atoms.
    const known = this.atoms.findIndex((atom) => atom.equals(states));
    if (known >= 0) return { kind: 'atom', atom: known };
    const outside = states.complement();
    const opposite = this.atoms.findIndex((atom) => atom.equals(outside));
    if (opposite >= 0) return not({ kind: 'atom', atom: opposite });
    this.atoms.push(states);
    return { kind: 'atom', atom: this.atoms.length - 1 };
  }

  #window(bound: StepBound | null): { window?: LtlWindow } {
    return bound === null ? {} : { window: this.#reader.stepsOf(bound) };
  }
}

function not(operand: LtlFormula): LtlFormula {
  return operand.kind === 'not' ? operand.operand : { kind: 'not', operand };
}

function and(left: LtlFormula, right: LtlFormula): LtlFormula {
  return { kind: 'and', left, right };
}

function or(left: LtlFormula, right: LtlFormula): LtlFormula {
  return { kind: 'or', left, right };
}
