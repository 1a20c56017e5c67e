import { describe, expect, it } from 'vitest';
import { createActionModel, type DeclaredActions } from '../../../bindings/observations/effects/index.js';

const rooms = ['kitchen', 'bathroom', 'living room'];
const names = ['inKitchen', 'inBathroom', 'in_living_room', 'doorOpen', 'microwaveOn', 'calls'];
const predicates = names.map((name) =>
  name === 'calls' ? { name: 'phones', expression: 'action.name == "phone"' } : { name },
);
const house: DeclaredActions = {
  walk: { arguments: { to: rooms }, requires: '!in[to]', sets: 'in[to]', clears: 'in[*]' },
  switchOn: { requires: '!doorOpen', sets: 'microwaveOn' },
  toggle: {
    arguments: { on: [true, false], minutes: 'number' },
    requires: 'minutes > 0 || !on',
    sets: { microwaveOn: 'on && !doorOpen' },
    clears: { microwaveOn: '!on' },
  },
  slam: { may: ['doorOpen', 'microwaveOn'] },
  wait: {},
};
const model = createActionModel({ actions: house, predicates });
const at = (...trues: string[]) =>
  Object.fromEntries(model.predicates.map((name) => [name, trues.includes(name)]));
const trues = (valuation: Readonly<Record<string, boolean>>) =>
  Object.keys(valuation).filter((name) => valuation[name]);
const follow = (before: Record<string, boolean>, name: string, args = {}) => {
  const found = model.after(before, { name, arguments: args });
  return found && { ...found, valuations: found.valuations.map(trues) };
};

