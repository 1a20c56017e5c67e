/** What all guards of one file read and none writes to. The first that needs a table reads it from the file; its forks have the same. */
export class Tables {
  readonly #made = new Map<string, unknown>();

  /** The table of this name, made where nobody has asked for it before. */
  of<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }
}
