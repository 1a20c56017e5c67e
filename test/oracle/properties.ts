import { BitSet, type Direction, type MdpMatrix } from '../../bindings/solvers/kernel/index.js';
import { ExactMdp } from './mdp.js';
import { Rational } from './rational.js';

/** Formulas about states: sets of states, by definition. */
export type StateFormula =
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'not'; readonly operand: StateFormula }
  | { readonly kind: '&' | '|' | '=>'; readonly left: StateFormula; readonly right: StateFormula }
  | {
      readonly kind: 'threshold';
      readonly comparison: '<' | '<=' | '>' | '>=';
      /** In quarters. */
      readonly threshold: number;
      readonly somebody: boolean;
      readonly path: PathFormula;
    }
  | { readonly kind: 'A' | 'E'; readonly path: PathFormula };

/** `left op[from,to] right`; F and G are U and W with `true` and `false`. */
export interface PathFormula {
  readonly operator: 'X' | 'F' | 'G' | 'U' | 'W' | 'R';
  readonly left: StateFormula;
  readonly right: StateFormula;
  readonly window: { readonly from: number; readonly to: number | null } | null;
}

/** In PRISM's syntax; thresholds on decision processes may ask for some scheduler. */
export function printState(formula: StateFormula): string {
  switch (formula.kind) {
    case 'label':
      return `"${formula.name}"`;
    case 'not':
      return `!(${printState(formula.operand)})`;
    case 'threshold': {
      const { comparison, threshold, somebody, path } = formula;
      return `(${somebody ? '<<*>> ' : ''}P${comparison}${threshold / 4} [ ${printPath(path)} ])`;
    }
    case 'A':
    case 'E':
      return `${formula.kind} [ ${printPath(formula.path)} ]`;
    default:
      return `(${printState(formula.left)} ${formula.kind} ${printState(formula.right)})`;
  }
}

export function printPath({ operator, left, right, window }: PathFormula): string {
  const bound =
    window === null ? '' : window.to === null ? `>=${window.from}` : `[${window.from},${window.to}]`;
  if (operator === 'X') return `X (${printState(right)})`;
  if (operator === 'F' || operator === 'G') return `${operator}${bound} (${printState(right)})`;
  return `(${printState(left)}) ${operator}${bound} (${printState(right)})`;
}

/** Evaluates formulas on a decision process (a chain is one with one row a state), in fractions and without any care for speed. */
export class PropertyOracle {
  private readonly mdp: ExactMdp;
  private readonly all: number[];

  constructor(
    private readonly matrix: MdpMatrix,
    private readonly labels: ReadonlyMap<string, BitSet>,
  ) {
    this.mdp = new ExactMdp(matrix);
    this.all = [...Array(this.mdp.states).keys()];
  }

