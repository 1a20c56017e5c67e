import { type Automaton, successorsUnder, VIOLATED, violatedAtEnd } from '../../languages/automaton/index.js';
import type { Trilean } from '../../languages/expression/index.js';
import type { OrderAutomaton } from './events.js';
import { type CallGraph, type Edge, END } from './graph.js';
import type { Prover, SymbolValue } from './prover.js';
import { isLocal, negation, symbolsOf, type Term } from './terms.js';

/** Most conditions that are followed along paths, and most times that further ones are taken up. */
const MOST_TRACKED = 12;
const MOST_ROUNDS = 8;
/** Most states of one product. */
const MOST_STATES = 200_000;

/** Whether all paths of a plan keep to a rule of order. */
export type OrderAnswer =
  | { readonly kind: 'kept'; readonly states: number }
  | { readonly kind: 'unknown'; readonly states: number; readonly reason: string }
  | {
      readonly kind: 'broken';
      readonly states: number;
      readonly path: readonly Edge[];
      /** Whether it is the end of the plan that breaks the rule. */
      readonly atEnd: boolean;
      /** Values with which the path is taken, if they were found. */
      readonly values: readonly SymbolValue[];
      readonly isFeasible: boolean;
    };

/**
 * Looks for a path that breaks a rule: the product of the plan's graph with the rule's automaton, where an event that may happen or not leads to both successors.
 * A path that no run can take, as its conditions contradict each other, makes the product remember these conditions; then it is looked for again.
 */
export function checkOrder(
  graph: CallGraph,
  start: number,
  rule: OrderAutomaton,
  prover: Prover,
): OrderAnswer {
  const tracked = new Map<string, number>();
  let states = 0;
  for (let round = 0; ; round++) {
    const search = new Search(graph, rule, prover, tracked);
    const found = search.run(start);
    states += search.states;
    if (found === null) return { kind: 'kept', states };
    if (found === 'tooMany')
      return {
        kind: 'unknown',
        states,
        reason: `plan and rule have more than ${MOST_STATES} states together`,
      };
    const contradiction = conflict(found.path, graph, prover);
    const broken = {
      kind: 'broken',
      states,
      path: found.path.map(({ edge }) => edge),
      atEnd: found.atEnd,
    } as const;
    if (contradiction.kind === 'none') return { ...broken, values: contradiction.values, isFeasible: true };
    const fresh = contradiction.conditions.filter((key) => !tracked.has(key));
    if (round >= MOST_ROUNDS || fresh.length === 0 || tracked.size + fresh.length > MOST_TRACKED)
      return { ...broken, values: [], isFeasible: false };
    for (const key of fresh) tracked.set(key, tracked.size);
  }
}

/** An edge of a path, with what was taken to be true of the events of its call. */
interface Taken {
  readonly edge: Edge;
  readonly conditions: readonly Term[];
}

interface State {
  readonly point: number;
  readonly q: number;
  /** For each tracked condition, what the path took it to be. */
  readonly known: readonly Trilean[];
  readonly from: State | null;
  readonly taken: Taken | null;
}

class Search {
  states = 0;
  readonly #graph: CallGraph;
  readonly #rule: OrderAutomaton;
  readonly #prover: Prover;
  readonly #tracked: ReadonlyMap<string, number>;
  readonly #conditions = new Map<number, Term>();

  constructor(graph: CallGraph, rule: OrderAutomaton, prover: Prover, tracked: ReadonlyMap<string, number>) {
    this.#graph = graph;
    this.#rule = rule;
    this.#prover = prover;
    this.#tracked = tracked;
  }

  run(start: number): { readonly path: readonly Taken[]; readonly atEnd: boolean } | 'tooMany' | null {
    const { automaton } = this.#rule;
    const seen = new Set<string>();
    const first: State = {
      point: start,
      q: automaton.initial,
      known: new Array<Trilean>(this.#tracked.size).fill(undefined),
      from: null,
      taken: null,
    };
    const queue = [first];
    for (const state of queue) {
      if (automaton.verdict[state.q] === VIOLATED) return { path: pathTo(state), atEnd: false };
      if (state.point === END) {
        if (violatedAtEnd(automaton, state.q, 'strong')) return { path: pathTo(state), atEnd: true };
        continue;
      }
      for (const next of this.#next(state)) {
        const key = `${next.point} ${next.q} ${next.known.map(letterOf).join('')}`;
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push(next);
      }
      this.states = queue.length;
      if (queue.length > MOST_STATES) return 'tooMany';
    }
    return null;
  }

  #next(state: State): State[] {
    const found: State[] = [];
    for (const edge of this.#graph.edgesOf(state.point)) {
      const known = this.#assume(
        edge.round < 0 ? state.known : this.#forgotten(state.known, edge.round),
        edge.facts,
      );
      if (known === null) continue;
      if (edge.letter === null) {
        found.push({ point: edge.to, q: state.q, known, from: state, taken: { edge, conditions: [] } });
        continue;
      }
      for (const choice of this.#choices(edge, known))
        for (const q of successorsUnder(this.#rule.automaton, state.q, choice.value))
          found.push({
            point: edge.to,
            q,
            known: choice.known,
            from: state,
            taken: { edge, conditions: choice.conditions },
          });
    }
    return found;
  }

  /** The ways in which events of a call may happen whose conditions are told apart, or that the automaton could ask for. */
  #choices(
    { letter }: Edge,
    known: readonly Trilean[],
  ): {
    readonly value: (predicate: number) => Trilean;
    readonly conditions: readonly Term[];
    readonly known: readonly Trilean[];
  }[] {
    const { events } = this.#rule;
    const open = [...new Set(events)].filter(
      (event) => letter?.conditions[event] !== null && letter?.events[event] === undefined,
    );
    let ways: { values: Map<number, boolean>; conditions: Term[]; known: readonly Trilean[] }[] = [
      { values: new Map(), conditions: [], known },
    ];
    for (const event of open.slice(0, MOST_OPEN)) {
      const condition = letter?.conditions[event] as Term;
      ways = ways.flatMap((way) =>
        [true, false].flatMap((value) => {
          const taken = value ? [condition] : this.#failed(condition);
          const after = this.#assume(way.known, taken);
          return after === null
            ? []
            : [
                {
                  values: new Map(way.values).set(event, value),
                  conditions: [...way.conditions, ...taken],
                  known: after,
                },
              ];
        }),
      );
    }
    return ways.map(({ values, conditions, known: after }) => ({
      value: (predicate) => values.get(events[predicate]) ?? letter?.events[events[predicate]],
      conditions,
      known: after,
    }));
  }

  /** What is true if an event does not happen: its condition is false, if it has a value for certain. */
  #failed(condition: Term): readonly Term[] {
    const no = negation(condition);
    const either: Term = {
      kind: 'logical',
      operator: '||',
      operands: [condition, no],
      place: condition.place,
    };
    return this.#prover.proves([], either).kind === 'proved' ? [no] : [];
  }

