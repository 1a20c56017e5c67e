import { describe, expect, it } from 'vitest';
import { ruleShapes } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';

const shape = (formula: string, more: Record<string, unknown> = {}) =>
  ruleShapes(
    parseSpecification(
      JSON.stringify({
        version: 1,
        predicates: { a: 'a', b: 'b', c: 'c' },
        rules: { rule: { formula, threshold: 0.5, atEnd: 'strong' } },
        ...more,
      }),
    ),
  )[0];

const vacuous =
  /rule "rule": no run that its comparisons and the constraints allow can violate this rule: it is vacuous/;

describe('a rule that no allowed run can violate', () => {
  it.each([
    'G (speed > 0.5 | speed <= 0.5)',
    'G !(speed > 2 & speed < 1)',
    'G !(lane == 1 & lane == 2)',
    'G (lane != -1 | lane < 0)',
    'G (x + y >= 3 -> F<=2 (x + y > 2))',
    'G !(speed > 0.5 & speed < 0.7 & speed == 0.7)',
  ])('is refused where comparisons exclude each other: %s', (formula) => {
    expect(() => shape(formula)).toThrow(vacuous);
  });

  it.each([
    'G (speed > 0.5 | speed < 0.5)',
    'G !(speed >= 1 & speed <= 1)',
    'G !(speed > 0.5 & speed < 0.7 & speed != 0.6)',
    'G !(lane != 1 & lane != 2)',
    'G !(speed > 2 & other < 1)',
  ])('is not one where some number violates it: %s', (formula) => {
    expect(shape(formula).warning).toBeNull();
  });

  it('is refused where constraints on states, transitions or ends exclude violations', () => {
    const under = (formula: string, constraints: Record<string, string>) => shape(formula, { constraints });
    expect(() => under('G !(a & b)', { state: '!(a && b)' })).toThrow(vacuous);
    expect(() => under('G !(a & b)', { state: '!(a && c) && (!b || c)' })).toThrow(vacuous);
    expect(() => under('G (a -> WX a)', { transition: '!from.a || to.a' })).toThrow(vacuous);
    expect(() => under('F b', { end: 'b' })).toThrow(vacuous);
    expect(under('G !(a & c)', { state: '!(a && b)' }).warning).toBeNull();
    expect(under('G (a -> WX b)', { transition: '!from.a || to.a' }).warning).toBeNull();
  });

  it('is not refused where learning accepts what contradicts constraints, nor where too many valuations are allowed', () => {
    const constraints = { state: '!(a && b)' };
    expect(shape('G !(a & b)', { constraints, learning: { onContradiction: 'accept' } }).warning).toBeNull();
    const predicates = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`p${i}`, `x${i}`]));
    const state = `!(p0 && p1) && (${Object.keys(predicates).join(' || ')})`;
    expect(shape('G !(p0 & p1)', { predicates, constraints: { state } }).warning).toBeNull();
  });
});

describe('a rule that every allowed run violates', () => {
  it('is warned of', () => {
    const warning = /every trace violates it/;
    expect(shape('G (speed > 2 & speed < 1)').warning).toMatch(warning);
    expect(shape('F (a & b)', { constraints: { state: '!(a && b)' } }).warning).toMatch(warning);
    expect(shape('a & X !a', { constraints: { transition: '!from.a || to.a' } }).warning).toMatch(warning);
    expect(shape('G !b', { constraints: { end: 'b' } }).warning).toMatch(warning);
    expect(shape('F (a & b)', { constraints: { state: '!(a && c)' } }).warning).toBeNull();
  });
});
