/**
 * A packed valuation seen as an object with one Boolean field per predicate, so that compiled expressions can read it.
 * The fields are getters over whatever valuation the view points at: moving it allocates nothing.
 */
export class ValuationView {
  /** One own getter per predicate. */
  readonly fields: Readonly<Record<string, boolean>>;
  #valuation: Uint32Array = new Uint32Array(0);
  #offset = 0;

  /** @param predicates names in the order of their bits. */
  constructor(predicates: readonly string[]) {
    const fields = {};
    predicates.forEach((name, i) => {
      const word = i >>> 5;
      const mask = 1 << (i & 31);
      Object.defineProperty(fields, name, {
        enumerable: true,
        get: () => (this.#valuation[this.#offset + word] & mask) !== 0,
      });
    });
    this.fields = fields;
  }

  /** Points the view at the valuation that starts at `offset`. */
  moveTo(valuation: Uint32Array, offset: number): void {
    this.#valuation = valuation;
    this.#offset = offset;
  }
}
