/** A grammar that was read: an alternative of sequences of parts, each of which says where it can end from a place on. */
type Ends = (text: string, from: number) => ReadonlySet<number>;

/**
 * Reads a grammar in GBNF or in Lark, as their manuals say, and recognises texts by it: literals, classes of characters or regular expressions, rules, ( ), |, ? and *.
 *
 * @param root the rule that a text is
 */
export function recogniser(grammar: string, define: '::=' | ':', root: string): (text: string) => boolean {
  const rules = new Map<string, Ends>();
  for (const line of grammar.split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf(define);
    const name = line.slice(0, at).trim();
    if (!/^\w+$/.test(name) || rules.has(name)) throw new Error(`no rule, or one again: ${line}`);
    rules.set(name, new Reader(line.slice(at + define.length), rules, define === ':').rule());
  }
  const start = rules.get(root);
  if (start === undefined) throw new Error(`no rule ${root}`);
  return (text) => start(text, 0).has(text.length);
}

class Reader {
  #at = 0;

  constructor(
    readonly text: string,
    readonly rules: ReadonlyMap<string, Ends>,
    readonly isLark: boolean,
  ) {}

  rule(): Ends {
    const found = this.#alternatives();
    if (this.#at < this.text.length) throw new Error(`not read: ${this.text.slice(this.#at)}`);
    return found;
  }

  #alternatives(): Ends {
    const options = [this.#sequence()];
    while (this.#take(/\s*\|/y) !== null) options.push(this.#sequence());
    return (text, from) => new Set(options.flatMap((one) => [...one(text, from)]));
  }

  #sequence(): Ends {
    const parts: Ends[] = [];
    for (let part = this.#part(); part !== null; part = this.#part()) parts.push(part);
    return (text, from) => {
      let ends: ReadonlySet<number> = new Set([from]);
      for (const part of parts) ends = new Set([...ends].flatMap((end) => [...part(text, end)]));
      return ends;
    };
  }

  #part(): Ends | null {
    this.#take(/\s*/y);
    const one = this.#atom();
    if (one === null) return null;
    const sign = this.#take(/[?*]/y);
    if (sign === null) return one;
    return (text, from) => {
      const ends = new Set([from]);
      for (const end of ends)
        if (sign === '*' || end === from) for (const next of one(text, end)) ends.add(next);
      return ends;
    };
  }

  #atom(): Ends | null {
    if (this.#take(/\(/y) !== null) {
      const inner = this.#alternatives();
      if (this.#take(/\s*\)/y) === null) throw new Error(`no ) at ${this.text.slice(this.#at)}`);
      return inner;
    }
    const literal = this.#take(/"(?:[^"\\]|\\.)*"/y);
    if (literal !== null) {
      const said = JSON.parse(literal) as string;
      return (text, from) => new Set(text.startsWith(said, from) ? [from + said.length] : []);
    }
    const pattern = this.isLark
      ? this.#take(/\/(?:[^/\\]|\\.)+\//y)?.slice(1, -1)
      : this.#take(/\[(?:[^\]\\]|\\.)+\]/y);
    if (pattern !== undefined && pattern !== null) return matching(pattern);
    const name = this.#take(/\w+/y);
    if (name === null) return null;
    return (text, from) => {
      const rule = this.rules.get(name);
      if (rule === undefined) throw new Error(`no rule ${name}`);
      return rule(text, from);
    };
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }
}

/** A class of characters, or a regular expression; these match as much as they can. */
function matching(pattern: string): Ends {
  const sticky = new RegExp(pattern, 'uy');
  return (text, from) => {
    sticky.lastIndex = from;
    const found = sticky.exec(text);
    return new Set(found === null ? [] : [from + found[0].length]);
  };
}
