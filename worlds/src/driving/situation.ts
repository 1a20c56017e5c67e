import type { Random } from '../../../bindings/base/random.js';
import { UNSET } from './draws.js';
import { LANE_WIDTH, type PathPlace, Road, type RoadPlan } from './road.js';
import {
  Crosser,
  type CrosserPlan,
  Leader,
  type LeaderPlan,
  type Scene,
  VEHICLE_LENGTH,
  VEHICLE_WIDTH,
} from './traffic.js';
import { type LightProgram, NO_LIGHT, TrafficLight } from './trafficLight.js';

/** Strengths from 0 to 1. */
export interface Weather {
  readonly rain?: number;
  readonly fog?: number;
  readonly snow?: number;
}

/** How a drive begins; positions in metres along the path of the ego vehicle, speeds in m/s, times in seconds. */
export interface DrivePlan {
  readonly road: RoadPlan;
  /** Initial speed of the ego vehicle. */
  readonly speed: number;
  /** Needed where the junction has traffic lights. */
  readonly light?: LightProgram;
  /** From the nearest to the farthest. */
  readonly leaders?: readonly LeaderPlan[];
  readonly crossers?: readonly CrosserPlan[];
  readonly weather?: Weather;
  /** Hours, default 12. */
  readonly timeOfDay?: number;
}

/** Half the side of a pedestrian. */
const PEDESTRIAN_RADIUS = 0.3;
/** A vehicle is three discs in a row when others touch it. */
const DISC_RADIUS = VEHICLE_WIDTH / 2 - 0.05;
const DISC_SPACING = VEHICLE_LENGTH / 2 - DISC_RADIUS;
/** Seconds of the actuators' lag, and m/s³ that acceleration changes by at most. */
const LAG = 0.25;
const JERK = 12;
const STRONGEST_ACCELERATION = 2.5;
/** m/s² on a dry road. */
const STRONGEST_BRAKING = 8;

/** Everything that moves, and what it moves on. Advanced by steps of any length. */
export class Situation implements Scene, PathPlace {
  readonly road: Road;
  readonly light: TrafficLight | null;
  readonly leaders: readonly Leader[];
  readonly crossers: readonly Crosser[];
  readonly rain: number;
  readonly fog: number;
  readonly snow: number;
  readonly timeOfDay: number;
  /** m/s², what tyres and road allow. */
  readonly strongestBraking: number;
  /** Metres at which lights and road users can be made out. */
  readonly sight: number;
  /** What the traffic draws from. */
  readonly random: Random;
  readonly dt: number;
  readonly #lagFactor: number;

  /** Seconds. */
  time = UNSET;
  colour = NO_LIGHT;
  /** Of the ego vehicle: position of the front bumper, m/s, m/s², metres to the left of the rightmost lane's centre. */
  position = UNSET;
  speed = UNSET;
  acceleration = UNSET;
  lateral = UNSET;
  /** What is wanted of it until the next step: m/s², and m/s to the left. */
  command = UNSET;
  drift = UNSET;
  collided = false;
  /** Index of the vehicle in front, -1 without one, and the gap to it. */
  ahead = -1;
  gap = UNSET;

  /** @param random what the traffic draws from; the planner draws from another, so that both go their own ways */
  constructor(plan: DrivePlan, dt: number, random: Random) {
    this.road = new Road(plan.road);
    this.light = plan.light ? new TrafficLight(plan.light) : null;
    this.leaders = (plan.leaders ?? []).map((leader) => new Leader(leader));
    this.crossers = (plan.crossers ?? []).map((crosser) => new Crosser(crosser, this.road));
    this.rain = plan.weather?.rain ?? 0;
    this.fog = plan.weather?.fog ?? 0;
    this.snow = plan.weather?.snow ?? 0;
    this.timeOfDay = plan.timeOfDay ?? 12;
    this.strongestBraking = STRONGEST_BRAKING * (1 - 0.35 * this.rain) * (1 - 0.55 * this.snow);
    this.sight = 120 * (1 - 0.75 * this.fog) * (1 - 0.2 * this.rain);
    this.random = random;
    this.dt = dt;
    this.#lagFactor = 1 - Math.exp(-dt / LAG);
    this.time = 0;
    if (this.light !== null) this.colour = this.light.colourAt(this);
    this.position = 0;
    this.speed = plan.speed;
    this.acceleration = 0;
    this.lateral = 0;
    this.command = 0;
    this.drift = 0;
    this.#findAhead();
  }

