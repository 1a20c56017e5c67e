import { FALSE, NONE, TRUE } from '../../languages/regular/index.js';

/** A formula of three values, as its number in `Formulas`. Equal formulas have equal numbers. */
export type Formula = number;

/** The value of an atom or a formula: FALSE, TRUE or NONE. */
export type Value = number;

type Node =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'atom'; readonly atom: number }
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Formula[] }
  | { readonly kind: 'if'; readonly condition: Formula; readonly then: Formula; readonly otherwise: Formula }
  /** Whether the value of a formula is one of these bits: true or false for certain. */
  | { readonly kind: 'is'; readonly mask: number; readonly of: Formula };

/**
 * Formulas over atoms, with the three values of the expression language: `&&` and `||` have a value where one side decides, whatever the other is. Formulas are
 * kept once each and simplified when they are made, so that a formula without atoms is a constant.
 */
export class Formulas {
  readonly #nodes: Node[] = [];
  /** The atoms that each formula reads, as bits. */
  readonly #reads: bigint[] = [];
  readonly #numbers = new Map<string, Formula>();
  readonly false = this.constant(FALSE);
  readonly true = this.constant(TRUE);
  readonly none = this.constant(NONE);
  readonly #count: (steps: number) => void;
  /** Results of `assign` that are kept, and how often they have been given up. */
  #remembered = 0;
  #generation = 0;

  /** @param count is told of each part of a formula that is evaluated, and may throw */
  constructor(count: (steps: number) => void = () => {}) {
    this.#count = count;
  }

  constant(value: Value): Formula {
    return this.#add(`c${value}`, { kind: 'constant', value });
  }

  atom(atom: number): Formula {
    return this.#add(`a${atom}`, { kind: 'atom', atom });
  }

  not(of: Formula): Formula {
    const node = this.#nodes[of];
    if (node.kind === 'constant') return this.constant(negated(node.value));
    if (node.kind === 'not') return node.of;
    return this.#add(`!${of}`, { kind: 'not', of });
  }

  and(...of: readonly Formula[]): Formula {
    return this.#junction('and', of, this.false, this.true);
  }

  or(...of: readonly Formula[]): Formula {
    return this.#junction('or', of, this.true, this.false);
  }

  /** As `condition ? then : otherwise`. */
  if(condition: Formula, then: Formula, otherwise: Formula): Formula {
    if (condition === this.true) return then;
    if (condition === this.false) return otherwise;
    if (condition === this.none) return this.none;
    return this.#add(`?${condition},${then},${otherwise}`, { kind: 'if', condition, then, otherwise });
  }

  /** Whether the value of a formula is one of these, as bits. */
  is(mask: number, of: Formula): Formula {
    const node = this.#nodes[of];
    if (node.kind === 'constant') return (node.value & mask) === 0 ? this.false : this.true;
    return this.#add(`i${mask},${of}`, { kind: 'is', mask, of });
  }

  /** The value of a formula without atoms; null for another. */
  valueOf(formula: Formula): Value | null {
    const node = this.#nodes[formula];
    return node.kind === 'constant' ? node.value : null;
  }

  /** The atoms that a formula reads, as bits by their numbers. */
  atomsOf(formula: Formula): bigint {
    return this.#reads[formula];
  }

  /** The formula with values in place of atoms, by their numbers; all other atoms stay. */
  assign(formula: Formula, atoms: readonly number[], values: readonly Value[]): Formula {
    return this.assignAll(formula, new Assigned(atoms, values));
  }

  /** As `assign`, of values that are put into many formulas: parts that these share are looked at once. */
  assignAll(formula: Formula, assigned: Assigned): Formula {
    const { bits, values } = assigned;
    if (this.#remembered > MOST_REMEMBERED) {
      this.#remembered = 0;
      this.#generation++;
    }
    const done = assigned.doneIn(this.#generation);
    const visit = (at: Formula): Formula => {
      if ((this.#reads[at] & bits) === 0n) return at;
      const known = done.get(at);
      if (known !== undefined) return known;
      this.#count(1);
      this.#remembered++;
      const result = this.#assigned(this.#nodes[at], at, values, visit);
      done.set(at, result);
      return result;
    };
    return visit(formula);
  }

  #assigned(
    node: Node,
    at: Formula,
    values: ReadonlyMap<number, Value>,
    visit: (part: Formula) => Formula,
  ): Formula {
    switch (node.kind) {
      case 'constant':
        return at;
      case 'atom': {
        const value = values.get(node.atom);
        return value === undefined ? at : this.constant(value);
      }
      case 'not':
        return this.not(visit(node.of));
      case 'and':
        return this.and(...node.of.map(visit));
      case 'or':
        return this.or(...node.of.map(visit));
      case 'if':
        return this.if(visit(node.condition), visit(node.then), visit(node.otherwise));
      case 'is':
        return this.is(node.mask, visit(node.of));
    }
  }

  /** @param zero decides @param one says nothing */
  #junction(kind: 'and' | 'or', of: readonly Formula[], zero: Formula, one: Formula): Formula {
    const parts = new Set<Formula>();
    for (const part of of) {
      const node = this.#nodes[part];
      for (const inner of node.kind === kind ? node.of : [part]) {
        if (inner === zero) return zero;
        if (inner !== one) parts.add(inner);
      }
    }
    if (parts.size === 0) return one;
    const sorted = [...parts].sort((a, b) => a - b);
    if (sorted.length === 1) return sorted[0];
    return this.#add(`${kind === 'and' ? '&' : '|'}${sorted.join()}`, { kind, of: sorted });
  }

  #readsOf(node: Node): bigint {
    const read = (of: readonly Formula[]) => of.reduce((bits, part) => bits | this.#reads[part], 0n);
    switch (node.kind) {
      case 'constant':
        return 0n;
      case 'atom':
        return 1n << BigInt(node.atom);
      case 'and':
      case 'or':
        return read(node.of);
      case 'if':
        return read([node.condition, node.then, node.otherwise]);
      default:
        return this.#reads[node.of];
    }
  }

  #add(key: string, node: Node): Formula {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#nodes.push(node) - 1;
      this.#reads.push(this.#readsOf(node));
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** Most results of `assignAll` that are kept. */
const MOST_REMEMBERED = 1_000_000;

/** Values of atoms, by their numbers. */
export class Assigned {
  readonly values: ReadonlyMap<number, Value>;
  /** The atoms, as bits. */
  readonly bits: bigint;
  #generation = 0;
  readonly #done = new Map<Formula, Formula>();

  constructor(atoms: readonly number[], values: readonly Value[]) {
    this.values = new Map(atoms.map((atom, i) => [atom, values[i]]));
    this.bits = bitsOf(atoms);
  }

  /** What formulas have become with these values; nothing once there is another generation. */
  doneIn(generation: number): Map<Formula, Formula> {
    if (generation !== this.#generation) this.#done.clear();
    this.#generation = generation;
    return this.#done;
  }
}

/** Atoms as bits by their numbers. */
export function bitsOf(atoms: readonly number[]): bigint {
  return atoms.reduce((bits, atom) => bits | (1n << BigInt(atom)), 0n);
}

function negated(value: Value): Value {
  if (value === NONE) return NONE;
  return value === TRUE ? FALSE : TRUE;
}
