import {
  compileCondition,
  type Evaluate,
  type Expression,
  type ExpressionNode,
} from '../../languages/expression/index.js';
import { enumerated, type Inputs, simplest } from '../../languages/inputs/index.js';
import { FALSE, NONE, TRUE } from '../../languages/regular/index.js';
import type { CaseCertificate, Certificate, Claim, InputCertificate } from '../recheck/index.js';
import { Assigned, bitsOf, type Formula, type Formulas } from './formulas.js';
import { guess } from './guess.js';
import { Reader, SplitOn, type Variable } from './reader.js';
import { OutOfSteps, Steps } from './steps.js';
import { reasonOf } from './undecidable.js';
import { type AtomVector, vectorsOf } from './vectors.js';

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

/** Settings of a decider. */
export interface DeciderOptions {
  /** Most steps for one claim; default `DEFAULT_STEPS`. */
  readonly steps?: number;
  /** Whether `steps` are for all claims together; default false. */
  readonly together?: boolean;
}

/**
 * Decides whether some input fulfils a claim: texts by automata, numbers by cells, lists by small lists. An input that is found has been evaluated; `none` is a
 * proof, as what predicates can be together is never underestimated.
 *
 * What is found out about the inputs is kept for later claims, so one decider serves all questions about one set of predicates.
 */
export class Decider {
  readonly #inputs: Inputs;
  readonly #cases = new Map<string, Case>();
  readonly #foreseen: Claim[] = [];
  readonly #steps: Steps;

  /** @param inputs the types of the inputs that expressions may read */
  constructor(inputs: Inputs, { steps, together = false }: DeciderOptions = {}) {
    this.#inputs = inputs;
    this.#steps = new Steps(steps, together);
  }

  /** Says which claims will be asked about, so that what predicates can be together is found out for all at once. Changes no answer. */
  foresee(...claims: readonly Claim[]): void {
    this.#foreseen.push(...claims);
  }

