import { describe, expect, it } from 'vitest';
import { createLexicon, sayFormula } from '../../../bindings/languages/english/index.js';
import { type Formula, parseFormula } from '../../../bindings/languages/logic/index.js';

const lexicon = createLexicon({
  moving: { say: 'the robot moves', not: 'the robot stands still' },
  doorOpen: {},
  stoveOn: {},
  inKitchen: {},
});
const say = (formula: string): string => sayFormula(parseFormula(formula), lexicon);

describe('a formula in English', () => {
  it.each([
    ['G !stoveOn', 'The stove is never on.'],
    ['!F stoveOn', 'The stove is never on.'],
    ['G !moving', 'It never happens that the robot moves.'],
    ['G (stoveOn -> inKitchen)', 'Whenever the stove is on, the agent is in the kitchen.'],
    ['G (!inKitchen -> !stoveOn)', 'Whenever the stove is on, the agent is in the kitchen.'],
    [
      'G (stoveOn & doorOpen -> F !moving)',
      'Whenever the stove is on and the door is open, eventually the robot stands still.',
    ],
    ['!inKitchen W doorOpen', 'The agent is never in the kitchen before the door is open.'],
    ['G (inKitchen -> O doorOpen)', 'The agent is never in the kitchen before the door is open.'],
    [
      '!inKitchen U doorOpen',
      'The agent is never in the kitchen before the door is open, and that must come.',
    ],
    [
      'G (stoveOn -> F<=3 inKitchen)',
      'Whenever the stove is on, the agent is in the kitchen within 3 steps.',
    ],
    [
      'G (stoveOn -> F<=0.5s inKitchen)',
      'Whenever the stove is on, the agent is in the kitchen within 0.5 s.',
    ],
    [
      'G (stoveOn -> F<=3000 inKitchen)',
      'Whenever the stove is on, the agent is in the kitchen within 3000 steps.',
    ],
    ['G (count(moving) <= 2)', 'The robot moves at no more than 2 steps of the run.'],
    ['!moving W (moving W G !moving)', 'The robot moves during at most 1 stretch.'],
    ['(G !stoveOn) & (F inKitchen)', 'The stove is never on. And: Eventually, the agent is in the kitchen.'],
    ['stoveOn', 'At the first step, the stove is on.'],
    ['G F stoveOn', 'At the last step, the stove is on.'],
    ['G (speed < 3 -> `x.y == "k"`)', 'Whenever `speed < 3`, `x.y == "k"`.'],
    ['true', 'Every run is right.'],
    ['G (stoveOn -> F true)', 'Every run is right.'],
    ['(F stoveOn) & (G !stoveOn)', 'No run is right.'],
    [
      'stoveOn U[1,2] moving',
      'The stove is on until the robot moves, which must come between 1 and 2 steps from now.',
    ],
  ])('%s', (formula, sentence) => {
    expect(say(formula)).toBe(sentence);
  });

  it.each([
    ['G (stoveOn -> F inKitchen)', true],
    ['F<=3000 stoveOn', true],
    ['G (stoveOn -> inKitchen)', false],
    ['!inKitchen W doorOpen', false],
  ])('%s says what a weak end does: %s', (formula, owes) => {
    const said = sayFormula(parseFormula(formula), lexicon, { atEnd: 'weak' });
    expect(said.startsWith(say(formula))).toBe(true);
    expect(said.endsWith(' What is still due when the run ends is not asked for.')).toBe(owes);
  });

  it('says predicates whose names make the same words by their names', () => {
    expect(sayFormula(parseFormula('G (stoveOn -> stove_on)'))).toBe(
      'Whenever `stoveOn` holds, `stove_on` holds.',
    );
  });

  it('puts words that could be taken for words of the sentence in parentheses', () => {
    const lexicon = createLexicon({ p: { say: 'the robot waits until it is told' } });
    expect(sayFormula(parseFormula('p U q'), lexicon)).toBe(
      '(the robot waits until it is told) until `q` holds, which must come.'.replace('(t', '(T'),
    );
  });

  it('says what the automaton of a rule is too large for, and does not take long', () => {
    const names = Array.from({ length: 14 }, (_, i) => `p${i}`);
    const chain = names.reduceRight<Formula | null>((rest, name) => {
      const place = { line: 1, column: 1, offset: 0 };
      const own: Formula = {
        kind: 'unary',
        operator: 'F',
        operand: { kind: 'predicate', name, place },
        window: { from: '3', to: '90', unit: 'steps' },
        place,
      };
      return rest === null
        ? own
        : {
            kind: 'binary',
            operator: 'U',
            left: own,
            right: rest,
            window: { from: '10', to: '400', unit: 'steps' },
            place,
          };
    }, null) as Formula;
    expect(sayFormula(chain)).toContain('which must come between 10 and 400 steps from now');
    const few = JSON.parse(JSON.stringify(chain).replaceAll(/"p\d+"/g, '"p"')) as Formula;
    expect(sayFormula(few)).toContain('which must come between 10 and 400 steps from now');
    expect(sayFormula(parseFormula('G (count[0,100000](p) <= 50000)'))).toBe(
      'At every step, in at most 50000 of the steps at most 100000 steps ago, `p` holds.',
    );
  });
});
