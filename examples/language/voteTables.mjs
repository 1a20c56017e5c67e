import { markdownTable } from '../measures/report.mjs';
import { count, quantile, rated } from './goals.mjs';
import { decided, POLICIES } from './votePolicies.mjs';

/** What votes on recorded answers give, as parts of the report. */
export function voteParts({ votes, translated, spoken }) {
  return [
    '## Votes\n',
    aloneTable(votes),
    policyTable(votes),
    stratumTable(votes[0]),
    '## Translated\n',
    translatedTable(translated),
    '## Whole sentences\n',
    spokenTable(spoken),
  ];
}

function aloneTable(votes) {
  return markdownTable(
    ['corpus, system alone', 'sentences', 'right', 'wrong', 'no formula'],
    votes.flatMap(({ corpus, outcomes }) =>
      Object.keys(outcomes[0].alone).map((system) => {
        const of = (what) => outcomes.filter(({ alone }) => alone[system] === what).length;
        const share = (what) => rated(of(what), outcomes.length);
        return [`${corpus}, ${system}`, outcomes.length, share('right'), share('wrong'), share('none')];
      }),
    ),
  );
}

function policyTable(votes) {
  const rows = votes.flatMap(({ corpus, outcomes }) =>
    POLICIES.map((policy) => [`${corpus}: ${policy.name}`, outcomes, decided(policy, outcomes)]),
  );
  return markdownTable(
    ['vote', 'taken and right', 'taken and wrong', 'asked or left', 'right in the end'],
    rows.map(([name, outcomes, { right, wrong, left, end }]) => [
      name,
      ...[right, wrong, left, end].map((part) => rated(part, outcomes.length)),
    ]),
  );
}

function stratumTable({ corpus, outcomes }) {
  const names = [...new Set(outcomes.map(({ stratum }) => stratum))].sort();
  return markdownTable(
    [
      `${corpus}, by pattern`,
      'sentences',
      'right by vote',
      'wrong by vote',
      'no majority',
      'of these with the truth',
      'steps of the run that divides the first two, median',
    ],
    names.map((name) => {
      const of = outcomes.filter(({ stratum }) => stratum === name);
      const split = count(of, 'asked', 'asked beside');
      return [
        name,
        of.length,
        rated(count(of, 'right'), of.length),
        rated(count(of, 'wrong'), of.length),
        rated(split, of.length),
        count(of, 'asked'),
        quantile(
          of.flatMap(({ steps }) => steps ?? []),
          0.5,
        ),
      ];
    }),
  );
}

const FOUND = [
  'read right',
  'offer right',
  'asked',
  'asked beside',
  'endless',
  'refused',
  'offer wrong',
  'read wrong',
];

function translatedTable(translated) {
  const names = [...new Set(translated.map(({ stratum }) => stratum))].sort();
  const rows = [
    ...names.map((name) => [name, translated.filter(({ stratum }) => stratum === name)]),
    ['all', translated],
  ];
  return markdownTable(
    ['pattern', 'sentences', ...FOUND, 'found in the end', 'a wrong rule in the end'],
    rows.map(([name, of]) => [
      name,
      of.length,
      ...FOUND.map((outcome) => count(of, outcome)),
      rated(of.filter(({ end }) => end === 'found').length, of.length),
      rated(of.filter(({ end }) => end === 'wrong').length, of.length),
    ]),
  );
}

function spokenTable({ expressions, whole }) {
  const share = (all, test) => rated(all.filter(test).length, all.length);
  return markdownTable(
    ['GPT-4, as recorded', 'sentences', 'right'],
    [
      ['finds the expressions for places', expressions.length, share(expressions, ({ isRight }) => isRight)],
      ['whole sentence to formula: equivalent', whole.length, share(whole, ({ isRight }) => isRight)],
      [
        '… its form alone, whatever the places are called',
        whole.length,
        share(whole, ({ isForm }) => isForm),
      ],
      ['… is a formula at all', whole.length, share(whole, ({ isFormula }) => isFormula)],
    ],
  );
}
