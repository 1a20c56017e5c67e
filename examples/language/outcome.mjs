/**
 * What becomes of a sentence whose meaning is known: `right`; `asked`, with that meaning among the readings, or `asked beside` without it; `refused`; `wrong`: another
 * meaning without a question. `endless` is a refusal of what has no meaning on runs that end, where the known formula says so as well.
 *
 * `erratum`: the known formula is on the list of errata, its run shows it, and no reading has that fault.
 *
 * A simulated person who knows the formula answers the questions: `questions` is how many, `steps` the length of each run, `found` whether the formula is what is left.
 */
export function outcomeOf(
  { readEnglish, answerQuestion, equivalent, satisfies },
  sentence,
  known,
  predicates,
  erratum,
) {
  const options = { predicates };
  const [first, milliseconds] = timed(() => readEnglish(sentence, options));
  const means = ({ formula }) => equivalent(formula, known);
  if (first.kind === 'refused') {
    const isEndless = first.code === 'no-finite-meaning' && recurs(known);
    return {
      outcome: isEndless ? 'endless' : 'refused',
      questions: 0,
      steps: [],
      found: isEndless,
      milliseconds,
    };
  }
  if (erratum !== undefined) {
    const run = erratum.run.map((step) => Object.fromEntries(step.split(' ').map((name) => [name, true])));
    const readings = first.kind === 'one' ? [first] : first.readings;
    const isFault =
      satisfies(known, run) === erratum.isAllowed &&
      readings.every(({ formula }) => satisfies(formula, run) !== erratum.isAllowed);
    return { outcome: isFault ? 'erratum' : 'wrong', questions: 0, steps: [], found: isFault, milliseconds };
  }
  let left = first;
  const steps = [];
  while (left.kind === 'ask') {
    steps.push(left.question.trace.length);
    left = answerQuestion(left, satisfies(known, left.question.trace), options);
  }
  const found = means(left);
  const outcome =
    first.kind === 'one'
      ? found
        ? 'right'
        : 'wrong'
      : first.readings.some(means)
        ? 'asked'
        : 'asked beside';
  return { outcome, questions: steps.length, steps, found, milliseconds };
}

/** A result and the processor time it took, so that other work on the machine counts little. */
function timed(work) {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return [result, (user + system) / 1000];
}

/** Whether a sentence is read at all: for corpora whose labels do not say all that their sentences do. */
export function coverageOf({ readEnglish }, sentence, predicates) {
  const [{ kind, code }, milliseconds] = timed(() => readEnglish(sentence, { predicates }));
  const outcome = kind === 'one' ? 'read' : kind === 'ask' ? 'asked' : code;
  return { outcome, milliseconds };
}

/** Whether a formula says that something happens again and again, or at last for ever: G F or F G. */
export function recurs(formula) {
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
