import type { Random } from '../../../bindings/base/random.js';
import { between, UNSET } from './draws.js';
import type { Road } from './road.js';
import { GREEN, NO_LIGHT } from './trafficLight.js';

/** Metres, bumper to bumper, and from side to side. */
export const VEHICLE_LENGTH = 4.7;
export const VEHICLE_WIDTH = 2;
/** Half the metres along its own way in which a crossing road user is in the lane of the ego vehicle. */
const VEHICLE_ZONE = VEHICLE_LENGTH / 2 + VEHICLE_WIDTH / 2 + 0.2;
const PEDESTRIAN_ZONE = 1.8;

/**
 * What traffic sees of the rest of the world. Numbers are handed over in objects all through the step: as arguments and
 * results of functions that are not inlined they would be allocated.
 */
export interface Scene {
  readonly road: Road;
  /** Seconds of a step, and since the beginning. */
  readonly dt: number;
  readonly time: number;
  /** Of the traffic light. */
  readonly colour: number;
  /** Of the ego vehicle's front bumper. */
  readonly position: number;
  readonly random: Random;
}

/** How a vehicle in front drives. Speeds in m/s, times in seconds; without phases it drives on at its speed. */
export interface LeaderPlan {
  /** Where its front bumper is at first. */
  readonly position: number;
  /** At first, default `speed`. */
  readonly initialSpeed?: number;
  readonly speed: number;
  /** m/s², default 2.5. */
  readonly deceleration?: number;
  /** It drives for a time in the first range, then stands for one in the second, in turns. */
  readonly phases?: readonly [go: readonly [number, number], stand: readonly [number, number]];
  /** When the phases begin, default 0, and end, default never. */
  readonly from?: number;
  readonly until?: number;
  /** Its speed after the phases, default `speed`. */
  readonly speedAfter?: number;
  /** Whether it stops at a red light, default true. */
  readonly obeysLight?: boolean;
}

/** A vehicle on the path of the ego vehicle, in front of it. */
export class Leader {
  position = UNSET;
  speed = UNSET;
  #cruise = UNSET;
  readonly #speedAfter: number;
  readonly #deceleration: number;
  readonly #obeysLight: boolean;
  readonly #goLow: number;
  readonly #goHigh: number;
  readonly #standLow: number;
  readonly #standHigh: number;
  readonly #until: number;
  #changeAt = UNSET;
  #going = true;

  constructor(plan: LeaderPlan) {
    this.position = plan.position;
    this.speed = plan.initialSpeed ?? plan.speed;
    this.#cruise = plan.speed;
    this.#speedAfter = plan.speedAfter ?? plan.speed;
    this.#deceleration = plan.deceleration ?? 2.5;
    this.#obeysLight = plan.obeysLight ?? true;
    this.#goLow = plan.phases?.[0][0] ?? 0;
    this.#goHigh = plan.phases?.[0][1] ?? 0;
    this.#standLow = plan.phases?.[1][0] ?? 0;
    this.#standHigh = plan.phases?.[1][1] ?? 0;
    this.#changeAt = plan.phases ? (plan.from ?? 0) : Number.POSITIVE_INFINITY;
    this.#until = plan.until ?? Number.POSITIVE_INFINITY;
  }

