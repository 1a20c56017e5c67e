import { Random } from 'foreguard/simulation';

/**
 * A prediction and what came of it.
 *
 * @typedef {{ score: number, happened: boolean, group: string, fold: number }} Scored `group`: runs of one task depend on each
 * other; `fold`: which model predicted
 */

/**
 * Area under the ROC curve: how often, of one run where it happened and one where it did not, the first had the larger score,
 * ties counting half. Only pairs of one fold are compared, for scores of different models have different scales. The interval
 * is the 2.5th to 97.5th percentile over draws of whole groups with replacement, within each fold.
 *
 * @param {readonly Scored[]} scored
 * @param {{ draws?: number, seed?: number }} [options] default 1000 draws, seed 1
 * @returns {{ area: number, confidenceLower: number, confidenceUpper: number, pairs: number }} NaN, 0 and 1 without a pair
 */
export function areaUnderCurve(scored, { draws = 1000, seed = 1 } = {}) {
  const folds = [...new Set(scored.map(({ fold }) => fold))].sort((a, b) => a - b);
  const ordered = folds.map((number) => {
    const cases = scored.filter(({ fold }) => fold === number).sort((a, b) => a.score - b.score);
    return { cases, groups: [...new Set(cases.map(({ group }) => group))].sort() };
  });
  const once = totals(ordered.map(({ cases }) => ({ cases, weightOf: () => 1 })));
  if (once.pairs === 0) return { area: Number.NaN, confidenceLower: 0, confidenceUpper: 1, pairs: 0 };
  const random = new Random(seed);
  const areas = [];
  for (let draw = 0; draw < draws; draw++) {
    const { wins, pairs } = totals(
      ordered.map(({ cases, groups }) => {
        const weights = new Map();
        for (let i = 0; i < groups.length; i++) {
          const group = random.pick(groups);
          weights.set(group, (weights.get(group) ?? 0) + 1);
        }
        return { cases, weightOf: (group) => weights.get(group) ?? 0 };
      }),
    );
    if (pairs > 0) areas.push(wins / pairs);
  }
  areas.sort((a, b) => a - b);
  const quantile = (q) => areas[Math.round(q * (areas.length - 1))];
  return {
    area: once.wins / once.pairs,
    confidenceLower: quantile(0.025),
    confidenceUpper: quantile(0.975),
    pairs: once.pairs,
  };
}

/** Pairs and wins, each case counted as often as its group weighs; one pass over cases in ascending order of score. */
function totals(folds) {
  let wins = 0;
  let pairs = 0;
  for (const { cases, weightOf } of folds) {
    let below = 0;
    let happened = 0;
    for (let i = 0; i < cases.length; ) {
      let tiedHappened = 0;
      let tiedNot = 0;
      const { score } = cases[i];
      for (; i < cases.length && cases[i].score === score; i++) {
        if (cases[i].happened) tiedHappened += weightOf(cases[i].group);
        else tiedNot += weightOf(cases[i].group);
      }
      wins += tiedHappened * (below + tiedNot / 2);
      below += tiedNot;
      happened += tiedHappened;
    }
    pairs += happened * below;
  }
  return { wins, pairs };
}
