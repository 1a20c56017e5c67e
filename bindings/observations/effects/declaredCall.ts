import { NotSupportedError } from '../../base/errors.js';
import type { PartialEvaluate, Trilean } from '../../languages/expression/index.js';
import { bit } from '../abstraction/runtime/index.js';
import type { GivenArguments } from './condition.js';
import { EFFECTS } from './declaration.js';
import type { GroundEffects } from './declaredTool.js';

/** Predicates that a call may change without certainty: each doubles the valuations that may follow. */
const MAX_UNCERTAIN = 12;

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
  readonly #requires: PartialEvaluate | null;
  readonly #changes: readonly PackedChange[];
  readonly #lookup: (path: string) => Trilean;
  #valuation: Uint32Array = new Uint32Array(0);

  constructor(
    name: string,
    given: GivenArguments,
    { requires, changes }: GroundEffects,
    bits: ReadonlyMap<string, number>,
  ) {
    this.action = { name, arguments: given };
    this.text = [name, ...Object.entries(given).map(([argument, value]) => `${argument}=${value}`)].join(' ');
    this.touched = new Set(EFFECTS.flatMap((kind) => changes[kind].map(({ predicate }) => predicate)));
    this.#requires = requires;
    const values = { clears: false, sets: true, may: undefined };
    this.#changes = EFFECTS.flatMap((kind) =>
      changes[kind].map(({ predicate, when }) => {
        const i = bits.get(predicate) as number;
        return { word: i >>> 5, mask: 1 << (i & 31), value: values[kind], when };
      }),
    );
    this.#lookup = (path) => {
      const i = bits.get(path);
      return i === undefined ? undefined : bit(this.#valuation, 0, i);
    };
  }

  /** Whether it can be executed; undefined if that depends on open arguments. */
  executable(valuation: Uint32Array): Trilean {
    if (this.#requires === null) return true;
    this.#valuation = valuation;
    return this.#requires(this.#lookup);
  }

  /**
   * All valuations that may follow, whatever constraints say. At least one.
   * @throws NotSupportedError if more than 12 predicates are uncertain
   */
  outcomes(valuation: Uint32Array): Uint32Array[] {
    this.#valuation = valuation;
    const mayBeTrue = valuation.slice();
    const mayBeFalse = valuation.map((word) => ~word);
    for (const { word, mask, value, when } of this.#changes) {
      const applies = when === null ? true : when(this.#lookup);
      if (applies === false) continue;
      if (value !== false) mayBeTrue[word] |= mask;
      else if (applies === true) mayBeTrue[word] &= ~mask;
      if (value !== true) mayBeFalse[word] |= mask;
      else if (applies === true) mayBeFalse[word] &= ~mask;
    }
    let outcomes = [mayBeTrue.map((word, w) => word & ~mayBeFalse[w])];
    let uncertain = 0;
    for (let i = 0; i < 32 * valuation.length; i++) {
      if (!bit(mayBeTrue, 0, i) || !bit(mayBeFalse, 0, i)) continue;
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
