/** Read-only data shared by all guards of one file. The first guard that needs a table reads it from the file; its forks share it. */
export class Tables {
  readonly #made = new Map<string, unknown>();

  /** The table of this name, made on first use. */
  of<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }
}
