import { NotSupportedError } from '../../base/errors.js';
import { type Automaton, OPEN, VIOLATED } from '../../languages/automaton/index.js';
import { bit } from '../../observations/abstraction/runtime/index.js';
import { type ActionModel, createActionModel, type DeclaredCall } from '../../observations/effects/index.js';
import { breachesAhead } from '../../runtime/explanation/index.js';
import { allPredicates, type Specification } from '../specification/index.js';

/** Larger games are not played: the valuations of so many predicates, times the calls, are looked at one by one. */
const MOST_PREDICATES = 10;
const MOST_CALLS = 40;

/** What declared actions add to the game about rules: at each step the agent chooses one call, or none, and it decides what may be so at the next. */
export interface DeclaredGame {
  /** The predicates that declared effects decide. */
  readonly declared: ReadonlySet<string>;
  /** Those, and the predicates over the call: what rules must read for the declared actions to matter to them. */
  readonly concerned: ReadonlySet<string>;
  /** What stands for calls among the agent's predicates, such as `call walk to=kitchen`. */
  readonly calls: readonly string[];
  /** Violated by steps that no declared call leads to, and by calls that cannot be executed. @throws NotSupportedError if the game is too large */
  readonly automaton: () => Automaton;
  /** The rules, by their places, that a session refuses the chosen call for, because what may follow it breaks them. */
  readonly foresee: (
    rules: readonly Automaton[],
  ) => (
    environment: readonly string[],
    agent: readonly string[],
    states: readonly number[],
  ) => readonly number[];
}

/** The game of a specification that declares actions; null if it declares none. */
export function declaredGame(specification: Specification): DeclaredGame | null {
  const { declaredActions: actions, abstraction } = specification;
  if (Object.keys(actions).length === 0) return null;
  const predicates = allPredicates(specification);
  const { constraints } = abstraction;
  const model = createActionModel({ actions, predicates, ...(constraints && { constraints }) });
  const byName = new Map(model.calls.map((call) => [`call ${call.text}`, call]));
  const declared = new Set(model.predicates.filter((_, i) => model.roles[i] === 'declared'));
  return {
    declared,
    concerned: new Set([...declared, ...model.predicates.filter((_, i) => model.roles[i] === 'call')]),
    calls: [...byName.keys()],
    automaton: () => new EffectsAutomaton(model, byName).build(),
    foresee: (rules) => {
      const ahead = breachesAhead(model, rules);
      return (environment, agent, states) => {
        const call = agent.map((name) => byName.get(name)).find((one) => one !== undefined);
        if (call === undefined) return [];
        const present = new Uint32Array(model.words);
        model.predicates.forEach((name, i) => {
          if (environment.includes(name)) present[i >>> 5] |= 1 << (i & 31);
        });
        return ahead(call, present, states);
      };
    },
  };
}

/** For each predicate that matters, whether it may be false (bit 0) and true (bit 1). */
type Cube = readonly number[];
const EITHER = 3;

/** Builds the automaton of declared effects: a state is what the call before leaves possible; state 0 is the first, state 1 the violated one. */
class EffectsAutomaton {
  readonly #model: ActionModel;
  readonly #calls: readonly (readonly [string, DeclaredCall])[];
  /** The predicates of the state that matter, by their numbers in the model. */
  readonly #matter: readonly number[];
  readonly #ofCall: readonly number[];
  readonly #cubes: Cube[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #nodes: number[] = [];
  readonly #known = new Map<string, number>();

  constructor(model: ActionModel, calls: ReadonlyMap<string, DeclaredCall>) {
    this.#model = model;
    this.#calls = [...calls];
    const read = new Set(model.calls.flatMap(({ reads }) => [...reads]));
    this.#matter = model.predicates.flatMap((name, i) =>
      model.roles[i] !== 'call' &&
      (model.roles[i] === 'declared' || read.has(name) || model.constrained.has(name))
        ? [i]
        : [],
    );
    this.#ofCall = model.roles.flatMap((role, i) => (role === 'call' ? [i] : []));
    if (this.#matter.length > MOST_PREDICATES || calls.size > MOST_CALLS)
      throw new NotSupportedError(
        `the declared actions are about ${this.#matter.length} predicates in ${calls.size} calls, of ${MOST_PREDICATES} and ${MOST_CALLS} that are allowed in a game; ` +
          'declare fewer predicates, or list fewer values of arguments',
      );
  }

