import { describe, expect, it } from 'vitest';
import { createActionModel } from '../../../bindings/observations/effects/index.js';
import { createAsk } from '../../../bindings/rules/questions/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createPlanner } from '../../../bindings/runtime/explanation/index.js';

const text = `
version: 1
predicates:
  inKitchen: { when: 'room == "kitchen"', say: the robot is in the kitchen }
  inBathroom: { when: 'room == "bathroom"', say: the robot is in the bathroom }
  inLivingRoom: { when: 'room == "livingRoom"', say: the robot is in the living room }
  stoveOn: { when: stove, say: the stove is on, not: the stove is off }
actions:
  walk: { arguments: { to: [kitchen, bathroom, livingRoom] }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' }
  switchOn: { requires: inKitchen, sets: stoveOn }
  switchOff: { requires: inKitchen, clears: stoveOn }
  wait: {}
rules:
  order: { formula: '!inBathroom W inLivingRoom', strategy: reflect }
  watch: { formula: 'G (stoveOn -> inKitchen)', strategy: reflect }
`;
const specification = parseSpecification(text);

function inKitchen(stove: boolean) {
  const ask = createAsk({ specification });
  ask.observe({ state: { room: 'kitchen', stove } });
  return ask;
}

describe('questions about declared calls', () => {
  it('judge what a call is declared to bring about, and to require', () => {
    const ask = inKitchen(false);
    expect(ask.question('May I walk to the bathroom?')).toMatchObject({
      kind: 'may',
      call: { name: 'walk', arguments: { to: 'bathroom' } },
      answer: 'no',
      rules: ['order'],
      foreseen: true,
    });
    expect(ask.question('may I walk to the living room').text).toBe('Yes: walk(to: livingRoom) is allowed.');
    expect(ask.question('may I walk to the kitchen')).toMatchObject({
      answer: 'no',
      rules: [],
      requires: '!in[to]',
    });
    expect(ask.question('may I walk to the kitchen').text).toBe(
      'No: walk(to: kitchen) is not possible now: it requires !in[to].',
    );
  });

  it('find the calls that words say, and ask where an argument is left out', () => {
    const ask = inKitchen(false);
    expect(ask.question('may I switch the stove on?')).toMatchObject({
      call: { name: 'switchOn' },
      answer: 'yes',
    });
    expect(ask.question('may I switch on?')).toMatchObject({ call: { name: 'switchOn' }, answer: 'yes' });
    expect(ask.question('may I walk?')).toMatchObject({
      kind: 'ask',
      offers: ['walk(to: kitchen)', 'walk(to: bathroom)', 'walk(to: livingRoom)'],
    });
    // The only call that brings it about.
    expect(ask.question('may I go to the bathroom?')).toMatchObject({
      call: { name: 'walk', arguments: { to: 'bathroom' } },
    });
    expect(ask.question('may I walk(to: bathroom)')).toMatchObject({ answer: 'no' });
  });

  it('name the least change of the present state', () => {
    const ask = inKitchen(true);
    const { changes, text: said } = ask.whyNot({ name: 'walk', arguments: { to: 'livingRoom' } });
    expect(changes).toEqual([[{ predicate: 'stoveOn', holds: false, said: 'the stove is off' }]]);
    expect(said).toContain('It would be allowed if the stove is off.');
  });

  it('find the shortest plan, and what is on every way', () => {
    const ask = inKitchen(true);
    const answer = ask.question('What must happen before I walk to the bathroom?');
    expect(answer).toMatchObject({
      kind: 'before',
      answer: 'later',
      steps: 2,
      plan: [{ name: 'switchOff' }, { name: 'walk', arguments: { to: 'livingRoom' } }],
    });
    expect(answer.text).toBe(
      'The shortest way: switchOff then walk(to: livingRoom); then walk(to: bathroom) is allowed.\n' +
        'On every way: the stove is off, the robot is not in the kitchen, the robot is in the living room, switchOff and walk(to: livingRoom).',
    );
    expect(inKitchen(false).before('inBathroom')).toMatchObject({ steps: 2 });
    expect(inKitchen(false).before({ name: 'switchOn' })).toMatchObject({ answer: 'now', steps: 0 });
  });

  it('say that nothing leads to what no call brings about', () => {
    const ask = createAsk({
      specification: parseSpecification(
        text.replace('  switchOff: { requires: inKitchen, clears: stoveOn }\n', ''),
      ),
    });
    ask.observe({ state: { room: 'kitchen', stove: true } });
    expect(ask.before({ name: 'walk', arguments: { to: 'bathroom' } })).toMatchObject({
      answer: 'never',
      plan: null,
      steps: null,
    });
  });

  it('rank what may be done instead by how soon it leads to what was wanted', () => {
    const { options, text: said } = inKitchen(true).instead({ name: 'walk', arguments: { to: 'bathroom' } });
    expect(options.map(({ call, steps }) => [call.name, steps])).toEqual([
      ['switchOff', 1],
      ['switchOn', 2],
      ['wait', 2],
    ]);
    expect(said).toContain('- switchOff; then walk(to: bathroom) is allowed after 1 more call');
    expect(inKitchen(false).instead().options).toHaveLength(4);
  });

  it('do not claim what depends on an unread predicate', () => {
    const ask = createAsk({ specification });
    ask.observe({ state: { room: 'kitchen' } });
    expect(ask.may({ name: 'walk', arguments: { to: 'livingRoom' } })).toMatchObject({
      answer: 'unknown',
      doubtful: ['watch'],
    });
    expect(ask.may({ name: 'walk', arguments: { to: 'bathroom' } })).toMatchObject({ answer: 'no' });
  });

  it('agree with the planner', () => {
    const predicates = Object.keys(specification.words).map((name) => ({ name }));
    const model = createActionModel({ actions: specification.declaredActions, predicates });
    const rules = specification.rules.map(({ name, formula }) => ({ name, formula }));
    const planner = createPlanner({ model, rules });
    for (const room of ['kitchen', 'bathroom', 'livingRoom'])
      for (const stove of [true, false]) {
        const ask = createAsk({ specification });
        ask.observe({ state: { room, stove } });
        const position = planner.begin({
          inKitchen: room === 'kitchen',
          inBathroom: room === 'bathroom',
          inLivingRoom: room === 'livingRoom',
          stoveOn: stove,
        });
        // A state that breaks a rule is no place to plan from.
        if (ask.may({ name: 'wait' }).answer === 'no') continue;
        for (const { action } of model.calls)
          expect(ask.before(action).steps, `${room} ${stove} ${JSON.stringify(action)}`).toBe(
            planner.prerequisites(position, action).plan?.length ?? null,
          );
      }
  });
});
