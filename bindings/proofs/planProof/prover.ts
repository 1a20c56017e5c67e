import { type Expression, type ExpressionNode, printExpression } from '../../languages/expression/index.js';
import { type Answer, type Claim, Decider } from '../../solvers/decide/index.js';
import { factsOf as factsOfFormat, type ValueType } from '../contract/index.js';
import type { Json } from '../workflow/index.js';
import { type FlatInput, Flattener } from './flatten.js';
import { isThere } from './indexes.js';
import { constantOf, folded, NOWHERE, type Term, termOf } from './terms.js';
import type { SymbolTypes } from './termTypes.js';

/** Whether a term is true wherever the facts are. */
export type Proof =
  | { readonly kind: 'proved' }
  /** With these values of symbols and their fields the facts are true, and the term is not. */
  | { readonly kind: 'refuted'; readonly values: readonly SymbolValue[] }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface SymbolValue {
  readonly symbol: string;
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

/** What is known to be true at a place of a plan. */
export interface Facts {
  readonly terms: readonly Term[];
}

const PROVED: Proof = { kind: 'proved' };

/** Most facts that one question takes along. */
const MOST_FACTS = 24;
/** Steps of the decider for one question: about 0.2 seconds. */
const STEPS = 2_000_000;

/** Answers whether facts imply terms: constants first, then what is literally known, then the built-in decider. Steps bound its work, so that answers replay. */
export class Prover {
  /** Questions that the decider was asked. */
  asked = 0;
  readonly #types: SymbolTypes;
  readonly #known = new Map<string, Answer>();
  readonly #printed = new WeakMap<Term, string>();
  readonly #inhabited = new Map<string, boolean>();
  readonly #inputs = new WeakMap<Term, readonly string[]>();

  constructor(types: SymbolTypes) {
    this.#types = types;
  }

  /** Whether the term is true wherever the facts are. */
  proves(facts: readonly Term[], term: Term): Proof {
    const goal = folded(term);
    const constant = constantOf(goal);
    if (constant?.value === true) return PROVED;
    if (goal.kind === 'logical' && goal.operator === '&&') return this.#all(facts, goal.operands);
    const printed = this.print(goal);
    if (facts.some((fact) => this.#says(fact, printed))) return PROVED;
    return this.#ask(facts, goal, ['false', 'none']);
  }

  /** Whether the facts can be true together; `proved` says that they cannot. */
  contradict(facts: readonly Term[]): Proof {
    for (const fact of facts) {
      const constant = constantOf(folded(fact));
      if (constant !== undefined && constant.value !== true) return PROVED;
    }
    if (facts.length === 0) return { kind: 'refuted', values: [] };
    const [first, ...rest] = facts.map(folded);
    return this.#ask(rest, first, ['true'], true);
  }

  print(term: Term): string {
    let printed = this.#printed.get(term);
    if (printed === undefined) {
      printed = printExpression({ name: '', root: term });
      this.#printed.set(term, printed);
    }
    return printed;
  }

  #all(facts: readonly Term[], terms: readonly Term[]): Proof {
    let unknown: Proof | null = null;
    for (const term of terms) {
      const proof = this.proves(facts, term);
      if (proof.kind === 'refuted') return proof;
      if (proof.kind === 'unknown') unknown ??= proof;
    }
    return unknown ?? PROVED;
  }

  #says(fact: Term, printed: string): boolean {
    if (this.print(fact) === printed) return true;
    return fact.kind === 'logical' && fact.operator === '&&'
      ? fact.operands.some((one) => this.#says(one, printed))
      : false;
  }

  /** Whether the goal has one of the values while the facts are true. */
  #ask(
    facts: readonly Term[],
    goal: Term,
    values: readonly ('true' | 'false' | 'none')[],
    all = false,
  ): Proof {
    const flattener = new Flattener(this.#types, this.#hasValues);
    const isKnown = (list: Term, index: number): boolean => {
      const printed = this.print(isThere(list, index));
      return facts.some((fact) => this.print(fact) === printed);
    };
    const target = all ? flattener.of(goal) : flattener.of(goal, isKnown);
    const relevant = all ? facts.map((fact) => flattener.of(fact)) : this.#relevant(facts, flattener);
    const claims: Claim[] = [
      { kind: 'is', values, of: expression(target) },
      ...relevant.map((fact): Claim => ({ kind: 'is', values: ['true'], of: expression(fact) })),
      ...typeClaims(flattener.found),
    ];
    const answer = this.#answer(claims, flattener);
    if (answer.kind === 'none') return PROVED;
    if (answer.kind === 'unknown') return { kind: 'unknown', reason: answer.reason };
    return { kind: 'refuted', values: valuesOf(answer.input, flattener.found) };
  }

  /** The facts that read what the goal reads, or what such facts read. */
  #relevant(facts: readonly Term[], flattener: Flattener): Term[] {
    const chosen: Term[] = [];
    const open = new Set(facts);
    for (let before = -1; before < chosen.length && chosen.length < MOST_FACTS; ) {
      before = chosen.length;
      for (const fact of open) {
        if (!this.#inputsOf(fact).some((name) => flattener.found.has(name))) continue;
        open.delete(fact);
        chosen.push(flattener.of(fact));
      }
    }
    return chosen;
  }

  #inputsOf(fact: Term): readonly string[] {
    let names = this.#inputs.get(fact);
    if (names === undefined) {
      const flattener = new Flattener(this.#types);
      flattener.of(fact);
      names = [...flattener.found.keys()];
      this.#inputs.set(fact, names);
    }
    return names;
  }

  /** Whether what types say of a value contradicts nothing: `email` of two letters at most has no text. */
  readonly #hasValues = (type: ValueType): boolean => {
    if (!mayBeEmpty(type)) return true;
    const key = JSON.stringify(type);
    let found = this.#inhabited.get(key);
    if (found === undefined) {
      const flattener = new Flattener(new Map([['@', type]]));
      flattener.of({ kind: 'name', name: '@', place: NOWHERE });
      const claims = typeClaims(flattener.found);
      found = decide(flattener.inputs(), { kind: 'and', of: claims }).kind === 'some';
      this.#inhabited.set(key, found);
    }
    return found;
  };

  /** Each question is asked once. */
  #answer(claims: readonly Claim[], flattener: Flattener): Answer {
    const inputs = flattener.inputs();
    const key = JSON.stringify([claims.map(printClaim), inputs]);
    let answer = this.#known.get(key);
    if (answer === undefined) {
      this.asked++;
      answer = decide(inputs, { kind: 'and', of: claims });
      this.#known.set(key, answer);
    }
    return answer;
  }
}

