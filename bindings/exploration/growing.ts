/** Arrays that grow by doubling, for what is not known beforehand. */
export class GrowingU32 {
  length = 0;
  private items = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Uint32Array(this.items.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  /** The items, sharing memory. */
  view(): Uint32Array {
    return this.items.subarray(0, this.length);
  }
}

export class GrowingF64 {
  length = 0;
  private items = new Float64Array(1024);

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Float64Array(this.items.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  view(): Float64Array {
    return this.items.subarray(0, this.length);
  }
}
