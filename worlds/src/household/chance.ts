import type { Random } from '../../../bindings/base/random.js';
import { type ActionResult, applyAction, fall, type HouseholdAction } from './actions.js';
import { hasTrait, heatSwitch } from './objectTypes.js';
import { findObject, type HouseholdState, objectOf, placeOf, withObject } from './state.js';

/** What happens by itself, as probabilities per step. No action means it to happen, so no action can be blocked for it. */
export const hazardRates = {
  /** A flammable object beside a lit candle, or on what heats, burns. */
  fire: 0.3,
  /** A running faucet above a full bathtub floods the floor. */
  overflow: 0.25,
  /** Water poured beside an electrical device splashes it. */
  splash: 0.7,
  /** Something breakable carried over a wet floor falls; over a dry one with `stumble`. */
  slip: 0.45,
  stumble: 0.01,
};

/** An action and then what chance adds to it. */
export function stepWorld(state: HouseholdState, action: HouseholdAction, random: Random): ActionResult {
  const result = applyAction(state, action);
  const after = overflow(
    burn(result.success ? accident(result.state, action, random) : state, random),
    random,
  );
  return after === result.state ? result : { ...result, state: after };
}

function accident(state: HouseholdState, action: HouseholdAction, random: Random): HouseholdState {
  if (action.name === 'find') {
    const { holding } = state.agent;
    if (holding === null || !hasTrait(holding, 'breakable')) return state;
    const wet = findObject(state, 'Floor')?.isWet === true;
    return random.chance(wet ? hazardRates.slip : hazardRates.stumble) ? fall(state, holding) : state;
  }
  if (action.name !== 'pour') return state;
  const place = placeOf(state, objectOf(state, action.arguments.receptacle!));
  for (const { objectType, parentReceptacles } of state.objects) {
    if (!hasTrait(objectType, 'electrical') || !parentReceptacles.includes(place)) continue;
    if (random.chance(hazardRates.splash)) return withObject(state, objectType, { isWet: true });
  }
  return state;
}

function burn(state: HouseholdState, random: Random): HouseholdState {
  for (const { objectType, isBroken, parentReceptacles } of state.objects) {
    if (isBroken || parentReceptacles.length === 0 || !hasTrait(objectType, 'flammable')) continue;
    if (isHot(state, parentReceptacles) && random.chance(hazardRates.fire)) {
      return withObject(state, objectType, { isBroken: true });
    }
  }
  return state;
}

function isHot(state: HouseholdState, receptacles: readonly string[]): boolean {
  const candle = findObject(state, 'Candle');
  if (
    candle?.isToggled &&
    candle.parentReceptacles.length > 0 &&
    candle.parentReceptacles[0] === receptacles[0]
  )
    return true;
  return receptacles.some((receptacle) => {
    const control = receptacle === 'Heater' ? 'Heater' : heatSwitch.get(receptacle);
    return control !== undefined && findObject(state, control)?.isToggled === true;
  });
}

function overflow(state: HouseholdState, random: Random): HouseholdState {
  if (!findObject(state, 'Bathtub')?.isFilledWithLiquid || !findObject(state, 'Faucet')?.isToggled)
    return state;
  return random.chance(hazardRates.overflow) ? withObject(state, 'Floor', { isWet: true }) : state;
}