function decide(inputs: ConstructorParameters<typeof Decider>[0], claim: Claim): Answer {
  try {
    return new Decider(inputs, { steps: STEPS }).find(claim);
  } catch (error) {
    // A question that the decider does not take is one that is not answered.
    return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  }
}

function expression(root: ExpressionNode): Expression {
  return { name: '', root };
}

function printClaim(claim: Claim): unknown {
  if (claim.kind === 'is') return [claim.values, printExpression(claim.of)];
  return claim.kind === 'not' ? ['not', printClaim(claim.of)] : [claim.kind, claim.of.map(printClaim)];
}

/** Whether a type says more than one thing of its values, which may contradict each other. */
function mayBeEmpty(type: ValueType): boolean {
  if (type.kind === 'text')
    return type.format !== undefined && (type.most !== undefined || type.values !== undefined);
  return 'least' in type && 'most' in type;
}

/** What types say of values beyond what the decider's inputs say. */
function typeClaims(found: ReadonlyMap<string, FlatInput>): Claim[] {
  const claims: Claim[] = [];
  for (const { name, type } of found.values()) {
    if (type === null) continue;
    const value: ExpressionNode = { kind: 'name', name, place: NOWHERE };
    for (const fact of factsOf(type, value))
      claims.push({ kind: 'is', values: ['true'], of: expression(fact) });
    claims.push(...factsOfFormat(name, type));
  }
  return claims;
}

function factsOf(type: ValueType, value: ExpressionNode): ExpressionNode[] {
  const compare = (operator: '>=' | '<=', left: ExpressionNode, bound: number): ExpressionNode => ({
    kind: 'binary',
    operator,
    left,
    right: termOf(bound),
    place: NOWHERE,
  });
  if (type.kind === 'number')
    return [
      ...(type.least === undefined ? [] : [compare('>=', value, type.least)]),
      ...(type.most === undefined ? [] : [compare('<=', value, type.most)]),
    ];
  if (type.kind === 'list' && type.least !== undefined && type.least > 0) {
    const size: ExpressionNode = { kind: 'call', function: 'size', arguments: [value], place: NOWHERE };
    return [compare('>=', size, type.least)];
  }
  return [];
}

function valuesOf(
  input: Readonly<Record<string, unknown>>,
  found: ReadonlyMap<string, FlatInput>,
): SymbolValue[] {
  const values: SymbolValue[] = [];
  for (const { name, symbol, path, type } of found.values())
    if (type !== null && Object.hasOwn(input, name))
      values.push({ symbol, path, value: input[name] as Json });
  return values;
}