  /** Whether the ego vehicle is in the junction: its front beyond the edge, its rear not yet out. */
  get inJunction(): boolean {
    return this.position > this.road.junction && this.position - VEHICLE_LENGTH < this.road.junctionEnd;
  }

  get arrived(): boolean {
    return this.position >= this.road.length;
  }

  /** Whether the ego vehicle is in the fast lane, and not yet ahead of all others. */
  get overtaking(): boolean {
    if (this.lateral === 0) return false;
    for (let i = 0; i < this.leaders.length; i++) {
      if (this.leaders[i].position > this.position - VEHICLE_LENGTH) return true;
    }
    return false;
  }

  /** Whether at least two vehicles in front on the next 60 m drive slower than 15 km/h, and none faster. */
  get jammed(): boolean {
    let slow = 0;
    for (let i = Math.max(0, this.ahead); i < this.leaders.length; i++) {
      const { position, speed } = this.leaders[i];
      if (position < this.position || position > this.position + 60) continue;
      if (speed * 3.6 >= 15) return false;
      slow++;
    }
    return slow >= 2;
  }

  /** Everything moves for one step, the ego vehicle by `command` and `drift`. */
  advance(): void {
    const { leaders, crossers, dt } = this;
    this.#moveEgo();
    this.lateral += this.drift * dt;
    this.time += dt;
    if (this.light !== null) this.colour = this.light.colourAt(this);
    for (let i = 0; i < leaders.length; i++) {
      leaders[i].move(this, i + 1 < leaders.length ? leaders[i + 1] : null);
    }
    for (let i = 0; i < crossers.length; i++) {
      const crosser = crossers[i];
      if (crosser.gone) continue;
      crosser.move(this);
      if (crosser.offset > -8 && crosser.offset < 8 && this.#touches(crosser)) this.collided = true;
    }
    this.#findAhead();
    if (this.gap <= 0) this.collided = true;
  }

  #moveEgo(): void {
    const { dt } = this;
    const wanted = Math.max(-this.strongestBraking, Math.min(STRONGEST_ACCELERATION, this.command));
    let change = (wanted - this.acceleration) * this.#lagFactor;
    if (change > JERK * dt) change = JERK * dt;
    else if (change < -JERK * dt) change = -JERK * dt;
    this.acceleration += change;
    const speed = this.speed + this.acceleration * dt;
    if (speed > 0) {
      this.position += ((this.speed + speed) / 2) * dt;
      this.speed = speed;
      return;
    }
    // It comes to a stand within the step.
    if (this.acceleration < 0) this.position += (this.speed * this.speed) / (-2 * this.acceleration);
    this.speed = 0;
    if (this.acceleration < 0) this.acceleration = 0;
  }

  #findAhead(): void {
    this.ahead = -1;
    this.gap = Number.POSITIVE_INFINITY;
    // Who has moved over has left those of the right lane beside it.
    if (this.lateral > LANE_WIDTH / 2) return;
    for (let i = 0; i < this.leaders.length; i++) {
      const leader = this.leaders[i];
      if (leader.position < this.position) continue;
      this.ahead = i;
      this.gap = leader.position - VEHICLE_LENGTH - this.position;
      return;
    }
  }

  /** Whether some disc of the crosser reaches into the rectangle of the ego vehicle. */
  #touches(crosser: Crosser): boolean {
    if (Math.abs(this.position - VEHICLE_LENGTH / 2 - crosser.crossing) > 10) return false;
    const { road } = this;
    road.place(this);
    const { cosine, sine } = road;
    // From the middle of the ego vehicle, whose front bumper is what was placed.
    const crosserX =
      crosser.crossingX + crosser.directionX * crosser.offset - road.x + (cosine * VEHICLE_LENGTH) / 2;
    const crosserY =
      crosser.crossingY + crosser.directionY * crosser.offset - road.y + (sine * VEHICLE_LENGTH) / 2;
    const discs = crosser.pedestrian ? 0 : 1;
    const radius = crosser.pedestrian ? PEDESTRIAN_RADIUS : DISC_RADIUS;
    for (let disc = -discs; disc <= discs; disc++) {
      const dx = crosserX + disc * DISC_SPACING * crosser.directionX;
      const dy = crosserY + disc * DISC_SPACING * crosser.directionY;
      const outsideLong = Math.max(0, Math.abs(dx * cosine + dy * sine) - VEHICLE_LENGTH / 2);
      const outsideWide = Math.max(0, Math.abs(dy * cosine - dx * sine) - VEHICLE_WIDTH / 2);
      if (outsideLong * outsideLong + outsideWide * outsideWide < radius * radius) return true;
    }
    return false;
  }
}
