import {
  DRIVING_VARIABLES,
  type DrivingVariableName,
  NOTHING_AHEAD,
} from '../../../bindings/observations/trace/index.js';
import { UNSET } from './draws.js';
import { LANE_WIDTH, LEFT, STRAIGHT } from './road.js';
import type { Situation } from './situation.js';
import { type Crosser, VEHICLE_LENGTH, VEHICLE_WIDTH } from './traffic.js';
import { NO_LIGHT } from './trafficLight.js';

/** What is observed of a drive: a number for each of `DRIVING_VARIABLES`. */
export type DrivingState = Record<DrivingVariableName, number>;

/** Seconds within which crossing traffic that has priority is "about to" cross. */
const VEHICLE_HORIZON = 6;
const PEDESTRIAN_HORIZON = 2.5;

/** The variables' defaults. One literal with all of them makes an object that stays compact. */
export function createDrivingState(): DrivingState {
  const state: DrivingState = {
    speed: UNSET,
    acc: UNSET,
    brake: UNSET,
    gear: UNSET,
    engineOn: UNSET,
    direction: UNSET,
    turnSignal: UNSET,
    hornOn: UNSET,
    lowBeamOn: UNSET,
    highBeamOn: UNSET,
    isLaneChanging: UNSET,
    isOverTaking: UNSET,
    isTurningAround: UNSET,
    currentLanenumber: UNSET,
    speedLimitlowerLimit: UNSET,
    speedLimitupperLimit: UNSET,
    trafficLightAheadcolor: UNSET,
    trafficLightAheadblink: UNSET,
    signalAhead: UNSET,
    stoplineAhead: UNSET,
    stopSignAhead: UNSET,
    junctionAhead: UNSET,
    crosswalkAhead: UNSET,
    PriorityNPCAhead: UNSET,
    PriorityPedsAhead: UNSET,
    isTrafficJam: UNSET,
    NPCAheadAhead: UNSET,
    NPCAheadspeed: UNSET,
    NearestNPCAhead: UNSET,
    NearestNPCspeed: UNSET,
    NPCOppositeAhead: UNSET,
    NPCOppositespeed: UNSET,
    rain: UNSET,
    fog: UNSET,
    snow: UNSET,
    Time: UNSET,
    collision: UNSET,
    reach_destination: UNSET,
  };
  for (const variable of DRIVING_VARIABLES) state[variable.name] = variable.default;
  return state;
}

/** Whether a crossing road user is, or will soon be, where the ego vehicle wants to pass. */
export function isAboutToCross(situation: Situation, crosser: Crosser): boolean {
  if (crosser.cleared || situation.position > crosser.crossing) return false;
  if (crosser.crossing - situation.position > 80) return false;
  const room = -crosser.offset - crosser.zone;
  if (crosser.speed < 0.1) return crosser.pedestrian && crosser.startAt - situation.time < 1;
  return room < crosser.speed * (crosser.pedestrian ? PEDESTRIAN_HORIZON : VEHICLE_HORIZON);
}

/** Writes what there is to observe into `state`. Everything is the truth: perception is the planner's affair. */
export function observe(situation: Situation, state: DrivingState): void {
  observeEgo(situation, state);
  observeRoad(situation, state);
  observePriority(situation, state);
  observeNearest(situation, state);
  state.rain = situation.rain;
  state.fog = situation.fog;
  state.snow = situation.snow;
  state.Time = (situation.timeOfDay + situation.time / 3600) % 24;
}

function observeEgo(situation: Situation, state: DrivingState): void {
  const { road, position, acceleration, drift, timeOfDay } = situation;
  const turning = road.turn !== STRAIGHT && position < road.junctionEnd && position > road.junction - 60;
  state.speed = situation.speed * 3.6;
  state.acc = acceleration;
  state.brake = acceleration < 0 ? (-100 * acceleration) / situation.strongestBraking : 0;
  state.direction = turning ? road.turn : STRAIGHT;
  state.turnSignal = turning && position > road.junction - 30 ? road.turn : drift > 0 ? LEFT : 0;
  state.lowBeamOn = timeOfDay < 7 || timeOfDay > 19 ? 1 : 0;
  state.isLaneChanging = drift > 0 ? 1 : 0;
  state.isOverTaking = situation.overtaking ? 1 : 0;
  state.collision = situation.collided ? 1 : 0;
  state.reach_destination = situation.arrived ? 1 : 0;
}