  build(): Automaton {
    const { predicates } = this.#model;
    const names = (numbers: readonly number[]): string[] => numbers.map((i) => predicates[i]);
    this.#number(this.#matter.map(() => EITHER));
    this.#cubes.push([]);
    const roots = [0, leaf(1)];
    for (let q = 0; q < this.#cubes.length; q++) {
      if (q !== 1) roots[q] = this.#step(this.#cubes[q], 0, new Uint32Array(this.#model.words));
    }
    return {
      predicates: [...names(this.#matter), ...this.#calls.map(([name]) => name), ...names(this.#ofCall)],
      states: roots.length,
      initial: 0,
      verdict: roots.map((_, q) => (q === 1 ? VIOLATED : OPEN)),
      accepting: roots.map((_, q) => Number(q !== 1)),
      roots,
      nodes: this.#nodes,
    };
  }

  /** Reads the predicates that matter from number `k` on. */
  #step(cube: Cube, k: number, present: Uint32Array): number {
    if (k === cube.length) return this.#choice(0, present, null);
    const i = this.#matter[k];
    const isFalse = (cube[k] & 1) === 0 ? leaf(1) : this.#step(cube, k + 1, present);
    if ((cube[k] & 2) === 0) return this.#node(k, isFalse, leaf(1));
    const other = present.slice();
    other[i >>> 5] |= 1 << (i & 31);
    return this.#node(k, isFalse, this.#step(cube, k + 1, other));
  }

  /** Reads which call is chosen: at most one. */
  #choice(k: number, present: Uint32Array, chosen: DeclaredCall | null): number {
    if (k === this.#calls.length) return this.#after(present, chosen);
    const [, call] = this.#calls[k];
    const isChosen =
      chosen === null && this.#isPossible(call, present) ? this.#choice(k + 1, present, call) : leaf(1);
    return this.#node(this.#matter.length + k, this.#choice(k + 1, present, chosen), isChosen);
  }

  #isPossible(call: DeclaredCall, present: Uint32Array): boolean {
    return call.executable(present) !== false && this.#model.outcomes(call, present).length > 0;
  }

  /** Reads the predicates over the call, which must be as the call has them, and goes to what it leaves possible. */
  #after(present: Uint32Array, call: DeclaredCall | null): number {
    let reference = leaf(this.#number(this.#cubeAfter(present, call)));
    for (let k = this.#ofCall.length - 1; k >= 0; k--) {
      const value = this.#valueAt(this.#ofCall[k], call);
      if (value === undefined) continue;
      const variable = this.#matter.length + this.#calls.length + k;
      reference = this.#node(variable, value ? leaf(1) : reference, value ? reference : leaf(1));
    }
    return reference;
  }

  /** Without a declared call, what is true of declared calls is false; what is true of none is as the agent likes. */
  #valueAt(i: number, call: DeclaredCall | null): boolean | undefined {
    if (call !== null) return this.#model.atCall(i, call);
    return this.#model.calls.some((one) => this.#model.atCall(i, one) === true) ? false : undefined;
  }

  #cubeAfter(present: Uint32Array, call: DeclaredCall | null): Cube {
    const possible = call?.possible(present);
    return this.#matter.map((i) => {
      // What nobody declares is the environment's.
      if (this.#model.roles[i] !== 'declared') return EITHER;
      if (possible === undefined) return bit(present, 0, i) ? 2 : 1;
      return Number(bit(possible.mayBeFalse, 0, i)) + 2 * Number(bit(possible.mayBeTrue, 0, i));
    });
  }

  #number(cube: Cube): number {
    const key = cube.join('');
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#cubes.push(cube) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  #node(variable: number, isFalse: number, isTrue: number): number {
    if (isFalse === isTrue) return isFalse;
    const key = `${variable} ${isFalse} ${isTrue}`;
    let node = this.#known.get(key);
    if (node === undefined) {
      node = this.#nodes.length / 3;
      this.#nodes.push(variable, isFalse, isTrue);
      this.#known.set(key, node);
    }
    return node;
  }
}

function leaf(state: number): number {
  return -state - 1;
}