  /** The states in which a formula holds. */
  states(formula: StateFormula): boolean[] {
    switch (formula.kind) {
      case 'label':
        return this.all.map((s) => this.labels.get(formula.name)!.has(s));
      case 'not':
        return this.states(formula.operand).map((holds) => !holds);
      case 'threshold': {
        const { comparison, threshold, somebody, path } = formula;
        const fromBelow = comparison === '>' || comparison === '>=';
        const values = this.probability(fromBelow !== somebody ? 'min' : 'max', path);
        return values.map((value) => {
          const sign = value.compare(threshold / 4);
          return { '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[comparison];
        });
      }
      case 'A':
        return this.somePath(formula.path, true).map((violating) => !violating);
      case 'E':
        return this.somePath(formula.path, false);
      default: {
        const [left, right] = [this.states(formula.left), this.states(formula.right)];
        return this.all.map((s) =>
          formula.kind === '&'
            ? left[s] && right[s]
            : formula.kind === '|'
              ? left[s] || right[s]
              : !left[s] || right[s],
        );
      }
    }
  }

  /** The least or greatest probability of a path formula in every state. */
  probability(direction: Direction, path: PathFormula): Rational[] {
    const { left, right, window } = this.operands(path);
    const other = direction === 'min' ? 'max' : 'min';
    const invert = (values: Rational[]) => values.map((value) => Rational.ONE.minus(value));
    const both = (a: boolean[], b: boolean[]) => a.map((value, s) => value && b[s]);
    const not = (a: boolean[]) => a.map((value) => !value);
    switch (path.operator) {
      case 'X':
      case 'F':
      case 'U':
        return this.until(direction, left, right, window);
      case 'G':
        return invert(
          this.until(
            other,
            left.map(() => true),
            not(right),
            window,
          ),
        );
      case 'W':
        return invert(this.until(other, both(left, not(right)), both(not(left), not(right)), window));
      case 'R':
        return invert(this.until(other, not(left), not(right), window));
    }
  }

  private operands(path: PathFormula): {
    left: boolean[];
    right: boolean[];
    window: { from: number; to: number | null };
  } {
    const right = this.states(path.right);
    const unary = path.operator === 'X' || path.operator === 'F' || path.operator === 'G';
    const left = unary ? right.map(() => true) : this.states(path.left);
    const window = path.operator === 'X' ? { from: 1, to: 1 } : (path.window ?? { from: 0, to: null });
    return { left, right, window };
  }

  /** Step by step back from the end of the window; without an end, from the best memoryless scheduler's values. */
  private until(
    direction: Direction,
    remain: boolean[],
    target: boolean[],
    { from, to }: { from: number; to: number | null },
  ): Rational[] {
    const set = (members: boolean[]) => BitSet.where(members.length, (s) => members[s]);
    let values =
      to === null
        ? this.mdp.until(direction, set(remain), set(target))
        : this.mdp.boundedUntil(direction, set(remain), set(target), to - from);
    for (let step = 0; step < from; step++) {
      const next = values;
      values = this.all.map((s) => (remain[s] ? this.mdp.bestMean(direction, s, next) : Rational.ZERO));
    }
    return values;
  }

  /** States with a path that satisfies an unbounded formula, or with `negated` one that does not. */
  private somePath(path: PathFormula, negated: boolean): boolean[] {
    const { left, right } = this.operands(path);
    const step = (values: boolean[], s: number) => this.successors(s).some((t) => values[t]);
    const fixpoint = (from: boolean, next: (values: boolean[], s: number) => boolean): boolean[] => {
      let values = this.all.map(() => from);
      for (let i = 0; i <= this.all.length; i++) {
        const before = values;
        values = this.all.map((s) => next(before, s));
      }
      return values;
    };
    const least = (hold: (s: number) => boolean, end: (s: number) => boolean) =>
      fixpoint(false, (values, s) => end(s) || (hold(s) && step(values, s)));
    const greatest = (hold: (s: number) => boolean, end: (s: number) => boolean) =>
      fixpoint(true, (values, s) => end(s) || (hold(s) && step(values, s)));
    switch (path.operator) {
      case 'X':
        return this.all.map((s) => this.successors(s).some((t) => right[t] !== negated));
      case 'F':
      case 'U':
        return negated
          ? greatest(
              (s) => !right[s],
              (s) => !left[s] && !right[s],
            )
          : least(
              (s) => left[s],
              (s) => right[s],
            );
      case 'G':
        return negated
          ? least(
              () => true,
              (s) => !right[s],
            )
          : greatest(
              (s) => right[s],
              () => false,
            );
      case 'W':
        return negated
          ? least(
              (s) => !right[s],
              (s) => !left[s] && !right[s],
            )
          : greatest(
              (s) => left[s],
              (s) => right[s],
            );
      case 'R':
        return negated
          ? least(
              (s) => !left[s],
              (s) => !right[s],
            )
          : greatest(
              (s) => right[s],
              (s) => left[s] && right[s],
            );
    }
  }

  private successors(s: number): number[] {
    const { rowGroupStart, rowStart, columns } = this.matrix;
    return [...columns.slice(rowStart[rowGroupStart[s]], rowStart[rowGroupStart[s + 1]])];
  }
}
