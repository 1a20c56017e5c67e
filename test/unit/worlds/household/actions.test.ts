import { describe, expect, it } from 'vitest';
import {
  type ActionName,
  actionNames,
  applyAction,
  createScene,
  type HouseholdAction,
  type HouseholdState,
  type ObjectState,
  Random,
} from '../../../../worlds/src/index.js';

const kitchen = createScene(
  [
    { type: 'CounterTop', in: 'Kitchen' },
    { type: 'Floor', in: 'Kitchen' },
    { type: 'Microwave', in: 'Kitchen' },
    { type: 'Drawer', in: 'Kitchen' },
    { type: 'SinkBasin', in: 'Kitchen' },
    { type: 'Faucet', in: 'Kitchen' },
    { type: 'StoveBurner', in: 'Kitchen' },
    { type: 'StoveKnob', in: 'Kitchen' },
    { type: 'Bowl', in: 'CounterTop' },
    { type: 'Potato', in: 'Bowl' },
    { type: 'Mug', in: 'CounterTop' },
    { type: 'Apple', in: 'CounterTop' },
    { type: 'Knife', in: 'Drawer' },
    { type: 'Laptop', in: 'CounterTop' },
    { type: 'Sofa', in: 'LivingRoom' },
  ],
  new Random(1),
);

function act(text: string): HouseholdAction {
  const [name, object, receptacle] = text.split(' ');
  return {
    name: name as ActionName,
    arguments: receptacle === undefined ? { object } : { object, receptacle },
  };
}

/** The state after actions that must all succeed. */
function stateAfter(...texts: string[]): HouseholdState {
  return texts.reduce((state, text) => {
    const result = applyAction(state, act(text));
    expect(result.reason, text).toBe('');
    return result.state;
  }, kitchen);
}

const get = (state: HouseholdState, type: string): ObjectState =>
  state.objects.find(({ objectType }) => objectType === type)!;

const mugInHand = ['pick Mug'];
const mugFilled = [...mugInHand, 'find Faucet', 'turnOn Faucet', 'fillLiquid Mug'];
const potatoOnStove = ['pick Potato', 'find StoveBurner', 'put Potato StoveBurner'];

/** Action, what came before, and why it fails or what it changes. */
const cases: [action: string, before: string[], outcome: string | Record<string, Partial<ObjectState>>][] = [
  ['find Fork', [], 'there is no Fork'],
  ['find Knife', [], 'it needs Drawer.isOpen to be true'],
  ['pick Apple', [], { Apple: { isPickedUp: true, parentReceptacles: [] } }],
  ['pick Apple', mugInHand, 'it needs a free hand'],
  ['pick Apple', ['find Sofa'], 'it needs the agent at Apple'],
  ['pick Microwave', ['find Microwave'], 'Microwave is not pickupable'],
  [
    'pick Bowl',
    [],
    { Bowl: { isPickedUp: true }, Potato: { isPickedUp: false, parentReceptacles: ['Bowl'] } },
  ],
  ['put Mug Drawer', [...mugInHand, 'find Drawer'], 'it needs Drawer.isOpen to be true'],
  [
    'put Mug Drawer',
    [...mugInHand, 'find Drawer', 'open Drawer'],
    { Mug: { parentReceptacles: ['Drawer'] } },
  ],
  ['put Mug CounterTop', [], 'it needs Mug in the hand'],
  ['put Mug Apple', mugInHand, 'Apple is no receptacle'],
  [
    'put Bowl Microwave',
    ['pick Bowl', 'find Microwave', 'open Microwave'],
    {
      Bowl: { parentReceptacles: ['Microwave'], isPickedUp: false },
      Potato: { parentReceptacles: ['Bowl', 'Microwave'] },
    },
  ],
  ['put Bowl Bowl', ['pick Bowl'], 'Bowl cannot go into itself'],
  ['open Microwave', ['find Microwave'], { Microwave: { isOpen: true } }],
  ['open Microwave', ['find Microwave', 'turnOn Microwave'], 'it needs Microwave.isToggled to be false'],
  ['open Mug', [], 'Mug is not openable'],
  ['close Microwave', ['find Microwave', 'open Microwave'], { Microwave: { isOpen: false } }],
  ['turnOn Microwave', ['find Microwave'], { Microwave: { isToggled: true } }],
  ['turnOn Microwave', ['find Microwave', 'open Microwave'], 'it needs Microwave.isOpen to be false'],
  ['turnOn Laptop', ['break Laptop'], 'it needs Laptop.isBroken to be false'],
  [
    'turnOn StoveKnob',
    ['find StoveKnob'],
    { StoveKnob: { isToggled: true }, StoveBurner: { isToggled: true } },
  ],
  ['turnOff Laptop', ['turnOn Laptop'], { Laptop: { isToggled: false } }],
  ['slice Apple', [], 'it needs Knife in the hand'],
  [
    'slice Apple',
    ['find Drawer', 'open Drawer', 'pick Knife', 'find CounterTop'],
    { Apple: { isSliced: true }, Knife: { isPickedUp: true } },
  ],
  ['slice Mug', [], 'Mug is not sliceable'],
  ['break Mug', [], { Mug: { isBroken: true } }],
  ['break Apple', [], 'Apple is not breakable'],
  ['throw Mug', mugInHand, { Mug: { isBroken: true, parentReceptacles: ['Floor'] } }],
  ['throw Mug', [], 'it needs Mug in the hand'],
  [
    'drop Apple',
    ['pick Apple'],
    { Apple: { isBroken: false, isPickedUp: false, parentReceptacles: ['Floor'] } },
  ],
  ['drop Mug', mugFilled, { Mug: { isBroken: true, isFilledWithLiquid: false }, Floor: { isWet: true } }],
  ['pour Mug Laptop', mugInHand, 'it needs Mug.isFilledWithLiquid to be true'],
  [
    'pour Mug Laptop',
    [...mugFilled, 'find Laptop'],
    { Mug: { isFilledWithLiquid: false }, Laptop: { isWet: true, isFilledWithLiquid: false } },
  ],
  [
    'pour Mug Bowl',
    [...mugFilled, 'find Bowl'],
    { Mug: { isFilledWithLiquid: false }, Bowl: { isFilledWithLiquid: true, isWet: false } },
  ],
  ['fillLiquid Mug', [...mugInHand, 'find Faucet'], 'it needs Faucet.isToggled to be true'],
  ['fillLiquid Apple', [], 'Apple is not fillable'],
  ['emptyLiquid Mug', mugFilled, 'it needs the agent at SinkBasin'],
  ['emptyLiquid Mug', [...mugFilled, 'find SinkBasin'], { Mug: { isFilledWithLiquid: false } }],
  ['dirty Bowl', [], { Bowl: { isDirty: true } }],
  ['clean Bowl', ['dirty Bowl'], { Bowl: { isDirty: false } }],
  ['clean Floor', [...mugFilled, 'drop Mug', 'find Sofa'], { Floor: { isWet: false } }],
  ['cook Potato', [], 'it needs Potato in Microwave'],
  ['cook Potato', potatoOnStove, 'it needs StoveKnob.isToggled to be true'],
  [
    'cook Potato',
    [...potatoOnStove, 'find StoveKnob', 'turnOn StoveKnob', 'find Potato'],
    { Potato: { isCooked: true } },
  ],
  ['cook Apple', [], 'Apple is not cookable'],
];

