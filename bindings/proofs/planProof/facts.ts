import type { Term } from './terms.js';

/** What is true at the place that is looked at: conditions of the branches around, requirements that were met, and what tools ensure. Names never change their value, so facts stay true. */
export class FactList {
  readonly terms: Term[] = [];

  add(term: Term): void {
    if (term.kind === 'logical' && term.operator === '&&') for (const one of term.operands) this.add(one);
    else if (term.kind !== 'literal') this.terms.push(term);
  }

  /** Runs what adds facts, and forgets them. */
  within<T>(work: () => T): T {
    const count = this.terms.length;
    try {
      return work();
    } finally {
      this.terms.length = count;
    }
  }
}
