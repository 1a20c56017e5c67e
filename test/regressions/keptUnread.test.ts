import { expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../bindings/rules/specification/index.js';
import { createGuard } from '../../bindings/runtime/guard/index.js';

/** The explanation said "Nothing breaks rule", and nothing of the predicate that could not be read. */
it('what rules alone let through unread is explained by the predicate that could not be read', () => {
  const specification = (more: string) =>
    parseSpecification(`version: 1
samplingPeriod: 0.1s
predicates: { red: 'light == 1', still: 'speed < 0.1' }
rules: { stops: { formula: 'G (red -> F[0s,10s] still)' } }
${more}`);
  const guard = createGuard(compileRules(specification('')));
  const step = guard.step({ speed: 9 }, { time: 0 });
  expect(step).toMatchObject({ decision: 'allow', reason: 'kept', predicate: 'red' });
  expect(guard.explain(step)).toMatch(/"red" could not be read.*"light".*both are followed/);
  const strict = createGuard(compileRules(specification('onUnreadable: stop')));
  expect(strict.step({ speed: 9 }, { time: 0 })).toMatchObject({ decision: 'stop', predicate: 'red' });
  const read = guard.step({ speed: 9, light: 2 }, { time: 0.1 });
  expect(guard.explain(read)).not.toContain('could not be read');
});
