import { goalTable, markdownTable } from '../measures/report.mjs';

const count = (outcomes, ...names) => outcomes.filter((one) => names.includes(one)).length;

/** A share with Wilson's interval of 95% (doi 10.1080/01621459.1927.10502953). */
function rated(part, of) {
  const z = 1.959964;
  const share = part / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const percent = (x) => (100 * Math.min(1, Math.max(0, x))).toFixed(1);
  return `${part} of ${of} (${percent(share)}%), ${percent(middle - half)} – ${percent(middle + half)}`;
}

export function goalsOf(results) {
  const lifted = results.find(({ corpus }) => corpus === 'lang2ltl-lifted').outcomes;
  const all = results.flatMap(({ outcomes }) => outcomes);
  const goal = (what, wanted, part, of, isReached) => ({
    what,
    wanted,
    seen: rated(part, of),
    isReached,
    isLaw: false,
  });
  const known = count(lifted, 'right', 'endless', 'asked');
  const outright = count(lifted, 'right', 'endless');
  const wrong = count(all, 'wrong');
  return [
    goal('all corpora: wrong without asking', '≤ 1%', wrong, all.length, wrong <= 0.01 * all.length),
    goal(
      'lifted: right, or asked with the truth among the readings',
      '≥ 85%',
      known,
      lifted.length,
      known >= 0.85 * lifted.length,
    ),
    goal('lifted: right without asking', '≥ 60%', outright, lifted.length, outright >= 0.6 * lifted.length),
  ];
}

export function markdown(results) {
  const columns = ['right', 'endless', 'asked', 'asked beside', 'refused', 'wrong'];
  return [
    '## Goals\n',
    goalTable(goalsOf(results)),
    '## Corpora\n',
    markdownTable(
      ['corpus', 'sentences', ...columns],
      results.map(({ corpus, outcomes }) => [
        corpus,
        outcomes.length,
        ...columns.map((name) => count(outcomes, name)),
      ]),
    ),
  ].join('\n');
}
