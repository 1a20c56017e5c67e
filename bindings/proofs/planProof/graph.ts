import type { Trilean } from '../../languages/expression/index.js';
import type { Term } from './terms.js';
import type { PathStep } from './verdict.js';

/** A call as rules of order see it: which events it is, as far as that is known. */
export interface Letter {
  readonly step: string;
  readonly tool: string;
  /** By the number of the event. */
  readonly events: readonly Trilean[];
  /** When the event happens, where that is not known. */
  readonly conditions: readonly (Term | null)[];
}

/** A way from one point of a plan to the next. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly letter: Letter | null;
  /** What is true if it is taken. */
  readonly facts: readonly Term[];
  readonly step: PathStep | null;
  /** The loop of which another round begins; -1: none. */
  readonly round: number;
}

/** The end of runs that come to an end by themselves: at the last step, at `return` and at `require`. A run that a failing call ends stops anywhere. */
export const END = 0;
/** The point at which plans begin. */
export const START = 1;

/** Points of a plan, and the ways between them: every sequence of calls that a run makes is one of its paths. */
export class CallGraph {
  readonly #out: Edge[][] = [[]];
  /** For each loop, the symbols that each round gives anew. */
  readonly loops: Set<string>[] = [];

  get size(): number {
    return this.#out.length;
  }

  point(): number {
    return this.#out.push([]) - 1;
  }

  edge(from: number, to: number, parts: Partial<Omit<Edge, 'from' | 'to'>> = {}): void {
    this.#out[from].push({ from, to, letter: null, facts: [], step: null, round: -1, ...parts });
  }

  edgesOf(point: number): readonly Edge[] {
    return this.#out[point];
  }

  /** Forgets points beyond a number of them, and the edges that lead there or away. */
  cut(size: number): void {
    this.#out.length = size;
    for (const [i, edges] of this.#out.entries()) this.#out[i] = edges.filter(({ to }) => to < size);
  }
}
