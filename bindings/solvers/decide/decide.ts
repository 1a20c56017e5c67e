import { compileCondition, type Expression } from '../../languages/expression/index.js';
import { enumerated, type Inputs, simplest } from '../../languages/inputs/index.js';
import { FALSE, NONE, TRUE } from '../../languages/regular/index.js';
import type { Formula, Formulas } from './formulas.js';
import { guess } from './guess.js';
import { Reader, SplitOn, type Variable } from './reader.js';
import { reasonOf } from './undecidable.js';
import { type AtomVector, vectorsOf } from './vectors.js';

/** A statement about an input, which holds or does not. */
export type Claim =
  /** The value of an expression is one of these. */
  | { readonly kind: 'is'; readonly values: readonly ('true' | 'false' | 'none')[]; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Claim[] }
  | { readonly kind: 'not'; readonly of: Claim };

/** An input, by name. */
export type Assignment = Readonly<Record<string, unknown>>;

/** Whether some input fulfils a claim. */
export type Answer =
  | { readonly kind: 'none' }
  /** The claim was evaluated with this input, and holds. */
  | { readonly kind: 'some'; readonly input: Assignment }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Most cases into which the inputs with few values are split. */
const MOST_CASES = 10_000;

/**
 * Decides whether some input fulfils a claim: texts by automata, numbers by cells, lists by small lists. An input that is found has been evaluated; `none` is a
 * proof, as what predicates can be together is never underestimated.
 *
 * What is found out about the inputs is kept for later claims, so one decider serves all questions about one set of predicates.
 */
export class Decider {
  readonly #inputs: Inputs;
  readonly #cases = new Map<string, Case>();

