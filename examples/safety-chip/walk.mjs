import { advance } from './search.mjs';

/** One run through a house, step by step: whether a prefix of it breaks a constraint, and what is counted of it. */
export class Walk {
  /** Counts, and the nodes that it came through. */
  run = { steps: 0, redundant: 0, inexecutable: 0, proposals: 0, refusals: 0, path: [] };
  #house;
  #constraints;
  #guide;
  #states;
  #isKept = true;

  constructor(house, constraints, guide) {
    this.#house = house;
    this.#constraints = constraints;
    this.#guide = guide;
    this.#states = constraints.map(({ automaton }) => automaton.initial);
    this.#enter(house.start);
  }

  /** Where it is. */
  get node() {
    return this.run.path.at(-1);
  }

  step(next) {
    this.run.steps++;
    if (this.#house.isSame(this.node, next)) this.run.redundant++;
    this.#enter(next);
  }

  /** What came of it. */
  end() {
    const isEndKept =
      this.#isKept && this.#states.every((q, c) => this.#constraints[c].automaton.accepting[q] === 1);
    return { ...this.run, isKept: this.#isKept, isEndKept, isDone: this.#house.isDone(this.node) };
  }

  #enter(node) {
    this.run.path.push(node);
    this.#guide.observe(node);
    if (this.#states !== null)
      this.#states = advance(this.#constraints, this.#states, this.#house.room(node));
    this.#isKept &&= this.#states !== null;
  }
}
