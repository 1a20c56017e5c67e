import { type LearnOptions, type LearntChain, learn } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { parseSpecification, type Specification } from '../../../bindings/rules/specification/index.js';

/** A trace whose steps are the letters of a word: `{ x: letter }`. */
export function word(letters: string, id = letters): Trace {
  return { id, complete: true, steps: [...letters].map((x) => ({ state: { x } })) };
}

/**
 * Five runs that hold a -> a 3 times, a -> b 6, a -> end 3, b -> a 4, b -> c 2, c -> end 2. The probability that c comes, p
 * from a and r from b, is p = p/4 + r/2 and r = 1/3 + 2p/3: p = 2/5 and r = 3/5.
 */
export const runs: readonly Trace[] = ['aababc', 'aababc', 'aaba', 'aba', 'a'].map((letters, i) =>
  word(letters, `run ${i}`),
);

const head = `
version: 1
predicates:
  a: 'x == "a"'
  b: 'x == "b"'
  c: 'x == "c"'
`;

/** A specification over the letters, with these rules and keys. */
export function specify(rest: string): Specification {
  return parseSpecification(head + rest, { source: 'letters.yaml' });
}

export function learnFor(
  specification: Specification,
  options: LearnOptions = {},
  traces: Iterable<Trace> = runs,
): Promise<LearntChain> {
  return learn(new Abstraction(specification.abstraction), traces, { ...specification.learning, ...options });
}
