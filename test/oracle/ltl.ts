import type { LtlFormula, LtlWindow } from '../../bindings/languages/automaton/index.js';

/** An ultimately periodic word: letters in order, the last of which is followed by letter `loop`. A letter is the set of its atoms. */
export interface Lasso {
  readonly letters: readonly ReadonlySet<number>[];
  readonly loop: number;
}

/** Whether a word satisfies a formula, by the definition of each operator, at every position. */
export function satisfies(word: Lasso, formula: LtlFormula): boolean {
  return truth(word, formula)[0];
}

function truth(word: Lasso, formula: LtlFormula): boolean[] {
  const { letters, loop } = word;
  const after = (position: number, steps: number): number => {
    const place = position + steps;
    return place < letters.length ? place : loop + ((place - loop) % (letters.length - loop));
  };
  const everywhere = (holds: (position: number) => boolean) => letters.map((_, i) => holds(i));
  /** Positions that decide: beyond one turn through all of them nothing new comes. */
  const window = ({ from, to }: LtlWindow = { from: 0, to: null }): number[] => {
    const last = to ?? from + letters.length;
    return Array.from({ length: Math.max(0, last - from + 1) }, (_, j) => from + j);
  };
  const until = (left: boolean[], right: boolean[], judged: LtlWindow | undefined) =>
    everywhere((i) =>
      window(judged).some(
        (j) =>
          right[after(i, j)] &&
          Array.from({ length: j }, (_, k) => left[after(i, k)]).every((holds) => holds),
      ),
    );
  const not = (values: boolean[]) => values.map((value) => !value);
  switch (formula.kind) {
    case 'boolean':
      return everywhere(() => formula.value);
    case 'atom':
      return everywhere((i) => letters[i].has(formula.atom));
    case 'not':
      return not(truth(word, formula.operand));
    case 'next': {
      const operand = truth(word, formula.operand);
      return everywhere((i) => operand[after(i, 1)]);
    }
    case 'finally': {
      const operand = truth(word, formula.operand);
      return everywhere((i) => window(formula.window).some((j) => operand[after(i, j)]));
    }
    case 'globally': {
      const operand = truth(word, formula.operand);
      return everywhere((i) => window(formula.window).every((j) => operand[after(i, j)]));
    }
    default: {
      const left = truth(word, formula.left);
      const right = truth(word, formula.right);
      switch (formula.kind) {
        case 'and':
          return everywhere((i) => left[i] && right[i]);
        case 'or':
          return everywhere((i) => left[i] || right[i]);
        case 'until':
          return until(left, right, formula.window);
        case 'release':
          return not(until(not(left), not(right), formula.window));
        default:
          return not(
            until(
              everywhere((i) => left[i] && !right[i]),
              everywhere((i) => !left[i] && !right[i]),
              formula.window,
            ),
          );
      }
    }
  }
}
