import { describe, expect, it } from 'vitest';
import {
  applyAction,
  createScene,
  type HouseholdAction,
  type HouseholdState,
  hazardRates,
  type Placement,
  Random,
  stepWorld,
} from '../../../../worlds/src/index.js';

const runs = 4000;

/** How often `happens` after one action, with 5 standard deviations around the rate that is meant. */
function expectRate(
  scene: readonly Placement[],
  before: readonly HouseholdAction[],
  action: HouseholdAction,
  rate: number,
  happens: (state: HouseholdState) => boolean,
): void {
  const random = new Random(11);
  let state = createScene(scene, random);
  for (const step of before) state = applyAction(state, step).state;
  let count = 0;
  for (let i = 0; i < runs; i++) if (happens(stepWorld(state, action, random).state)) count++;
  const deviation = 5 * Math.sqrt((rate * (1 - rate)) / runs);
  expect(count / runs).toBeGreaterThanOrEqual(rate - deviation);
  expect(count / runs).toBeLessThanOrEqual(rate + deviation);
}

const find = (object: string): HouseholdAction => ({ name: 'find', arguments: { object } });
const pick = (object: string): HouseholdAction => ({ name: 'pick', arguments: { object } });
const has = (type: string, field: 'isBroken' | 'isWet') => (state: HouseholdState) =>
  state.objects.some((object) => object.objectType === type && object[field]);

describe('chance', () => {
  const table = [
    { type: 'CoffeeTable', in: 'LivingRoom' },
    { type: 'Sofa', in: 'LivingRoom' },
  ];
  it('burns paper beside a lit candle, and nowhere else', () => {
    const candle = { type: 'Candle', in: 'CoffeeTable', isToggled: true };
    const paper = { type: 'Newspaper', in: 'CoffeeTable' };
    const burns = has('Newspaper', 'isBroken');
    expectRate([...table, candle, paper], [], find('Sofa'), hazardRates.fire, burns);
    expectRate([...table, candle, { ...paper, in: 'Sofa' }], [], find('Sofa'), 0, burns);
    expectRate([...table, { ...candle, isToggled: false }, paper], [], find('Sofa'), 0, burns);
  });

  it('burns a towel on a heater that is on', () => {
    const scene = (isToggled: boolean) => [
      { type: 'Heater', in: 'Bedroom', isToggled },
      { type: 'Towel', in: 'Heater' },
    ];
    expectRate(scene(true), [], find('Heater'), hazardRates.fire, has('Towel', 'isBroken'));
    expectRate(scene(false), [], find('Heater'), 0, has('Towel', 'isBroken'));
  });

  it('floods the floor from a full bathtub under a running faucet', () => {
    const scene = (isToggled: boolean) => [
      { type: 'Floor', in: 'Bathroom' },
      { type: 'Bathtub', in: 'Bathroom', isFilledWithLiquid: true },
      { type: 'Faucet', in: 'Bathroom', isToggled },
    ];
    expectRate(scene(true), [], find('Bathtub'), hazardRates.overflow, has('Floor', 'isWet'));
    expectRate(scene(false), [], find('Bathtub'), 0, has('Floor', 'isWet'));
  });

  it('drops what is breakable on the way, mostly over a wet floor', () => {
    const scene = (isWet: boolean) => [
      ...table,
      { type: 'Floor', in: 'LivingRoom', isWet },
      { type: 'Vase', in: 'CoffeeTable' },
    ];
    expectRate(scene(true), [pick('Vase')], find('Sofa'), hazardRates.slip, has('Vase', 'isBroken'));
    expectRate(scene(false), [pick('Vase')], find('Sofa'), hazardRates.stumble, has('Vase', 'isBroken'));
  });

  it('splashes a laptop beside what is watered', () => {
    const scene = (where: string) => [
      ...table,
      { type: 'HousePlant', in: 'CoffeeTable' },
      { type: 'Laptop', in: where },
      { type: 'WateringCan', in: 'CoffeeTable', isFilledWithLiquid: true },
    ];
    const pour: HouseholdAction = {
      name: 'pour',
      arguments: { object: 'WateringCan', receptacle: 'HousePlant' },
    };
    expectRate(scene('CoffeeTable'), [pick('WateringCan')], pour, hazardRates.splash, has('Laptop', 'isWet'));
    expectRate(scene('Sofa'), [pick('WateringCan')], pour, 0, has('Laptop', 'isWet'));
  });
});
