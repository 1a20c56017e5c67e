import { describe, expect, it } from 'vitest';
import { equivalent } from '../../../bindings/languages/automaton/compare/index.js';
import {
  answerQuestion,
  type EnglishReading,
  readEnglish,
} from '../../../bindings/languages/english/read/index.js';
import { parseFormula, printFormula } from '../../../bindings/languages/logic/index.js';
import { holds } from '../../oracle/ltlf.js';

const predicates = {
  inKitchen: { say: 'the robot is in the kitchen' },
  inHall: { say: 'the robot is in the hall' },
  inCellar: { say: 'the robot is in the cellar' },
  stoveOn: { say: 'the stove is on', not: 'the stove is off' },
  alarm: { say: 'the alarm rings' },
};
const read = (sentence: string): EnglishReading => readEnglish(sentence, { predicates });
const formulas = (reading: EnglishReading): string[] =>
  reading.kind === 'one'
    ? [printFormula(reading.formula)]
    : reading.kind === 'ask'
      ? reading.readings.map(({ formula }) => printFormula(formula))
      : [];

describe('readEnglish', () => {
  it.each([
    ['Go to the kitchen.', 'F inKitchen'],
    [
      'Please visit the hall, the cellar and the kitchen in any order',
      '(F inHall) & (F inCellar) & (F inKitchen)',
    ],
    ['Walk into the hall, then proceed to the kitchen.', 'F (inHall & (F inKitchen))'],
    ['The robot must never enter the cellar', 'G !inCellar'],
    ['Stay out of the cellar and the hall', 'G !(inCellar | inHall)'],
    ['Whenever the stove is on, the robot is in the kitchen.', 'G (stoveOn -> inKitchen)'],
    ['Whenever the alarm rings, the stove must be off.', 'G (alarm -> !stoveOn)'],
    ['If the robot is in the hall, the stove must not be on', 'G (inHall -> !stoveOn)'],
    [
      'Whenever the robot is in the hall, the stove has to be off within 3 steps',
      'G (inHall -> F<=3 !stoveOn)',
    ],
    ['If the alarm rings, then go to the hall eventually', 'G (alarm -> F inHall)'],
    ['Every time the alarm rings, you have to visit the hall at the next step', 'G (alarm -> X inHall)'],
    ['Whenever the alarm rings, go to the hall within 3 steps', 'G (alarm -> F<=3 inHall)'],
    ['Do not visit the cellar more than once', '!(F (inCellar & (F (!inCellar & (F inCellar)))))'],
    ['Visit the cellar exactly twice', null],
    ['While the stove is on, do not enter the hall', 'G (stoveOn -> !inHall)'],
    [
      'Between `inHall` and `inKitchen`, it is never the case that the stove is on',
      'G (inHall & !inKitchen & (F inKitchen) -> (!stoveOn U inKitchen))',
    ],
    ['Go to the hall. Then enter the cellar without going to the kitchen. Do not enter the kitchen.', null],
  ])('reads "%s"', (sentence, formula) => {
    const reading = read(sentence);
    if (formula === null) expect(reading.kind).not.toBe('refused');
    else {
      if (reading.kind !== 'one') throw new Error(JSON.stringify(reading));
      expect(equivalent(reading.formula, parseFormula(formula))).toBe(true);
    }
  });

  // What each choice of a word means, written by hand, on all runs of up to four steps by an evaluator that shares no code with the reader.
  it.each([
    [
      'Do not go to the kitchen before the hall',
      'until',
      {
        weak: '!inKitchen W inHall',
        strong: '!inKitchen U inHall',
        demand: '(!inKitchen U inHall) & (F inKitchen)',
      },
    ],
    [
      'When the alarm rings, go to the hall eventually',
      'when',
      { level: 'G (alarm -> F inHall)', edge: 'G (alarm & (WY !alarm) -> F inHall)' },
    ],
    [
      'Go to the hall after the kitchen',
      'after',
      {
        mission: 'F (inKitchen & (F inHall))',
        level: 'G (inKitchen -> F inHall)',
        edge: 'G (inKitchen & (WY !inKitchen) -> F inHall)',
        gate: '(!inHall U inKitchen) & (F inHall)',
      },
    ],
    [
      'Visit the hall and the kitchen in that order',
      'order',
      { sequence: 'F (inHall & (F inKitchen))', strict: '(!inKitchen U inHall) & (F inKitchen)' },
    ],
    [
      'Go to the hall while avoiding the kitchen',
      'avoid',
      { way: '!inKitchen U inHall', throughout: '(G !inKitchen) & (F inHall)' },
    ],
    [
      'Never visit the hall and the kitchen',
      'both',
      { each: 'G !(inHall | inKitchen)', together: 'G !(inHall & inKitchen)' },
    ],
    [
      'If the alarm rings, visit the hall',
      'soon',
      { later: 'G (alarm -> F inHall)', now: 'G (alarm -> inHall)', next: 'G (alarm -> X inHall)' },
    ],
    [
      'If the alarm rings, visit the hall afterwards',
      'then',
      { same: 'G (alarm -> F inHall)', strictly: 'G (alarm -> (X F inHall))' },
    ],
    [
      'If the alarm rings, never visit the hall',
      'ban',
      {
        later: 'G (alarm -> (WX G !inHall))',
        same: 'G (alarm -> G !inHall)',
        now: 'G (alarm -> !inHall)',
        goesOn: 'G (alarm -> (X G !inHall))',
      },
    ],
    [
      'Before the hall, it is never the case that the stove is on',
      'scopeEnd',
      { closed: '(F inHall) -> (!stoveOn U inHall)', open: '!stoveOn W inHall' },
    ],
    [
      'Do not go to the hall and go to the kitchen',
      'reach',
      { outside: '(G !inHall) & (F inKitchen)', inside: '(G !inHall) & (G !inKitchen)' },
    ],
    [
      'Go to the hall, then go to the kitchen without entering the cellar.',
      'since',
      {
        start: '(F (inHall & (!inCellar U inKitchen))) & (!inCellar U inKitchen)',
        stage: 'F (inHall & (!inCellar U inKitchen))',
        // Avoided in the whole run, so that it does not matter since when.
        undefined: '(G !inCellar) & (F (inHall & (F inKitchen)))',
      },
    ],
    [
      'Whenever the alarm rings, immediately go to the hall',
      'immediately',
      { now: 'G (alarm -> inHall)', next: 'G (alarm -> X inHall)' },
    ],
    [
      'Every alarm is followed by `inHall`',
      'followed',
      { later: 'G (alarm -> F inHall)', next: 'G (alarm -> X inHall)' },
    ],
    [
      '`inHall` holds at most once',
      'times',
      { stretches: '!inHall W (inHall W G !inHall)', steps: 'G (inHall -> (WX G !inHall))' },
    ],
    [
      'Visit the hall twice',
      'exactly',
      {
        exact: '!inHall U (inHall & (inHall U (!inHall & (!inHall U (inHall & (inHall W G !inHall))))))',
        least: 'F (inHall & (F (!inHall & (F inHall))))',
      },
    ],
    ['`inHall` releases `inKitchen`', 'release', { with: 'inHall R inKitchen', until: 'inKitchen W inHall' }],
    [
      'Go to the hall before the kitchen',
      'before',
      {
        mission: 'F (inHall & (F inKitchen))',
        gate: '(!inKitchen U inHall) & (F inKitchen)',
        strong: '!inKitchen U inHall',
        weak: '!inKitchen W inHall',
      },
    ],
    [
      'Every `inKitchen` must be preceded by `inHall`',
      'strictly',
      { same: '!inKitchen W inHall', strictly: '!inKitchen W (inHall & !inKitchen)' },
    ],
    [
      'One of `inHall` and `inKitchen` holds at every step',
      'oneOf',
      {
        some: 'G (inHall | inKitchen)',
        single: 'G ((inHall & !inKitchen) | (!inHall & inKitchen))',
      },
    ],
    [
      'Visit the hall and the kitchen fairly',
      'fair',
      {
        weak: '(F inHall) & (F inKitchen) & (G (inHall -> (WX (!inHall W inKitchen)))) & (G (inKitchen -> (WX (!inKitchen W inHall))))',
        strong:
          '(F inHall) & (F inKitchen) & (G (inHall -> (X (!inHall W inKitchen)))) & (G (inKitchen -> (X (!inKitchen W inHall))))',
        stretches:
          '(F inHall) & (F inKitchen) & (G (inHall -> (inHall W (!inHall W inKitchen)))) & (G (inKitchen -> (inKitchen W (!inKitchen W inHall))))',
      },
    ],
    [
      'Visit the hall. Visit the kitchen.',
      'turn',
      { free: '(F inHall) & (F inKitchen)', inTurn: 'F (inHall & (F inKitchen))' },
    ],
  ] as const)('asks about "%s"', (sentence, name, options) => {
    const reading = read(sentence);
    if (reading.kind !== 'ask') throw new Error(JSON.stringify(reading));
    const found = Object.fromEntries(
      reading.readings.map(({ formula, choices }) => [
        choices.find((choice) => choice.name === name)?.option,
        formula,
      ]),
    );
    expect(Object.keys(found).sort()).toEqual(Object.keys(options).sort());
    for (const [option, formula] of Object.entries(options)) {
      const expected = parseFormula(formula);
      for (const trace of runs(['alarm', 'inHall', 'inKitchen', 'stoveOn'], formula))
        expect(holds(found[option], trace), `${option}: ${JSON.stringify(trace)}`).toBe(
          holds(expected, trace),
        );
    }
    const { trace, ifAllowed, ifForbidden } = reading.question;
    expect(ifAllowed.length).toBeGreaterThan(0);
    expect(ifForbidden.length).toBeGreaterThan(0);
    for (const [i, { formula }] of reading.readings.entries())
      expect(ifAllowed.includes(i)).toBe(holds(formula, trace));
  });

  it.each([
    ['Patrol the hall and the kitchen', 'no-finite-meaning', null],
    ['Visit the hall infinitely often', 'no-finite-meaning', null],
    ['Whenever the alarm rings, the stove must never be on', 'unknown-form', null],
    ['Go to the kitchn', 'unknown-word', { start: 10, end: 16 }],
    ['Gehe in den Keller', 'unknown-word', { start: 0, end: 4 }],
    [
      'Whenever the stove is on infinitely often, go to the hall',
      'no-finite-meaning',
      { start: 25, end: 41 },
    ],
    ['Always eventually the stove is off', 'no-finite-meaning', { start: 0, end: 17 }],
    ['G !inKitchen', 'formula', null],
    ['stoveOn -> F inKitchen', 'formula', null],
    ['G (stoveOn -> F inKitchen', 'unknown-word', { start: 0, end: 1 }],
    ['Never go to the hall, aber gehe in den Keller', 'unknown-word', { start: 22, end: 26 }],
    ['The alarm rings and never the alarm rings', 'unknown-form', null],
    ['', 'empty', null],
    ['go to the hall '.repeat(125), 'too-long', null],
    ['Never go to the hall. Go to the hall.', 'contradiction', null],
    ['If the alarm rings, go to the hall and then go to the kitchen', 'unknown-form', null],
  ])('refuses "%s"', (sentence, code, place) => {
    const reading = read(sentence);
    if (reading.kind !== 'refused') throw new Error(formulas(reading).join(' ## '));
    expect(reading.code).toBe(code);
    expect(reading.offers.length).toBeGreaterThan(0);
    if (place !== null) expect(reading.place).toEqual(place);
  });

  it('takes "a" for no article where a predicate is called so', () => {
    const names = { predicates: ['a', 'b', 'c'] };
    expect(readEnglish('Go to a b and c in any order.', names).kind).toBe('refused');
    expect(readEnglish('a b and c should never be visited', names).kind).toBe('refused');
    expect(formulas(readEnglish('Go to a, b and c.', names))).toContain('(F a) & (F b) & (F c)');
    expect(formulas(readEnglish('Every a is followed by a b.', names))).toContain('G (a -> F b)');
    expect(formulas(readEnglish('Go to a b.', { predicates: ['b'] }))).toEqual(['F b']);
  });

  it('narrows readings by answers until one is left', () => {
    for (const wanted of [
      '!inKitchen W inHall',
      '!inKitchen U inHall',
      '(!inKitchen U inHall) & (F inKitchen)',
    ]) {
      let reading = read('Do not go to the kitchen before the hall');
      while (reading.kind === 'ask')
        reading = answerQuestion(reading, holds(parseFormula(wanted), reading.question.trace), {
          predicates,
        });
      if (reading.kind !== 'one') throw new Error('refused');
      expect(equivalent(reading.formula, parseFormula(wanted))).toBe(true);
    }
    const one = read('Go to the hall') as never;
    expect(() => answerQuestion(one, true, { predicates })).toThrow('only "ask" has a question');
  });

  it('names the nearest word', () => {
    expect(read('Go to the kitchn')).toMatchObject({
      offers: [expect.stringContaining('"kitchen"'), expect.anything()],
    });
  });

  it('names each word of another language, as it was written', () => {
    expect(read('Never go to the hall, aber gehe in den Keller')).toMatchObject({
      message: 'the words "aber", "gehe", "den", "Keller" are not known',
    });
  });

  it('says each reading back in the words of the predicates', () => {
    const reading = read('Never go to the hall before the kitchen');
    if (reading.kind !== 'ask') throw new Error(reading.kind);
    expect(reading.readings.map(({ sentence }) => sentence)[0]).toBe(
      'The robot is never in the hall before the robot is in the kitchen.',
    );
    expect(read('Never go to the hall')).toMatchObject({ sentence: 'The robot is never in the hall.' });
  });

  it('takes readings for one that are the same under the constraints', () => {
    const constraints = [parseFormula('F inHall')];
    const sentence = 'Stay in the kitchen until the robot is in the hall';
    expect(read(sentence).kind).toBe('ask');
    expect(readEnglish(sentence, { predicates, constraints }).kind).toBe('one');
  });
});

/** All runs of one to four steps over those of the predicates that the formula names. */
function runs(names: readonly string[], formula: string): Record<string, boolean>[][] {
  const used = names.filter((name) => formula.includes(name));
  const none = Object.fromEntries(names.map((name) => [name, false]));
  const steps = Array.from({ length: 2 ** used.length }, (_, mask) => ({
    ...none,
    ...Object.fromEntries(used.map((name, bit) => [name, (mask >> bit) % 2 === 1])),
  }));
  let longest: Record<string, boolean>[][] = [[]];
  const all: Record<string, boolean>[][] = [];
  for (let length = 1; length <= 4; length++) {
    longest = longest.flatMap((run) => steps.map((step) => [...run, step]));
    all.push(...longest);
  }
  return all;
}

describe('the words of predicates', () => {
  it('are not negated where "not" would mean something else', () => {
    const predicates = { shut: { say: 'all doors are closed' }, light: { say: 'the light is on' } };
    expect(readEnglish('Whenever the light is on, all doors are not closed.', { predicates }).kind).toBe(
      'refused',
    );
    expect(readEnglish('Whenever all doors are closed, the light is not on.', { predicates }).kind).toBe(
      'one',
    );
  });
});
