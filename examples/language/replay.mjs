import { recurs } from './outcome.mjs';

/** Names that the words of a sentence may be taken for. */
const PLACES = ['a', 'b', 'c', 'd', 'h'];
const OPERATORS = { X: 'next', F: 'eventually', G: 'always', U: 'until', W: 'weakUntil' };

/** A formula as the tree that a model is asked for, with the number of each predicate in `names`. */
export function treeOf({ kind, name, operator, operand, left, right }, names) {
  const tree = (formula) => treeOf(formula, names);
  if (kind === 'predicate') return { op: 'p', n: names.indexOf(name) + 1 };
  if (kind === 'not') return { op: 'not', args: [tree(operand)] };
  if (kind === 'unary') return { op: OPERATORS[operator], args: [tree(operand)] };
  return { op: kind === 'binary' ? OPERATORS[operator] : kind, args: [tree(left), tree(right)] };
}

/** A model that takes a sentence for one rule about its places, and then gives what the systems were recorded to answer. */
function recordedSystems(sentence, answers, modelFromFunction) {
  const mentions = sentence.split(/[^\p{L}]+/u).filter((word) => PLACES.includes(word));
  const names = [...new Set(mentions)];
  const systems = Object.values(answers);
  let asked = 0;
  return modelFromFunction('recorded systems', ({ purpose }) => {
    if (purpose === 'mentions') return JSON.stringify({ rules: [{ text: sentence, mentions }] });
    const formula = systems[asked++];
    return JSON.stringify(
      formula === null ? { unsupported: 'it gave no formula' } : { tree: treeOf(formula, names) },
    );
  });
}

/**
 * What `translate` makes of a sentence with the recorded answers of the systems as votes, and of the answers of a simulated person who knows the formula (`satisfies`).
 *
 * `outcome`: `read right`, `read wrong`: by the reader, no system was asked; `offer right`, `offer wrong`: those agree; `asked`, `asked beside`: several readings,
 * with and without the truth; `endless`, as of the reader; `refused`. `end`: `found`, or `wrong`: the rule that the person is left with, after the questions and the runs of its confirmation; `none`: a run of the
 * confirmation betrays it, or it was refused. `questions`: those that divide readings.
 */
export async function translationOutcome(tools, { sentence, known, answers }) {
  const { translate, answerTranslation, modelFromFunction, equivalent, satisfies } = tools;
  const predicates = Object.fromEntries(PLACES.map((name) => [name, {}]));
  const systems = Object.keys(answers).length;
  const [first] = await translate(sentence, {
    predicates,
    model: recordedSystems(sentence, answers, modelFromFunction),
    samples: systems,
  });
  const means = ({ formula }) => equivalent(formula, known);
  let left = first;
  let questions = 0;
  while (left.kind === 'ask') {
    questions++;
    left = answerTranslation(left, satisfies(known, left.question.trace), { predicates });
  }
  return { outcome: outcomeOf(first, known, means), end: endOf(left, known, means, tools), questions };
}

function outcomeOf(found, known, means) {
  if (found.kind === 'refused')
    return found.code === 'no-finite-meaning' && recurs(known) ? 'endless' : 'refused';
  if (found.kind === 'ask') return found.readings.some(means) ? 'asked' : 'asked beside';
  return `${found.kind} ${means(found) ? 'right' : 'wrong'}`;
}

function endOf(left, known, means, { satisfies }) {
  if (left.kind === 'refused') return 'none';
  if (means(left)) return 'found';
  if (left.kind === 'read') return 'wrong';
  // The person says of each run what the known formula says; where the offer says otherwise there is no rule.
  const agrees = left.confirmation.questions.every(
    ({ trace }) => satisfies(known, trace) === satisfies(left.formula, trace),
  );
  return agrees ? 'wrong' : 'none';
}
