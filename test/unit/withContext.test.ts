import { describe, expect, it } from 'vitest';
import { ForeguardError } from '../../bindings/base/errors.js';
import { withContext } from '../../bindings/base/words.js';
import { ruleShapes } from '../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../bindings/rules/specification/index.js';

/** What a runtime prints of an error that nobody caught is its stack. */
describe('what an error is about', () => {
  it('stands in front of its message, and in its stack', () => {
    const specification = parseSpecification(
      JSON.stringify({
        version: 1,
        predicates: { a: 'a' },
        rules: { sure: { formula: 'G (a | !a)', threshold: 0.5 } },
      }),
      { source: 'rules.yaml' },
    );
    const caught = thrown(() => ruleShapes(specification));
    expect(caught.message).toMatch(/^rules\.yaml: rule "sure": /);
    expect(caught.stack).toContain(caught.message);
  });

  it('keeps texts that a pattern of replacement would change', () => {
    const error = new ForeguardError('test', 'costs $1');
    withContext(error, 'rule "$&"');
    expect(error.message).toBe('rule "$&": costs $1');
    expect(error.stack).toContain('rule "$&": costs $1');
  });

  it('is left out of errors that are not ours', () => {
    const error = new TypeError('no number');
    expect(withContext(error, 'rule "a"')).toBe(error);
    expect(error.message).toBe('no number');
  });
});

function thrown(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
