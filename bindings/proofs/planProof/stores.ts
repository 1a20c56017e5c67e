import { BOTTOM, isBelow, join, type Label } from './label.js';

/** The label of what has been written to each store since the plan began. What stood there before has the label that contracts give to results. */
export class Stores {
  readonly #labels: Map<string, Label>;

  constructor(labels: ReadonlyMap<string, Label> = new Map()) {
    this.#labels = new Map(labels);
  }

  /** The label of what may be read from the stores. */
  read(stores: readonly string[]): Label {
    return stores.reduce((label, store) => join(label, this.#labels.get(store) ?? BOTTOM), BOTTOM);
  }

  write(stores: Iterable<string>, label: Label): void {
    for (const store of stores) this.#labels.set(store, join(this.#labels.get(store) ?? BOTTOM, label));
  }

  copy(): Stores {
    return new Stores(this.#labels);
  }

  joined(other: Stores): Stores {
    const both = this.copy();
    for (const [store, label] of other.#labels) both.write([store], label);
    return both;
  }

  isBelow(other: Stores): boolean {
    return [...this.#labels].every(([store, label]) => isBelow(label, other.#labels.get(store) ?? BOTTOM));
  }

  changed(change: (label: Label) => Label): Stores {
    return new Stores(new Map([...this.#labels].map(([store, label]) => [store, change(label)])));
  }
}
