import { isStepId } from './names.js';
import type { Plan, Step } from './plan.js';

/** The id that a step gets if it has none, before others that have it are counted: from its name or its tool. */
function baseOf(step: Step): string {
  const base = nameOf(step).slice(0, 60);
  return isStepId(base) ? base : step.kind;
}

function nameOf(step: Step): string {
  switch (step.kind) {
    case 'call':
      return step.as ?? step.tool.replace(/[^\w.:-]+/g, '_');
    case 'ask':
    case 'fold':
      return step.as;
    case 'let':
      return step.name;
    case 'forEach':
      return `each_${step.item}`;
    default:
      return step.kind;
  }
}

/** Makes ids for steps without one, in the order of the plan. */
export class StepIds {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  /** @param taken ids that steps have of themselves, wherever they stand */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  make(step: Step): string {
    const base = baseOf(step);
    for (let number = this.#next.get(base) ?? 1; ; number++) {
      const id = number === 1 ? base : `${base}_${number}`;
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      this.#next.set(base, number + 1);
      return id;
    }
  }
}

/** The lists of steps within a step. */
export function innerSteps(step: Step): readonly (readonly Step[])[] {
  switch (step.kind) {
    case 'if':
      return [step.then, step.else];
    case 'forEach':
    case 'fold':
      return [step.do];
    default:
      return [];
  }
}

/** Visits all steps in the order of the plan, a step before those within it. */
export function eachStep(steps: readonly Step[], visit: (step: Step) => void): void {
  for (const step of steps) {
    visit(step);
    for (const inner of innerSteps(step)) eachStep(inner, visit);
  }
}

/** The plan with an id for each step that has the empty one. */
export function giveIds(plan: Plan): Plan {
  const taken: string[] = [];
  let missing = false;
  eachStep(plan.steps, ({ id }) => {
    if (id === '') missing = true;
    else taken.push(id);
  });
  if (!missing) return plan;
  const ids = new StepIds(taken);
  const withIds = (steps: readonly Step[]): Step[] =>
    steps.map((step) => {
      const named = { ...step, id: step.id === '' ? ids.make(step) : step.id };
      if (named.kind === 'if') return { ...named, then: withIds(named.then), else: withIds(named.else) };
      return named.kind === 'forEach' || named.kind === 'fold' ? { ...named, do: withIds(named.do) } : named;
    });
  return { ...plan, steps: withIds(plan.steps) };
}
