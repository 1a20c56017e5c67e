import { type DrivingVariableName, NOTHING_AHEAD } from '../../trace/index.js';
import { LANE_WIDTH, STRAIGHT } from './road.js';
import type { Situation } from './situation.js';
import { type Crosser, VEHICLE_LENGTH } from './traffic.js';
import { NO_LIGHT } from './trafficLight.js';

/** What is observed of a drive: a number for each of `DRIVING_VARIABLES`. */
export type DrivingState = Record<DrivingVariableName, number>;

/** Seconds within which crossing traffic that has priority is "about to" cross. */
const VEHICLE_HORIZON = 6;
const PEDESTRIAN_HORIZON = 2.5;

/** The variables' defaults, as one literal: such an object stays compact, and writing to it allocates nothing. */
export function createDrivingState(): DrivingState {
  return {
    speed: 0,
    acc: 0,
    brake: 0,
    gear: 1,
    engineOn: 1,
    direction: 0,
    turnSignal: 0,
    hornOn: 0,
    lowBeamOn: 0,
    highBeamOn: 0,
    isLaneChanging: 0,
    isOverTaking: 0,
    isTurningAround: 0,
    currentLanenumber: 1,
    speedLimitlowerLimit: 0,
    speedLimitupperLimit: 120,
    trafficLightAheadcolor: 0,
    trafficLightAheadblink: 0,
    signalAhead: 0,
    stoplineAhead: NOTHING_AHEAD,
    stopSignAhead: NOTHING_AHEAD,
    junctionAhead: NOTHING_AHEAD,
    crosswalkAhead: NOTHING_AHEAD,
    PriorityNPCAhead: 0,
    PriorityPedsAhead: 0,
    isTrafficJam: 0,
    NPCAheadAhead: NOTHING_AHEAD,
    NPCAheadspeed: 120,
    NearestNPCAhead: NOTHING_AHEAD,
    NearestNPCspeed: 0,
    NPCOppositeAhead: NOTHING_AHEAD,
    NPCOppositespeed: 0,
    rain: 0,
    fog: 0,
    snow: 0,
    Time: 12,
    collision: 0,
    reach_destination: 0,
  };
}

/** Metres to what is at a position, as the variables have it. */
function distanceTo(position: number, from: number): number {
  const distance = position - from;
  return distance < 0 || distance > NOTHING_AHEAD ? NOTHING_AHEAD : distance;
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
export function observe(
  situation: Situation,
  state: DrivingState,
  drift: number,
  overtaking: boolean,
  arrived: boolean,
): void {
  const { road, position, acceleration, ahead, leaders, crossers, lateral } = situation;
  const { inJunction } = situation;
  const turning = road.turn !== STRAIGHT && position < road.junctionEnd && position > road.junction - 60;
  state.speed = situation.speed * 3.6;
  state.acc = acceleration;
  state.brake = acceleration < 0 ? (-100 * acceleration) / situation.strongestBraking : 0;
  state.direction = turning ? road.turn : STRAIGHT;
  state.turnSignal = turning && position > road.junction - 30 ? road.turn : drift > 0 ? 1 : 0;
  state.lowBeamOn = situation.timeOfDay < 7 || situation.timeOfDay > 19 ? 1 : 0;
  state.isLaneChanging = drift > 0 ? 1 : 0;
  state.isOverTaking = overtaking ? 1 : 0;
  const lane = lateral > LANE_WIDTH / 2 ? 202 : 1;
  state.currentLanenumber = inJunction ? 0 : lane;
  state.speedLimitupperLimit = road.limitAt(position);
  const beforeOrIn = position - VEHICLE_LENGTH < road.junctionEnd;
  state.trafficLightAheadcolor =
    beforeOrIn && road.stopLine - position < situation.sight ? situation.colour : NO_LIGHT;
  state.signalAhead = road.signalled && position <= road.junction ? 1 : 0;
  state.stoplineAhead = distanceTo(road.stopLine, position);
  state.junctionAhead = distanceTo(road.junction, position);
  state.crosswalkAhead = distanceTo(road.crosswalk, position);
  state.isTrafficJam = situation.jammed ? 1 : 0;
  state.NPCAheadAhead = ahead < 0 ? NOTHING_AHEAD : Math.max(0, Math.min(NOTHING_AHEAD, situation.gap));
  state.NPCAheadspeed = ahead < 0 ? 120 : leaders[ahead].speed * 3.6;
  let vehicles = false;
  let pedestrians = false;
  for (let i = 0; i < crossers.length; i++) {
    if (!isAboutToCross(situation, crossers[i])) continue;
    if (crossers[i].pedestrian) pedestrians = true;
    else vehicles = true;
  }
  state.PriorityNPCAhead = vehicles ? 1 : 0;
  state.PriorityPedsAhead = pedestrians ? 1 : 0;
  observeNearest(situation, state);
  state.rain = situation.rain;
  state.fog = situation.fog;
  state.snow = situation.snow;
  state.Time = (situation.timeOfDay + situation.time / 3600) % 24;
  state.collision = situation.collided ? 1 : 0;
  state.reach_destination = arrived ? 1 : 0;
}

/** The nearest vehicle, and the nearest that comes towards the ego vehicle. */
function observeNearest(situation: Situation, state: DrivingState): void {
  const { road, position, lateral, leaders, crossers } = situation;
  let nearest = NOTHING_AHEAD;
  let nearestSpeed = 0;
  let opposite = NOTHING_AHEAD;
  let oppositeSpeed = 0;
  for (let i = 0; i < leaders.length; i++) {
    const { rear, position: front, speed } = leaders[i];
    const along = Math.max(0, rear - position, position - VEHICLE_LENGTH - front);
    const distance = Math.max(along, Math.abs(lateral) - 2, 0);
    if (distance >= nearest) continue;
    nearest = distance;
    nearestSpeed = speed;
  }
  road.place(position, lateral);
  const { x, y } = road;
  const cosine = Math.cos(road.heading);
  const sine = Math.sin(road.heading);
  for (let i = 0; i < crossers.length; i++) {
    const crosser = crossers[i];
    if (crosser.pedestrian) continue;
    road.place(crosser.crossing, 0);
    const dx = road.x + crosser.directionX * crosser.offset - x;
    const dy = road.y + crosser.directionY * crosser.offset - y;
    const distance = Math.max(0, Math.sqrt(dx * dx + dy * dy) - VEHICLE_LENGTH / 2);
    if (distance < nearest) {
      nearest = distance;
      nearestSpeed = crosser.speed;
    }
    const towards = crosser.directionX * cosine + crosser.directionY * sine < -0.7;
    if (!towards || dx * cosine + dy * sine < 0 || distance >= opposite) continue;
    opposite = distance;
    oppositeSpeed = crosser.speed;
  }
  state.NearestNPCAhead = nearest;
  state.NearestNPCspeed = nearestSpeed * 3.6;
  state.NPCOppositeAhead = opposite;
  state.NPCOppositespeed = oppositeSpeed * 3.6;
}
