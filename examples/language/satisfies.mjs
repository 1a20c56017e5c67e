/** Whether a run, at least one step, satisfies a formula without windows, at a strong end: the definition, so that the simulated person shares no code with the reader. */
export function satisfies(formula, run, i = 0) {
  const at = (part, j = i) => satisfies(part, run, j);
  const { kind, operator, operand, left, right } = formula;
  const rest = run.map((_, j) => j).slice(i);
  const until = (one, other) => rest.some((j) => at(other, j) && rest.every((k) => k >= j || at(one, k)));
  switch (kind) {
    case 'constant':
      return formula.value;
    case 'predicate':
      return run[i][formula.name] === true;
    case 'not':
      return !at(operand);
    case 'and':
      return at(left) && at(right);
    case 'or':
      return at(left) || at(right);
    case 'implies':
      return !at(left) || at(right);
    case 'iff':
      return at(left) === at(right);
  }
  switch (operator) {
    case 'X':
      return i + 1 < run.length && at(operand, i + 1);
    case 'F':
      return rest.some((j) => at(operand, j));
    case 'G':
      return rest.every((j) => at(operand, j));
    case 'U':
      return until(left, right);
    case 'W':
      return until(left, right) || rest.every((j) => at(left, j));
    default:
      throw new Error(`no published formula has ${operator ?? kind}`);
  }
}
