import { createGuard, createGuardStep, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, response, ruleOf } from './guardFiles.js';

const rules = [
  ruleOf(never, [0.123, 0.456, 0.789, 0.321], {
    name: 'never',
    threshold: 0.7,
    confidence: [0.2, 0.5, 0.8, 0.4],
  }),
  ruleOf(response, [0.111, 0.222, 0.333, 0.444], { name: 'response', confidence: [0.2, 0.3, 0.4, 0.5] }),
];
const states = [
  { a: false, b: false },
  { a: true, b: false },
  { a: false, b: true },
  { a: false, b: false },
];
// Not a whole number at first, as in `createGuardStep`.
const context = { time: 1.5 };

/** A guard's steps: so many calls of `stepInto` return the sum of the risks. */
export function stepping(timing: Partial<GuardFile>): (calls: number) => number {
  const guard = createGuard(guardFile(rules, timing));
  const result = createGuardStep();
  return (calls) => {
    // In a local variable: one outside would allocate a number at every call.
    let sum = 0;
    for (let i = 0; i < calls; i++) {
      context.time += 0.1;
      sum += guard.stepInto(states[i & 3], context, result).risk;
    }
    return sum;
  };
}
