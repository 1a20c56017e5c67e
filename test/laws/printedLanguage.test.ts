import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PrismExpression,
  parsePrismExpression,
  printPrismExpression,
} from '../../bindings/languages/logic/index.js';
import { parseModel, printModel } from '../../bindings/solvers/formats/index.js';
import { sharedData } from '../shared.js';
import { withoutPlaces } from './withoutPlaces.js';

const place = { line: 1, column: 1, offset: 0 };

const { state, path } = fc.letrec<{ state: PrismExpression; path: PrismExpression }>((tie) => {
  const inner = tie('state');
  const bound = fc.oneof(
    fc.constant(null),
    fc.tuple(fc.boolean(), fc.boolean(), inner).map(([low, strict, at]) => ({
      lower: low ? at : null,
      lowerStrict: low && strict,
      upper: low ? null : at,
      upperStrict: !low && strict,
    })),
    fc
      .tuple(inner, inner)
      .map(([lower, upper]) => ({ lower, lowerStrict: false, upper, upperStrict: false })),
  );
  return {
    state: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'state' },
      fc.constantFrom('0', '12', '0.5', '1e-3').map((text) => ({ kind: 'number' as const, text, place })),
      fc.constantFrom('x', 'y', 'mod').map((name) => ({ kind: 'name' as const, name, place })),
      fc.boolean().map((value) => ({ kind: 'boolean' as const, value, place })),
      fc
        .constantFrom('not' as const, 'negate' as const)
        .chain((kind) => inner.map((operand) => ({ kind, operand, place }))),
      fc
        .tuple(
          fc.constantFrom('+', '-', '*', '/', '^', '=', '!=', '<', '<=', '>', '>=', '&', '|', '=>', '<=>'),
          inner,
          inner,
        )
        .map(
          ([operator, left, right]) =>
            ({ kind: 'binary' as const, operator, left, right, place }) as PrismExpression,
        ),
      fc.tuple(inner, inner, inner).map(([condition, whenTrue, whenFalse]) => ({
        kind: 'conditional' as const,
        condition,
        whenTrue,
        whenFalse,
        place,
      })),
      fc
        .tuple(
          fc.constantFrom('min' as const, 'max' as const),
          fc.array(inner, { minLength: 1, maxLength: 3 }),
        )
        .map(([name, operands]) => ({ kind: 'call' as const, function: name, operands, place })),
    ),
    path: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'path' },
      inner,
      fc.constantFrom('goal', 'far away').map((name) => ({ kind: 'label' as const, name, place })),
      fc
        .tuple(fc.constantFrom('F' as const, 'G' as const), tie('path'), bound)
        .map(([operator, operand, within]) => ({
          kind: 'temporal' as const,
          operator,
          operand,
          bound: within,
          place,
        })),
      tie('path').map((operand) => ({
        kind: 'temporal' as const,
        operator: 'X' as const,
        operand,
        bound: null,
        place,
      })),
      fc
        .tuple(fc.constantFrom('U' as const, 'W' as const, 'R' as const), tie('path'), tie('path'), bound)
        .map(([operator, left, right, within]) => ({
          kind: 'until' as const,
          operator,
          left,
          right,
          bound: within,
          place,
        })),
      fc
        .tuple(fc.constantFrom('&' as const, '|' as const, '=>' as const), tie('path'), tie('path'))
        .map(([operator, left, right]) => ({ kind: 'binary' as const, operator, left, right, place })),
      fc
        .tuple(
          tie('path'),
          fc.constantFrom([], ['min' as const], ['max' as const, 'min' as const]),
          fc.option(inner),
        )
        .map(([inside, directions, threshold]) => ({
          kind: 'probability' as const,
          question: { directions, comparison: threshold && ('>=' as const), threshold },
          path: inside,
          place,
        })),
      tie('path').map((operand) => ({
        kind: 'coalition' as const,
        quantifier: '<<>>' as const,
        players: ['1', 'p q'],
        operand,
        place,
      })),
      fc.tuple(tie('path'), fc.option(tie('path'))).map(([operand, states]) => ({
        kind: 'filter' as const,
        operator: 'avg' as const,
        operand,
        states,
        place,
      })),
      tie('path').map((operand) => ({
        kind: 'reward' as const,
        structure: { name: 'r' },
        question: { directions: ['max' as const], comparison: null, threshold: null },
        path: { kind: 'reach' as const, path: operand },
        place,
      })),
    ),
  };
});

describe('what is printed is what was parsed', () => {
  it('for expressions over states', () => {
    fc.assert(
      fc.property(state, (expression) => {
        expect(withoutPlaces(parsePrismExpression(printPrismExpression(expression)))).toEqual(
          withoutPlaces(expression),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('for properties', () => {
    fc.assert(
      fc.property(path, (expression) => {
        const text = printPrismExpression(expression);
        expect(withoutPlaces(parsePrismExpression(text, { properties: true }))).toEqual(
          withoutPlaces(expression),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('for models', () => {
    const model = parseModel(`mdp
const int N; const double p = 1/3; const bool b = false;
formula full = x=N; global g : bool init b;
module M x : [0..N] init 1; free : int; [a] !full -> p:(x'=x+1)&(g'=true) + 1-p:true; [] full -> (x'=0); endmodule
module K = M [x=y, free=z, a=c] endmodule
module L w : bool; [a] true -> [p,1]:(w'=!w) + [0,2/3]:true; endmodule
label "end" = x=N & !g; rewards "r" x<N : 1; [a] true : x/2; endrewards rewards [] true : 1; endrewards
init x=0 | y=1 ? g : !g endinit
system (M |[a]| L)/{a} ||| "other" endsystem system "other" K{c<-d, e<-f} endsystem`);
    const again = parseModel(printModel(model));
    expect(withoutPlaces(again)).toEqual(withoutPlaces(model));
    expect(printModel(again)).toBe(printModel(model));
  });

  sharedData('qvbs', (root) => {
    it('for the models of the benchmark set', () => {
      let count = 0;
      for (const family of readdirSync(root, { withFileTypes: true })) {
        if (!family.isDirectory()) continue;
        for (const file of readdirSync(`${root}/${family.name}`).filter((name) => name.endsWith('.prism'))) {
          const model = parseModel(readFileSync(`${root}/${family.name}/${file}`, 'utf8'));
          expect(withoutPlaces(parseModel(printModel(model)))).toEqual(withoutPlaces(model));
          count++;
        }
      }
      expect(count).toBeGreaterThan(5);
    });
  });
});
