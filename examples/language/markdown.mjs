import { goalTable, markdownTable } from '../measures/report.mjs';
import { ERRATA } from './errata.mjs';
import { count, goalsOf, interval, mean, quantile, rated } from './goals.mjs';
import { voteParts } from './voteTables.mjs';

const COLUMNS = ['right', 'endless', 'asked', 'asked beside', 'refused', 'erratum', 'wrong'];

export function markdown(results) {
  const { corpora, coverage, fretish, grounding } = results;
  return [
    '## Goals\n',
    goalTable(goalsOf(results)),
    '## Corpora\n',
    corpusTable('corpus', corpora),
    '## Strata\n',
    corpusTable('corpus, stratum', corpora.flatMap(strataOf)),
    '## Questions\n',
    questionTable(corpora),
    '## Errata\n',
    errataTable(corpora),
    '## Coverage\n',
    coverageTable(coverage),
    `Requirements in FRET's English: ${rated(count(fretish, 'right'), fretish.length)} read and equivalent, ${count(fretish, 'wrong')} wrong.\n`,
    '## Places\n',
    placeTable(grounding),
    ...voteParts(results),
  ].join('\n');
}

function corpusTable(head, rows) {
  return markdownTable(
    [head, 'sentences', ...COLUMNS, 'right or asked', 'wrong at most'],
    rows.map(({ corpus, outcomes }) => [
      corpus,
      outcomes.length,
      ...COLUMNS.map((name) => count(outcomes, name)),
      rated(count(outcomes, 'right', 'endless', 'asked'), outcomes.length)
        .replace(/^.* \(/, '')
        .replace(')', ''),
      `${interval(count(outcomes, 'wrong'), outcomes.length)[1].toFixed(1)}%`,
    ]),
  );
}

function strataOf({ corpus, outcomes }) {
  const names = [...new Set(outcomes.map(({ stratum }) => stratum))].sort();
  return names.map((name) => ({
    corpus: `${corpus}, ${name.replaceAll('|', '\\|')}`,
    outcomes: outcomes.filter(({ stratum }) => stratum === name),
  }));
}

function questionTable(corpora) {
  const rows = [...corpora, { corpus: 'all', outcomes: corpora.flatMap(({ outcomes }) => outcomes) }];
  return markdownTable(
    [
      'corpus',
      'questions, median',
      'mean',
      'most',
      'steps of a run, median',
      'most',
      'found in the end, of those read',
    ],
    rows.map(({ corpus, outcomes }) => {
      const questions = outcomes.map((one) => one.questions);
      const steps = outcomes.flatMap((one) => one.steps);
      const read = outcomes.filter(({ outcome }) => outcome !== 'refused');
      return [
        corpus,
        quantile(questions, 0.5),
        mean(questions).toFixed(2),
        Math.max(...questions),
        quantile(steps, 0.5),
        Math.max(0, ...steps),
        rated(read.filter(({ found }) => found).length, read.length),
      ];
    }),
  );
}

function errataTable(corpora) {
  const found = corpora
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ outcome }) => outcome === 'erratum')
    .map(({ id }) => [id, ERRATA[id]]);
  return markdownTable(
    ['pattern', 'run', 'published formula', 'fault'],
    found.map(([id, { run, isAllowed, why }]) => [
      id,
      run.join(' – '),
      isAllowed ? 'allows it' : 'forbids it',
      why,
    ]),
  );
}

function coverageTable(coverage) {
  const names = [
    ...new Set(coverage.flatMap(({ outcomes }) => outcomes.map(({ outcome }) => outcome))),
  ].sort();
  return markdownTable(
    ['corpus', 'sentences', ...names],
    coverage.map(({ corpus, outcomes }) => [
      corpus,
      outcomes.length,
      ...names.map((name) => count(outcomes, name)),
    ]),
  );
}

function placeTable(grounding) {
  const rows = [...new Set(grounding.map(({ environment }) => environment))].sort().map((name) => ({
    name,
    found: grounding.filter(({ environment }) => environment === name),
  }));
  return markdownTable(
    [
      'city',
      'expressions',
      'best is right',
      'among three',
      'not asked',
      'right of those',
      'ada-002, recorded',
    ],
    [...rows, { name: 'all', found: grounding }].map(({ name, found }) => {
      const sure = found.filter(({ kind }) => kind === 'one');
      const share = (test, of = found) => rated(of.filter(test).length, of.length);
      return [
        name,
        found.length,
        share(({ isRight }) => isRight),
        share(({ isAmongThree }) => isAmongThree),
        share(({ kind }) => kind === 'one'),
        share(({ isRight }) => isRight, sure),
        share(({ ada002 }) => ada002),
      ];
    }),
  );
}
