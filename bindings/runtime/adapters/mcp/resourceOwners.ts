/** Which of several servers has which resource, as they list them: the address goes to no other. */
export class ResourceOwners<Owner> {
  readonly #addresses = new Map<string, Owner>();
  /** By the part of a template that is always the same. */
  readonly #beginnings = new Map<string, Owner>();

  /** Takes a resource, or a template of resources. @returns whether it is its owner's: not where another had it before, or it has no address */
  take({ uri, uriTemplate }: Readonly<Record<string, unknown>>, owner: Owner): boolean {
    const [owners, key] =
      typeof uri === 'string'
        ? [this.#addresses, uri]
        : typeof uriTemplate === 'string'
          ? [this.#beginnings, uriTemplate.split('{', 1)[0]]
          : [null, ''];
    if (owners === null) return false;
    const before = owners.get(key);
    if (before === undefined) owners.set(key, owner);
    return before === undefined || before === owner;
  }

  /** The owner of an address: who lists it, else who has the template with the longest beginning of it. */
  of(address: string): Owner | undefined {
    const listed = this.#addresses.get(address);
    if (listed !== undefined) return listed;
    const [best] = [...this.#beginnings]
      .filter(([beginning]) => beginning !== '' && address.startsWith(beginning))
      .sort(([one], [other]) => other.length - one.length);
    return best?.[1];
  }

  forget(owner: Owner): void {
    for (const owners of [this.#addresses, this.#beginnings])
      for (const [key, one] of owners) if (one === owner) owners.delete(key);
  }
}
