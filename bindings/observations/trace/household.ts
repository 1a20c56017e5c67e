/** The state of an object as the actions of a recording show it; one object stands for all of its type. */
export interface HouseholdObject {
  readonly objectType: string;
  readonly isOpen: boolean;
  readonly isToggled: boolean;
  readonly isBroken: boolean;
  readonly isSliced: boolean;
  readonly isDirty: boolean;
  readonly isFilledWithLiquid: boolean;
  readonly isPickedUp: boolean;
  readonly isCooked: boolean;
  /** Whether liquid was poured where it stands. AI2-THOR has no such property. */
  readonly isWet: boolean;
  /** Types of the objects that it is in or on, innermost first; empty if unknown. */
  readonly parentReceptacles: readonly string[];
  /** Types of the objects in or on it, at any depth. */
  readonly receptacleObjectIds: readonly string[];
}

type Flag = {
  [K in keyof HouseholdObject]: HouseholdObject[K] extends boolean ? K : never;
}[keyof HouseholdObject];

/** Actions whose effect is one property of the object they name. */
const EFFECTS: Readonly<Record<string, readonly [flag: Flag, value: boolean]>> = {
  open: ['isOpen', true],
  close: ['isOpen', false],
  'turn on': ['isToggled', true],
  'turn off': ['isToggled', false],
  slice: ['isSliced', true],
  break: ['isBroken', true],
  dirty: ['isDirty', true],
  clean: ['isDirty', false],
  cook: ['isCooked', true],
  fillLiquid: ['isFilledWithLiquid', true],
  emptyLiquid: ['isFilledWithLiquid', false],
};

interface Thing {
  flags: Record<Flag, boolean>;
  parent: string | undefined;
}

/** Derives object states from successful actions; initially all properties are false. */
export class Household {
  /** The type last found, which is where the agent stands. */
  found = '';
  readonly #things = new Map<string, Thing>();
  #held: string | undefined;
  #objects: readonly HouseholdObject[] | undefined;

  /** Makes `type` an object of the household. */
  add(type: string): void {
    this.#thing(type);
  }

  /** Applies a successful action; `type` is '' for actions that name no object. */
  apply(action: string, type: string): void {
    this.#objects = undefined;
    const effect = EFFECTS[action];
    if (effect !== undefined && type !== '') this.set(type, ...effect);
    else if (action === 'find') this.#find(type);
    else if (action === 'pick') this.#pick(type);
    else if (action === 'put') this.#release(type);
    else if (action === 'drop') this.#release(this.found === 'Floor' ? 'Floor' : undefined);
    else if (action === 'throw') this.#release(undefined);
    else if (action === 'pour') this.#pour();
  }

  set(type: string, flag: Flag, value: boolean): void {
    this.#objects = undefined;
    this.#thing(type).flags[flag] = value;
    // In AI2-THOR a burner is not switched directly, but by its knob.
    if (type === 'StoveKnob' && flag === 'isToggled') this.#thing('StoveBurner').flags.isToggled = value;
  }

  /** All objects in the order in which they became known. A later change creates a new list. */
  objects(): readonly HouseholdObject[] {
    this.#objects ??= [...this.#things].map(([objectType, { flags }]) => ({
      objectType,
      ...flags,
      parentReceptacles: this.#parents(objectType),
      receptacleObjectIds: [...this.#things.keys()].filter((other) =>
        this.#parents(other).includes(objectType),
      ),
    }));
    return this.#objects;
  }

  #thing(type: string): Thing {
    let thing = this.#things.get(type);
    if (thing === undefined) {
      this.#objects = undefined;
      thing = { flags: { ...NOTHING_KNOWN }, parent: undefined };
      this.#things.set(type, thing);
    }
    return thing;
  }

  #find(type: string): void {
    this.add(type);
    this.found = type;
  }

  #pick(type: string): void {
    const thing = this.#thing(type);
    thing.flags.isPickedUp = true;
    thing.parent = undefined;
    this.#held = type;
  }

  #release(receptacle: string | undefined): void {
    if (receptacle !== undefined) this.add(receptacle);
    if (this.#held === undefined) return;
    const thing = this.#thing(this.#held);
    thing.flags.isPickedUp = false;
    // Types stand for instances: a mug put into (another) mug must not contain itself.
    const contained =
      receptacle === this.#held ||
      (receptacle !== undefined && this.#parents(receptacle).includes(this.#held));
    thing.parent = contained ? undefined : receptacle;
    this.#held = undefined;
  }

  #pour(): void {
    if (this.#held === undefined) return;
    const { flags } = this.#thing(this.#held);
    if (flags.isFilledWithLiquid && this.found !== '' && this.found !== this.#held)
      this.#thing(this.found).flags.isWet = true;
    flags.isFilledWithLiquid = false;
  }

  #parents(type: string): string[] {
    const parents: string[] = [];
    for (
      let parent = this.#things.get(type)?.parent;
      parent !== undefined;
      parent = this.#things.get(parent)?.parent
    ) {
      parents.push(parent);
    }
    return parents;
  }
}

const NOTHING_KNOWN: Readonly<Record<Flag, boolean>> = {
  isOpen: false,
  isToggled: false,
  isBroken: false,
  isSliced: false,
  isDirty: false,
  isFilledWithLiquid: false,
  isPickedUp: false,
  isCooked: false,
  isWet: false,
};