describe('an action', () => {
  it.each(cases)('%s, after %j, gives %j', (text, before, outcome) => {
    const state = stateAfter(...before);
    const result = applyAction(state, act(text));
    if (typeof outcome === 'string') {
      expect(result).toEqual({ state, success: false, reason: outcome });
      return;
    }
    expect(result.reason).toBe('');
    for (const [type, change] of Object.entries(outcome))
      expect(get(result.state, type)).toMatchObject(change);
    // Nothing else in the world changes.
    const changed = result.state.objects.filter((object, i) => {
      return JSON.stringify(object) !== JSON.stringify(state.objects[i]);
    });
    for (const { objectType } of changed) expect(Object.keys(outcome)).toContain(objectType);
  });

  it('is in the table above whatever it is, but for find, whose effect is on the agent', () => {
    expect(new Set(cases.map(([text]) => text.split(' ')[0]))).toEqual(new Set(actionNames));
  });

  it('find takes the agent, and what it holds, to the place and the room', () => {
    const state = stateAfter('pick Bowl', 'find Sofa');
    expect(state.agent).toEqual({ room: 'LivingRoom', at: 'Sofa', holding: 'Bowl' });
    expect(get(state, 'Bowl').room).toBe('LivingRoom');
    expect(get(state, 'Potato').room).toBe('LivingRoom');
  });

  it('leaves the state it is given as it was', () => {
    const before = JSON.stringify(kitchen);
    stateAfter('pick Bowl', 'find Microwave', 'open Microwave', 'put Bowl Microwave');
    expect(JSON.stringify(kitchen)).toBe(before);
  });
});

describe('a scene', () => {
  const random = new Random(1);
  it('refuses unknown types, twins and impossible places', () => {
    expect(() => createScene([{ type: 'Dragon', in: 'Kitchen' }], random)).toThrow(
      'Unknown object type Dragon',
    );
    const table = { type: 'CoffeeTable', in: 'LivingRoom' };
    expect(() => createScene([table, table], random)).toThrow('CoffeeTable is there twice');
    expect(() => createScene([{ type: 'Mug', in: 'CoffeeTable' }, table], random)).toThrow(
      'Mug is placed in CoffeeTable, neither a room nor a receptacle placed before it',
    );
  });
});