function observeRoad(situation: Situation, state: DrivingState): void {
  const { road, position } = situation;
  const lane = situation.lateral > LANE_WIDTH / 2 ? 202 : 1;
  state.currentLanenumber = situation.inJunction ? 0 : lane;
  state.speedLimitupperLimit = position < road.limitChangeAt ? road.speedLimit : road.limitAfter;
  const seen = position - VEHICLE_LENGTH < road.junctionEnd && road.stopLine - position < situation.sight;
  state.trafficLightAheadcolor = seen ? situation.colour : NO_LIGHT;
  state.signalAhead = road.signalled && position <= road.junction ? 1 : 0;
  const toStopLine = road.stopLine - position;
  const toJunction = road.junction - position;
  const toCrosswalk = road.crosswalk - position;
  state.stoplineAhead = Math.min(NOTHING_AHEAD, toStopLine < 0 ? Number.POSITIVE_INFINITY : toStopLine);
  state.junctionAhead = Math.min(NOTHING_AHEAD, toJunction < 0 ? Number.POSITIVE_INFINITY : toJunction);
  state.crosswalkAhead = Math.min(NOTHING_AHEAD, toCrosswalk < 0 ? Number.POSITIVE_INFINITY : toCrosswalk);
}

function observePriority(situation: Situation, state: DrivingState): void {
  const { crossers } = situation;
  let vehicles = 0;
  let pedestrians = 0;
  for (let i = 0; i < crossers.length; i++) {
    if (!isAboutToCross(situation, crossers[i])) continue;
    if (crossers[i].pedestrian) pedestrians = 1;
    else vehicles = 1;
  }
  state.PriorityNPCAhead = vehicles;
  state.PriorityPedsAhead = pedestrians;
}

/** The vehicle ahead, the nearest, and the nearest that comes towards the ego vehicle. */
function observeNearest(situation: Situation, state: DrivingState): void {
  const { road, position, lateral, leaders, crossers, ahead, gap } = situation;
  state.isTrafficJam = situation.jammed ? 1 : 0;
  state.NPCAheadAhead = Math.max(0, Math.min(NOTHING_AHEAD, gap));
  state.NPCAheadspeed = ahead < 0 ? 120 : leaders[ahead].speed * 3.6;
  let nearest = Number.POSITIVE_INFINITY;
  let nearestSpeed = 0;
  let opposite = Number.POSITIVE_INFINITY;
  let oppositeSpeed = 0;
  for (let i = 0; i < leaders.length; i++) {
    const { position: front, speed } = leaders[i];
    const along = Math.abs(front - position) - VEHICLE_LENGTH;
    const distance = Math.max(along, Math.abs(lateral) - VEHICLE_WIDTH, 0);
    if (distance >= nearest || distance > NOTHING_AHEAD) continue;
    nearest = distance;
    nearestSpeed = speed;
  }
  road.place(situation);
  const { x, y, cosine, sine } = road;
  for (let i = 0; i < crossers.length; i++) {
    const crosser = crossers[i];
    if (crosser.pedestrian || crosser.gone) continue;
    const dx = crosser.crossingX + crosser.directionX * crosser.offset - x;
    const dy = crosser.crossingY + crosser.directionY * crosser.offset - y;
    const distance = Math.max(0, Math.sqrt(dx * dx + dy * dy) - VEHICLE_LENGTH / 2);
    if (distance > NOTHING_AHEAD) continue;
    if (distance < nearest) {
      nearest = distance;
      nearestSpeed = crosser.speed;
    }
    const towards = crosser.directionX * cosine + crosser.directionY * sine < -0.7;
    if (!towards || dx * cosine + dy * sine < 0 || distance >= opposite) continue;
    opposite = distance;
    oppositeSpeed = crosser.speed;
  }
  state.NearestNPCAhead = Math.min(NOTHING_AHEAD, nearest);
  state.NearestNPCspeed = nearestSpeed * 3.6;
  state.NPCOppositeAhead = Math.min(NOTHING_AHEAD, opposite);
  state.NPCOppositespeed = oppositeSpeed * 3.6;
}
