import type { Inputs } from '../../languages/inputs/index.js';
import type { CaseCertificate, Certificate, Claim } from './certificate.js';
import { EVALUATIONS } from './conformance.js';
import { Refused } from './refused.js';
import { ANY, FALSE, type Leaves, NONE, TRUE, type Tree, treeOfClaim, valuesOf } from './trees.js';
import { allValues } from './values.js';
import { type Confirmed, confirm, type Tests } from './vectors.js';

/** Most choices of values that are evaluated. */
const MOST_CHOICES = 1_000_000;

/**
 * Looks through certificates that no input fulfils a claim. Shares no code with what found them: it takes predicates from the claim itself, walks automata again
 * from their first states under every class, runs them against the functions, counts elements, finds cells of numbers, and evaluates all choices.
 */
export class Rechecker {
  readonly #inputs: Inputs;
  readonly #tests: Tests;

  /** @param evaluations about how often the predicates of one automaton are run, beside once for each transition */
  constructor(inputs: Inputs, { evaluations = EVALUATIONS }: { readonly evaluations?: number } = {}) {
    this.#inputs = inputs;
    this.#tests = { evaluations, done: new WeakMap() };
  }

  /** @returns null if the certificate shows that no input fulfils the claim; else what it does not show */
  check(claim: Claim, { cases }: Certificate): string | null {
    try {
      this.#covers(
        cases.map(({ given }) => given),
        [],
      );
      for (const one of cases) this.#case(claim, one);
      return null;
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  }

  /** That each choice of values of the inputs that are given has a case. */
  #covers(givens: readonly CaseCertificate['given'][], done: readonly string[]): void {
    const rest = givens.map((given) => Object.keys(given).filter((name) => !done.includes(name)));
    if (rest.some((names) => names.length === 0)) return;
    const name = rest[0]?.[0];
    const input = name === undefined ? undefined : this.#inputs[name];
    const values = input && allValues(input.type);
    if (name === undefined || values === undefined)
      throw new Refused('it has no case, or one of an input of many values');
    for (const value of [...values, ...(input?.optional === true ? [null] : [])])
      this.#covers(
        givens.filter((given) => !Object.hasOwn(given, name) || given[name] === value),
        [...done, name],
      );
  }

  #case(claim: Claim, { given, inputs }: CaseCertificate): void {
    const leaves: Leaves = new Map();
    const tree = treeOfClaim(claim, given, leaves);
    const confirmed = inputs.map((one) => {
      if (!Object.hasOwn(this.#inputs, one.input)) throw new Refused(`there is no input ${one.input}`);
      return confirm(one, this.#inputs[one.input], leaves, this.#tests);
    });
    if (new Set(inputs.map(({ input }) => input)).size < inputs.length)
      throw new Refused('it has an input twice');
    refuteAll(tree, [...confirmed, ...others(leaves, confirmed)]);
  }
}

type Predicates = Pick<Confirmed, 'keys' | 'vectors'>;

/** The predicates of which nothing is known: each has one of the three values, the same wherever it stands. */
function others(leaves: Leaves, confirmed: readonly Confirmed[]): readonly Predicates[] {
  const known = new Set(confirmed.flatMap(({ keys }) => keys));
  return [...leaves.keys()]
    .filter((key) => !known.has(key))
    .map((key) => ({ keys: [key], vectors: [[FALSE], [TRUE], [NONE]] }));
}

/** That the claim holds of no choice of what the predicates can be. @throws Refused */
function refuteAll(tree: Tree, inputs: readonly Predicates[]): void {
  const known = new Map<string, number>();
  let count = 0;
  const visit = (at: number): void => {
    if (++count > MOST_CHOICES)
      throw new Refused(`more than ${MOST_CHOICES} choices of values are to be evaluated`);
    if ((valuesOf(tree, (key) => known.get(key) ?? ANY) & TRUE) === 0) return;
    if (at === inputs.length)
      throw new Refused(
        `the claim may hold where ${[...known].map(([key, value]) => `${key} is ${value}`).join(', ')}`,
      );
    const { keys, vectors } = inputs[at];
    for (const vector of vectors) {
      for (const [i, key] of keys.entries()) known.set(key, vector[i]);
      visit(at + 1);
    }
    for (const key of keys) known.delete(key);
  };
  visit(0);
}