  /** @param inputs the types of the inputs that expressions may read */
  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  /** Whether some input fulfils the claim. */
  find(claim: Claim): Answer {
    const answer = this.#followed(claim);
    if (answer.kind !== 'unknown') return answer;
    const input = guess(claim, this.#inputs, (one) => this.#followed(one));
    return input === null ? answer : { kind: 'some', input };
  }

  #followed(claim: Claim): Answer {
    const open: Given[] = [new Map()];
    let reason: string | null = null;
    let count = 0;
    for (let given = open.pop(); given !== undefined; given = open.pop()) {
      if (++count > MOST_CASES)
        return { kind: 'unknown', reason: `inputs with few values give more than ${MOST_CASES} cases` };
      try {
        const answer = this.#case(given).find(claim);
        if (answer.kind === 'some') return answer;
        if (answer.kind === 'unknown') reason ??= answer.reason;
      } catch (error) {
        if (error instanceof SplitOn) {
          const { name } = error;
          for (const value of enumerated(this.#inputs[name])!.reverse())
            open.push(new Map(given).set(name, value));
        } else reason ??= reasonOf(error);
      }
    }
    return reason === null ? { kind: 'none' } : { kind: 'unknown', reason };
  }

  #case(given: Given): Case {
    const key = JSON.stringify([...given]);
    let one = this.#cases.get(key);
    if (one === undefined) {
      one = new Case(this.#inputs, given);
      this.#cases.set(key, one);
    }
    return one;
  }
}

type Given = ReadonlyMap<string, string | number | boolean | null>;

/** Questions about the inputs where some of them are given. */
class Case {
  readonly #inputs: Inputs;
  readonly #given: Given;
  readonly #reader: Reader;
  readonly #vectors = new Map<
    Variable,
    { readonly atoms: number; readonly vectors: readonly AtomVector[] }
  >();

  constructor(inputs: Inputs, given: Given) {
    this.#inputs = inputs;
    this.#given = given;
    this.#reader = new Reader(inputs, given);
  }

  /** @throws SplitOn if another input must be given first */
  find(claim: Claim): Answer {
    const { formulas, reasons } = this.#reader;
    const formula = formulaOf(claim, this.#reader);
    const variables = [...this.#reader.variables.values()].filter((variable) => variable.atoms.length > 0);
    const choices = [
      ...variables.map((variable) => ({
        numbers: variable.atoms.map(({ number }) => number),
        vectors: this.#vectorsOf(variable),
      })),
      ...this.#reader.open.map((number) => ({ numbers: [number], vectors: OPEN })),
    ];
    const chosen = search(formulas, formula, choices.map(onlyReal));
    if (chosen !== null) {
      const input: Record<string, unknown> = {
        ...defaults(this.#inputs),
        ...Object.fromEntries(this.#given),
      };
      for (const [i, { name }] of variables.entries()) {
        const witness = chosen[i]?.witness;
        if (witness !== undefined) input[name] = witness.value;
      }
      if (!holds(claim, input))
        throw new Error(
          `the decider found ${JSON.stringify(input)}, of which the claim does not hold: a fault of Foreguard`,
        );
      return { kind: 'some', input };
    }
    if (search(formulas, formula, choices) === null) return { kind: 'none' };
    return { kind: 'unknown', reason: reasons.size > 0 ? [...reasons].join('; ') : UNCONFIRMED };
  }

  #vectorsOf(variable: Variable): readonly AtomVector[] {
    const atoms = variable.atoms.length + variable.elementAtoms.length;
    let known = this.#vectors.get(variable);
    if (known?.atoms !== atoms) {
      const { formulas, reasons } = this.#reader;
      known = { atoms, vectors: vectorsOf(variable, this.#inputs[variable.name], formulas, reasons) };
      this.#vectors.set(variable, known);
    }
    return known.vectors;
  }
}

/** The values of an atom that is not followed. */
const OPEN: readonly AtomVector[] = [FALSE, TRUE, NONE].map((value) => ({ values: [value] }));

const UNCONFIRMED =
  'it depends on texts that are very long, or have percent signs, IPv6 addresses or deep paths that climb, of which none was found';

function onlyReal({ numbers, vectors }: Choices): Choices {
  return { numbers, vectors: vectors.filter(({ witness }) => witness !== undefined) };
}

/** A value for each input: the simplest of its type. */
function defaults(inputs: Inputs): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, { type, optional = false }]) => [
      name,
      optional ? null : simplest(type),
    ]),
  );
}

function formulaOf(claim: Claim, reader: Reader): Formula {
  const { formulas } = reader;
  switch (claim.kind) {
    case 'is':
      return formulas.is(maskOf(claim.values), reader.read(claim.of));
    case 'and':
      return formulas.and(...claim.of.map((one) => formulaOf(one, reader)));
    case 'or':
      return formulas.or(...claim.of.map((one) => formulaOf(one, reader)));
    case 'not':
      return formulas.not(formulaOf(claim.of, reader));
  }
}

function maskOf(values: readonly ('true' | 'false' | 'none')[]): number {
  const bits = { true: TRUE, false: FALSE, none: NONE };
  return values.reduce((mask, value) => mask | bits[value], 0);
}

/** Whether a claim holds of an input, by evaluating its expressions. */
export function holds(claim: Claim, input: Assignment): boolean {
  switch (claim.kind) {
    case 'is':
      return claim.values.includes(valueAt(claim.of, input));
    case 'and':
      return claim.of.every((one) => holds(one, input));
    case 'or':
      return claim.of.some((one) => holds(one, input));
    case 'not':
      return !holds(claim.of, input);
  }
}

function valueAt(expression: Expression, input: Assignment): 'true' | 'false' | 'none' {
  try {
    return compileCondition(expression)(input, {}) ? 'true' : 'false';
  } catch {
    return 'none';
  }
}

interface Choices {
  readonly numbers: readonly number[];
  readonly vectors: readonly AtomVector[];
}

/** A vector for each variable such that the formula is true; null for a variable on which nothing depends, and null if there are none. */
function search(
  formulas: Formulas,
  formula: Formula,
  variables: readonly Choices[],
): (AtomVector | null)[] | null {
  const failed = variables.map(() => new Set<Formula>());
  const visit = (at: number, rest: Formula): (AtomVector | null)[] | null => {
    if (rest === formulas.true) return variables.slice(at).map(() => null);
    if (formulas.valueOf(rest) !== null || failed[at].has(rest)) return null;
    const { numbers, vectors } = variables[at];
    const tried = new Set<Formula>();
    for (const vector of vectors) {
      const next = formulas.assign(rest, new Map(numbers.map((number, i) => [number, vector.values[i]])));
      if (tried.has(next)) continue;
      tried.add(next);
      const found = visit(at + 1, next);
      if (found !== null) return [vector, ...found];
    }
    failed[at].add(rest);
    return null;
  };
  return visit(0, formula);
}
