/** What has to hold at once: numbers, ascending, none implied by another. */
export type Clause = readonly number[];

/** A disjunction of clauses, none implied by another: `[[]]` is true, `[]` is false. */
export type Alternatives = readonly Clause[];

/** Whether whatever satisfies `strong` satisfies `weak`, as far as single members of clauses tell. */
export type Implies = (strong: number, weak: number) => boolean;

/** Both clauses at once, without members that others imply. */
export function conjunction(a: Clause, b: Clause, implies: Implies): Clause {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const all: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const next = j === b.length || a[i] <= b[j] ? a[i] : b[j];
    if (a[i] === next) i++;
    if (b[j] === next) j++;
    all.push(next);
  }
  return all.filter((weak) => !all.some((strong) => strong !== weak && implies(strong, weak)));
}

/**
 * Of all clauses those that no other one is implied by, of equal ones one, in a fixed order. Null where they are more than `most`: each
 * is compared with each, so that twice as many take four times as long.
 */
export function weakest(clauses: readonly Clause[], implies: Implies, most: number): Alternatives | null {
  if (clauses.length === 1) return clauses;
  let kept: Clause[] = [];
  for (const clause of [...clauses].sort((a, b) => a.length - b.length)) {
    if (kept.some((weaker) => covers(weaker, clause, implies))) continue;
    kept = kept.filter((stronger) => !covers(clause, stronger, implies));
    kept.push(clause);
    if (kept.length > most) return null;
  }
  return kept.sort(compare);
}

/** Whether whatever satisfies the clause `strong` satisfies `weak`. */
export function covers(weak: Clause, strong: Clause, implies: Implies): boolean {
  return weak.every((member) => strong.includes(member) || strong.some((other) => implies(other, member)));
}

function compare(a: Clause, b: Clause): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
