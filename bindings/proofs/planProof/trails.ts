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
      for (const read of origin.reads)
        if (!seen.has(read)) {
          seen.add(read);
          queue.push(this.#place(read, place));
        }
      for (const store of origin.stores ?? [])
        for (const writer of this.#writers.get(store)?.values() ?? [])
          if (!seen.has(`call ${writer.step}`)) {
            seen.add(`call ${writer.step}`);
            queue.push({ called: writer.step, origin: writer, next: place });
          }
    }
    return null;
  }

  /** The steps through which data come into names, or were written to stores. */
  through(names: readonly string[], stores: readonly string[]): ReadonlySet<string> {
    const steps = new Set<string>();
    const queue: Origin[] = [{ step: '', reads: names, stores, source: null }];
    const seen = new Set<Origin>();
    for (const { reads, stores: read = [] } of queue) {
      const origins = [
        ...reads.map((name) => this.#origins.get(name)),
        ...read.flatMap((store) => [...(this.#writers.get(store)?.values() ?? [])]),
      ];
      for (const origin of origins) {
        if (origin === undefined || seen.has(origin)) continue;
        seen.add(origin);
        steps.add(origin.step);
        queue.push(origin);
      }
    }
    return steps;
  }

  #place(name: string, next: Place | null): Place {
    return { called: name, origin: this.#origins.get(name), next };
  }
}
