import type { Action } from '../../../bindings/observations/trace/index.js';
import { field, holding, inside, type Literal, literalHolds } from './condition.js';
import { hasTrait, heatSwitch, type Trait } from './objectTypes.js';
import { findObject, type HouseholdState, moved, objectOf, placeOf, withObject } from './state.js';

/** The actions of the household, those of SafeAgentBench's robot. */
export type ActionName =
  | 'find'
  | 'pick'
  | 'put'
  | 'open'
  | 'close'
  | 'turnOn'
  | 'turnOff'
  | 'slice'
  | 'break'
  | 'throw'
  | 'drop'
  | 'pour'
  | 'fillLiquid'
  | 'emptyLiquid'
  | 'dirty'
  | 'clean'
  | 'cook';

/** An action on an object; `receptacle` is where `put` puts it and what `pour` pours on. */
export interface HouseholdAction extends Action {
  readonly name: ActionName;
  readonly arguments: { readonly object: string; readonly receptacle?: string };
}

/** What must be true before an action: a literal, standing where an object is, or having a free hand. */
export type Requirement =
  | Literal
  | { readonly kind: 'at'; readonly object: string }
  | { readonly kind: 'freeHand' };

/** `state` is the one given where the action failed; `reason` then says why. */
export interface ActionResult {
  readonly state: HouseholdState;
  readonly success: boolean;
  readonly reason: string;
}

interface ActionRule {
  /** What an object must be for the action to make sense at all. */
  readonly object?: Trait;
  readonly receptacle?: Trait;
  readonly requires: (state: HouseholdState, object: string, receptacle: string) => Requirement[];
  readonly effect: (state: HouseholdState, object: string, receptacle: string) => HouseholdState;
}

const at = (object: string): Requirement => ({ kind: 'at', object });

/** Every receptacle around an object that has a door must be open, the outermost first. */
function accessible(state: HouseholdState, object: string): Requirement[] {
  return objectOf(state, object)
    .parentReceptacles.filter((receptacle) => hasTrait(receptacle, 'openable'))
    .reverse()
    .map((receptacle) => field(receptacle, 'isOpen'));
}

/** Reaching for an object; something else in the hand is no hindrance. */
const within = (state: HouseholdState, object: string): Requirement[] => [
  ...accessible(state, object),
  at(object),
];

const set =
  (name: Parameters<typeof field>[1], value = true) =>
  (state: HouseholdState, object: string): HouseholdState =>
    withObject(state, object, { [name]: value });

function find(state: HouseholdState, object: string): HouseholdState {
  const target = objectOf(state, object);
  const agent = { ...state.agent, at: placeOf(state, target), room: target.room };
  const { holding: held } = state.agent;
  const carried =
    held !== null && target.room !== state.agent.room ? moved(state, held, [], target.room, true) : state;
  return { objects: carried.objects, agent };
}

/** A burner is switched by its knob, and shows it. */
function toggle(state: HouseholdState, object: string, isToggled: boolean): HouseholdState {
  const switched = withObject(state, object, { isToggled });
  return object === 'StoveKnob' ? withObject(switched, 'StoveBurner', { isToggled }) : switched;
}

/** Puts what is held into a receptacle, or with `Floor` lets it fall. */
function release(state: HouseholdState, object: string, receptacle: string): HouseholdState {
  const around = findObject(state, receptacle)?.parentReceptacles ?? [];
  const { objects } = moved(state, object, [receptacle, ...around], state.agent.room, false);
  return { objects, agent: { ...state.agent, holding: null } };
}

/** A fall breaks what is breakable and spills what is in it. */
export function fall(state: HouseholdState, object: string): HouseholdState {
  const fallen = objectOf(state, object);
  let result = release(state, object, 'Floor');
  if (hasTrait(object, 'breakable')) result = withObject(result, object, { isBroken: true });
  if (!fallen.isFilledWithLiquid) return result;
  return withObject(withObject(result, object, { isFilledWithLiquid: false }), 'Floor', { isWet: true });
}

function heatOf(state: HouseholdState, object: string): Requirement[] {
  const { parentReceptacles } = objectOf(state, object);
  const source = parentReceptacles.find((receptacle) => heatSwitch.has(receptacle));
  if (source !== undefined) return [field(heatSwitch.get(source)!, 'isToggled')];
  const available = [...heatSwitch.keys()].find((receptacle) => findObject(state, receptacle));
  return [inside(object, available ?? 'StoveBurner')];
}

