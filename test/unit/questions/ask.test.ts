import { describe, expect, it } from 'vitest';
import { createAsk } from '../../../bindings/rules/questions/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

const household = parseSpecification(`
version: 1
predicates:
  inKitchen: { when: 'room == "kitchen"', say: the robot is in the kitchen }
  inBathroom: { when: 'room == "bathroom"', say: the robot is in the bathroom }
  inLivingRoom: { when: 'room == "livingRoom"', say: the robot is in the living room }
  stoveOn: { when: stove, say: the stove is on, not: the stove is off }
rules:
  order: { formula: '!inBathroom W inLivingRoom', strategy: reflect }
  watch: { formula: 'G (stoveOn -> F<=3 !stoveOn)', strategy: reflect }
  together: { formula: 'G !(inBathroom & stoveOn)', strategy: reflect }
`);
const mail = parseSpecification(`
version: 1
predicates:
  asks: 'action.name == "askForApproval"'
  sends: 'action.name == "send"'
  external: 'action.name == "send" && !action.arguments.to.endsWith("@example.org")'
  large: 'action.name == "send" && action.arguments.size > quota'
rules:
  approved: { formula: 'G (sends -> O asks)', strategy: block }
  noExternal: { formula: 'G !external', strategy: block }
  small: { formula: 'G !large', strategy: block }
`);

describe('may', () => {
  it('judges a call by its arguments, and what it brings about by the outcome', () => {
    const ask = createAsk({ specification: household });
    ask.observe({ state: { room: 'kitchen', stove: true } });
    const outcome = { inBathroom: true, inKitchen: false, inLivingRoom: false, stoveOn: true };
    expect(ask.may({ name: 'walk' }, { outcome })).toMatchObject({
      answer: 'no',
      rules: ['order', 'together'],
      foreseen: true,
    });
    expect(ask.may({ name: 'walk' })).toMatchObject({ answer: 'yes', foreseen: false });
    expect(ask.may({ name: 'walk' }).text).toContain('What it brings about is not known');
  });

  it('says that it does not know what depends on what could not be read', () => {
    const ask = createAsk({ specification: mail });
    ask.observe({ state: { quota: 5 }, action: { name: 'askForApproval', arguments: {} } });
    ask.observe({ state: {} });
    expect(ask.may({ name: 'send', arguments: { to: 'a@example.org', size: 3 } })).toMatchObject({
      answer: 'unknown',
      doubtful: ['small'],
    });
    expect(ask.may({ name: 'send', arguments: { to: 'a@x.org', size: 3 } })).toMatchObject({
      answer: 'no',
      rules: ['noExternal'],
      doubtful: ['small'],
    });
    expect(ask.whyNot({ name: 'send', arguments: { to: 'a@example.org', size: 3 } }).answer).toBe('unknown');
  });

  it('takes a broken rule to be against no call, and says that it is broken', () => {
    const ask = createAsk({ specification: mail });
    ask.observe({
      state: { quota: 5 },
      action: { name: 'send', arguments: { to: 'a@example.org', size: 1 } },
    });
    ask.observe({ state: { quota: 5 } });
    const { answer, broken, text } = ask.may({ name: 'send', arguments: { to: 'a@example.org', size: 1 } });
    expect([answer, broken]).toEqual(['yes', ['approved']]);
    expect(text).toContain('Rule "approved" (`sends` never holds before `asks` holds) is broken already.');
  });

  it('tells what a guard would decide, which is no guess of its own', () => {
    const guard = createGuard(compileRules(mail));
    const ask = createAsk({ specification: mail, guard });
    expect(ask.may({ name: 'send' }).guard).toBeNull();
    ask.observe({ state: { quota: 5 } });
    const call = { name: 'send', arguments: { to: 'a@example.org', size: 1 } };
    expect(ask.may(call)).toMatchObject({
      answer: 'no',
      guard: { decision: 'block', rule: 'approved', lets: false },
    });
    ask.acted({ name: 'askForApproval', arguments: {} });
    ask.observe({ state: { quota: 5 } });
    expect(ask.may(call)).toMatchObject({ answer: 'yes', guard: { decision: 'allow', lets: true } });
    expect(guard.counters.steps).toBe(0);
  });

  it('refuses calls without a name, and outcomes of what is no predicate', () => {
    const ask = createAsk({ specification: household });
    expect(() => ask.may({ name: '' })).toThrow('a call needs a name');
    expect(() => ask.may({ name: 'walk' }, { outcome: { inBathrom: true } })).toThrow(
      'did you mean "inBathroom"?',
    );
    expect(() => ask.may({ name: 'walk' }, { outcome: { inBathroom: 1 as never } })).toThrow(
      'expected true or false',
    );
    expect(() => createAsk({ specification: household, gard: 1 } as never)).toThrow('did you mean guard?');
  });
});

