import { describe, expect, it } from 'vitest';
import {
  ANY_TEXT,
  choiceOf,
  evaluateTerm,
  isInRegLan,
  printScript,
  readAnswer,
  recordedSolver,
  repeatOf,
  scriptHash,
  sequenceOf,
  Terms,
  textOf,
  units,
} from '../../../bindings/solvers/smt/index.js';

describe('terms', () => {
  const terms = new Terms();
  const [a, b] = ['a', 'b'].map((name) => terms.variable('Bool', name));
  const n = terms.variable('Int', 'n');

  it('are kept once, and simplified where a constant decides', () => {
    expect(terms.and(a, b)).toBe(terms.and(b, a, terms.true, a));
    expect(terms.and(a, terms.not(a))).toBe(terms.false);
    expect(terms.or(a, terms.not(a), b)).toBe(terms.true);
    expect(terms.or()).toBe(terms.false);
    expect(terms.not(terms.not(a))).toBe(a);
    expect(terms.if(a, n, n)).toBe(n);
    expect(terms.equal(n, n)).toBe(terms.true);
    expect(terms.of('+', terms.int(2), terms.int(3))).toBe(terms.int(5));
    expect(terms.float(-0)).not.toBe(terms.float(0));
    expect(terms.equal(terms.float(-0), terms.float(0))).toBe(terms.false);
    expect(terms.of('fp.eq', terms.float(-0), terms.float(0))).toBe(terms.true);
    expect(terms.of('mod', terms.int(-7), terms.int(-2))).toBe(terms.int(1));
  });

  it.each([
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [-0.5, -0],
    [-1.5, -2],
    [0.75, 1],
    [-2.2, -2],
    [2 ** 60, 2 ** 60],
  ])('round %d to the even of two whole numbers', (value, expected) => {
    expect(terms.of('fp.roundToIntegral', terms.float(value))).toBe(terms.float(expected));
  });

  it('are printed with their values by bits and by code units', () => {
    const t = terms.variable('Text', 't');
    const d = terms.variable('Float', 'd');
    const shared = terms.of('str.++', t, terms.text('"\\\u00e4\ud83d'));
    const script = printScript([
      terms.of('str.prefixof', shared, t),
      terms.isIn(shared, repeatOf(choiceOf(units('ab', [0x30, 0x39]), textOf('x')), 1, 2)),
      terms.isIn(t, sequenceOf(ANY_TEXT, repeatOf(textOf('y'), 3), units())),
      terms.of('fp.lt', terms.of('fp.add', d, terms.float(0.1)), terms.float(-1)),
      terms.of('<', n, terms.int(-5)),
    ]);
    expect(script).toBe(`(set-option :produce-models true)
(set-logic ALL)
(declare-const |t| String)
(declare-const |d| (_ FloatingPoint 11 53))
(declare-const |n| Int)
(define-fun t0 () String (str.++ |t| """\\u{5c}\\u{e4}\\u{d83d}"))
(assert (str.prefixof t0 |t|))
(assert (str.in_re t0 ((_ re.loop 1 2) (re.union (re.union (str.to_re "a") (str.to_re "b") (re.range "0" "9")) (str.to_re "x")))))
(assert (str.in_re |t| (re.++ re.all (re.++ ((_ re.^ 3) (str.to_re "y")) (re.* (str.to_re "y"))) re.none)))
(assert (fp.lt (fp.add RNE |d| (fp #b0 #b01111111011 #b1001100110011001100110011001100110011001100110011010)) (fp #b1 #b01111111111 #b0000000000000000000000000000000000000000000000000000)))
(assert (< |n| (- 5)))
(check-sat)
(get-value (|t| |d| |n|))
`);
  });

  it('have values, of which those that nothing depends on are not computed', () => {
    const t = terms.variable('Text', 't');
    const model = new Map<string, boolean | bigint | string>([
      ['a', true],
      ['n', 0n],
      ['t', 'ab'],
    ]);
    const safe = terms.if(terms.equal(n, terms.int(0)), terms.int(1), terms.of('mod', terms.int(5), n));
    expect(evaluateTerm(safe, model)).toBe(1n);
    expect(evaluateTerm(terms.of('str.len', t), model)).toBe(2n);
    expect(evaluateTerm(terms.and(a, terms.not(b)), model)).toBe(true);
  });
});

describe('regular sets', () => {
  it.each([
    [repeatOf(textOf('ab'), 2, 3), ['abab', 'ababab'], ['', 'ab', 'abababab', 'aba']],
    [repeatOf(textOf('a'), 2), ['aa', 'aaaa'], ['', 'a', 'aab']],
    [repeatOf(repeatOf(textOf('a'))), ['', 'aaa'], ['b']],
    [sequenceOf(choiceOf(textOf('a'), textOf('ab')), textOf('c')), ['ac', 'abc'], ['ab', 'c']],
    [units([0x61, 0x63], 'x'), ['a', 'b', 'c', 'x'], ['', 'd', 'ab']],
    [choiceOf(), [], ['', 'a']],
    [sequenceOf(), [''], ['a']],
  ])('have their texts %#', (set, inside, outside) => {
    expect(inside.filter((text) => !isInRegLan(set, text))).toEqual([]);
    expect(outside.filter((text) => isInRegLan(set, text))).toEqual([]);
  });
});

describe('answers', () => {
  it('are read with their values', () => {
    const output = `(:version "5.4.1 - build")
sat
((|a b| "x""\\u{e4}\\u0041\\\\") (n (- 3)) (m 12) (d (fp #b0 #b01111111111 #x8000000000000)) (z (_ -zero 11 53))
 (i (_ +oo 11 53)) (q (_ NaN 11 53)) (t true) ; a remark
 (f false))`;
    expect(readAnswer(output)).toEqual({
      kind: 'sat',
      version: '5.4.1 - build',
      model: new Map<string, unknown>([
        ['a b', 'x"äA\\\\'],
        ['n', -3n],
        ['m', 12n],
        ['d', 1.5],
        ['z', -0],
        ['i', Number.POSITIVE_INFINITY],
        ['q', Number.NaN],
        ['t', true],
        ['f', false],
      ]),
    });
    expect(readAnswer('unsupported\nunsat\n')).toEqual({ kind: 'unsat', version: '' });
    expect(readAnswer('timeout')).toMatchObject({ kind: 'unknown' });
    expect(readAnswer('sat')).toMatchObject({ kind: 'sat', model: new Map() });
  });

  it.each([
    '',
    'satt',
    'sat "open',
    'sat (',
    'sat )',
    '(unsat)',
    'sat ((n (fp #b0 #b1 #b1)))',
    'sat (n 1)',
    'sat "n"',
    'sat ((n))',
    'sat ((n (+ 1)))',
    'sat ((n (_ half 11 53)))',
  ])('that are none are refused: %s', (output) => {
    expect(() => readAnswer(output)).toThrow(/^found /);
  });

  it('are repeated from a recording, of scripts that it has', async () => {
    const solver = recordedSolver({ name: 'z3', version: '5', outputs: { [scriptHash('one')]: 'unsat' } });
    expect(await solver.check('one', { timeoutMs: 1 })).toEqual({ kind: 'unsat', version: '5' });
    await expect(solver.check('two', { timeoutMs: 1 })).rejects.toThrow('the recording of z3 has no script');
  });
});
