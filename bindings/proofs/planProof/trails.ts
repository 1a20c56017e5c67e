/** Where a value comes from: the step that gives it, and what this step reads. */
export interface Origin {
  readonly step: string;
  /** Names. */
  readonly reads: readonly string[];
  readonly stores?: readonly string[];
  /** The tool or the question; null: the value is made of others. */
  readonly source: string | null;
}

/** A name, or a call that wrote to a store, with what was found on the way to it. */
interface Place {
  readonly called: string;
  readonly origin: Origin | undefined;
  readonly next: Place | null;
}

/** How data come from where they come: by names, and by stores that are written and read. Only messages depend on it. */
export class Trails {
  readonly #origins = new Map<string, Origin>();
  readonly #writers = new Map<string, Map<string, Origin>>();

  set(name: string, origin: Origin): void {
    this.#origins.set(name, origin);
  }

  write(stores: Iterable<string>, origin: Origin): void {
    for (const store of stores)
      this.#writers.set(
        store,
        (this.#writers.get(store) ?? new Map<string, Origin>()).set(origin.step, origin),
      );
  }

  /** A shortest way from a source to the names: steps and names, in the order in which data pass through them; null if there is none. */
  way(names: readonly string[], source: string): readonly string[] | null {
    const queue: Place[] = names.map((name) => this.#place(name, null));
    const seen = new Set(names);
    for (const place of queue) {
      const { called, origin } = place;
      if (origin === undefined) continue;
      if (origin.source === source) {
        const way: string[] = [];
        for (let at: Place | null = place; at !== null; at = at.next) way.push(at.called);
        // A step often has the name of what it gives.
        return origin.step === called ? way : [origin.step, ...way];
      }
      for (const [key, before] of this.#before(origin, place))
        if (!seen.has(key)) {
          seen.add(key);
          queue.push(before);
        }
    }
    return null;
  }

  /** All steps that data pass through on their way to names and stores. */
  from(read: Pick<Origin, 'reads' | 'stores'>): readonly string[] {
    const found = new Map(this.#before(read, null));
    // Places that are added are gone through, too.
    for (const { origin } of found.values())
      if (origin !== undefined)
        for (const [key, before] of this.#before(origin, null)) if (!found.has(key)) found.set(key, before);
    return [
      ...new Set([...found.values()].flatMap(({ origin }) => (origin === undefined ? [] : [origin.step]))),
    ];
  }

  /** What is read at a place: names, and calls that wrote to the stores, each with a key of its own. */
  *#before(
    { reads, stores = [] }: Pick<Origin, 'reads' | 'stores'>,
    next: Place | null,
  ): Iterable<[string, Place]> {
    for (const read of reads) yield [read, this.#place(read, next)];
    for (const store of stores)
      for (const writer of this.#writers.get(store)?.values() ?? [])
        yield [`call ${writer.step}`, { called: writer.step, origin: writer, next }];
  }

  #place(name: string, next: Place | null): Place {
    return { called: name, origin: this.#origins.get(name), next };
  }
}
