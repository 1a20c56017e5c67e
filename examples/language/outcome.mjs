/**
 * What becomes of a sentence whose meaning is known: `right`; `asked`, with that meaning among the readings, or `asked beside` without it; `refused`; `wrong`: another
 * meaning without a question. `endless` is a refusal of what has no meaning on runs that end, where the known formula says so as well.
 */
export function outcomeOf({ readEnglish, equivalent }, sentence, known, predicates) {
  const result = readEnglish(sentence, { predicates });
  const means = ({ formula }) => equivalent(formula, known);
  if (result.kind === 'one') return means(result) ? 'right' : 'wrong';
  if (result.kind === 'ask') return result.readings.some(means) ? 'asked' : 'asked beside';
  return result.code === 'no-finite-meaning' && recurs(known) ? 'endless' : 'refused';
}

/** Whether a formula says that something happens again and again, or at last for ever: G F or F G. */
function recurs(formula) {
  if (typeof formula !== 'object' || formula === null) return false;
  const inner = formula.operand?.kind === 'unary' ? [formula.operand] : conjuncts(formula.operand);
  const turns = { G: 'F', F: 'G' };
  if (
    formula.kind === 'unary' &&
    inner.some(({ kind, operator }) => kind === 'unary' && operator === turns[formula.operator])
  )
    return true;
  return Object.values(formula).some(recurs);
}

function conjuncts(formula) {
  if (formula?.kind !== 'and' && formula?.kind !== 'or') return formula === undefined ? [] : [formula];
  return [...conjuncts(formula.left), ...conjuncts(formula.right)];
}
