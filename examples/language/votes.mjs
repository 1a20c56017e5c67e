import { parseFormula } from 'foreguard/english';
import { recordsOf } from './corpora.mjs';
import { parsePrefix } from './prefix.mjs';

/**
 * Sentences with the formula of their authors (`known`) and, by system, what systems were recorded to answer: a formula, or null where the answer is none.
 */
export function recordedVotes(pathOf, isShort) {
  const transcripts = recordsOf(pathOf('model-transcripts'), isShort);
  const experts = recordsOf(pathOf('nl2spec-expert'), false);
  return [
    {
      corpus: 'lifted sentences',
      cases: transcripts.filter(({ task }) => task === 'lifted').map(ofLifted),
    },
    {
      corpus: 'nl2spec-expert',
      cases: experts
        .filter(({ codexInitial, gpt35 }) => codexInitial !== null && gpt35 !== null)
        .map(ofExpert),
    },
  ];
}

const ofLifted = ({ id, template, sentence, expected, recorded }) => ({
  id,
  stratum: template,
  sentence,
  known: parsePrefix(expected),
  answers: Object.fromEntries(Object.entries(recorded).map(([system, text]) => [system, parsePrefix(text)])),
});

/** Where the authors noted that an answer was right, they kept only that. */
function ofExpert({ id, sentence, rule, codexInitial, codexWrong, bloomInitial, bloomWrong, gpt35 }) {
  const known = parseFormula(rule);
  const answer = (initial, wrong) => (initial === 'SOLVED' ? known : infix(wrong));
  return {
    id,
    stratum: 'all',
    sentence,
    known,
    answers: {
      codex: answer(codexInitial, codexWrong),
      bloom: answer(bloomInitial, bloomWrong),
      'gpt-3.5': infix(gpt35.initial),
    },
  };
}

function infix(text) {
  try {
    return parseFormula((text ?? '').replaceAll('~', '!'));
  } catch {
    return null;
  }
}

/**
 * What becomes of a sentence if its recorded answers vote, without a person: `right` or `wrong` by the first class if it has more than half of all systems; else
 * `asked`, with the truth among the classes, or `asked beside`. `unanimous`: all systems are in one class. `firstTwo`: the truth is one of the two largest
 * classes, so that a question between them finds it. `alone`: of each system `right`, `wrong` or `none`.
 */
export function voteOutcome({ voteByEquivalence, equivalent, distinguish }, { known, answers }) {
  const means = ({ formula }) => equivalent(formula, known);
  const systems = Object.entries(answers);
  const votes = systems.flatMap(([system, formula]) => (formula === null ? [] : [{ system, formula }]));
  const classes = voteByEquivalence(votes).map(({ votes: [first], votes: all }) => ({
    ...first,
    count: all.length,
  }));
  const isMost = classes.length > 0 && classes[0].count > systems.length / 2;
  const outcome = isMost
    ? means(classes[0])
      ? 'right'
      : 'wrong'
    : classes.some(means)
      ? 'asked'
      : 'asked beside';
  return {
    outcome,
    unanimous: classes.length > 0 && classes[0].count === systems.length,
    isTruthAmong: classes.some(means),
    firstTwo: classes.slice(0, 2).some(means),
    steps: classes.length > 1 ? distinguish(classes[0].formula, classes[1].formula).trace.length : null,
    alone: Object.fromEntries(
      systems.map(([system, formula]) => [
        system,
        formula === null ? 'none' : means({ formula }) ? 'right' : 'wrong',
      ]),
    ),
  };
}
