import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, NotSupportedError } from '../../../bindings/base/errors.js';
import { type ExplainOptions, explainVerdict } from '../../../bindings/runtime/explanation/index.js';

/** `ab .b`: one word a step, the letters are the predicates that hold, `?x` one that could not be read. */
function steps(text: string): Record<string, boolean | undefined>[] {
  return text.split(' ').map((word) => {
    const step: Record<string, boolean | undefined> = { a: false, b: false, c: false };
    for (const [, unread, name] of word.matchAll(/(\??)([abc])/g)) {
      if (unread) step[name] = undefined;
      else step[name] = true;
    }
    return step;
  });
}

const sentence = (formula: string, text: string, options: ExplainOptions = {}): string =>
  explainVerdict(formula, steps(text), options).text;

describe('explainVerdict', () => {
  const rule = 'G (green & clear -> F[0s,10s] speed > 0.5)';
  const options = { predicates: [{ name: 'moving', expression: 'speed > 0.5' }], samplingPeriod: 0.1 };
  const drive = (length: number) =>
    Array.from({ length }, (_, i) => ({ green: i === 30, clear: i === 30, moving: false }));

  it('tells a driver which step triggered and what did not come', () => {
    const { verdict, step, evidence, obligations, text } = explainVerdict(rule, drive(140), options);
    expect(text).toBe(
      'violated at step 130 (13.0 s): at step 30 `green & clear` held, and none of the steps 30 to 130 had `speed > 0.5`',
    );
    expect({ verdict, step, obligations }).toEqual({ verdict: 'violated', step: 130, obligations: [] });
    expect(evidence).toEqual([
      { formula: 'green & clear', holds: true, from: 30, to: 30 },
      { formula: 'speed > 0.5', holds: false, from: 30, to: 130 },
    ]);
  });

  it('tells how long is left and what would settle it', () => {
    const { verdict, step, obligations, text } = explainVerdict(rule, drive(100), options);
    expect(text).toBe(
      'open after step 99 (9.9 s): at step 30 `green & clear` held, so `speed > 0.5` must come by step 130 (13.0 s): 31 steps (3.1 s) left',
    );
    expect({ verdict, step }).toEqual({ verdict: 'open', step: 99 });
    expect(obligations[0]).toMatchObject({
      formula: 'F[0s,10s] speed > 0.5',
      since: 30,
      deadline: 130,
      stepsLeft: 31,
      secondsLeft: 3.1,
      dischargedBy: 'speed > 0.5',
      brokenBy: null,
      because: [{ formula: 'green & clear', holds: true, from: 30, to: 30 }],
    });
  });

  it.each([
    ['G !(a & b)', 'a ab', 'violated at step 1: at step 1 `a & b` held'],
    [
      'G X true',
      'a',
      'violated at step 0: no continuation does all that is due: the run must go on to step 1: 1 step left; every step must have `X true`',
    ],
    ['G !(a & b)', 'a', 'open after step 0: nothing is due, but no step may have `a & b`'],
    ['G (a -> b)', '. a', 'violated at step 1: at step 1 `a` held, and at step 1 `b` did not hold'],
    [
      'G ((a -> b) & (b -> c))',
      '. b',
      'violated at step 1: at step 1 `b` held, and at step 1 `c` did not hold',
    ],
    ['F a', '. a', 'satisfied at step 1: at step 1 `a` held'],
    ['F a', '.', 'open after step 0: `a` must come before the run ends'],
    ['a U b', 'a', 'open after step 0: `b` must come before the run ends, and `a` last until then'],
    ['a U b', 'a .', 'violated at step 1: none of the steps 0 to 1 had `b`, and at step 1 `a` did not hold'],
    ['a W b', 'a', 'open after step 0: nothing is due, but `a` must last until `b` comes'],
    ['a W b', 'a .', 'violated at step 1: none of the steps 0 to 1 had `b`, and at step 1 `a` did not hold'],
    ['a R b', 'b .', 'violated at step 1: at step 0 `a` did not hold, and at step 1 `b` did not hold'],
    ['G (a -> X b)', 'a', 'open after step 0: at step 0 `a` held, so step 1 must have `b`: 1 step left'],
    [
      'G (a -> O<=3 b)',
      'b . . . a',
      'violated at step 4: none of the steps 1 to 4 had `b`, and at step 4 `a` held',
    ],
    ['G (a -> Y b)', 'a', 'violated at step 0: at step 0 `a` held, and no step comes before step 0'],
    ['H a', 'a', 'satisfied at step 0: at step 0 `a` held'],
    ['a S b', '.', 'violated at step 0: at step 0 `b` did not hold'],
    [
      'G (a -> F[2,4] b)',
      'a',
      'open after step 0: at step 0 `a` held, so `b` must come from step 2 on by step 4: 4 steps left',
    ],
    [
      'G (a -> G[1,4] b)',
      'a',
      'open after step 0: at step 0 `a` held, so every step up to step 4 must have `b`: 4 steps left',
    ],
    [
      'G (a -> ((F<=2 b) | (F<=4 c)))',
      'a . . .',
      'open after step 3: at step 0 `a` held, and none of the steps 0 to 2 had `b`, so `c` must come by step 4: 1 step left',
    ],
    [
      'G (a -> F<=2 (G<=2 b))',
      'a . b b',
      'open after step 3: at step 0 `a` held, so every step up to step 4 must have `b`: 1 step left',
    ],
    ['F<=1 (F<=2 a)', '. .', 'open after step 1: `F<=1 F<=2 a` must hold at step 0: 2 steps left'],
  ])('%s after %s', (formula, text, expected) => {
    expect(sentence(formula, text)).toBe(expected);
  });

  it('keeps the earliest of equal deadlines, and says so once', () => {
    const { obligations } = explainVerdict('G (a -> F<=5 b)', steps('a . a'));
    expect(obligations.filter(({ standing }) => !standing)).toMatchObject([
      { since: 0, deadline: 5, stepsLeft: 3 },
    ]);
  });

  it('knows that a run has ended', () => {
    expect(sentence('F a', '. .', { ended: true })).toBe(
      'violated by a run that ends at step 1: none of the steps 0 to 1 had `a`',
    );
    expect(sentence('G a', 'a a', { ended: true })).toBe(
      'satisfied by a run that ends at step 1: `a` held at all of the steps 0 to 1',
    );
    expect(sentence('G (a -> X b)', 'a', { ended: true })).toBe(
      'violated by a run that ends at step 0: at step 0 `a` held',
    );
    expect(sentence('F[2,3] a', 'a', { ended: true })).toBe(
      'violated by a run that ends at step 0: no step follows step 0',
    );
    expect(sentence('WX a', 'a', { ended: true })).toBe(
      'satisfied by a run that ends at step 0: no step follows step 0',
    );
  });

  it('says of what is false, or true, without looking at any step that it is so of every trace', () => {
    expect(sentence('G false', 'a')).toMatch(/^violated .*: no trace satisfies `G false`$/);
    expect(sentence('F true', 'a')).toMatch(/^satisfied .*: every trace satisfies `F true`$/);
  });

  it('follows the automaton where obligations contradict each other, step by step unseen', () => {
    expect(sentence('G (a -> ((X b) & (X !b)))', 'a')).toMatch(
      /^violated at step 0: no continuation does all that is due/,
    );
    expect(sentence('F (a & !a)', 'a')).toBe('violated from the start: no trace satisfies `F (a & !a)`');
    expect(sentence('G (a | !a)', 'a')).toBe('satisfied from the start: every trace satisfies `G (a | !a)`');
  });

  it('says what could not be read, and does not decide on it', () => {
    expect(sentence('G a', '?a')).toBe('open after step 0: whether `a` held at step 0 could not be read');
    expect(sentence('G a', '?a .')).toBe('violated at step 1: at step 1 `a` did not hold');
    expect(explainVerdict('F a', steps('?a')).verdict).toBe('open');
    expect(sentence('F<=1 a', '?a . .')).toBe(
      'open after step 2: whether `a` held at step 0 could not be read',
    );
    expect(sentence('F<=1 a', '?a ?a .')).toBe(
      'open after step 2: whether `F<=1 a` held at step 0 could not be read',
    );
    expect(explainVerdict('F<=1 a', steps('?a ?a .')).obligations).toMatchObject([
      { deadline: null, stepsLeft: null, dischargedBy: null, brokenBy: null },
    ]);
    // Perhaps b came too late at step 1; that it holds at step 2 does not make up for it.
    expect(explainVerdict('(X b) & (F c)', steps('. ?b c')).verdict).toBe('open');
  });

  it('counts from the step it is told', () => {
    expect(sentence('G !a', '. a', { firstStep: 40 })).toBe('violated at step 41: at step 41 `a` held');
  });

  it('takes comparisons that nothing names as predicates of their own', () => {
    const step = { 'speed > 3': true, 'speed == 0': false };
    expect(explainVerdict('speed > 3 -> F<=2 (speed == 0)', [step]).text).toBe(
      'open after step 0: at step 0 `speed > 3` held, so `speed == 0` must come by step 2: 2 steps left',
    );
  });

  it('shows a long expression by the name a person gave it', () => {
    const predicates = [{ name: 'a', expression: 'objects.exists(o, o.isOpen && o.name == "door")' }];
    expect(sentence('G !a', 'a', { predicates })).toBe('violated at step 0: at step 0 `a` held');
  });

  it('is open before the first step', () => {
    expect(explainVerdict('F a', [])).toMatchObject({ verdict: 'open', step: null });
  });

  it('refuses what has no verdict on a trace, and values that are none', () => {
    expect(() => explainVerdict('P<0.1 [ F a ]', [])).toThrow(NotSupportedError);
    expect(() => explainVerdict('F a', [{ a: 1 as unknown as boolean }])).toThrow(InvalidArgumentError);
    expect(() => explainVerdict('F moving', [{ movin: true }])).toThrow(
      /no step has .* did you mean "movin"/,
    );
    expect(() => explainVerdict('F[0s,1s] a', [])).toThrow(InvalidArgumentError);
  });

  it('is linear in the steps: a window of thousands over ten thousand steps', () => {
    const long = Array.from({ length: 10_000 }, (_, i) => ({ a: i >= 7000, b: i < 7000 }));
    const { obligations } = explainVerdict('G (a -> F<=5000 b)', long);
    expect(obligations[0]).toMatchObject({ since: 7000, deadline: 12_000, stepsLeft: 2001 });
  });
});
