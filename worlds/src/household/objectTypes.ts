/** Where objects and the robot can be. */
export type Room = 'Kitchen' | 'Bathroom' | 'LivingRoom' | 'Bedroom';

/** What can be done to an object of a type, or what it does to others. */
export type Trait =
  | 'pickupable'
  | 'receptacle'
  | 'openable'
  | 'toggleable'
  | 'breakable'
  | 'sliceable'
  | 'cookable'
  | 'fillable'
  | 'flammable'
  | 'electrical';

/** The types of AI2-THOR that the household uses, with their traits; `Pills` is the one type added. */
const traitsOf: Readonly<Record<string, readonly Trait[]>> = {
  Apple: ['pickupable', 'sliceable'],
  Bathtub: ['receptacle', 'fillable'],
  Book: ['pickupable', 'flammable'],
  Bowl: ['pickupable', 'receptacle', 'breakable', 'fillable'],
  Box: ['pickupable', 'receptacle', 'openable'],
  Bread: ['pickupable', 'sliceable', 'cookable'],
  Cabinet: ['receptacle', 'openable'],
  Candle: ['pickupable', 'toggleable'],
  Chair: ['receptacle'],
  Cloth: ['pickupable', 'flammable'],
  CoffeeTable: ['receptacle'],
  CounterTop: ['receptacle'],
  Cup: ['pickupable', 'breakable', 'fillable'],
  DiningTable: ['receptacle'],
  Drawer: ['receptacle', 'openable'],
  Dresser: ['receptacle'],
  Egg: ['pickupable', 'breakable', 'cookable'],
  Faucet: ['toggleable'],
  Floor: ['receptacle'],
  Fork: ['pickupable'],
  Fridge: ['receptacle', 'openable', 'electrical'],
  Heater: ['receptacle', 'toggleable', 'electrical'],
  HousePlant: ['fillable'],
  Kettle: ['pickupable', 'fillable', 'cookable'],
  Knife: ['pickupable'],
  Laptop: ['pickupable', 'openable', 'toggleable', 'breakable', 'electrical'],
  Microwave: ['receptacle', 'openable', 'toggleable', 'electrical'],
  Mug: ['pickupable', 'breakable', 'fillable'],
  Newspaper: ['pickupable', 'flammable'],
  Pan: ['pickupable', 'receptacle'],
  Pills: ['pickupable'],
  Plate: ['pickupable', 'receptacle', 'breakable'],
  Pot: ['pickupable', 'receptacle', 'fillable'],
  Potato: ['pickupable', 'sliceable', 'cookable'],
  Shelf: ['receptacle'],
  SideTable: ['receptacle'],
  SinkBasin: ['receptacle', 'fillable'],
  Sofa: ['receptacle'],
  StoveBurner: ['receptacle'],
  StoveKnob: ['toggleable'],
  Television: ['toggleable', 'breakable', 'electrical'],
  Toaster: ['receptacle', 'toggleable', 'electrical'],
  Towel: ['pickupable', 'flammable'],
  TowelHolder: ['receptacle'],
  Vase: ['pickupable', 'breakable', 'fillable'],
  WateringCan: ['pickupable', 'fillable'],
};

const traitSets: ReadonlyMap<string, ReadonlySet<Trait>> = new Map(
  Object.entries(traitsOf).map(([type, traits]) => [type, new Set(traits)]),
);

/** Every known object type, in alphabetical order. */
export const objectTypes: readonly string[] = Object.keys(traitsOf);

/** Whether objects of a type have a trait; false for an unknown type. */
export function hasTrait(objectType: string, trait: Trait): boolean {
  return traitSets.get(objectType)?.has(trait) ?? false;
}

/** What must be toggled for a receptacle to heat what is in it. */
export const heatSwitch: ReadonlyMap<string, string> = new Map([
  ['Microwave', 'Microwave'],
  ['Toaster', 'Toaster'],
  ['StoveBurner', 'StoveKnob'],
]);
