import type { Expression, Trilean } from '../../languages/expression/index.js';
import { eachStep } from '../workflow/index.js';
import { walkOf } from './analyse.js';
import { type Letters, letterOf } from './events.js';
import { END, START } from './graph.js';
import type { Question } from './question.js';
import { instantiate, NOWHERE, negation, symbolsOf, type Term, termOf } from './terms.js';

/** A predicate over the calls of a plan. */
export interface PathPredicate {
  /** The tool whose calls it is about; null: all tools. */
  readonly tool: string | null;
  readonly expression: Expression;
  /** `arguments`: it reads the arguments of the call by name. `step`: it reads the call as `action`, and what is observed at the step by name. */
  readonly reads: 'arguments' | 'step';
}

/** A call on the way, or a way without a call (`call` is null). */
export interface PathEdge {
  readonly to: number;
  readonly call: PathCall | null;
}

/** A call, and what is known of predicates over it in every run that makes it. */
export interface PathCall {
  readonly step: string;
  readonly tool: string;
  /**
   * The values of the predicates that the data of the run may give it together, one entry for each combination; undefined: data of the plan do not decide it, and
   * nothing is known of it. Null: there are too many.
   */
  readonly may: readonly (readonly Trilean[])[] | null;
}

/** The calls of every run: its sequence is that of a path from `start` on, which ends at `end` if the run comes to an end by itself. */
export interface CallPaths {
  readonly start: number;
  readonly end: number;
  readonly points: number;
  readonly from: (point: number) => readonly PathEdge[];
}

/** Most predicates of one call whose values are told apart. */
const MOST_OPEN = 6;

/**
 * The calls that a plan may make, and what is known of predicates over them: from its literals and known inputs, from the conditions around the calls, and from what contracts ensure.
 *
 * @param question a plan that was proved
 */
export function callPaths(question: Question, predicates: readonly PathPredicate[]): CallPaths {
  const walk = walkOf(question, lettersOf(question, predicates)).run();
  const { prover } = walk.options;
  const points = new Map<number, readonly PathEdge[]>();
  const mayOf = (events: readonly Trilean[], conditions: readonly (Term | null)[]) => {
    const open = conditions.flatMap((condition, i) =>
      condition !== null && symbolsOf(condition).some((name) => name.startsWith('@')) ? [i] : [],
    );
    if (open.length > MOST_OPEN) return null;
    let ways: { values: Trilean[]; taken: Term[] }[] = [{ values: [...events], taken: [] }];
    for (const i of open) {
      const condition = conditions[i] as Term;
      ways = ways.flatMap(({ values, taken }) =>
        [true, false].flatMap((value) => {
          // That it is not true may also be for want of a value, which is no fact.
          const facts = [...taken, ...(value ? [condition] : [])];
          const no = value ? null : negation(condition);
          const isExcluded =
            prover.contradict(facts).kind === 'proved' ||
            (no !== null && facts.length > 0 && prover.proves(facts, condition).kind === 'proved');
          return isExcluded ? [] : [{ values: values.with(i, value), taken: facts }];
        }),
      );
    }
    return ways.map(({ values }) => values);
  };
  const from = (point: number): readonly PathEdge[] => {
    const known = points.get(point);
    if (known !== undefined) return known;
    const edges = walk.graph.edgesOf(point).map(({ to, letter }): PathEdge => {
      if (letter === null) return { to, call: null };
      const { step, tool, events, conditions } = letter;
      return { to, call: { step, tool, may: mayOf(events, conditions) } };
    });
    points.set(point, edges);
    return edges;
  };
  return { start: START, end: END, points: walk.graph.size, from };
}

function lettersOf({ plan }: Question, predicates: readonly PathPredicate[]): Letters {
  const given = new Map<string, readonly string[]>();
  eachStep(plan.steps, (step) => {
    if (step.kind === 'call') given.set(step.id, Object.keys(step.with));
  });
  return {
    letter(step, tool, argument, facts, prover) {
      const names = given.get(step) ?? [];
      // An argument that is left out is none, in the call that judges see.
      const args = (name: string) => (names.includes(name) ? argument(name) : undefined);
      const action = record({
        name: termOf(tool),
        arguments: record(Object.fromEntries(names.map((name) => [name, argument(name) ?? termOf(null)]))),
      });
      const when = predicates.map(({ tool: own, expression, reads }) => {
        if (own !== null && own !== tool) return false;
        const of = reads === 'step' ? (name: string) => (name === 'action' ? action : undefined) : args;
        return instantiate(expression.root, of);
      });
      return letterOf(step, tool, when, facts, prover);
    },
  };
}

function record(fields: Readonly<Record<string, Term>>): Term {
  return {
    kind: 'map',
    keys: Object.keys(fields).map(termOf),
    values: Object.values(fields),
    place: NOWHERE,
  };
}
