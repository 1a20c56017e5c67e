import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';

const read = (rules: string, more = '') =>
  parseSpecification(`version: 1
predicates: { writes: 'has(action.name) && action.name == "write"', open: open, busy: busy, spare: spare }
rules:
${rules}
${more}`);

describe('exact: true', () => {
  it('leaves what only exact rules read out of what is learnt', () => {
    const specification = read(`  a: { formula: 'G count(writes) <= 3', exact: true }
  b: { formula: 'G (open -> x > 3)', exact: true }
  c: { formula: 'G !(open & busy)', threshold: 0.5 }`);
    expect(specification.abstraction.predicates.map(({ name }) => name)).toEqual(['open', 'busy', 'spare']);
    expect(specification.exactPredicates.map(({ name }) => name)).toEqual(['writes', 'xAbove3']);
    expect(specification.rules.map(({ exact }) => exact)).toEqual([true, true, false]);
  });

  it('changes nothing of a specification without it, nor of its guard of rules alone', () => {
    const rules = `  a: { formula: 'G count(writes) <= 3' }`;
    const plain = read(rules);
    expect(plain.abstraction.predicates).toHaveLength(4);
    expect(plain.exactPredicates).toEqual([]);
    const exact = read(rules.replace(' }', ', exact: true }'));
    expect(compileRules(exact).rules).toEqual(compileRules(plain).rules);
    expect(exact.hash).not.toBe(plain.hash);
  });

  it.each([
    [
      "{ formula: 'G !open', exact: true, threshold: 0.5 }",
      'threshold is about a risk, and of an exact rule none is predicted',
    ],
    [
      "{ formula: 'G !open', exact: true, horizonSteps: 3 }",
      'write a second rule of the same formula with horizonSteps and without exact',
    ],
    ["{ formula: 'P<0.1 [ F open ]', exact: true }", 'which takes a model; leave exact out'],
    ["{ formula: 'G !open', exact: 1 }", 'rule "a": exact'],
  ])('is refused in %s', (rule, message) => {
    expect(() => read(`  a: ${rule}`)).toThrow(message);
  });

  it('is refused of a predicate that constraints read', () => {
    expect(() =>
      read(
        `  a: { formula: 'G !open', exact: true }
  b: { formula: 'G !busy', threshold: 0.5 }`,
        "constraints: { state: '!(open && busy)' }",
      ),
    ).toThrow(
      'constraint "state" reads "open", which exact rules alone read, and constraints are about what is learnt',
    );
  });

  it('lets rules of calls stand in the specification of a decision process, whose guard refuses them', async () => {
    const specification = read(
      `  a: { formula: 'G count(writes) <= 3', exact: true }
  b: { formula: 'G !busy', threshold: 0.5 }`,
      'learning: { model: mdp, smoothing: 0 }',
    );
    const step = (busy: boolean, name: string) => ({
      state: { open: busy, busy, spare: false },
      action: { name, arguments: {} },
    });
    const { model } = await learnMdp(
      new Abstraction(specification.abstraction),
      [{ id: '1', steps: [step(false, 'write'), step(true, 'read'), step(false, 'read')] }],
      specification.learning,
    );
    expect(() => compileGuard(specification, model)).toThrow(
      'rule "a" is exact and reads calls (predicate "writes"), and the guard of a decision process counts states, not calls',
    );
    expect(compileRules(specification).rules).toHaveLength(2);
  });
});
