const FIRST_CHUNK = 1 << 10;
const LARGEST_CHUNK = 1 << 17;

/** A typed array of unknown length, kept in chunks: growing copies nothing, and the final array has the exact length. */
export class Growing<A extends Uint32Array | Float64Array> {
  length = 0;
  readonly #full: A[] = [];
  #chunk: A;
  #used = 0;
  readonly #create: (length: number) => A;

  constructor(create: (length: number) => A) {
    this.#create = create;
    this.#chunk = create(FIRST_CHUNK);
  }

  /** Bytes held. */
  get bytes(): number {
    return (this.length - this.#used + this.#chunk.length) * this.#chunk.BYTES_PER_ELEMENT;
  }

  push(value: number): void {
    if (this.#used === this.#chunk.length) this.#open();
    this.#chunk[this.#used++] = value;
    this.length++;
  }

  append(items: A): void {
    for (let taken = 0; taken < items.length; ) {
      if (this.#used === this.#chunk.length) this.#open();
      const count = Math.min(items.length - taken, this.#chunk.length - this.#used);
      this.#chunk.set(items.subarray(taken, taken + count), this.#used);
      this.#used += count;
      this.length += count;
      taken += count;
    }
  }

  /** Returns all items in one array. Nothing may be added afterwards. */
  finish(): A {
    const items = this.#create(this.length);
    let at = 0;
    for (let chunk = this.#full.shift(); chunk; chunk = this.#full.shift()) {
      items.set(chunk, at);
      at += chunk.length;
    }
    items.set(this.#chunk.subarray(0, this.#used), at);
    return items;
  }

  #open(): void {
    const chunk = this.#create(Math.min(this.#chunk.length * 2, LARGEST_CHUNK));
    this.#full.push(this.#chunk);
    this.#chunk = chunk;
    this.#used = 0;
  }
}

export const growingU32 = (): Growing<Uint32Array> => new Growing((length) => new Uint32Array(length));
export const growingF64 = (): Growing<Float64Array> => new Growing((length) => new Float64Array(length));
