import { type Explanation, explainVerdict } from '../../runtime/explanation/index.js';
import type { Beliefs, Reading, Tuple } from './beliefs.js';
import type { AskedRule, Knowledge } from './knowledge.js';

/** Explains a rule on the steps that are done, and further ones. */
export function explainOn(
  knowledge: Knowledge,
  rule: AskedRule,
  steps: readonly Reading[],
  options: { readonly ended?: boolean; readonly firstStep?: number } = {},
): Explanation {
  const { predicates, specification } = knowledge;
  const read = steps.map(({ valuation, known }) =>
    Object.fromEntries(
      predicates.map((name, i) => {
        const bit = 1 << (i & 31);
        const isKnown = (known[i >>> 5] & bit) !== 0;
        return [name, isKnown ? (valuation[i >>> 5] & bit) !== 0 : undefined];
      }),
    ),
  );
  return explainVerdict(rule.formula, read, {
    predicates: knowledge.definitions,
    words: specification.words,
    samplingPeriod: specification.samplingPeriod,
    automaton: rule.automaton,
    ...options,
  });
}

/** The reading with what the assumptions say of the predicates that are not known: a value that they exclude is not there. */
export function completed(
  beliefs: Beliefs,
  tuples: readonly Tuple[],
  reading: Reading,
  predicates: number,
): Reading {
  const valuation = reading.valuation.slice();
  const known = reading.known.slice();
  for (let i = 0; i < predicates; i++) {
    const [word, bit] = [i >>> 5, 1 << (i & 31)];
    if ((known[word] & bit) !== 0) continue;
    known[word] |= bit;
    const isPossible = [false, true].map((holds) => {
      valuation[word] = holds ? valuation[word] | bit : valuation[word] & ~bit;
      return beliefs.after(tuples, { valuation, known }).length > 0;
    });
    if (isPossible[0] === isPossible[1]) known[word] &= ~bit;
    if (!isPossible[1]) valuation[word] &= ~bit;
  }
  return { valuation, known };
}