  /**
   * One step of the world.
   * @param next the vehicle in front of this one
   */
  move(scene: Scene, next: Leader | null): void {
    const { dt, time, random } = scene;
    if (time >= this.#changeAt) {
      this.#going = !this.#going || time >= this.#until;
      if (time >= this.#until) {
        this.#changeAt = Number.POSITIVE_INFINITY;
        this.#cruise = this.#speedAfter;
      } else if (this.#going) this.#changeAt = time + between(random, this.#goLow, this.#goHigh);
      else this.#changeAt = time + between(random, this.#standLow, this.#standHigh);
    }
    let target = this.#going ? this.#cruise : 0;
    if (next !== null) {
      const following = (next.position - VEHICLE_LENGTH - this.position - 2) / 1.2;
      if (following < target) target = following > 0 ? following : 0;
    }
    const room = scene.road.stopLine - this.position - 1;
    if (this.#obeysLight && scene.colour !== GREEN && scene.colour !== NO_LIGHT && room > -1) {
      const allowed = room > 0 ? Math.sqrt(2 * this.#deceleration * room) : 0;
      // One that could no longer stop drives on.
      if (allowed < target && this.speed < allowed + 2.5) target = allowed;
    }
    let change = target - this.speed;
    if (change > 1.8 * dt) change = 1.8 * dt;
    else if (change < -this.#deceleration * dt) change = -this.#deceleration * dt;
    this.position += (this.speed + change / 2) * dt;
    this.speed += change;
  }
}

/** Who crosses the path of the ego vehicle, where, from where and how fast. Metres, m/s, seconds. */
export interface CrosserPlan {
  readonly pedestrian?: boolean;
  /** Position on the path of the ego vehicle. */
  readonly crossing: number;
  /** Its heading in radians from east. */
  readonly heading: number;
  /** Metres that it begins before the crossing. */
  readonly distance: number;
  readonly speed: number;
  /** When it sets off, default 0. */
  readonly startAt?: number;
  /** Whether it brakes for an ego vehicle in its way, default false. */
  readonly attentive?: boolean;
  /** Where the ego vehicle waits for it, metres before the crossing, default 3. */
  readonly yieldBefore?: number;
  /** Metres from the path beyond which something hides it, default nothing does. */
  readonly hiddenBeyond?: number;
}

/** A vehicle or a pedestrian on a straight way across the path of the ego vehicle. */
export class Crosser {
  readonly pedestrian: boolean;
  readonly crossing: number;
  readonly yieldAt: number;
  /** Where in the plane it crosses, and its direction there. */
  readonly crossingX: number;
  readonly crossingY: number;
  readonly directionX: number;
  readonly directionY: number;
  readonly startAt: number;
  readonly hiddenBeyond: number;
  /** Half the metres of its way in which it is in the lane of the ego vehicle. */
  readonly zone: number;
  readonly #attentive: boolean;
  readonly #cruise: number;
  /** Metres along its own way; 0 where it crosses. */
  offset = UNSET;
  speed = UNSET;
  /** What the planner knows: whether it has seen it, and by which factor it mistakes its speed. */
  seen = false;
  overlooked = false;
  speedFactor = UNSET;

  constructor(plan: CrosserPlan, road: Road) {
    this.pedestrian = plan.pedestrian ?? false;
    this.crossing = plan.crossing;
    this.yieldAt = plan.crossing - (plan.yieldBefore ?? 3);
    road.place({ position: plan.crossing, lateral: 0 });
    this.crossingX = road.x;
    this.crossingY = road.y;
    this.directionX = Math.cos(plan.heading);
    this.directionY = Math.sin(plan.heading);
    this.startAt = plan.startAt ?? 0;
    this.hiddenBeyond = plan.hiddenBeyond ?? Number.POSITIVE_INFINITY;
    this.zone = this.pedestrian ? PEDESTRIAN_ZONE : VEHICLE_ZONE;
    this.#attentive = plan.attentive ?? false;
    this.#cruise = plan.speed;
    this.speedFactor = 1;
    this.offset = -plan.distance;
    this.speed = this.startAt > 0 ? 0 : plan.speed;
  }

  /** Whether it has left the path of the ego vehicle behind. */
  get cleared(): boolean {
    return this.offset > this.zone;
  }

  /** Whether it is so far behind the path of the ego vehicle that nothing depends on it any more. */
  get gone(): boolean {
    return this.offset > 150;
  }

  /** One step of the world. */
  move({ dt, time, position }: Scene): void {
    if (time < this.startAt) return;
    const room = -this.offset - this.zone;
    const blocked =
      position > this.crossing - VEHICLE_WIDTH && position < this.crossing + VEHICLE_WIDTH + VEHICLE_LENGTH;
    const brakes = blocked && this.#attentive && room > 0 && room < (this.speed * this.speed) / 8 + 4;
    const target = brakes ? 0 : this.#cruise;
    const most = (brakes ? 4.5 : this.pedestrian ? 5 : 2) * dt;
    let change = target - this.speed;
    if (change > most) change = most;
    else if (change < -most) change = -most;
    this.offset += (this.speed + change / 2) * dt;
    this.speed += change;
  }
}
