import { recordsOf } from './corpora.mjs';
import { parsePrefix } from './prefix.mjs';

/** What one model was recorded to make of whole sentences about a city: referring expressions, and formulas over places. */
export function spokenOutcomes(pathOf, isShort, { equivalent }) {
  const records = recordsOf(pathOf('model-transcripts'), isShort);
  const of = (task) => records.filter((record) => record.task === task);
  return {
    expressions: of('referring-expressions').map(({ expected, recorded }) => {
      const sorted = (texts) => JSON.stringify([...texts].sort());
      return { isRight: sorted(expected) === sorted(recorded) };
    }),
    whole: of('end-to-end').map(({ expected, recorded }) => {
      const [known, answer] = [expected, recorded].map(parsePrefix);
      if (known === null || answer === null)
        return { isFormula: answer !== null, isRight: false, isForm: false };
      return {
        isFormula: true,
        isRight: equivalent(known, answer),
        isForm: equivalent(numbered(known), numbered(answer)),
      };
    }),
  };
}

/** A formula with its places numbered as they come: what is left is its form. */
function numbered(formula, numbers = new Map()) {
  if (formula.kind === 'predicate') {
    if (!numbers.has(formula.name)) numbers.set(formula.name, `p${numbers.size + 1}`);
    return { ...formula, name: numbers.get(formula.name) };
  }
  const { operand, left, right } = formula;
  if (operand !== undefined) return { ...formula, operand: numbered(operand, numbers) };
  return { ...formula, left: numbered(left, numbers), right: numbered(right, numbers) };
}
