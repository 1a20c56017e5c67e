import { NotSupportedError } from '../../base/errors.js';
import type { PartialEvaluate, Trilean } from '../../languages/expression/index.js';
import { bit } from '../abstraction/runtime/index.js';
import type { GivenArguments } from './condition.js';
import { EFFECTS } from './declaration.js';
import type { GroundEffects } from './declaredTool.js';

/** Predicates that a call may change without certainty: each doubles the valuations that may follow. */
const MAX_UNCERTAIN = 12;

/** What predicates may be, as bits of packed valuations. */
export interface Possible {
  readonly mayBeTrue: Uint32Array;
  readonly mayBeFalse: Uint32Array;
}

interface PackedChange {
  readonly word: number;
  readonly mask: number;
  /** The value that it gives; undefined: either. */
  readonly value: Trilean;
  readonly when: PartialEvaluate | null;
}

/** A call of a declared tool, over packed valuations: predicate i is bit i & 31 of word i >>> 5. */
export class DeclaredCall {
  /** The tool, and the arguments that are read of it; those that are open are missing. */
  readonly action: { readonly name: string; readonly arguments: GivenArguments };
  /** Such as `walk to=kitchen`. */
  readonly text: string;
  /** The predicates that it may change in some state. */
  readonly touched: ReadonlySet<string>;
  /** The predicates that its conditions read. */
  readonly reads: ReadonlySet<string>;
  readonly #requires: PartialEvaluate | null;
  readonly #changes: readonly PackedChange[];
  readonly #lookup: (path: string) => Trilean;
  readonly #predicates: number;
  #valuation: Uint32Array = new Uint32Array(0);
  #known: Uint32Array | null = null;

  constructor(
    name: string,
    given: GivenArguments,
    { requires, reads, changes }: GroundEffects,
    bits: ReadonlyMap<string, number>,
  ) {
    this.action = { name, arguments: given };
    this.text = [name, ...Object.entries(given).map(([argument, value]) => `${argument}=${value}`)].join(' ');
    this.touched = new Set(EFFECTS.flatMap((kind) => changes[kind].map(({ predicate }) => predicate)));
    this.#requires = requires;
    this.reads = new Set(reads);
    this.#predicates = bits.size;
    const values = { clears: false, sets: true, may: undefined };
    this.#changes = EFFECTS.flatMap((kind) =>
      changes[kind].map(({ predicate, when }) => {
        const i = bits.get(predicate) as number;
        return { word: i >>> 5, mask: 1 << (i & 31), value: values[kind], when };
      }),
    );
    this.#lookup = (path) => {
      const i = bits.get(path);
      if (i === undefined || (this.#known !== null && !bit(this.#known, 0, i))) return undefined;
      return bit(this.#valuation, 0, i);
    };
  }

  /** Whether it can be executed; undefined if that depends on open arguments, or on predicates whose value is not known (`known` has bit 0). */
  executable(valuation: Uint32Array, known: Uint32Array | null = null): Trilean {
    if (this.#requires === null) return true;
    this.#valuation = valuation;
    this.#known = known;
    return this.#requires(this.#lookup);
  }

  /** For each predicate, whether it may be true afterwards, and whether it may be false. @param known as of `executable` */
  possible(valuation: Uint32Array, known: Uint32Array | null = null): Possible {
    this.#valuation = valuation;
    this.#known = known;
    const unknown = (w: number): number => (known === null ? 0 : ~known[w]);
    const mayBeTrue = valuation.map((word, w) => word | unknown(w));
    const mayBeFalse = valuation.map((word, w) => ~word | unknown(w));
    for (const { word, mask, value, when } of this.#changes) {
      const applies = when === null ? true : when(this.#lookup);
      if (applies === false) continue;
      if (value !== false) mayBeTrue[word] |= mask;
      else if (applies === true) mayBeTrue[word] &= ~mask;
      if (value !== true) mayBeFalse[word] |= mask;
      else if (applies === true) mayBeFalse[word] &= ~mask;
    }
    return { mayBeTrue, mayBeFalse };
  }

  /** Whether some effect on predicate i applies, or may apply, in this state. */
  changes(i: number, valuation: Uint32Array, known: Uint32Array | null = null): boolean {
    this.#valuation = valuation;
    this.#known = known;
    return this.#changes.some(
      ({ word, mask, when }) =>
        word === i >>> 5 && mask === 1 << (i & 31) && (when === null || when(this.#lookup) !== false),
    );
  }

  /**
   * All valuations that may follow, whatever constraints say. At least one.
   * @throws NotSupportedError if more than 12 predicates are uncertain
   */
  outcomes(valuation: Uint32Array, known: Uint32Array | null = null): Uint32Array[] {
    const { mayBeTrue, mayBeFalse } = this.possible(valuation, known);
    let outcomes = [mayBeTrue.map((word, w) => word & ~mayBeFalse[w])];
    const open = mayBeTrue.map((word, w) => word & mayBeFalse[w]);
    if (open.every((word) => word === 0)) return outcomes;
    let uncertain = 0;
    for (let i = 0; i < this.#predicates; i++) {
      if (!bit(open, 0, i)) continue;
      if (++uncertain > MAX_UNCERTAIN)
        throw new NotSupportedError(
          `action "${this.text}" may change more than ${MAX_UNCERTAIN} predicates without certainty, so that more than ${2 ** MAX_UNCERTAIN} states may follow; ` +
            'say under which condition it changes them, or declare fewer under may',
        );
      outcomes = outcomes.flatMap((one) => {
        const other = one.slice();
        other[i >>> 5] |= 1 << (i & 31);
        return [one, other];
      });
    }
    return outcomes;
  }
}