  /** Whether some input fulfils the claim. */
  find(claim: Claim): Answer {
    const answer = this.#followed(claim);
    if (answer.kind !== 'unknown') return answer;
    const input = guess(claim, this.#inputs, (one) => this.#followed(one));
    return input === null ? answer : { kind: 'some', input };
  }

  #followed(claim: Claim): Answer {
    this.#steps.restart();
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
        } else {
          reason ??= reasonOf(error);
          if (error instanceof OutOfSteps) break;
        }
      }
    }
    return reason === null ? { kind: 'none' } : { kind: 'unknown', reason };
  }

  /**
   * Why no input fulfils a claim, of which `find` has said so, for `Rechecker`. Of another claim it has what predicates can be, which does not show it.
   *
   * @throws NotSupportedError, OutOfSteps if there are too many cases, or steps
   */
  certificate(claim: Claim): Certificate {
    this.#steps.restart();
    const cases: CaseCertificate[] = [];
    const open: Given[] = [new Map()];
    for (let given = open.pop(); given !== undefined; given = open.pop()) {
      try {
        cases.push(this.#case(given).certificate(claim));
      } catch (error) {
        if (!(error instanceof SplitOn)) throw error;
        for (const value of enumerated(this.#inputs[error.name])!)
          open.push(new Map(given).set(error.name, value));
      }
    }
    return { cases };
  }

  #case(given: Given): Case {
    const key = JSON.stringify([...given]);
    let one = this.#cases.get(key);
    if (one === undefined) {
      one = new Case(this.#inputs, given, this.#steps, this.#foreseen);
      this.#cases.set(key, one);
    }
    return one;
  }
}

type Given = ReadonlyMap<string, string | number | boolean | null>;

/** Most steps for what the predicates of all claims over one input can be together; beyond, each claim is looked at apart. */
const MOST_SHARED_STEPS = 2_000_000;

/** What atoms of a variable can be together. */
interface Known {
  readonly numbers: readonly number[];
  readonly vectors: readonly AtomVector[];
  /** Absent for an atom that may be anything. */
  readonly certify?: () => InputCertificate;
}

/** Questions about the inputs where some of them are given. */
class Case {
  readonly #inputs: Inputs;
  readonly #given: Given;
  readonly #steps: Steps;
  readonly #reader: Reader;
  readonly #formulas = new WeakMap<Claim, Formula>();
  /** By variable and atoms; null where it is too much. */
  readonly #known = new Map<string, Choices | null>();

  constructor(inputs: Inputs, given: Given, steps: Steps, foreseen: readonly Claim[]) {
    this.#inputs = inputs;
    this.#given = given;
    this.#steps = steps;
    this.#reader = new Reader(inputs, given, steps.take);
    for (const claim of foreseen) {
      try {
        this.#formulaOf(claim);
      } catch (error) {
        if (!(error instanceof SplitOn)) reasonOf(error);
      }
    }
  }

  /** @throws SplitOn if another input must be given first */
  find(claim: Claim): Answer {
    const { formulas, variables, open } = this.#reader;
    const formula = this.#formulaOf(claim);
    const read = formulas.atomsOf(formula);
    const isRead = (number: number) => (read & bitsOf([number])) !== 0n;
    const used = [...variables.values()].filter(({ atoms }) => atoms.some(({ number }) => isRead(number)));
    const choices = [
      ...used.map((variable) => this.#knownOf(variable, isRead)),
      ...open.filter(isRead).map((number) => new Choices({ numbers: [number], vectors: OPEN })),
    ];
    this.#steps.doing = `choices of values of ${used.length} inputs`;
    const chosen = search(formulas, formula, choices, true);
    if (chosen !== null) {
      const input: Record<string, unknown> = {
        ...defaults(this.#inputs),
        ...Object.fromEntries(this.#given),
      };
      for (const [i, { name }] of used.entries()) {
        const witness = chosen[i]?.witness;
        if (witness !== undefined) input[name] = witness.value;
      }
      if (!holds(claim, input))
        throw new Error(
          `the decider found ${JSON.stringify(input)}, of which the claim does not hold: a fault of Foreguard`,
        );
      return { kind: 'some', input };
    }
    if (search(formulas, formula, choices, false) === null) return { kind: 'none' };
    return { kind: 'unknown', reason: this.#reasonFor(used, isRead) };
  }

  #formulaOf(claim: Claim): Formula {
    let formula = this.#formulas.get(claim);
    if (formula === undefined) {
      formula = this.#readClaim(claim);
      this.#formulas.set(claim, formula);
    }
    return formula;
  }

  #readClaim(claim: Claim): Formula {
    const { formulas } = this.#reader;
    switch (claim.kind) {
      case 'is':
        return formulas.is(maskOf(claim.values), this.#reader.read(claim.of));
      case 'and':
        return formulas.and(...claim.of.map((one) => this.#formulaOf(one)));
      case 'or':
        return formulas.or(...claim.of.map((one) => this.#formulaOf(one)));
      case 'not':
        return formulas.not(this.#formulaOf(claim.of));
    }
  }

  /** Of all atoms of the variable if that is not too much, else of those that are read. */
  #knownOf(variable: Variable, isRead: (number: number) => boolean): Choices {
    const whole = this.#keep('whole', variable, () => {
      try {
        return this.#steps.share(MOST_SHARED_STEPS, () => this.#vectorsOf(variable));
      } catch (error) {
        reasonOf(error);
        return null;
      }
    });
    if (whole !== null) return whole;
    const atoms = variable.atoms.filter(({ number }) => isRead(number));
    const listAtoms = variable.listAtoms.filter(({ number }) => isRead(number));
    const { formulas } = this.#reader;
    const inBodies = listAtoms.reduce((bits, { body }) => bits | formulas.atomsOf(body), 0n);
    const elementAtoms = variable.elementAtoms.filter(({ number }) => (inBodies & bitsOf([number])) !== 0n);
    const part = { ...variable, atoms, listAtoms, elementAtoms };
    return this.#keep('part', part, () => this.#vectorsOf(part))!;
  }

  #keep(what: 'whole' | 'part', variable: Variable, make: () => Choices | null): Choices | null {
    const atoms = [...variable.atoms, ...variable.elementAtoms].map(({ number }) => number);
    const key = `${what} ${variable.name} ${atoms.join()}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = make();
      this.#known.set(key, known);
    }
    return known;
  }

  #vectorsOf(variable: Variable): Choices {
    const { formulas, reasons } = this.#reader;
    const found = vectorsOf(variable, this.#inputs[variable.name], formulas, { reasons, steps: this.#steps });
    return new Choices({ numbers: variable.atoms.map(({ number }) => number), ...found });
  }

  /** What is known of the inputs that a claim reads. @throws SplitOn if another input must be given first */
  certificate(claim: Claim): CaseCertificate {
    const { formulas, variables } = this.#reader;
    const read = formulas.atomsOf(this.#formulaOf(claim));
    const isRead = (number: number) => (read & bitsOf([number])) !== 0n;
    const used = [...variables.values()].filter(({ atoms }) => atoms.some(({ number }) => isRead(number)));
    return {
      given: Object.fromEntries(this.#given),
      inputs: used.map((variable) => this.#knownOf(variable, isRead).certify()),
    };
  }

  /** Why atoms that are read are not followed. */
  #reasonFor(variables: readonly Variable[], isRead: (number: number) => boolean): string {
    const { formulas, reasons } = this.#reader;
    const inBodies = variables
      .flatMap(({ listAtoms }) => listAtoms)
      .reduce((bits, { number, body }) => (isRead(number) ? bits | formulas.atomsOf(body) : bits), 0n);
    const found = [...reasons].flatMap(([number, reason]) =>
      isRead(number) || (inBodies & bitsOf([number])) !== 0n ? [reason] : [],
    );
    return found.length > 0 ? [...new Set(found)].join('; ') : UNCONFIRMED;
  }
}

/** The values of an atom that is not followed. */
const OPEN: readonly AtomVector[] = [FALSE, TRUE, NONE].map((value) => ({ values: [value] }));

const UNCONFIRMED =
  'it depends on texts that are very long, or have percent signs, IPv6 addresses or deep paths that climb, of which none was found';

/** A value for each input: the simplest of its type. */
function defaults(inputs: Inputs): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, { type, optional = false }]) => [
      name,
      optional ? null : simplest(type),
    ]),
  );
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

/** Expressions are evaluated many times, and compiled once. */
const compiled = new WeakMap<ExpressionNode, Evaluate<boolean>>();

function valueAt({ name, root }: Expression, input: Assignment): 'true' | 'false' | 'none' {
  try {
    let evaluate = compiled.get(root);
    if (evaluate === undefined) {
      evaluate = compileCondition({ name, root });
      compiled.set(root, evaluate);
    }
    return evaluate(input, {}) ? 'true' : 'false';
  } catch {
    return 'none';
  }
}

/** A vector of a variable, to be put into formulas. */
interface Choice {
  readonly vector: AtomVector;
  /** All its values: those of atoms that a formula does not read say nothing. */
  readonly assigned: Assigned;
}

/** The vectors of a variable, looked at by the atoms that matter: those that differ in others alone are one. */
class Choices {
  readonly #known: Known;
  readonly #bits: bigint;
  readonly #all: readonly Choice[];
  readonly #projected = new Map<bigint, readonly Choice[]>();

  constructor(known: Known) {
    const { numbers, vectors } = known;
    this.#known = known;
    this.#bits = bitsOf(numbers);
    this.#all = vectors.map((vector) => ({ vector, assigned: new Assigned(numbers, vector.values) }));
  }

  certify(): InputCertificate {
    return this.#known.certify!();
  }

  /** The vectors over the atoms of a formula; of those with equal values of these the first, which is the simplest. Null if the formula reads none. */
  over(atoms: bigint): readonly Choice[] | null {
    const bits = atoms & this.#bits;
    if (bits === 0n) return null;
    let found = this.#projected.get(bits);
    if (found === undefined) {
      const kept = this.#known.numbers.flatMap((number, i) =>
        ((bits >> BigInt(number)) & 1n) === 1n ? [i] : [],
      );
      const distinct = new Map<string, Choice>();
      for (const choice of this.#all) {
        const key = kept.map((i) => choice.vector.values[i]).join();
        if (!distinct.has(key)) distinct.set(key, choice);
      }
      found = [...distinct.values()];
      this.#projected.set(bits, found);
    }
    return found;
  }
}

/**
 * A vector for each variable such that the formula is true; null for a variable on which nothing depends, and null if there are none.
 *
 * @param onlyReal whether vectors without a witness are left out
 */
function search(
  formulas: Formulas,
  formula: Formula,
  variables: readonly Choices[],
  onlyReal: boolean,
): (AtomVector | null)[] | null {
  const failed = variables.map(() => new Set<Formula>());
  const visit = (at: number, rest: Formula): (AtomVector | null)[] | null => {
    if (rest === formulas.true) return variables.slice(at).map(() => null);
    if (formulas.valueOf(rest) !== null || failed[at].has(rest)) return null;
    const over = variables[at].over(formulas.atomsOf(rest));
    const tried = new Set<Formula>();
    for (const choice of over ?? [null]) {
      if (choice !== null && onlyReal && choice.vector.witness === undefined) continue;
      const next = choice === null ? rest : formulas.assignAll(rest, choice.assigned);
      if (tried.has(next)) continue;
      tried.add(next);
      const found = visit(at + 1, next);
      if (found !== null) return [choice === null ? null : choice.vector, ...found];
    }
    failed[at].add(rest);
    return null;
  };
  return visit(0, formula);
}
