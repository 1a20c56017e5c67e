import { freeNames } from '../../languages/expression/index.js';
import { parsed } from './canonical.js';
import type { Plan, PlanExpression, Step, Value } from './plan.js';
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

/** The names that a step reads itself, each once; steps within it are left out. */
export function namesRead(step: Step): readonly string[] {
  const names = new Set<string>();
  for (const value of valuesOf(step)) readNames(value, names);
  if (step.kind === 'if' || step.kind === 'require') readExpressionNames(step.condition, names);
  return [...names];
}

/** The values that a step states, in the order in which they are looked at. */
export function valuesOf(step: Step): readonly Value[] {
  switch (step.kind) {
    case 'call':
      return Object.values(step.with);
    case 'ask':
      return step.about;
    case 'let':
      return [step.be];
    case 'if':
      return Object.values(step.yields ?? {}).flat();
    case 'forEach':
      return [step.in, ...Object.values(step.collect ?? {})];
    case 'fold':
      return [step.in, step.from, step.next];
    case 'return':
      return [step.value];
    case 'require':
      return [];
  }
}

function readNames(value: Value, names: Set<string>): void {
  switch (value.kind) {
    case 'reference':
      names.add(value.name);
      return;
    case 'list':
    case 'text':
      for (const one of value.of) readNames(one, names);
      return;
    case 'record':
      for (const one of Object.values(value.fields)) readNames(one, names);
      return;
    case 'expression':
      readExpressionNames(value.expression, names);
  }
}

function readExpressionNames(expression: PlanExpression, names: Set<string>): void {
  for (const name of freeNames(parsed(expression))) names.add(name);
}
