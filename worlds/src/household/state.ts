import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import type { Random } from '../../../bindings/base/random.js';
import { hasTrait, objectTypes, type Room } from './objectTypes.js';

/**
 * One object, in AI2-THOR's field names. `isBroken` is also burnt; `isWet`, which AI2-THOR lacks, is liquid
 * on it. `parentReceptacles` goes from the innermost receptacle outwards.
 */
export interface ObjectState {
  readonly objectType: string;
  readonly room: Room;
  readonly isOpen: boolean;
  readonly isToggled: boolean;
  readonly isBroken: boolean;
  readonly isSliced: boolean;
  readonly isDirty: boolean;
  readonly isFilledWithLiquid: boolean;
  readonly isWet: boolean;
  readonly isPickedUp: boolean;
  readonly isCooked: boolean;
  readonly parentReceptacles: readonly string[];
}

/** The truth values of an object, such as `isOpen`. */
export type ObjectField = {
  [Field in keyof ObjectState]: ObjectState[Field] extends boolean ? Field : never;
}[keyof ObjectState];

/**
 * The household at one moment. Immutable: an action makes a new state that shares every object it left alone. A scene
 * holds at most one object of a type, which is therefore its name.
 */
export interface HouseholdState {
  readonly objects: readonly ObjectState[];
  readonly agent: {
    readonly room: Room;
    /** The outermost receptacle or fixed object the agent stands at. */
    readonly at: string;
    readonly holding: string | null;
  };
  readonly [field: string]: unknown;
}

/** Where an object is at the start of a run: in a room, in an earlier object, or in one of several, drawn uniformly. */
export interface Placement extends Partial<Readonly<Record<ObjectField, boolean>>> {
  readonly type: string;
  readonly in: string | readonly string[];
}

const rooms: ReadonlySet<string> = new Set<Room>(['Kitchen', 'Bathroom', 'LivingRoom', 'Bedroom']);

export function findObject(state: HouseholdState, objectType: string): ObjectState | undefined {
  const { objects } = state;
  for (let i = 0; i < objects.length; i++) if (objects[i].objectType === objectType) return objects[i];
  return undefined;
}

/** The object, which must be there. */
export function objectOf(state: HouseholdState, objectType: string): ObjectState {
  const object = findObject(state, objectType);
  if (object) return object;
  const present = state.objects.map((other) => other.objectType).join(', ');
  throw new InvalidArgumentError(`There is no ${objectType} in this household, which has ${present}.`);
}

/** What an agent must stand at to reach an object: its outermost receptacle, or itself where it stands alone or on a floor. */
export function placeOf(state: HouseholdState, object: ObjectState): string {
  const parents = object.parentReceptacles;
  let root = parents.length > 0 ? parents[parents.length - 1] : object.objectType;
  if (root === 'Floor') root = parents.length > 1 ? parents[parents.length - 2] : object.objectType;
  return root === state.agent.holding ? state.agent.at : root;
}

/** The state with some fields of one object changed. */
export function withObject(
  state: HouseholdState,
  objectType: string,
  change: Partial<ObjectState>,
): HouseholdState {
  return {
    objects: state.objects.map((object) =>
      object.objectType === objectType ? { ...object, ...change } : object,
    ),
    agent: state.agent,
  };
}

/** The state with an object, and all that is in it, moved into `receptacles` (innermost first; empty when held). */
export function moved(
  state: HouseholdState,
  objectType: string,
  receptacles: readonly string[],
  room: Room,
  isPickedUp: boolean,
): HouseholdState {
  const objects = state.objects.map((object) => {
    if (object.objectType === objectType)
      return { ...object, room, isPickedUp, parentReceptacles: receptacles };
    const depth = object.parentReceptacles.indexOf(objectType);
    if (depth < 0) return object;
    return {
      ...object,
      room,
      parentReceptacles: [...object.parentReceptacles.slice(0, depth + 1), ...receptacles],
    };
  });
  return { objects, agent: state.agent };
}

/**
 * The first state of a run.
 *
 * @throws InvalidArgumentError where a type is unknown or twice in the scene, or is placed in what is not a receptacle
 */
export function createScene(placements: readonly Placement[], random: Random): HouseholdState {
  const objects: ObjectState[] = [];
  for (const { type, in: where, ...fields } of placements) {
    const target = typeof where === 'string' ? where : random.pick(where);
    const receptacle = objects.find((object) => object.objectType === target);
    if (!objectTypes.includes(type))
      throw new InvalidArgumentError(`Unknown object type ${type} in a scene.`);
    if (objects.some((object) => object.objectType === type)) {
      throw new InvalidArgumentError(`A scene holds one object of a type; ${type} is there twice.`);
    }
    if (receptacle ? !hasTrait(target, 'receptacle') : !rooms.has(target)) {
      throw new InvalidArgumentError(
        `${type} is placed in ${target}, neither a room nor a receptacle placed before it.`,
      );
    }
    objects.push({
      objectType: type,
      room: receptacle ? receptacle.room : (target as Room),
      isOpen: false,
      isToggled: false,
      isBroken: false,
      isSliced: false,
      isDirty: false,
      isFilledWithLiquid: false,
      isWet: false,
      isPickedUp: false,
      isCooked: false,
      parentReceptacles: receptacle ? [target, ...receptacle.parentReceptacles] : [],
      ...fields,
    });
  }
  const first = objects[0];
  return { objects, agent: { room: first.room, at: first.objectType, holding: null } };
}
