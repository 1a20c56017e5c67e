import { type HouseholdAction, type Requirement, requirementHolds, requirementsOf } from './actions.js';
import type { Literal } from './condition.js';
import { hasTrait } from './objectTypes.js';
import { findObject, type HouseholdState } from './state.js';

/** Longer chains of requirements do not occur in a house; what needs one is taken to be impossible. */
const maxDepth = 12;

/**
 * The first action towards a literal, by regression: the action that brings it about, or, where that one still misses
 * something, the first action towards what it misses. Undefined where nothing brings it about.
 */
export function firstAction(
  state: HouseholdState,
  goal: Requirement,
  depth = 0,
): HouseholdAction | undefined {
  const action = achiever(state, goal);
  if (action === undefined || depth > maxDepth) return undefined;
  const missing = requirementsOf(state, action).find((requirement) => !requirementHolds(requirement, state));
  return missing === undefined ? action : firstAction(state, missing, depth + 1);
}

function achiever(state: HouseholdState, goal: Requirement): HouseholdAction | undefined {
  switch (goal.kind) {
    case 'at':
      return on('find', goal.object);
    case 'freeHand':
      return setDown(state, state.agent.holding);
    case 'holding':
      return goal.value ? on('pick', goal.object) : setDown(state, goal.object);
    case 'inside':
      return goal.value
        ? { name: 'put', arguments: { object: goal.object, receptacle: goal.receptacle } }
        : on('pick', goal.object);
    case 'room': {
      const there = state.objects.find(({ room }) => (room === goal.room) === goal.value);
      return there && on('find', there.objectType);
    }
    case 'field':
      return setField(state, goal);
  }
}

const on = (name: HouseholdAction['name'], object: string): HouseholdAction => ({
  name,
  arguments: { object },
});

/** Puts what is held on the nearest surface of the room, the one the agent stands at first. */
function setDown(state: HouseholdState, held: string | null): HouseholdAction | undefined {
  if (held === null) return undefined;
  const isSurface = (type: string): boolean =>
    hasTrait(type, 'receptacle') &&
    !hasTrait(type, 'openable') &&
    !hasTrait(type, 'pickupable') &&
    type !== 'Floor';
  const usual = state.objects.find(
    ({ objectType, room }) => room === state.agent.room && isSurface(objectType),
  );
  const receptacle = isSurface(state.agent.at) ? state.agent.at : usual?.objectType;
  return receptacle === undefined
    ? on('drop', held)
    : { name: 'put', arguments: { object: held, receptacle } };
}

function setField(
  state: HouseholdState,
  goal: Extract<Literal, { kind: 'field' }>,
): HouseholdAction | undefined {
  const { object, value } = goal;
  switch (goal.field) {
    case 'isOpen':
      return on(value ? 'open' : 'close', object);
    case 'isToggled':
      return on(value ? 'turnOn' : 'turnOff', object);
    case 'isDirty':
      return on(value ? 'dirty' : 'clean', object);
    case 'isWet':
      return value ? undefined : on('clean', object);
    case 'isPickedUp':
      return value ? on('pick', object) : setDown(state, object);
    case 'isSliced':
      return value ? on('slice', object) : undefined;
    case 'isBroken':
      return value ? on('break', object) : undefined;
    case 'isCooked':
      return value ? on('cook', object) : undefined;
    case 'isFilledWithLiquid':
      return value ? fill(state, object) : on('emptyLiquid', object);
  }
}

/** From the faucet, or for what cannot be brought to one, from a can. */
function fill(state: HouseholdState, object: string): HouseholdAction | undefined {
  const underFaucet = hasTrait(object, 'pickupable') || object === 'Bathtub' || object === 'SinkBasin';
  if (underFaucet) return findObject(state, 'Faucet') && on('fillLiquid', object);
  const can = state.objects.find(
    ({ objectType }) => hasTrait(objectType, 'pickupable') && hasTrait(objectType, 'fillable'),
  );
  return can && { name: 'pour', arguments: { object: can.objectType, receptacle: object } };
}
