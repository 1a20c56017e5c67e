import type { SymbolValue } from './prover.js';
import type { Term } from './terms.js';
import type { Finding, PathStep } from './verdict.js';

/** A reason not to run a plan, before it was tried whether some run shows it. */
export interface Issue {
  readonly kind: Finding['kind'];
  readonly step: string | null;
  readonly rule: string | null;
  readonly path: readonly PathStep[];
  /** Of findings about data: the steps that the data pass through, and those of what decides that the step is taken. */
  readonly from?: readonly string[];
  /** Values with which it may show. */
  readonly values: readonly SymbolValue[];
  /** What is true where it stands. */
  readonly facts?: readonly Term[];
  /** What must be false so that it shows. */
  readonly doubt?: Term;
  /** Whether it is so in every run that gets there, so that a run need only get there to show it. */
  readonly isCertain: boolean;
  readonly text: string;
  /** A person is asked about the call, in place of a refusal. */
  readonly isAsked?: boolean;
  /** The step whose condition is what is told. */
  readonly decider?: string;
  /** A key that shows it, of findings about goals. */
  readonly witness?: { readonly store: string; readonly key: string };
}

/** The issues found, each once. */
export class Issues {
  readonly #found = new Map<string, Issue>();

  get size(): number {
    return this.#found.size;
  }

  add(issue: Issue): void {
    const key = JSON.stringify([issue.kind, issue.step, issue.rule]);
    const known = this.#found.get(key);
    if (known === undefined || (!known.isCertain && issue.isCertain)) this.#found.set(key, issue);
  }

  all(): Issue[] {
    return [...this.#found.values()];
  }

  /** Runs work of which the issues do not count unless it returns true. */
  tentatively(work: () => boolean): boolean {
    const before = new Map(this.#found);
    const counts = work();
    if (!counts) {
      this.#found.clear();
      for (const [key, issue] of before) this.#found.set(key, issue);
    }
    return counts;
  }
}
