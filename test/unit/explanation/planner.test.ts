import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { createActionModel } from '../../../bindings/observations/effects/index.js';
import { createPlanner } from '../../../bindings/runtime/explanation/index.js';

const rooms = ['kitchen', 'bathroom', 'livingRoom', 'bedroom'];
const predicates = [
  { name: 'inKitchen' },
  { name: 'inBathroom' },
  { name: 'inLivingRoom' },
  { name: 'inBedroom' },
  { name: 'doorOpen' },
  { name: 'phones', expression: 'action.name == "phone"' },
];
const model = createActionModel({
  actions: {
    walk: { arguments: { to: rooms }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' },
    open: { requires: 'inKitchen', sets: 'doorOpen' },
    knock: { requires: 'inKitchen', may: 'doorOpen' },
    phone: {},
  },
  predicates,
});
const rule = (name: string, text: string) => ({ name, formula: parseFormula(text, { name }) });
const planner = (...rules: [string, string][]) =>
  createPlanner({ model, rules: rules.map(([name, text]) => rule(name, text)) });
const at = (...trues: string[]) =>
  Object.fromEntries(model.predicates.map((name) => [name, trues.includes(name)]));
const walk = (to: string) => ({ name: 'walk', arguments: { to } });

describe('a planner', () => {
  it('finds what has to happen before a call is permitted', () => {
    const order = planner(['order', '!inBathroom W inLivingRoom']);
    const now = order.begin(at('inKitchen'));
    expect(order.foresee(now, walk('bathroom'))).toMatchObject({
      verdict: 'refused',
      rules: ['order'],
      certain: true,
    });
    const found = order.prerequisites(now, walk('bathroom'));
    expect(found.plan?.map(({ text }) => text)).toEqual(['walk to=livingRoom']);
    expect(found).toMatchObject({ certain: true });
    expect(found.landmarks).toEqual([
      { predicate: 'inKitchen', value: false },
      { predicate: 'inLivingRoom', value: true },
    ]);
    expect(order.prerequisites(now, walk('bedroom'))).toMatchObject({ plan: [], landmarks: [] });
  });

  it('reads steps together with their calls', () => {
    const first = planner(['first', 'G (doorOpen -> O phones)']);
    const now = first.begin(at('inKitchen'));
    expect(first.foresee(now, { name: 'open' })).toMatchObject({ verdict: 'permitted' });
    // The door is open at the next step, where the agent can still phone; only then is it too late.
    const opened = first.advance(now, at('inKitchen'), at('inKitchen', 'doorOpen'));
    expect(first.permitted(opened).map(({ text }) => text)).toEqual(['phone']);
    const { plan, landmarks } = first.prerequisites(opened, walk('bedroom'));
    expect(plan?.map(({ text }) => text)).toEqual(['phone']);
    expect(landmarks).toEqual([{ predicate: 'phones', value: true }]);
  });

  it('prefers a plan that is certain, and says where none is', () => {
    const open = planner(['open', 'G (inBedroom -> doorOpen)']);
    const now = open.begin(at('inKitchen'));
    const found = open.prerequisites(now, walk('bedroom'));
    expect(found.plan?.map(({ text }) => text)).toEqual(['open']);
    expect(found.certain).toBe(true);
    const unsure = createPlanner({
      model: createActionModel({
        actions: {
          walk: { arguments: { to: rooms }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' },
          knock: { may: 'doorOpen' },
        },
        predicates,
      }),
      rules: [rule('open', 'G (inBedroom -> doorOpen)')],
    });
    const knocked = unsure.prerequisites(unsure.begin(at('inKitchen')), walk('bedroom'));
    expect(knocked.plan?.map(({ text }) => text)).toEqual(['knock']);
    expect(knocked).toMatchObject({ certain: false, landmarks: [{ predicate: 'doorOpen', value: true }] });
  });

  it('does not take a call that may break a rule, and says so of one', () => {
    const closed = planner(['closed', 'G !doorOpen']);
    const now = closed.begin(at('inKitchen'));
    expect(closed.foresee(now, { name: 'knock' })).toMatchObject({
      verdict: 'refused',
      rules: ['closed'],
      certain: false,
    });
    expect(closed.prerequisites(now, { name: 'knock' })).toMatchObject({ plan: null, certain: true });
  });

  it('says that nothing leads there, and that what is broken stays broken', () => {
    const never = planner(['never', 'G !inBathroom']);
    const now = never.begin(at('inKitchen'));
    expect(never.prerequisites(now, walk('bathroom')).plan).toBeNull();
    const broken = never.advance(now, at('inBathroom'), at('inBathroom'));
    expect(broken.broken).toEqual(['never']);
    expect(never.foresee(broken, walk('kitchen'))).toMatchObject({ verdict: 'permitted', rules: [] });
  });

  it('tells what cannot be executed and what is not declared', () => {
    const free = planner();
    const now = free.begin(at('inBedroom'));
    expect(free.foresee(now, { name: 'open' }).verdict).toBe('inexecutable');
    expect(free.foresee(now, { name: 'fly' }).verdict).toBe('undeclared');
    expect(free.prerequisites(now, { name: 'open' }).plan?.map(({ text }) => text)).toEqual([
      'walk to=kitchen',
    ]);
    expect(() => free.prerequisites(now, { name: 'wlak' })).toThrow(
      'nothing is declared of the action "wlak"; did you mean "walk"?',
    );
    expect(() => free.prerequisites(now, walk('cellar'))).toThrow(
      /"walk" with the arguments \{"to":"cellar"\}; declared are: walk to=kitchen, walk to=bathroom/,
    );
  });

  it('gives up with a clear error', () => {
    const small = createPlanner({
      model,
      rules: [rule('order', '!inBathroom W (inBedroom & doorOpen)')],
      maxPositions: 3,
    });
    expect(() => small.prerequisites(small.begin(at('inKitchen')), walk('bathroom'))).toThrow(
      /the search was given up after 3 positions; .*raise maxPositions/,
    );
  });

  it('refuses rules that it cannot follow', () => {
    expect(() => planner(['odd', 'G !inCellar'])).toThrow(/inCellar/);
    const counting = createActionModel({
      actions: { send: {} },
      predicates: [{ name: 'twice', expression: 'calls.send > 1' }],
    });
    expect(() => createPlanner({ model: counting, rules: [rule('once', 'G !twice')] })).toThrow(
      /rule "once" reads "twice", which counts or looks up earlier calls/,
    );
  });
});
