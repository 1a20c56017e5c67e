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

/**
 * Makes the command that of a supervisor that yields: it stops before a light that is not green, before traffic that is about
 * to cross, and behind vehicles that stand, wherever that is still possible; it keeps to the speed limit; else it does
 * what was planned. It sees everything as it is.
 */
export function yieldInstead(situation: Situation): void {
  const { road, light, position, speed, ahead, gap, leaders, crossers, colour } = situation;
  if (speed > road.limitAt(position + 2 * speed) / 3.6 - 0.5) atMost(situation, -1.5);
  if (light !== null && colour !== GREEN) {
    stopBefore(situation, road.stopLine - MARGIN + 1, road.stopLine - 0.3);
  }
  if (ahead >= 0) {
    if (leaders[ahead].speed < 0.5 && gap < 30 + speed * 2) {
      stopBefore(situation, position + gap - MARGIN, position + gap);
    }
    if (situation.jammed && gap < 3 * MARGIN) atMost(situation, -GENTLE);
  }
  for (let i = 0; i < crossers.length; i++) {
    const crosser = crossers[i];
    if (crosser.gone || !isAboutToCross(situation, crosser)) continue;
    stopBefore(situation, crosser.yieldAt - 0.5, crosser.crossing - VEHICLE_WIDTH);
  }
}

function atMost(situation: Situation, acceleration: number): void {
  situation.command = Math.min(situation.command, acceleration);
}

/** Brakes to stand at `place`, or at least before `limit`; does nothing where neither can be reached any more. */
function stopBefore(situation: Situation, place: number, limit: number): void {
  const { position, speed, strongestBraking } = situation;
  const room = place - position;
  const needed = (speed * speed) / (2 * room);
  if (room > 0.2 && needed <= strongestBraking) {
    if (needed >= GENTLE) atMost(situation, -needed);
    else if (room <= 25) atMost(situation, 1.5 * (Math.sqrt(2 * GENTLE * room) - speed));
    return;
  }
  const least = (speed * speed) / (2 * (limit - position));
  if (position < limit && least <= 1.2 * strongestBraking) atMost(situation, -Math.max(GENTLE, least));
}