describe('an action model', () => {
  it('sets after it clears, by the values of arguments', () => {
    expect(follow(at('inKitchen', 'doorOpen'), 'walk', { to: 'living room', fast: 1 })).toEqual({
      executable: true,
      valuations: [['in_living_room', 'doorOpen']],
      because: null,
    });
    expect(follow(at('inKitchen'), 'walk', { to: 'kitchen' })).toEqual({
      executable: false,
      valuations: [],
      because: 'requires',
    });
  });

  it('knows nothing of calls that are not declared, or whose arguments have other values', () => {
    expect(follow(at(), 'fly')).toBeNull();
    expect(follow(at(), 'walk', { to: 'cellar' })).toBeNull();
    expect(follow(at(), 'walk')).toBeNull();
  });

  it('reads conditions on arguments, and leaves open what they leave open', () => {
    const on = { on: true, minutes: 3 };
    expect(follow(at(), 'toggle', on)?.valuations).toEqual([['microwaveOn']]);
    expect(follow(at('doorOpen'), 'toggle', on)?.valuations).toEqual([['doorOpen']]);
    expect(follow(at(), 'toggle', { on: true, minutes: 0 })?.executable).toBe(false);
    expect(follow(at(), 'toggle', { on: true })?.executable).toBeNull();
    expect(follow(at(), 'toggle', { on: true, minutes: 'many' })?.executable).toBeNull();
    expect(follow(at('microwaveOn'), 'toggle', { on: false })).toMatchObject({
      executable: true,
      valuations: [[]],
    });
  });

  it('takes all combinations of what may change, under the constraints', () => {
    expect(follow(at(), 'slam')?.valuations).toEqual([
      [],
      ['microwaveOn'],
      ['doorOpen'],
      ['doorOpen', 'microwaveOn'],
    ]);
    const constrained = createActionModel({
      actions: house,
      predicates,
      constraints: {
        state: '!(doorOpen && microwaveOn)',
        transition: '!(from.microwaveOn && !to.microwaveOn)',
      },
    });
    const slam = (...now: string[]) => constrained.after(at(...now), { name: 'slam' });
    expect(slam()?.valuations.map(trues)).toEqual([[], ['microwaveOn'], ['doorOpen']]);
    expect(slam('microwaveOn')?.valuations.map(trues)).toEqual([['microwaveOn']]);
    expect(constrained.after(at('microwaveOn'), { name: 'toggle', arguments: { on: false } })).toEqual({
      executable: false,
      valuations: [],
      because: 'constraints',
    });
  });

  it('lists the calls with listed values, and what they are about', () => {
    expect(model.calls.map(({ text }) => text)).toEqual([
      'walk to=kitchen',
      'walk to=bathroom',
      'walk to=living room',
      'switchOn',
      'toggle on=true',
      'toggle on=false',
      'slam',
      'wait',
    ]);
    expect(model.roles).toEqual(['declared', 'declared', 'declared', 'declared', 'declared', 'call']);
  });

  it('tells what reads the call, earlier calls, or neither', () => {
    const roles = createActionModel({
      actions: { send: { sets: 'sent' } },
      predicates: [
        { name: 'sent', expression: 'calls.send > 0' },
        { name: 'twice', expression: 'calls.send > 1' },
        { name: 'home', expression: 'owner.home' },
      ],
    }).roles;
    expect(roles).toEqual(['declared', 'history', 'environment']);
  });

  it('says which predicate has no value', () => {
    expect(() => model.after({ ...at(), doorOpen: undefined as never }, { name: 'wait' })).toThrow(
      'predicate "doorOpen" is undefined, expected true or false',
    );
  });

  it.each<[string, DeclaredActions, RegExp]>([
    [
      'an unknown predicate',
      { a: { sets: 'doorOpn' } },
      /^action "a": sets: unknown predicate "doorOpn"; did you mean "doorOpen"\?$/,
    ],
    [
      'what is no predicate',
      { a: { sets: 'not doorOpen' } },
      /found "not doorOpen", expected the name of a predicate, or one with an argument such as in\[to\]/,
    ],
    [
      'an unknown argument',
      { a: { arguments: { to: rooms }, sets: 'in[too]' } },
      /in\[too\] names the argument "too", which is not declared; did you mean "to"\?/,
    ],
    [
      'no values',
      { a: { arguments: { to: 'text' }, sets: 'in[to]' } },
      /in\[to\] needs the values of the argument "to", which is declared as text; list them: to: \[VALUE, …\]/,
    ],
    [
      'a value without a predicate',
      { a: { arguments: { to: ['kichen'] }, sets: 'in[to]' } },
      /in\[kichen\] is no predicate: expected one named as in, then kichen; did you mean "inKitchen"\?/,
    ],
    [
      'a group that nothing names',
      { a: { clears: 'in[*]' } },
      /action "a": in\[\*\] is every predicate that in\[ARGUMENT\] names under actions, and none does/,
    ],
    [
      'two ways at once',
      { a: { sets: 'doorOpen', may: 'doorOpen' } },
      /action "a": "doorOpen" is under sets and under may; expected one of them, or conditions/,
    ],
    [
      'an unknown name in a condition',
      { a: { requires: 'doorOpen && !microvaveOn' } },
      /action "a": requires:1:14: "microvaveOn" is neither a predicate nor a declared argument; did you mean "microwaveOn"\?/,
    ],
    [
      'a predicate compared',
      { a: { arguments: { n: 'number' }, requires: 'doorOpen == n' } },
      /requires:1:13: the argument "n" is declared as number; expected one that is true or false, or a comparison of it/,
    ],
    [
      'too many calls',
      {
        a: {
          arguments: Object.fromEntries(
            ['p', 'q', 'r', 's', 't'].map((name) => [name, [1, 2, 3, 4, 5, 6, 7]]),
          ),
        },
      },
      /more than 10000 combinations of values/,
    ],
  ])('refuses %s', (_, actions, message) => {
    expect(() => createActionModel({ actions, predicates })).toThrow(message);
  });

  it('gives up where too much may follow', () => {
    const many = Array.from({ length: 13 }, (_, i) => ({ name: `p${i}` }));
    const wild = createActionModel({
      actions: { a: { may: many.map(({ name }) => name) } },
      predicates: many,
    });
    const now = Object.fromEntries(many.map(({ name }) => [name, false]));
    expect(() => wild.after(now, { name: 'a' })).toThrow(/may change more than 12 predicates/);
  });
});
