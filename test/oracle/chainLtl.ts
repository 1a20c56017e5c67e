import type { LtlFormula } from '../../bindings/languages/automaton/index.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { ExactChain } from './chain.js';
import { Rational } from './rational.js';

/**
 * A chain whose states have been split by which temporal formulas hold on the path from there on: what is left of a path
 * formula are the states in which it holds (Courcoubetis, Yannakakis 1995). No automaton is made.
 */
interface SplitChain {
  readonly rows: readonly ReadonlyMap<number, Rational>[];
  /** The chain's state that each state is a part of, and the probability that a path from there is in this part. */
  readonly state: readonly number[];
  readonly share: readonly Rational[];
}

/** The probability of a path formula from every state of a chain, exactly. */
export function exactLtl(chain: ExactChain, formula: LtlFormula, atoms: readonly BitSet[]): Rational[] {
  const splitting = new Splitting(chain, atoms);
  const truth = splitting.truth(withoutWindows(formula));
  const result = chain.rows.map(() => Rational.ZERO);
  splitting.chain.state.forEach((s, part) => {
    if (truth()[part]) result[s] = result[s].plus(splitting.chain.share[part]);
  });
  return result;
}

class Splitting {
  chain: SplitChain;
  /** Truth of what was evaluated before, kept in step with the splitting. */
  private facts: boolean[][] = [];

  constructor(
    chain: ExactChain,
    private readonly atoms: readonly BitSet[],
  ) {
    this.chain = {
      rows: chain.rows,
      state: chain.rows.map((_, s) => s),
      share: chain.rows.map(() => Rational.ONE),
    };
  }

  /** Truth by part; ask anew after each further splitting. */
  truth(formula: LtlFormula): () => boolean[] {
    switch (formula.kind) {
      case 'boolean':
        return this.keep(this.chain.state.map(() => formula.value));
      case 'atom':
        return this.keep(this.chain.state.map((s) => this.atoms[formula.atom].has(s)));
      case 'not': {
        const operand = this.truth(formula.operand);
        return () => operand().map((value) => !value);
      }
      case 'and':
      case 'or': {
        const [left, right] = [this.truth(formula.left), this.truth(formula.right)];
        return () =>
          left().map((value, p) => (formula.kind === 'and' ? value && right()[p] : value || right()[p]));
      }
      case 'next': {
        const operand = this.truth(formula.operand)();
        const probability = this.chain.rows.map((row) =>
          sum([...row].filter(([t]) => operand[t]).map(([, p]) => p)),
        );
        return this.split(probability, (_, holds, t) => operand[t] === holds);
      }
      case 'until': {
        const [before, goal] = [this.truth(formula.left), this.truth(formula.right)];
        const [left, right] = [before(), goal()];
        const size = left.length;
        const probability = new ExactChain(this.chain.rows).until(
          BitSet.where(size, (p) => left[p]),
          BitSet.where(size, (p) => right[p]),
        );
        return this.split(probability, (p, holds, t, later) => {
          if (right[p] || !left[p]) return true;
          return later(t) === holds;
        });
      }
      default:
        throw new TypeError(`${formula.kind} is written with until`);
    }
  }

  private keep(values: boolean[]): () => boolean[] {
    const place = this.facts.push(values) - 1;
    return () => this.facts[place];
  }

  /**
   * Splits every part by whether a formula holds, given with what probability it does. `follows` says whether a part where it
   * holds, or not, may move to part t of the old ones, `later` being where it holds there.
   */
  private split(
    probability: readonly Rational[],
    follows: (p: number, holds: boolean, t: number, later: (t: number) => boolean) => boolean,
  ): () => boolean[] {
    const { rows, state, share } = this.chain;
    const parts: { p: number; holds: boolean; chance: Rational }[] = [];
    const partsOf = rows.map((): number[] => []);
    for (const [p, chance] of probability.entries()) {
      for (const holds of [true, false]) {
        const its = holds ? chance : Rational.ONE.minus(chance);
        if (its.compare(0) > 0) partsOf[p].push(parts.push({ p, holds, chance: its }) - 1);
      }
    }
    const split = parts.map(({ p, holds, chance }) => {
      const row = new Map<number, Rational>();
      for (const [t, step] of rows[p]) {
        for (const part of partsOf[t]) {
          if (!follows(p, holds, t, () => parts[part].holds)) continue;
          row.set(part, step.times(parts[part].chance).dividedBy(chance));
        }
      }
      return row;
    });
    this.chain = {
      rows: split,
      state: parts.map(({ p }) => state[p]),
      share: parts.map(({ p, chance }) => share[p].times(chance)),
    };
    this.facts = this.facts.map((values) => parts.map(({ p }) => values[p]));
    return this.keep(parts.map(({ holds }) => holds));
  }
}

function sum(values: readonly Rational[]): Rational {
  return values.reduce((total, value) => total.plus(value), Rational.ZERO);
}

const not = (operand: LtlFormula): LtlFormula => ({ kind: 'not', operand });
const next = (operand: LtlFormula): LtlFormula => ({ kind: 'next', operand });
const and = (left: LtlFormula, right: LtlFormula): LtlFormula => ({ kind: 'and', left, right });
const or = (left: LtlFormula, right: LtlFormula): LtlFormula => ({ kind: 'or', left, right });

/** The same formula with `X` and unbounded `U` alone. */
function withoutWindows(formula: LtlFormula): LtlFormula {
  switch (formula.kind) {
    case 'boolean':
    case 'atom':
      return formula;
    case 'not':
    case 'next':
      return { ...formula, operand: withoutWindows(formula.operand) };
    case 'and':
    case 'or':
      return { ...formula, left: withoutWindows(formula.left), right: withoutWindows(formula.right) };
    case 'finally':
    case 'globally': {
      const operand = withoutWindows(formula.operand);
      const { from, to } = formula.window ?? { from: 0, to: null };
      const always: LtlFormula = { kind: 'boolean', value: true };
      return formula.kind === 'finally'
        ? until(always, operand, from, to)
        : not(until(always, not(operand), from, to));
    }
    default: {
      const [left, right] = [withoutWindows(formula.left), withoutWindows(formula.right)];
      const { from, to } = formula.window ?? { from: 0, to: null };
      if (formula.kind === 'until') return until(left, right, from, to);
      return formula.kind === 'release'
        ? not(until(not(left), not(right), from, to))
        : not(until(and(left, not(right)), and(not(left), not(right)), from, to));
    }
  }
}

function until(left: LtlFormula, right: LtlFormula, from: number, to: number | null): LtlFormula {
  if (to !== null && to < from) return { kind: 'boolean', value: false };
  if (from > 0) return and(left, next(until(left, right, from - 1, to === null ? null : to - 1)));
  if (to === null) return { kind: 'until', left, right };
  return to === 0 ? right : or(right, and(left, next(until(left, right, 0, to - 1))));
}
