import type { Plan, Step } from './plan.js';
import { eachStep } from './stepIds.js';

/** The names that a step gives, those of loops and accumulators too. */
export function namesGiven(step: Step): readonly string[] {
  switch (step.kind) {
    case 'call':
      return step.as === undefined ? [] : [step.as];
    case 'ask':
      return [step.as];
    case 'let':
      return [step.name];
    case 'if':
      return Object.keys(step.yields ?? {});
    case 'forEach':
      return [step.item, ...Object.keys(step.collect ?? {})];
    case 'fold':
      return [step.item, step.accumulator, step.as];
    default:
      return [];
  }
}

/** All names of a plan. */
export function namesOf(plan: Plan): Set<string> {
  const names = new Set(Object.keys(plan.inputs));
  eachStep(plan.steps, (step) => {
    for (const name of namesGiven(step)) names.add(name);
  });
  return names;
}
