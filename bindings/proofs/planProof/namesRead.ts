import { freeNames } from '../../languages/expression/index.js';
import type { Step, Value } from '../workflow/index.js';
import { expressionOf } from './values.js';

/** The names that values read. */
export function namesRead(...values: readonly (Value | undefined)[]): string[] {
  return values.flatMap((value) => {
    switch (value?.kind) {
      case 'reference':
        return [value.name];
      case 'list':
      case 'text':
        return namesRead(...value.of);
      case 'record':
        return namesRead(...Object.values(value.fields));
      case 'expression':
        return freeNames(expressionOf(value.expression.source));
      default:
        return [];
    }
  });
}

/** The names that steps give, with those within them. */
export function namesGiven(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    switch (step.kind) {
      case 'call':
        return [step.as ?? `result of ${step.id}`];
      case 'ask':
        return [step.as];
      case 'let':
        return [step.name];
      case 'if':
        return [...Object.keys(step.yields ?? {}), ...namesGiven(step.then), ...namesGiven(step.else)];
      case 'forEach':
        return [step.item, ...Object.keys(step.collect ?? {}), ...namesGiven(step.do)];
      case 'fold':
        return [step.item, step.accumulator, step.as, ...namesGiven(step.do)];
      default:
        return [];
    }
  });
}
