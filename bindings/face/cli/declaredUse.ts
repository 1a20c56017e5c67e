import { EvaluationError } from '../../base/errors.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import { bit } from '../../observations/abstraction/runtime/index.js';
import { type ActionModel, createActionModel } from '../../observations/effects/index.js';
import type { Step, Trace } from '../../observations/trace/index.js';
import { allPredicates, type Specification } from '../../rules/specification/index.js';
import { plural } from './terminal.js';

/** Steps of recordings that contradict what is declared of an action. */
export interface DeclaredContradiction {
  readonly action: string;
  /** Null if the call was made although what it requires did not hold. */
  readonly predicate: string | null;
  /** What was declared of the predicate, of what was seen otherwise. */
  readonly declared: 'required' | 'set' | 'cleared' | 'unchanged';
  readonly count: number;
  /** Where first. */
  readonly first: string;
}

/** What recordings have of declared actions. */
export interface DeclaredReport {
  /** Steps with a call of which something is declared, and a step after it. */
  readonly steps: number;
  /** Steps with a call of which nothing is declared. */
  readonly undeclared: number;
  /** The most frequent first. */
  readonly contradictions: readonly DeclaredContradiction[];
}

interface Reading {
  readonly values: Uint32Array;
  /** The predicates that could be read. */
  readonly known: Uint32Array;
}

/** Counts the steps of recordings that contradict the declared actions. A predicate that cannot be read contradicts nothing. */
export class DeclaredUses {
  readonly #model: ActionModel | null;
  readonly #abstraction: Abstraction;
  readonly #found = new Map<
    string,
    { -readonly [key in keyof DeclaredContradiction]: DeclaredContradiction[key] }
  >();
  #steps = 0;
  #undeclared = 0;

  constructor(specification: Specification) {
    const predicates = allPredicates(specification);
    const { declaredActions: actions } = specification;
    this.#abstraction = new Abstraction({ predicates });
    this.#model = Object.keys(actions).length === 0 ? null : createActionModel({ actions, predicates });
  }

  add({ id, steps }: Trace): void {
    if (this.#model === null) return;
    for (const [index, step] of steps.entries()) {
      if (step.action === undefined || step.action === null) continue;
      const next = steps[index + 1];
      if (next !== undefined) this.#compare(this.#model, step, next, `trace "${id}", step ${index}`);
    }
  }

  /** Null if nothing is declared. */
  report(): DeclaredReport | null {
    if (this.#model === null) return null;
    const contradictions = [...this.#found.values()].sort((a, b) => b.count - a.count);
    return { steps: this.#steps, undeclared: this.#undeclared, contradictions };
  }

  #compare(model: ActionModel, step: Step, next: Step, place: string): void {
    const { action } = step;
    const call = action && model.callOf(action);
    if (!call) {
      this.#undeclared++;
      return;
    }
    this.#steps++;
    const before = this.#read(step);
    if (call.executable(before.values, before.known) === false) {
      this.#count(call.action.name, null, 'required', place);
      return;
    }
    const after = this.#read(next);
    const { mayBeTrue, mayBeFalse } = call.possible(before.values, before.known);
    model.predicates.forEach((predicate, i) => {
      if (model.roles[i] !== 'declared' || !bit(after.known, 0, i)) return;
      const isTrue = bit(after.values, 0, i);
      if (bit(isTrue ? mayBeTrue : mayBeFalse, 0, i)) return;
      const stayed = bit(before.values, 0, i) !== isTrue && !call.changes(i, before.values, before.known);
      this.#count(call.action.name, predicate, stayed ? 'unchanged' : isTrue ? 'cleared' : 'set', place);
    });
  }

  #read(step: Step): Reading {
    const { words, predicates } = this.#abstraction;
    const reading = { values: new Uint32Array(words), known: new Uint32Array(words) };
    predicates.forEach((_, i) => {
      try {
        if (this.#abstraction.holds(i, step.state, step)) reading.values[i >>> 5] |= 1 << (i & 31);
        reading.known[i >>> 5] |= 1 << (i & 31);
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
      }
    });
    return reading;
  }

  #count(
    action: string,
    predicate: string | null,
    declared: DeclaredContradiction['declared'],
    place: string,
  ): void {
    const key = JSON.stringify([action, predicate, declared]);
    const found = this.#found.get(key);
    if (found === undefined) this.#found.set(key, { action, predicate, declared, count: 1, first: place });
    else found.count++;
  }
}

/** The report in lines; none if nothing is declared. */
export function describeDeclared(report: DeclaredReport | null): string[] {
  if (report === null) return [];
  const { steps, undeclared, contradictions } = report;
  const others = undeclared === 0 ? '' : `; nothing is declared of ${plural(undeclared, 'other call')}`;
  const total = contradictions.reduce((sum, { count }) => sum + count, 0);
  const said = total === 0 ? 'as declared' : `${plural(total, 'contradiction')} of what is declared`;
  return [
    `${plural(steps, 'declared call')} with a step after: ${said}${others}`,
    ...contradictions.map(
      ({ action, predicate, declared, count, first }) =>
        `  ${action}: ${wordsOf(predicate, declared)}, ${count === 1 ? 'once' : `${count} times`}, the first: ${first}`,
    ),
  ];
}

function wordsOf(predicate: string | null, declared: DeclaredContradiction['declared']): string {
  switch (declared) {
    case 'required':
      return 'called although what it requires did not hold';
    case 'set':
      return `sets ${predicate}, and it was false`;
    case 'cleared':
      return `clears ${predicate}, and it was true`;
    case 'unchanged':
      return `does not change ${predicate}, and it changed`;
  }
}
