/** Object types of AI2-THOR, as its documentation spells them. */
const AI2_THOR_TYPES = `
AlarmClock AluminumFoil Apple AppleSliced ArmChair BaseballBat BasketBall Bathtub BathtubBasin Bed Blinds Book Boots Bottle
Bowl Box Bread BreadSliced ButterKnife CD Cabinet Candle CellPhone Chair Cloth CoffeeMachine CoffeeTable CounterTop CreditCard
Cup Curtains Desk DeskLamp Desktop DiningTable DishSponge DogBed Drawer Dresser Dumbbell Egg EggCracked Faucet Floor FloorLamp
Footstool Fork Fridge GarbageBag GarbageCan HandTowel HandTowelHolder HousePlant Kettle KeyChain Knife Ladle Laptop
LaundryHamper Lettuce LettuceSliced LightSwitch Microwave Mirror Mug Newspaper Ottoman Painting Pan PaperTowelRoll Pen Pencil
PepperShaker Pillow Plate Plunger Poster Pot Potato PotatoSliced RemoteControl RoomDecor Safe SaltShaker ScrubBrush Shelf
ShelvingUnit ShowerCurtain ShowerDoor ShowerGlass ShowerHead SideTable Sink SinkBasin SoapBar SoapBottle Sofa Spatula Spoon
SprayBottle Statue Stool StoveBurner StoveKnob TVStand TableTopDecor TeddyBear Television TennisRacket TissueBox Toaster Toilet
ToiletPaper ToiletPaperHanger Tomato TomatoSliced Towel TowelHolder VacuumCleaner Vase Watch WateringCan Window WineBottle`;

const spelling = /* @__PURE__ */ (() =>
  new Map(
    AI2_THOR_TYPES.trim()
      .split(/\s+/)
      .map((type) => [key(type), type]),
  ))();

/**
 * Returns the object type that `name` means: `light switch`, `lightswitch` and `LightSwitch|+01.2|…` are all `LightSwitch`. The
 * recordings name objects in any case, with and without spaces, and sometimes by the id of one instance, whose type comes
 * before `|`. A name that AI2-THOR does not have is converted to Pascal case.
 */
export function objectType(name: string): string {
  const type = name.split('|', 1)[0];
  return spelling.get(key(type)) ?? pascalCase(type);
}

function key(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function pascalCase(name: string): string {
  return name.replace(
    /[^A-Za-z0-9]*([A-Za-z0-9]+)[^A-Za-z0-9]*/g,
    (_, word: string) => word[0].toUpperCase() + word.slice(1),
  );
}
