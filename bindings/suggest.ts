/**
 * The known name a misspelt one was most likely meant to be: the candidate at least edit distance (insertions, deletions,
 * substitutions and swaps of neighbours; a change of case costs half), the first of equals. At most a third of the
 * letters may differ, so that a wrong guess is not offered as help.
 *
 * @returns undefined where no candidate is near enough, or where `name` itself is a candidate.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let best = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (candidate === name) return undefined;
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (Math.abs(name.length - candidate.length) > limit) continue;
    const distance = editDistance(name, candidate);
    if (distance <= limit && distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Optimal string alignment over three rows: `previous[j]` is the distance of a's first i-1 letters to b's first j. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      let distance = Math.min(
        previous[j] + 1,
        current[j - 1] + 1,
        previous[j - 1] + substitution(a[i - 1], b[j - 1]),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2] + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length];
}

function substitution(a: string, b: string): number {
  if (a === b) return 0;
  return a.toLowerCase() === b.toLowerCase() ? 0.5 : 1;
}
