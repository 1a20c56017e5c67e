import { type Automaton, bindAutomaton, OPEN, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';

/** The automaton's state is unknown; `#members` holds its possible states. */
const SET = -1;

/**
 * Runs an automaton along observations that may be incomplete or missing. While every valuation is complete, the automaton is in one state; after an incomplete
 * one, the monitor holds the set of possible states.
 *
 * `violated` leaves that set unless it is the only member: the step that may have violated is decided as such, and one lost frame must not stop a guard for
 * ever. The possible violation is remembered: afterwards no verdict but `violated` is certain.
 */
export class Monitor {
  readonly automaton: Automaton;
  /** Certain, and therefore final: no continuation can satisfy the formula. */
  violated = false;

  readonly #stepper: ReturnType<typeof bindAutomaton>;
  /** The observation's predicate for each predicate of the automaton. */
  readonly #bits: Int32Array;
  /** A valuation of which nothing is known. */
  readonly #nothing: Uint32Array;
  /** Every predicate is known. */
  readonly #everything: Uint32Array;
  #state: number;
  /** Number of steps read. */
  #steps = 0;
  /** Number of steps read when some, but not all, of the possible states were last violated; 0 means never. */
  #inDoubt = 0;
  /** The last decision covers the steps after `#from`, up to `#to`. */
  #from = 0;
  #to = 0;
  #members = new Uint8Array(0);
  #next = new Uint8Array(0);
  #visited = new Uint8Array(0);
  /** The states before the last step, as `#state` and `#members`. */
  #before: number;
  #membersBefore = new Uint8Array(0);
  readonly #saved = { state: 0, before: 0, violated: false, steps: 0, inDoubt: 0, from: 0, to: 0 };
  #savedMembers = new Uint8Array(0);
  #savedBefore = new Uint8Array(0);

  /** @param predicates names in the order of the observation's bits. */
  constructor(automaton: Automaton, predicates: readonly string[]) {
    this.automaton = automaton;
    this.#stepper = bindAutomaton(automaton, [...predicates]);
    this.#bits = Int32Array.from(automaton.predicates, (name) => predicates.indexOf(name));
    this.#nothing = new Uint32Array(Math.max(1, Math.ceil(predicates.length / 32)));
    this.#everything = new Uint32Array(this.#nothing.length).fill(0xffffffff);
    this.#state = this.#before = automaton.initial;
    this.reset();
  }

  /** Returns to the beginning of a run. */
  reset(): void {
    this.#state = this.#before = this.automaton.initial;
    this.violated = this.automaton.verdict[this.#state] === VIOLATED;
    this.#steps = 0;
    this.#inDoubt = 0;
    this.#from = 0;
    this.#to = 0;
  }

  /** Saves the position, for `restore`. */
  save(): void {
    const saved = this.#saved;
    saved.state = this.#state;
    saved.before = this.#before;
    saved.violated = this.violated;
    saved.steps = this.#steps;
    saved.inDoubt = this.#inDoubt;
    saved.from = this.#from;
    saved.to = this.#to;
    if (this.#members.length === 0) return;
    if (this.#savedMembers.length === 0) {
      this.#savedMembers = new Uint8Array(this.#members.length);
      this.#savedBefore = new Uint8Array(this.#members.length);
    }
    this.#savedMembers.set(this.#members);
    this.#savedBefore.set(this.#membersBefore);
  }

  /** Returns to the last `save`. */
  restore(): void {
    const saved = this.#saved;
    this.#state = saved.state;
    this.#before = saved.before;
    this.violated = saved.violated;
    this.#steps = saved.steps;
    this.#inDoubt = saved.inDoubt;
    this.#from = saved.from;
    this.#to = saved.to;
    if (this.#savedMembers.length === 0) return;
    this.#members.set(this.#savedMembers);
    this.#membersBefore.set(this.#savedBefore);
  }

  /** Forgets a violation: the automaton is where it was before the step that violated. */
  excuse(): void {
    this.violated = false;
    this.#state = this.#before;
    if (this.#before === SET) this.#members.set(this.#membersBefore);
  }

  /** Closes a decision on the steps read since the last call: the next call forgets their possible violations. */
  decide(): void {
    this.#from = this.#to;
    this.#to = this.#steps;
  }

  /** Whether a step of the last decision, or a later one, may have violated the rule, though not for certain. */
  get mayBeViolated(): boolean {
    return this.#inDoubt > this.#from && !this.violated;
  }

  /** The verdict that is certain whatever follows: OPEN, VIOLATED or SATISFIED. */
  get verdict(): number {
    if (this.violated) return VIOLATED;
    if (this.#inDoubt > 0) return OPEN;
    // Called at every step: a closure over the verdicts would be allocated.
    if (this.#state !== SET) return this.automaton.verdict[this.#state];
    return this.#all(this.#isSatisfied) ? SATISFIED : OPEN;
  }

  /** The verdict that is certain if the run ends here; OPEN if it depends on unreadable predicates. */
  get verdictAtEnd(): number {
    if (this.violated) return VIOLATED;
    const { accepting, verdict } = this.automaton;
    const isGood = (q: number): boolean => accepting[q] === 1 || verdict[q] === SATISFIED;
    if (this.#all((q) => !isGood(q))) return VIOLATED;
    return this.#inDoubt === 0 && this.#all(isGood) ? SATISFIED : OPEN;
  }

  /** Whether the automaton may be in `state`. */
  has(state: number): boolean {
    return this.#state === SET ? this.#members[state] === 1 : this.#state === state;
  }

  /** The states that the automaton may have been in before the last step. */
  get before(): readonly number[] {
    if (this.#before !== SET) return [this.#before];
    return [...this.#membersBefore.keys()].filter((state) => this.#membersBefore[state] === 1);
  }

  /** The automaton's state, or -1 if only a set of states is known. */
  get state(): number {
    return this.#state;
  }

  /** Reads a complete valuation. */
  advance(valuation: Uint32Array): void {
    if (this.violated) return;
    this.#steps++;
    this.#before = this.#state;
    if (this.#state !== SET) {
      this.#state = this.#stepper.step(this.#state, valuation, 0);
      this.violated = this.automaton.verdict[this.#state] === VIOLATED;
      return;
    }
    this.#membersBefore.set(this.#members);
    this.#next.fill(0);
    for (let q = 0; q < this.#members.length; q++) {
      if (this.#members[q] === 1) this.#next[this.#stepper.step(q, valuation, 0)] = 1;
    }
    this.#advanceFinal();
  }

  /** Reads a valuation of which only the predicates in `known` are known. */
  advancePartially(valuation: Uint32Array, known: Uint32Array): void {
    if (this.violated) return;
    this.#steps++;
    const { states, roots } = this.automaton;
    this.#openSet();
    this.#before = SET;
    this.#membersBefore.set(this.#members);
    for (let q = 0; q < states; q++) if (this.#members[q] === 1) this.#follow(roots[q], valuation, known);
    this.#advanceFinal();
  }

  /**
   * Reads an observation that came too early, and may or may not be a step of its own. It violates the rule for certain only if it does so both as a step and
   * in place of the one before.
   *
   * @param known null means all
   */
  advanceEarly(valuation: Uint32Array, known: Uint32Array | null): void {
    if (this.violated) return;
    this.#steps++;
    this.#openSet();
    const before = this.#membersBefore;
    if (this.#before !== SET) {
      before.fill(0);
      before[this.#before] = 1;
      this.#before = SET;
    }
    const breaksBefore = this.#breaksAll(before, valuation, known);
    const isBroken = this.#breaksAll(this.#members, valuation, known) && breaksBefore;
    this.#members.forEach((member, q) => {
      if (member === 0) return;
      before[q] = 1;
      if (!isBroken) this.#next[q] = 1;
    });
    this.#advanceFinal();
  }

  /** Puts into `#next` where a valuation leads from these states; returns whether that is nowhere but to a violation. */
  #breaksAll(members: Uint8Array, valuation: Uint32Array, known: Uint32Array | null): boolean {
    const { roots, verdict } = this.automaton;
    this.#next.fill(0);
    this.#visited.fill(0);
    members.forEach((member, q) => {
      if (member === 1) this.#follow(roots[q], valuation, known ?? this.#everything);
    });
    return this.#next.every((member, q) => member === 0 || verdict[q] === VIOLATED);
  }

  /** Reads a step of which nothing is known. */
  advanceUnread(): void {
    this.advancePartially(this.#nothing, this.#nothing);
  }

  /**
   * Reads a gap of an unknown number of steps, possibly none: the automaton may be in every state that any number of unknown steps leads to. Takes time and
   * memory linear in the automaton.
   *
   * @param anywhere whether the place of the gap among the read steps is unknown too: the automaton may then be in any state
   */
  loseTrack(anywhere: boolean): void {
    if (this.violated) return;
    this.#steps++;
    this.#openSet();
    if (anywhere) this.#next.fill(1);
    else this.#close();
    this.#before = SET;
    this.#membersBefore.set(this.#next);
    this.#advanceFinal();
  }

  /** Makes `#members` the set, even of a single state, and empties `#next`. */
  #openSet(): void {
    const { states, nodes } = this.automaton;
    if (this.#members.length === 0) {
      this.#members = new Uint8Array(states);
      this.#membersBefore = new Uint8Array(states);
      this.#next = new Uint8Array(states);
      this.#visited = new Uint8Array(nodes.length / 3);
    }
    if (this.#state !== SET) {
      this.#members.fill(0);
      this.#members[this.#state] = 1;
    }
    this.#next.fill(0);
    this.#visited.fill(0);
  }

  /** Adds every state that can be reached from the members. Visits each node and each state once. */
  #close(): void {
    const { nodes, roots } = this.automaton;
    const references: number[] = [];
    const add = (reference: number): void => {
      const seen = reference < 0 ? this.#next : this.#visited;
      const at = reference < 0 ? -reference - 1 : reference;
      if (seen[at] === 1) return;
      seen[at] = 1;
      references.push(reference);
    };
    this.#members.forEach((member, q) => {
      if (member === 1) add(-q - 1);
    });
    for (let at = references.pop(); at !== undefined; at = references.pop()) {
      if (at < 0) add(roots[-at - 1]);
      else {
        add(nodes[3 * at + 1]);
        add(nodes[3 * at + 2]);
      }
    }
  }

  readonly #isSatisfied = (state: number): boolean => this.automaton.verdict[state] === SATISFIED;

  /** Whether `holds` is true of all states that the automaton may be in. */
  #all(holds: (state: number) => boolean): boolean {
    if (this.#state !== SET) return holds(this.#state);
    return this.#members.every((member, q) => member === 0 || holds(q));
  }

  /** Adds every state that `reference` leads to, following both branches of an unknown predicate. */
  #follow(reference: number, valuation: Uint32Array, known: Uint32Array): void {
    const { nodes } = this.automaton;
    let at = reference;
    while (at >= 0) {
      if (this.#visited[at] === 1) return;
      this.#visited[at] = 1;
      const bit = this.#bits[nodes[3 * at]];
      const whenFalse = nodes[3 * at + 1];
      const whenTrue = nodes[3 * at + 2];
      if ((known[bit >>> 5] >>> (bit & 31)) & 1) {
        at = (valuation[bit >>> 5] >>> (bit & 31)) & 1 ? whenTrue : whenFalse;
      } else {
        this.#follow(whenFalse, valuation, known);
        at = whenTrue;
      }
    }
    this.#next[-at - 1] = 1;
  }

  /** Takes over `#next`: as one state if it has only one, and without `violated` if it has others. */
  #advanceFinal(): void {
    const { verdict } = this.automaton;
    const next = this.#next;
    let violated = 0;
    let others = 0;
    let last = SET;
    for (let q = 0; q < next.length; q++) {
      if (next[q] === 0) continue;
      if (verdict[q] === VIOLATED) violated++;
      else others++;
      if (verdict[q] !== VIOLATED || others === 0) last = q;
    }
    this.violated = others === 0;
    if (violated > 0 && others > 0) {
      this.#inDoubt = this.#steps;
      for (let q = 0; q < next.length; q++) if (verdict[q] === VIOLATED) next[q] = 0;
    }
    this.#next = this.#members;
    this.#members = next;
    this.#state = others <= 1 ? last : SET;
  }
}

/** The automaton of one state that reads nothing, for rules without history. */
export const STATELESS: Automaton = {
  predicates: [],
  states: 1,
  initial: 0,
  verdict: [OPEN],
  accepting: [1],
  roots: [-1],
  nodes: [],
};
