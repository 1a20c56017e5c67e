import type { ExpressionNode } from '../../languages/expression/index.js';
import type { Steps } from './steps.js';

/** Most answers that are remembered. */
const MOST_REMEMBERED = 64;

interface Remembered<T> {
  readonly answer: T;
  /** The steps that it took. They are counted whenever it is asked for, so that what a question costs does not depend on what was asked before. */
  readonly steps: number;
}

/**
 * Remembers the last answers to questions about one variable: proofs of plans ask the same of one result after another, under other names.
 */
export class Memory<T> {
  readonly #answers = new Map<string, Remembered<T>>();

  /**
   * @param find finds the answer, and says whether it is to be remembered
   * @throws OutOfSteps, as if the answer were found anew; what `find` throws
   */
  answer(
    key: string,
    steps: Steps,
    find: (take: Steps['take']) => { readonly answer: T; readonly isKept: boolean },
  ): T {
    const known = this.#answers.get(key);
    if (known !== undefined) {
      steps.take(known.steps);
      return known.answer;
    }
    let count = 0;
    const { answer, isKept } = find((more) => {
      count += more;
      steps.take(more);
    });
    if (!isKept) return answer;
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= MOST_REMEMBERED) this.#answers.delete(oldest);
    this.#answers.set(key, { answer, steps: count });
    return answer;
  }
}

/** Expressions over one variable as a text that is the same whatever the variable is called. */
export function shapeOf(nodes: readonly ExpressionNode[], variable: string): string {
  return JSON.stringify(nodes, (key, value: unknown) => {
    if (key === 'place') return undefined;
    // A variable of a macro may have the same name, and then hides it.
    return (key === 'name' || key === 'variable') && value === variable ? 0 : value;
  });
}
