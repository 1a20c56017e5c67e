/** A conjunction: ascending numbers, none implied by another. */
export type Clause = readonly number[];

/** A disjunction of clauses, none implied by another: `[[]]` is true, `[]` is false. */
export type Alternatives = readonly Clause[];

/** Whether `strong` implies `weak`, judged by these two members alone. */
export type Implies = (strong: number, weak: number) => boolean;

/** The conjunction of two clauses, without members that others imply. */
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
 * Keeps the weakest clauses, those that imply no other clause (one of equal ones), in a fixed order. Null if more than `most` remain: every
 * pair is compared, so twice as many clauses take four times as long.
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

/** Whether the clause `strong` implies the clause `weak`. */
export function covers(weak: Clause, strong: Clause, implies: Implies): boolean {
  return weak.every((member) => strong.includes(member) || strong.some((other) => implies(other, member)));
}

function compare(a: Clause, b: Clause): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
