/** A place in JSON that is read, as the way to it. Its pointer is written only where something is wrong. */
export class Place {
  static readonly root = new Place(null, '');
  readonly #up: Place | null;
  readonly #key: string | number;
  readonly depth: number;

  private constructor(up: Place | null, key: string | number) {
    this.#up = up;
    this.#key = key;
    this.depth = up === null ? 0 : up.depth + 1;
  }

  at(key: string | number): Place {
    return new Place(this, key);
  }

  /** The JSON pointer (RFC 6901); long keys are cut. */
  get pointer(): string {
    const parts: string[] = [];
    for (let place: Place = this; place.#up !== null; place = place.#up)
      parts.push(String(place.#key).slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1'));
    const shown = parts.length > 40 ? [...parts.slice(0, 20), '…', ...parts.slice(-20)] : parts;
    return shown
      .reverse()
      .map((part) => `/${part}`)
      .join('');
  }
}
