import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import { parseFormula, predicatesOf, printFormula } from '../../../bindings/languages/logic/index.js';

/** The reading of a formula, as text with few parentheses. */
const reading = (text: string): string => printFormula(parseFormula(text));

function failure(text: string): ParseError {
  try {
    parseFormula(text, { name: 'rule "r"' });
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError);
    return error as ParseError;
  }
  throw new Error(`${text} was parsed`);
}

describe('parseFormula', () => {
  it('reads without parentheses what all tools read alike', () => {
    expect(reading('F a U b')).toBe('F a U b');
    expect(parseFormula('F a U b').kind).toBe('binary');
    expect(parseFormula('F !a U !b')).toMatchObject({ kind: 'binary', left: { kind: 'unary' } });
    expect(parseFormula('a & F b').kind).toBe('and');
    expect(reading('a & b -> F c')).toBe('a & b -> F c');
    expect(reading('!a & b')).toBe('!a & b');
    expect(parseFormula('!a & b').kind).toBe('and');
    expect(parseFormula('a -> b <-> c').kind).toBe('implies');
    expect(parseFormula('a | b & c').kind).toBe('or');
    expect(parseFormula('a & b | c -> d').kind).toBe('implies');
    expect(reading('G F a')).toBe('G F a');
    expect(reading('a U G b')).toBe('a U G b');
  });

  it('takes spelled and doubled operators for their symbols', () => {
    expect(reading('always (a and not b implies eventually[0,100] c)')).toBe('G (a & !b -> F<=100 c)');
    expect(reading('a && b || c => d')).toBe('a & b | c -> d');
    expect(reading('a until b')).toBe('a U b');
    expect(reading('always(a) and always(b)')).toBe('(G a) & (G b)');
    expect(reading('a iff b <=> c')).toBe('a <-> b <-> c');
  });

  it('reads counts, and leaves other uses of the word as they are', () => {
    expect(reading('G count(writes) <= 3')).toBe('G count(writes) <= 3');
    expect(reading('count [ 0 , 10 ] (a | b) == 2')).toBe('count[0,10](a | b) = 2');
    expect(reading('!count[0,10s](fails) >= 2 & b')).toBe('!count[0s,10s](fails) >= 2 & b');
    expect(reading('count[2,inf](O a) > 1')).toBe('count[2,inf](O a) > 1');
    expect(parseFormula('count[0.5s,1s](a & (Y b)) < 4')).toMatchObject({
      kind: 'count',
      operator: '<',
      times: 4,
      window: { from: '0.5', to: '1', unit: 's' },
    });
    expect(predicatesOf(parseFormula('count & count(count) > 1'))).toEqual(['count']);
    for (const comparison of ['count > 3', 'count[0] > 3', 'count["a"] <= 2', 'count.calls >= 1']) {
      expect(parseFormula(comparison)).toMatchObject({ kind: 'comparison', source: comparison });
    }
  });

  it('says what a count is compared with', () => {
    for (const [text, message] of [
      ['count(a)', 'count(a) is a number; expected one of < <= = >= > after it and a whole number'],
      ['count(a) & b', 'count(a) is a number'],
      ['count(a) != 2', 'count(a) is a number'],
      ['count(a) <= 1.5', 'count(a) is a number'],
      ['count(a) <= -1', 'count(a) is a number'],
      ['3 >= count(a)', 'count(a) is a number'],
      ['count(a) <= 1 + 1', 'a truth value is compared or calculated with'],
      ['count(F a) > 1', 'count looks back, and F a reads what is still to come'],
      ['count(P=? [ O a ]) > 1', 'count looks back'],
      ['count<=10(a) > 1', 'the window of count stands in brackets; expected count[0,10](p) >= 2'],
      ['count[0,10s(a) > 1', 'unexpected "("'],
    ]) {
      expect(failure(text).message, text).toContain(message);
    }
  });

  it('reads windows in steps and in time', () => {
    expect(reading('F<=3 a')).toBe('F<=3 a');
    expect(reading('F<3 a')).toBe('F<=2 a');
    expect(reading('F>=3 a')).toBe('F>=3 a');
    expect(reading('F>3 a')).toBe('F>=4 a');
    expect(reading('F=3 a')).toBe('F[3,3] a');
    expect(reading('a U[2,5] b')).toBe('a U[2,5] b');
    expect(reading('F[2,inf] a')).toBe('F>=2 a');
    expect(reading('G (green & clear -> F[0s,10s] moving)')).toBe('G (green & clear -> F[0s,10s] moving)');
    expect(reading('F<=10s moving')).toBe('F<=10s moving');
    expect(reading('F[2s,inf] moving')).toBe('F[2s,inf] moving');
    expect(reading('F[0.5,10 ms] a')).toBe('F[0.5ms,10ms] a');
  });

  it('reads comparisons and other expressions as inline predicates, with their place', () => {
    const formula = parseFormula('G (\n  speed + 2*x > 0.5 & "Microwave" in o.parents)');
    expect(printFormula(formula)).toBe('G (`speed + 2*x > 0.5` & `"Microwave" in o.parents`)');
    expect(formula).toMatchObject({
      operand: { left: { kind: 'comparison', source: 'speed + 2*x > 0.5', place: { line: 2, column: 3 } } },
    });
    expect(reading('F (s=7 & (d) == (1))')).toBe('F (s==7 & `(d) == (1)`)');
    expect(reading('door.isOpen & size(objects) > 2')).toBe('`door.isOpen` & `size(objects) > 2`');
    expect(reading('G !`objects.exists(o, o.isOpen && o.hot)`')).toBe(
      'G !`objects.exists(o, o.isOpen && o.hot)`',
    );
    expect(reading("tool in ['mv', 'rm'] -> -x < 3")).toBe("`tool in ['mv', 'rm']` -> `-x < 3`");
    expect(reading('door.isOpen & objects.exists(o, o.x > 1 && o.y)')).toContain(
      '`objects.exists(o, o.x > 1 && o.y)`',
    );
  });

  it('reads quoted labels, whatever they contain', () => {
    expect(predicatesOf(parseFormula('"all done" & "F" & b'))).toEqual(['all done', 'F', 'b']);
    expect(reading('XF & FG')).toBe('XF & FG');
    expect(failure('a `<` b').message).toMatch(/unexpected "<"/);
    expect(reading('"door"')).toBe('door');
    expect(reading('"F"')).toBe('"F"');
  });

  it('reads probabilities', () => {
    expect(reading('P=? [ F<=5 "goal" ]')).toBe('P=? [ F<=5 goal ]');
    expect(parseFormula('P<0.10[a U b]')).toMatchObject({
      kind: 'probability',
      bound: { operator: '<', threshold: 0.1, text: '0.10' },
    });
    expect(reading('P>=1 [ G P>0 [ F a ] ]')).toBe('P>=1 [ G P>0 [ F a ] ]');
    expect(failure('P>2/3 [ F a ]').message).toMatch(/2\/3 is a fraction; expected a decimal .* 0\.6666/);
    expect(failure('P>1/x [ F a ]').message).toMatch(/unexpected "\/"/);
    expect(failure('P>1.5 [ F a ]').message).toMatch(/1\.5 is not a probability/);
  });

  it('refuses what different tools read differently, asking for parentheses', () => {
    for (const text of [
      'a -> b -> c',
      'a U b U c',
      'G a -> F b',
      'F a & F b',
      'a & F b & c',
      '!F a & b',
      'a & b U c',
    ]) {
      expect(failure(text).message, text).toMatch(/parenthes|read in two ways/);
    }
    expect(reading('a -> (b -> c)')).toBe('a -> (b -> c)');
    expect(reading('(G a) -> F b')).toBe('(G a) -> F b');
  });

  const unary = [
    'X',
    'WX',
    'F',
    'G',
    'Y',
    'WY',
    'O',
    'H',
    'F<=3',
    'H[1,4]',
    'O>=2s',
    'always',
    'once',
    'historically',
  ];
  it.each(unary)('refuses %s before a connective, with both readings to choose from', (operator) => {
    const printed = reading(`${operator} a`).slice(0, -2);
    for (const connective of ['|', '&', '->', '<->', '||', 'or', 'implies', '=>']) {
      for (const left of ['a', '(a)', '!a', 'F a']) {
        // A spelled operator and a bracket are a call.
        if (left === '(a)' && /^[a-z]/.test(operator)) continue;
        const symbol = reading(`a ${connective} b`).slice(2, -2);
        const text = `${operator} ${left} ${connective} b`;
        const inner = reading(left);
        expect(failure(`c & (${text})`).message).toContain('is read in two ways; expected c & (');
        const { message } = failure(text);
        const [, looser, tighter] =
          /expected (.*) as PRISM reads it, or (.*) as most other tools do$/.exec(message) ?? [];
        const tight = `(${printed} ${inner}) ${symbol} b`;
        expect(parseFormula(tighter)).toEqual(expect.objectContaining({ kind: parseFormula(tight).kind }));
        expect(tighter).toBe(tight);
        expect(looser.startsWith(`${printed} `)).toBe(true);
        expect(reading(looser)).toBe(looser);
        expect(parseFormula(looser)).toMatchObject({ kind: 'unary' });
      }
    }
  });

  it('refuses them wherever they stand, and says where', () => {
    const found = (text: string) => {
      const { line, column, expected } = failure(text);
      return [
        line,
        column,
        ...(expected as string).replace(/ as (PRISM reads it|most other tools do)/g, '').split(', or '),
      ];
    };
    expect(found('O a | b')).toEqual([1, 1, 'O (a | b)', '(O a) | b']);
    expect(found('a ->\n  G (b) & c')).toEqual([2, 3, 'a -> G (b & c)', 'a -> (G b) & c']);
    expect(found('G a -> F b & c')).toEqual([1, 1, 'G (a -> F (b & c))', '(G a) -> (F b) & c']);
    expect(found('!F a & b')).toEqual([1, 2, '!(F (a & b))', '!(F a) & b']);
    expect(found('G F a | b')).toEqual([1, 3, 'G F (a | b)', '(G F a) | b']);
    expect(found('a & b U c')).toEqual([1, 7, '(a & b) U c', 'a & (b U c)']);
    expect(found('a S b | c')).toEqual([1, 3, 'a S (b | c)', '(a S b) | c']);
    expect(found('G a & b U c')).toEqual([1, 1, 'G (a & b) U c', '(G a) & (b U c)']);
    expect(found('P<0.1 [ F a | b ]')).toEqual([1, 9, 'P<0.1 [ F (a | b) ]', 'P<0.1 [ (F a) | b ]']);
  });

  it('names another fault of a formula first', () => {
    expect(failure('O a | ').message).toMatch(/unexpected end/);
    expect(failure('O a | b -> c -> d').message).toMatch(/a -> b -> c/);
  });

  it("holds LawBreaker's operators to their brackets, as its own grammar does", () => {
    expect(reading('always(a) and b')).toBe('(G a) & b');
    expect(reading('not eventually[0,3](a) or b')).toBe('!(F<=3 a) | b');
    expect(reading('(a) implies eventually[-1,2] (b) and c')).toBe('a -> ((O<=1 b) | (F<=2 b)) & c');
    expect(failure('always not (a) and b').message).toMatch(/two ways/);
  });

  it('says where a formula is wrong and what was expected', () => {
    expect(failure('G (a &\n  & b)')).toMatchObject({ source: 'rule "r"', line: 2, column: 3 });
    expect(failure('G (a').expected).toBe(')');
    expect(failure('a b').message).toMatch(/^rule "r":1:3: unexpected "b"/);
    expect(failure('G (a & speed > > 2)')).toMatchObject({ line: 1, column: 16 });
    expect(failure('3').message).toMatch(/not a truth value/);
    expect(failure('(a & b) > 3').message).toMatch(/backticks/);
    expect(failure('1 < x < 3').message).toMatch(/do not chain/);
    expect(failure('P=? F a').expected).toBe('[');
    expect(failure('P>1.5 [ F a ]').message).toMatch(/1.5 is not a probability/);
    expect(failure('P [ F a ]').expected).toMatch(/P=\?/);
    expect(failure('"open & b').message).toMatch(/never closed/);
    expect(failure('a # b').message).toMatch(/unexpected character #/);
    expect(failure('E a').message).toMatch(/not supported yet/);
    expect(failure('').message).toMatch(/unexpected end of the formula/);
    expect(failure('"" & a').message).toMatch(/not a name/);
    expect(failure('size(a').message).toMatch(/ends inside a bracket/);
  });

  it('reads operators of the past as the mirror images of those of the future', () => {
    expect(reading('G (c -> Y (a S[0,3] b))')).toBe('G (c -> Y (a S<=3 b))');
    expect(reading('O<=2 (a & b)')).toBe('O<=2 (a & b)');
    expect(reading('WX (a | WY b)')).toBe('WX (a | (WY b))');
    expect(reading('historically[1,4](a) since once(b)')).toBe('H[1,4] a S O b');
  });

  it('reads a window around now behind the spelled operators as its past and its future', () => {
    expect(reading('eventually[-1,2](a)')).toBe('(O<=1 a) | (F<=2 a)');
    expect(reading('always[-1s,inf](a)')).toBe('(H<=1s a) & (G a)');
    expect(reading('eventually[-5,-2](a)')).toBe('O[2,5] a');
    expect(failure('eventually[-2,-5](a)').message).toMatch(/empty/);
    expect(failure('eventually[1,-5](a)').message).toMatch(/empty/);
  });

  it('refuses windows that mean nothing', () => {
    expect(failure('F[3,2] a')).toMatchObject({ column: 2, message: expect.stringMatching(/empty/) });
    expect(failure('F<0 a').message).toMatch(/empty/);
    expect(failure('F<=1.5 a').message).toMatch(/whole numbers/);
    expect(failure('F[-1,2] a').message).toMatch(/past/);
    expect(failure('F[1s,2ms] a').message).toMatch(/mixes s and ms/);
    expect(failure('F<3s a').message).toMatch(/strict bound/);
    expect(failure('F[0.30,0.2s] a').message).toMatch(/empty/);
  });

  it('puts errors of inline expressions at their place in the formula', () => {
    expect(failure('G (a |\n  `b +`)')).toMatchObject({ line: 2, source: 'rule "r"' });
  });

  it('survives formulas of absurd depth and length', () => {
    expect(failure(`${'('.repeat(3000)}a`).message).toMatch(/nested/);
    expect(failure(`${'!'.repeat(3000)}a`).message).toMatch(/nested/);
    expect(failure(`${'a & '.repeat(100_000)}a`).message).toMatch(/tokens/);
    expect(predicatesOf(parseFormula(`${'a & '.repeat(2000)}a`))).toEqual(['a']);
  });
});