  #forgotten(known: readonly Trilean[], round: number): readonly Trilean[] {
    const local = this.#graph.loops[round];
    return known.map((value, i) => {
      const condition = this.#conditions.get(i);
      const isForgotten =
        condition !== undefined && symbolsOf(condition).some((name) => isLocal(name, local));
      return isForgotten ? undefined : value;
    });
  }

  /** What is known when further conditions are true; null if that cannot be. */
  #assume(known: readonly Trilean[], terms: readonly Term[]): readonly Trilean[] | null {
    if (this.#tracked.size === 0) return known;
    let after: Trilean[] | null = null;
    for (const term of terms) {
      const { atom, value } = atomOf(term);
      const i = this.#tracked.get(this.#prover.print(atom));
      if (i === undefined) continue;
      this.#conditions.set(i, atom);
      after ??= [...known];
      if (after[i] !== undefined && after[i] !== value) return null;
      after[i] = value;
    }
    if (after === null) return known;
    const assumed = after.flatMap((value, i) => {
      const atom = this.#conditions.get(i);
      return value === undefined || atom === undefined ? [] : [value ? atom : negation(atom)];
    });
    return this.#prover.contradict(assumed).kind === 'proved' ? null : after;
  }
}

/** Most events of one call that are told apart by their conditions. */
const MOST_OPEN = 4;

function letterOf(value: Trilean): string {
  return value === undefined ? '?' : value ? '1' : '0';
}

function pathTo(state: State): Taken[] {
  const path: Taken[] = [];
  for (let at: State | null = state; at !== null; at = at.from) if (at.taken !== null) path.push(at.taken);
  return path.reverse();
}

/** A condition without its negations, and whether it is true. */
function atomOf(term: Term): { readonly atom: Term; readonly value: boolean } {
  let [atom, value] = [term, true];
  while (atom.kind === 'unary' && atom.operator === '!') {
    atom = atom.operand;
    value = !value;
  }
  return { atom, value };
}

type Conflict =
  | { readonly kind: 'none'; readonly values: readonly SymbolValue[] }
  | { readonly kind: 'some'; readonly conditions: readonly string[] };

/** Whether the conditions along a path contradict each other, and which. */
function conflict(path: readonly Taken[], graph: CallGraph, prover: Prover): Conflict {
  let facts: Term[] = [];
  let values: readonly SymbolValue[] = [];
  const look = (): Conflict | null => {
    const found = prover.contradict(facts);
    if (found.kind === 'refuted') values = [...values, ...found.values];
    return found.kind === 'proved' ? { kind: 'some', conditions: core(facts, prover) } : null;
  };
  for (const { edge, conditions } of path) {
    if (edge.round >= 0) {
      const found = look();
      if (found !== null) return found;
      const local = graph.loops[edge.round];
      facts = facts.filter((fact) => !symbolsOf(fact).some((name) => isLocal(name, local)));
    }
    facts.push(...edge.facts, ...conditions);
  }
  return look() ?? { kind: 'none', values };
}

/** Of facts that contradict each other those that are needed for it, printed without negations. */
function core(facts: readonly Term[], prover: Prover): string[] {
  let needed = [...facts];
  for (const fact of facts) {
    const rest = needed.filter((one) => one !== fact);
    if (prover.contradict(rest).kind === 'proved') needed = rest;
  }
  return [...new Set(needed.map((fact) => prover.print(atomOf(fact).atom)))];
}

/** The state of an automaton after letters that are known. */
export function runAutomaton(
  automaton: Automaton,
  letters: readonly ((predicate: number) => boolean)[],
): number {
  return letters.reduce((q, letter) => successorsUnder(automaton, q, letter)[0], automaton.initial);
}