describe('why not', () => {
  it('explains each rule, and names the least change of the present state', () => {
    const ask = createAsk({ specification: household });
    ask.observe({ state: { room: 'livingRoom', stove: true } });
    ask.observe({ state: { room: 'livingRoom', stove: true } });
    const outcome = { inBathroom: true, inKitchen: false, inLivingRoom: false, stoveOn: true };
    const { reasons, changes, text } = ask.whyNot({ name: 'walk' }, { outcome });
    expect(reasons.map(({ rule }) => rule)).toEqual(['together']);
    expect(changes).toEqual([[{ predicate: 'stoveOn', holds: false, said: 'the stove is off' }]]);
    expect(text).toMatch(
      /^Rule "together" \(.*\) would be violated at step 2: .*\nIt would be allowed if the stove is off\.$/,
    );
  });

  it('says that the past stands against a call where no change is enough', () => {
    const ask = createAsk({ specification: mail });
    ask.observe({ state: { quota: 5 } });
    const { changes, text } = ask.whyNot({ name: 'send', arguments: { to: 'a@example.org', size: 1 } });
    expect(changes).toEqual([]);
    expect(text).toContain('it is what has happened, or has not');
  });
});

describe('what is owed', () => {
  it('comes sorted by deadline, and not from rules that only forbid', () => {
    const specification = parseSpecification(`
version: 1
predicates: { a: x, b: y, c: z }
rules:
  late: { formula: 'G (a -> F<=5 b)', strategy: report }
  soon: { formula: 'G (a -> F<=2 c)', strategy: report }
  ever: { formula: 'F c', strategy: report, atEnd: strong }
  never: { formula: 'G !(b & c)', strategy: report }
`);
    const ask = createAsk({ specification });
    expect(ask.owed().text).toBe('Nothing is owed.');
    ask.observe({ state: { x: true, y: false, z: false } });
    const { owed, text } = ask.owed();
    expect(owed.map(({ rule, deadline, stepsLeft }) => [rule, deadline, stepsLeft])).toEqual([
      ['soon', 2, 2],
      ['late', 5, 5],
      ['ever', null, null],
    ]);
    expect(text.split('\n')[0]).toMatch(/^Rule "soon": .*: 2 steps left\.$/);
    ask.observe({ state: { x: false, y: false, z: true } });
    expect(ask.owed().owed.map(({ rule, stepsLeft }) => [rule, stepsLeft])).toEqual([['late', 4]]);
  });
});

describe('questions in English', () => {
  const ask = createAsk({ specification: household });
  ask.observe({ state: { room: 'kitchen', stove: true } });

  it.each([
    ['Am I allowed to go to the bathroom?', 'may'],
    ["why can't I go to the bathroom", 'whyNot'],
    ['What has to happen first before I may go to the bathroom?', 'before'],
    ['what must happen before the stove is off', 'before'],
    ['What do I still owe, and until when?', 'owed'],
    ['Will the stove ever be off?', 'will'],
    ['Can the robot ever be in the bathroom?', 'will'],
    ['will `F (stoveOn & inKitchen)`', 'will'],
    ['Did you understand me?', 'rules'],
    ['please, what are the rules?', 'rules'],
    ['will you go to the living room before the bathroom?', 'ask'],
    ['will the stove explode?', 'refused'],
    ['may I have a cup of tea with the queen?', 'refused'],
    ['is it late?', 'refused'],
    ['', 'refused'],
  ])('%s', (question, kind) => {
    const answer = ask.question(question);
    expect(answer.kind).toBe(kind);
    expect(answer.text).not.toBe('');
    if (answer.kind === 'ask' || answer.kind === 'refused') expect(answer.offers.length).toBeGreaterThan(0);
  });

  it('says of what will happen whether all, none or some runs do it', () => {
    expect(ask.question('Will the stove ever be off?')).toMatchObject({ kind: 'will', answer: 'open' });
    expect(ask.will('F stoveOn').answer).toBe('always');
    expect(ask.will('inBathroom U inLivingRoom').answer).toBe('never');
    expect(() => ask.will('F stoveOf')).toThrow('did you mean "stoveOn"?');
  });

  it('asks a model for a probability, with the steps so far', () => {
    const seen: number[] = [];
    const probable = createAsk({
      specification: household,
      probabilityOf: (_, steps) => {
        seen.push(steps.length);
        return { lower: 0.25, upper: 0.5 };
      },
    });
    probable.observe({ state: { room: 'kitchen', stove: false } });
    expect(probable.question('Will the stove ever be on?').text).toContain(
      'Probability: between 25% and 50%.',
    );
    expect(seen).toEqual([1]);
  });
});
