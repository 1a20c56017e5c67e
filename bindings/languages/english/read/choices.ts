/** A word that may be meant in more than one way, and the ways. */
interface Ambiguity {
  /** The words it hangs on, the most telling first. */
  readonly words: readonly string[];
  /** What each way means, in words. */
  readonly options: Readonly<Record<string, string>>;
}

/** All words that may be meant in more than one way. A way is chosen once for a sentence. */
export const AMBIGUITIES = {
  until: {
    words: ['until', 'till', 'unless', 'before', 'prior', 'only', 'after', 'once'],
    options: {
      weak: 'what is waited for may never come',
      strong: 'what is waited for must come',
      demand: 'what is waited for must come, and the other must follow',
      now: 'the one only at steps where the other holds',
    },
  },
  when: {
    words: ['when', 'once', 'after', 'upon', 'soon'],
    options: {
      level: 'at every step where it holds',
      edge: 'at each step where it begins to hold',
    },
  },
  after: {
    words: ['after', 'once'],
    options: {
      mission: 'both must be done, in this order',
      level: 'each time that the first is done',
      edge: 'each time that the first begins',
      gate: 'both must be done, and the second not before the first',
    },
  },
  order: {
    words: ['order', 'sequence', 'sequentially', 'another', 'consecutively', 'turn', 'then'],
    options: {
      sequence: 'each must be visited after the one before; earlier visits do not matter',
      strict: 'none may be visited before the one that precedes it',
      once: 'none may be visited before the one that precedes it, nor twice before the one that follows',
      group: 'those before "then" in any order',
    },
  },
  turn: {
    words: ['and', ',', '.'],
    options: { free: 'in any order', inTurn: 'one after the other' },
  },
  avoid: {
    words: ['avoid', 'avoiding', 'away', 'without', 'not', 'bypass', 'bypassing', 'out', 'clear'],
    options: { way: 'on the way there', throughout: 'in the whole run' },
  },
  since: {
    words: ['avoid', 'avoiding', 'away', 'without', 'not', 'bypass', 'bypassing', 'out', 'clear'],
    options: { start: 'from the beginning of the run', stage: 'from the place visited before' },
  },
  both: {
    words: ['and', 'both', ','],
    options: { each: 'each of them by itself', together: 'both at the same step' },
  },
  soon: {
    words: ['when', 'whenever', 'if', 'once', 'after', 'every', 'each'],
    options: {
      later: 'at that step or at any later one',
      now: 'at the same step',
      next: 'at the next step',
    },
  },
  then: {
    words: ['after', 'afterwards', 'afterward', 'later', 'then', 'thereafter', 'subsequently'],
    options: { same: 'the same step counts', strictly: 'at a later step' },
  },
  immediately: {
    words: ['immediately', 'right', 'once', 'promptly', 'instantly', 'straight', 'delay'],
    options: { now: 'at the same step', next: 'at the next step' },
  },
  followed: {
    words: ['followed'],
    options: { later: 'at that step or later', next: 'at the next step' },
  },
  ban: {
    words: ['never', 'not', 'avoid', 'forbidden', 'prohibited'],
    options: {
      later: 'from the next step on',
      same: 'from the same step on',
      now: 'only while the condition holds',
      goesOn: 'from the next step on, and there must be a next step',
    },
  },
  times: {
    words: ['times', 'twice', 'once', 'thrice'],
    options: { stretches: 'stretches of steps', steps: 'single steps' },
  },
  fair: {
    words: ['fairly', 'fair', 'equally', 'same', 'often', 'turns'],
    options: {
      weak: 'at each step of a visit the turn passes on, and the others need not follow before the run ends',
      strong: 'at each step of a visit the turn passes on, and the run must not end there',
      stretches: 'after each stretch of steps of a visit the turn passes on',
    },
  },
  strictly: {
    words: ['before', 'beforehand', 'earlier', 'preceded', 'first'],
    options: { same: 'the same step counts', strictly: 'at an earlier step' },
  },
  oneOf: {
    words: ['one', 'either', 'or'],
    options: { some: 'one of them or more', single: 'one of them and no other' },
  },
  exactly: {
    words: ['once', 'twice', 'thrice', 'times', 'time'],
    options: { exact: 'that often and no more', least: 'at least that often' },
  },
  before: {
    words: ['before'],
    options: {
      mission: 'both must be done, in this order',
      gate: 'both must be done, and the second not before the first',
      strong: 'the second not before the first, which must be done',
      weak: 'the second not before the first',
    },
  },
  scopeEnd: {
    words: ['before'],
    options: { closed: 'only if that comes', open: 'also if it never comes' },
  },
  first: {
    words: ['after'],
    options: {
      first: 'after the first time',
      every: 'after every time',
      some: 'after one of the times',
    },
  },
  release: {
    words: ['releases'],
    options: { with: 'at that step too', until: 'up to the step before' },
  },
  caused: {
    words: ['never', 'not'],
    options: { state: 'it must not be so', begin: 'it must not become so' },
  },
  throughout: {
    words: ['always'],
    options: { now: 'at each such step', always: 'from that step on for ever' },
  },
  reach: {
    words: ['and', ',', 'but'],
    options: { outside: 'it stands by itself', inside: 'it belongs to the condition' },
  },
} as const satisfies Readonly<Record<string, Ambiguity>>;

/** The name of a word, or a place in a sentence, that may be meant in more than one way. */
export type AmbiguityName = keyof typeof AMBIGUITIES;

/** One word taken in one way. */
export interface Choice {
  readonly name: AmbiguityName;
  /** The word of the sentence that it hangs on. */
  readonly word: string;
  readonly option: string;
  /** The option in words. */
  readonly means: string;
}

/** Ways to take the words of one sentence: those that have been chosen, and a first one for those that are met later. */
export class Choices {
  readonly #chosen = new Map<AmbiguityName, string>();
  readonly #tokens: readonly string[];
  /** What was chosen otherwise, to be tried next. */
  readonly open: ReadonlyMap<AmbiguityName, string>[] = [];

  constructor(tokens: readonly string[], given: ReadonlyMap<AmbiguityName, string>) {
    this.#tokens = tokens;
    for (const [name, option] of given) this.#chosen.set(name, option);
  }

  /** The option to take: the same each time in one reading. */
  pick<Option extends string>(name: AmbiguityName, options: readonly Option[]): Option {
    if (options.length === 1) return options[0];
    const known = this.#chosen.get(name);
    if (known !== undefined) return options.includes(known as Option) ? (known as Option) : options[0];
    for (const other of options.slice(1)) this.open.push(new Map([...this.#chosen, [name, other]]));
    this.#chosen.set(name, options[0]);
    return options[0];
  }

  /** Whether the sentence has one of the words. */
  has(...words: readonly string[]): boolean {
    return words.some((word) => this.#tokens.includes(word));
  }

  made(): Choice[] {
    return [...this.#chosen].map(([name, option]) => {
      const { words, options } = AMBIGUITIES[name] as Ambiguity;
      const word = words.find((one) => this.#tokens.includes(one)) ?? words[0];
      return { name, word, option, means: options[option] };
    });
  }
}
