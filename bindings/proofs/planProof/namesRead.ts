import { freeNames } from '../../languages/expression/index.js';
import { eachStep, namesGiven, parsed, type Step, type Value } from '../workflow/index.js';

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
        return freeNames(parsed(value.expression));
      default:
        return [];
    }
  });
}

/** The symbols of what steps give, with those within them. */
export function symbolsGiven(steps: readonly Step[]): string[] {
  const found: string[] = [];
  eachStep(steps, (step) => {
    for (const name of namesGiven(step)) found.push(`@${name}`);
    if (step.kind === 'call' && step.as === undefined) found.push(`@result of ${step.id}`);
  });
  return found;
}