const actionRules: Readonly<Record<ActionName, ActionRule>> = {
  find: { requires: accessible, effect: find },
  pick: {
    object: 'pickupable',
    requires: (state, object) => [{ kind: 'freeHand' }, ...within(state, object)],
    effect: (state, object) => {
      const { objects } = moved(state, object, [], state.agent.room, true);
      return { objects, agent: { ...state.agent, holding: object } };
    },
  },
  put: {
    receptacle: 'receptacle',
    requires: (state, object, receptacle) => [
      holding(object),
      at(receptacle),
      ...accessible(state, receptacle),
      ...(hasTrait(receptacle, 'openable') ? [field(receptacle, 'isOpen')] : []),
    ],
    effect: release,
  },
  open: {
    object: 'openable',
    requires: (state, object) => [
      ...within(state, object),
      ...(hasTrait(object, 'toggleable') ? [field(object, 'isToggled', false)] : []),
    ],
    effect: set('isOpen'),
  },
  close: { object: 'openable', requires: within, effect: set('isOpen', false) },
  turnOn: {
    object: 'toggleable',
    requires: (state, object) => [
      ...within(state, object),
      field(object, 'isBroken', false),
      ...(hasTrait(object, 'openable') && hasTrait(object, 'receptacle')
        ? [field(object, 'isOpen', false)]
        : []),
    ],
    effect: (state, object) => toggle(state, object, true),
  },
  turnOff: {
    object: 'toggleable',
    requires: within,
    effect: (state, object) => toggle(state, object, false),
  },
  slice: {
    object: 'sliceable',
    requires: (state, object) => [holding('Knife'), ...within(state, object)],
    effect: set('isSliced'),
  },
  break: { object: 'breakable', requires: within, effect: set('isBroken') },
  throw: { requires: (_, object) => [holding(object)], effect: fall },
  drop: { requires: (_, object) => [holding(object)], effect: fall },
  pour: {
    object: 'fillable',
    requires: (state, object, receptacle) => [
      field(object, 'isFilledWithLiquid'),
      holding(object),
      ...within(state, receptacle),
    ],
    effect: (state, object, receptacle) =>
      withObject(
        withObject(state, object, { isFilledWithLiquid: false }),
        receptacle,
        hasTrait(receptacle, 'fillable') ? { isFilledWithLiquid: true } : { isWet: true },
      ),
  },
  fillLiquid: {
    object: 'fillable',
    requires: (_, object) => [
      ...(hasTrait(object, 'pickupable') ? [holding(object)] : []),
      field('Faucet', 'isToggled'),
      at('Faucet'),
    ],
    effect: set('isFilledWithLiquid'),
  },
  emptyLiquid: {
    object: 'fillable',
    requires: (_, object) =>
      hasTrait(object, 'pickupable') ? [holding(object), at('SinkBasin')] : [at(object)],
    effect: set('isFilledWithLiquid', false),
  },
  dirty: { requires: within, effect: set('isDirty') },
  clean: {
    requires: within,
    effect: (state, object) => withObject(state, object, { isDirty: false, isWet: false }),
  },
  cook: {
    object: 'cookable',
    requires: (state, object) => [...heatOf(state, object), at(object)],
    effect: set('isCooked'),
  },
};

/** The names of all actions. */
export const actionNames = Object.keys(actionRules) as readonly ActionName[];

/** What an action needs in a state, in the order in which an agent brings it about. */
export function requirementsOf(state: HouseholdState, action: HouseholdAction): readonly Requirement[] {
  const { object, receptacle = '' } = action.arguments;
  return actionRules[action.name].requires(state, object, receptacle);
}

export function requirementHolds(requirement: Requirement, state: HouseholdState): boolean {
  if (requirement.kind === 'freeHand') return state.agent.holding === null;
  if (requirement.kind !== 'at') return literalHolds(requirement, state);
  // A floor is wherever one stands.
  return (
    requirement.object === 'Floor' || state.agent.at === placeOf(state, objectOf(state, requirement.object))
  );
}

/**
 * The effect that an action is meant to have, without chance: a new state, or the same one with the reason why the
 * action is impossible there.
 */
export function applyAction(state: HouseholdState, action: HouseholdAction): ActionResult {
  const rule = actionRules[action.name];
  const { object, receptacle = '' } = action.arguments;
  const refuse = (reason: string): ActionResult => ({ state, success: false, reason });
  if (!findObject(state, object)) return refuse(`there is no ${object}`);
  if (receptacle !== '' && !findObject(state, receptacle)) return refuse(`there is no ${receptacle}`);
  if (rule.object && !hasTrait(object, rule.object)) return refuse(`${object} is not ${rule.object}`);
  if (rule.receptacle && !hasTrait(receptacle, rule.receptacle))
    return refuse(`${receptacle} is no ${rule.receptacle}`);
  if (object === receptacle) return refuse(`${object} cannot go into itself`);
  const missing = rule
    .requires(state, object, receptacle)
    .find((requirement) => !requirementHolds(requirement, state));
  if (missing) return refuse(`it needs ${requirementText(missing)}`);
  return { state: rule.effect(state, object, receptacle), success: true, reason: '' };
}

function requirementText(requirement: Requirement): string {
  switch (requirement.kind) {
    case 'freeHand':
      return 'a free hand';
    case 'at':
      return `the agent at ${requirement.object}`;
    case 'holding':
      return `${requirement.object} in the hand`;
    case 'inside':
      return `${requirement.object} in ${requirement.receptacle}`;
    case 'field':
      return `${requirement.object}.${requirement.field} to be ${requirement.value}`;
    case 'room':
      return `the agent in ${requirement.room}`;
  }
}
