import type { Situation } from './situation.js';
import { isAboutToCross } from './state.js';
import { VEHICLE_WIDTH } from './traffic.js';
import { GREEN } from './trafficLight.js';

/** m/s² of a supervisor's full brake. */
export const FULL_BRAKE = 6;
/** m/s² from which on a supervisor begins to slow down where it yields. */
const GENTLE = 1.8;
/** Metres left to a stop line and to a vehicle in front. */
const MARGIN = 4;
const NO_CONSTRAINT = 1e9;

/**
 * The acceleration of a supervisor that yields: it stops before a light that is not green, before traffic that is about
 * to cross, and behind vehicles that stand, wherever that is still possible; it keeps to the speed limit; else it does
 * what was planned. It sees everything as it is.
 */
export function yielding(situation: Situation, planned: number): number {
  const { road, light, position, speed, ahead, gap, leaders, crossers, colour } = situation;
  let command = planned;
  if (speed > road.limitAt(position + 2 * speed) / 3.6 - 0.5) command = Math.min(command, -1.5);
  if (light !== null && colour !== GREEN) {
    command = Math.min(command, stopBefore(situation, road.stopLine - MARGIN + 1, road.stopLine - 0.3));
  }
  if (ahead >= 0) {
    const leader = leaders[ahead].speed;
    if (leader < 0.5 && gap < 30 + speed * 2) {
      command = Math.min(command, stopBefore(situation, position + gap - MARGIN, position + gap));
    }
    if (situation.jammed && gap < 3 * MARGIN) command = Math.min(command, -GENTLE);
  }
  for (let i = 0; i < crossers.length; i++) {
    const crosser = crossers[i];
    if (!isAboutToCross(situation, crosser)) continue;
    command = Math.min(
      command,
      stopBefore(situation, crosser.yieldAt - 0.5, crosser.crossing - VEHICLE_WIDTH),
    );
  }
  return command;
}

/** Brakes to stand at `place`, or at least before `limit`; no constraint where neither can be reached any more. */
function stopBefore({ position, speed, strongestBraking }: Situation, place: number, limit: number): number {
  if (position >= limit) return NO_CONSTRAINT;
  const room = place - position;
  if (room > 0.2) {
    const needed = (speed * speed) / (2 * room);
    if (needed <= strongestBraking) {
      if (needed >= GENTLE) return -needed;
      return room > 25 ? NO_CONSTRAINT : 1.5 * (Math.sqrt(2 * GENTLE * room) - speed);
    }
  }
  const needed = (speed * speed) / (2 * (limit - position));
  return needed <= 1.2 * strongestBraking ? -Math.max(GENTLE, needed) : NO_CONSTRAINT;
}
