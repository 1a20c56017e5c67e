import { decided, MOST_OR_ASK } from './votePolicies.mjs';

export const count = (outcomes, ...names) => outcomes.filter(({ outcome }) => names.includes(outcome)).length;

/** Wilson's interval of 95% for a share, in percent (doi 10.1080/01621459.1927.10502953). */
export function interval(part, of) {
  if (of === 0) return [0, 100];
  const z = 1.959964;
  const share = part / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return [middle - half, middle + half].map((x) => 100 * Math.min(1, Math.max(0, x)));
}

export function rated(part, of) {
  if (of === 0) return '–';
  const [low, high] = interval(part, of).map((x) => x.toFixed(1));
  return `${part} of ${of} (${((100 * part) / of).toFixed(1)}%), ${low} – ${high}`;
}

/** The value below which that share of the numbers is, or which it is. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / Math.max(1, numbers.length);

/** What was demanded, and what was seen. */
export function goalsOf({ corpora, coverage, fretish, grounding, votes, translated }) {
  const of = (corpus) => corpora.find((one) => one.corpus === corpus).outcomes;
  const [lifted, hard, patterns] = [of('lang2ltl-lifted'), of('nl2spec-expert'), of('dwyer-patterns')];
  const all = corpora.flatMap(({ outcomes }) => outcomes);
  const goals = [];
  const share = (what, least, part, whole) =>
    goals.push({
      what,
      wanted: `≥ ${least}%`,
      seen: rated(part, whole),
      isReached: part >= (least / 100) * whole,
      isLaw: false,
    });
  const atMost = (what, most, number, unit = '') =>
    goals.push({
      what,
      wanted: `≤ ${most}${unit}`,
      seen: `${Number(number.toFixed(2))}${unit}`,
      isReached: number <= most,
      isLaw: false,
    });
  const wrong = count(all, 'wrong');
  const apart = wrong + count(all, 'erratum');
  goals.push({
    what: 'all corpora: wrong without asking',
    wanted: '≤ 1%',
    seen: rated(wrong, all.length),
    isReached: wrong <= 0.01 * all.length && interval(wrong, all.length)[1] <= 2,
    isLaw: false,
  });
  goals.push({
    what: 'the same, with the errata of published formulas counted as wrong',
    wanted: '≤ 1%',
    seen: rated(apart, all.length),
    isReached: apart <= 0.01 * all.length && interval(apart, all.length)[1] <= 2,
    isLaw: false,
  });
  share(
    'lifted: right, or asked with the truth among the readings',
    85,
    count(lifted, 'right', 'endless', 'asked'),
    lifted.length,
  );
  share('lifted: right without asking', 60, count(lifted, 'right', 'endless'), lifted.length);
  const solved = hard.filter(({ found, questions }) => found && questions <= 2).length;
  share('nl2spec: found with at most two questions', 82, solved, hard.length);
  const accounted = patterns.filter(({ outcome }) => /^(right|asked|erratum)$/.test(outcome));
  share(
    'patterns: right, asked with the truth, or on the list of errata',
    100,
    accounted.length,
    patterns.length,
  );
  share("requirements in FRET's English: read and equivalent", 98, count(fretish, 'right'), fretish.length);
  share(
    'places: the best is the one that was meant',
    95.5,
    grounding.filter(({ isRight }) => isRight).length,
    grounding.length,
  );
  const sure = grounding.filter(({ kind }) => kind === 'one');
  share('places: answered without a question', 80, sure.length, grounding.length);
  share(
    'places: right where it was not asked',
    99.5,
    sure.filter(({ isRight }) => isRight).length,
    sure.length,
  );
  const [{ outcomes: voted }] = votes;
  const { wrong: taken, end } = decided(MOST_OR_ASK, voted);
  share('recorded answers: right by vote, or by one question', 96, end, voted.length);
  const unasked = (what, number, whole) =>
    goals.push({
      what,
      wanted: '≤ 1%',
      seen: rated(number, whole),
      isReached: number <= 0.01 * whole,
      isLaw: false,
    });
  unasked('recorded answers: wrong by vote, without a question', taken, voted.length);
  unasked(
    'translated with them as votes: wrong without a question',
    count(translated, 'read wrong', 'offer wrong'),
    translated.length,
  );
  const questions = all.map((one) => one.questions);
  atMost('questions a sentence, median', 0, quantile(questions, 0.5));
  atMost('questions a sentence, mean', 0.6, mean(questions));
  const times = [...all, ...coverage.flatMap(({ outcomes }) => outcomes)].map(
    ({ milliseconds }) => milliseconds,
  );
  atMost('time to read a sentence, median', 5, quantile(times, 0.5), ' ms');
  atMost('time to read a sentence, 99 of 100', 50, quantile(times, 0.99), ' ms');
  return goals;
}
