import type { Random } from '../../../bindings/base/random.js';
import { between, normal, UNSET } from './draws.js';
import { LANE_WIDTH, STRAIGHT } from './road.js';
import type { Situation } from './situation.js';
import { type Crosser, VEHICLE_LENGTH, VEHICLE_WIDTH } from './traffic.js';
import { GREEN, NO_LIGHT, RED, YELLOW } from './trafficLight.js';

/** How the planner of an ego vehicle behaves. Each drive has its own temper, drawn around these. */
export interface PlannerParameters {
  /** Mean seconds until a change is acted on. */
  readonly reactionSeconds: number;
  /** Mean from 0, cautious, to 1: later braking, yellow lights run, shorter gaps taken. */
  readonly aggressiveness: number;
  /** Factor on errors of perceived distances and speeds. */
  readonly noise: number;
  /** Probability that a crossing road user is overlooked at first. */
  readonly missProbability: number;
  /** Per second: attention is lost, and the last command is held for up to two seconds. */
  readonly distractionRate: number;
  /** Mean metres left to a stop line. */
  readonly stopMarginMetres: number;
  /** Per second of standing at a red light: it rolls forward by up to a metre and a half. */
  readonly creepRate: number;
  /** Mean metres left to a standing vehicle in front. */
  readonly standingGapMetres: number;
  /** Mean of the speed wanted in parts of the speed limit. */
  readonly speedFactor: number;
}

/** The ordinary planner. */
export const defaultPlanner: PlannerParameters = {
  reactionSeconds: 0.5,
  aggressiveness: 0.4,
  noise: 1,
  missProbability: 0.08,
  distractionRate: 0.01,
  stopMarginMetres: 3.4,
  creepRate: 0.02,
  standingGapMetres: 2.2,
  speedFactor: 0.92,
};

/** Seconds between two decisions, whatever the sampling rate: observations in between change nothing. */
export const PLANNING_PERIOD = 0.1;
/** m/s² of a full brake and of ordinary acceleration, and m/s in a turn. */
const EMERGENCY = 7;
const ACCELERATION = 2;
const TURNING_SPEED = 6;
const NO_CONSTRAINT = 1e9;

/** Decides ten times a second how to accelerate, from what it sees late and inexactly. */
export class Planner {
  readonly #random: Random;
  readonly #aggressiveness: number;
  readonly #reaction: number;
  readonly #noise: number;
  readonly #missProbability: number;
  readonly #distractionRate: number;
  readonly #creepRate: number;
  readonly #standingGap: number;
  readonly #headway: number;
  readonly #speedFactor: number;
  readonly #comfort: number;
  /** Metres at which a new speed limit is taken notice of. */
  readonly #signDistance: number;
  #stopMargin = UNSET;
  #attentiveAt = UNSET;
  #pendingColour = NO_LIGHT;
  #noticeAt = UNSET;
  #seenColour = NO_LIGHT;
  #running = false;
  /** Seconds stood for each of those who crossed, which make it impatient. */
  #waited = UNSET;
  #gapError = UNSET;
  #leaderSpeed = UNSET;
  /** Metres in which to stop. */
  #room = UNSET;
  /** The acceleration wanted, m/s². */
  command = UNSET;
  /** m/s to the left, while changing lanes. */
  drift = UNSET;
  /** Uniform numbers of this planning period. */
  readonly #draws = new Float64Array(6);

  constructor(parameters: PlannerParameters, random: Random) {
    const { aggressiveness, reactionSeconds, stopMarginMetres, standingGapMetres, noise } = parameters;
    const temper = aggressiveness + 0.3 * normal(random);
    this.#random = random;
    this.#attentiveAt = 0;
    this.#noticeAt = 0;
    this.#waited = 0;
    this.#gapError = 0;
    this.#leaderSpeed = -1;
    this.command = 0;
    this.drift = 0;
    this.#aggressiveness = Math.min(1, Math.max(0, temper));
    this.#reaction = reactionSeconds * between(random, 0.5, 1.5);
    this.#noise = noise;
    this.#missProbability = parameters.missProbability;
    this.#distractionRate = parameters.distractionRate;
    this.#stopMargin = Math.max(0.2, stopMarginMetres + 0.8 * noise * normal(random));
    this.#creepRate = parameters.creepRate;
    this.#standingGap = Math.max(0.4, standingGapMetres + 0.5 * noise * normal(random));
    this.#headway = 1.6 - 0.9 * this.#aggressiveness;
    this.#speedFactor = parameters.speedFactor + 0.12 * (this.#aggressiveness - 0.4) + 0.03 * normal(random);
    this.#comfort = 1.8 + 1.6 * this.#aggressiveness;
    this.#signDistance = between(random, 60, 200) - 80 * this.#aggressiveness;
  }

  /** Decides on `command` and `drift`. Called once a planning period. */
  plan(situation: Situation): void {
    const draws = this.#draws;
    this.#random.fill(draws);
    const shock = 2 * (draws[0] + draws[1] + draws[2]) - 3;
    this.#gapError += PLANNING_PERIOD * (0.7 * shock - 0.5 * this.#gapError);
    if (draws[3] < this.#distractionRate * PLANNING_PERIOD) {
      this.#attentiveAt = situation.time + between(this.#random, 0.5, 2);
    }
    if (situation.time < this.#attentiveAt) return;
    this.#changeLanes(situation);
    this.command = NO_CONSTRAINT;
    this.#drive(situation);
    this.#follow(situation);
    this.#stopAtLight(situation);
    const { crossers } = situation;
    for (let i = 0; i < crossers.length; i++) {
      if (!crossers[i].cleared) this.#cross(situation, crossers[i]);
    }
    if (this.command < -EMERGENCY) this.command = -EMERGENCY;
  }

  #atMost(acceleration: number): void {
    if (acceleration < this.command) this.command = acceleration;
  }

  /** The speed wanted, and the one for a turn. */
  #drive({ road, position, speed }: Situation): void {
    const wanted = (road.limitAt(position + this.#signDistance) / 3.6) * this.#speedFactor;
    const share = (speed / wanted) ** 2;
    this.#atMost(Math.max(-this.#comfort, ACCELERATION * (1 - share * share)));
    if (road.turn !== STRAIGHT && position < road.junctionEnd && speed > TURNING_SPEED) {
      const distance = Math.max(0.5, road.junction - position);
      const needed = (speed * speed - TURNING_SPEED * TURNING_SPEED) / (2 * distance);
      if (needed > 0.8 * this.#comfort) this.#atMost(-needed);
    }
  }

  /** The intelligent driver model, on a gap and a speed seen inexactly and late. */
  #follow({ leaders, ahead, gap, speed, sight }: Situation): void {
    if (ahead < 0 || gap > sight) {
      this.#leaderSpeed = -1;
      return;
    }
    const leader = leaders[ahead].speed;
    if (this.#leaderSpeed < 0) this.#leaderSpeed = leader;
    this.#leaderSpeed += (leader - this.#leaderSpeed) * Math.min(1, PLANNING_PERIOD / this.#reaction);
    const seenGap = Math.max(0.1, gap + this.#gapError * this.#noise * (0.4 + 0.04 * gap));
    const closing = (speed * (speed - this.#leaderSpeed)) / (2 * Math.sqrt(ACCELERATION * this.#comfort));
    const wanted = this.#standingGap + Math.max(0, speed * this.#headway + closing);
    const share = wanted / seenGap;
    this.#atMost(ACCELERATION * (1 - share * share));
  }

  #stopAtLight(situation: Situation): void {
    const { road, light, position, speed, time, sight } = situation;
    const distance = road.stopLine - position;
    if (light === null || position > road.junction) {
      this.#seenColour = NO_LIGHT;
      return;
    }
    const colour = distance < sight ? situation.colour : NO_LIGHT;
    if (colour !== this.#pendingColour) {
      this.#pendingColour = colour;
      this.#noticeAt = time + this.#reaction;
    }
    if (time >= this.#noticeAt && colour !== this.#seenColour) {
      this.#seenColour = colour;
      const needed = (speed * speed) / (2 * Math.max(0.5, distance - 1));
      const most = 4.2 - 3.4 * this.#aggressiveness + 0.4 * normal(this.#random);
      if (colour === YELLOW) this.#running = needed > most;
      else if (colour === RED) this.#running = needed > EMERGENCY || (this.#running && needed > most);
      else this.#running = false;
    }
    if (this.#seenColour === GREEN || this.#seenColour === NO_LIGHT) return;
    if (this.#running && speed > 1) return;
    if (speed === 0 && this.#draws[4] < this.#creepRate * PLANNING_PERIOD) {
      this.#stopMargin -= between(this.#random, 0.3, 1.5);
    }
    this.#room = distance - this.#stopMargin + this.#gapError * this.#noise * 0.6;
    this.#stopInRoom(situation);
  }

  /** Whether to go before a crossing road user, after it, or to wait. */
  #cross(situation: Situation, crosser: Crosser): void {
    const { position, speed, sight } = situation;
    const toCrossing = crosser.crossing - position;
    if (toCrossing < 0 || toCrossing > sight) return;
    if (!this.#sees(crosser) || crosser.speed < 0.1) return;
    const seenSpeed = crosser.speed * crosser.speedFactor;
    const arrives = (-crosser.offset - crosser.zone) / seenSpeed;
    const leaves = (-crosser.offset + crosser.zone) / seenSpeed;
    const margin = 2.2 - 2.6 * this.#aggressiveness - Math.min(1.5, 0.2 * this.#waited);
    const enter = this.#secondsTo(toCrossing - VEHICLE_WIDTH, speed);
    const clear = this.#secondsTo(toCrossing + VEHICLE_WIDTH + VEHICLE_LENGTH, speed);
    if (leaves + 0.3 < enter || arrives > clear + margin) return;
    const toYield = crosser.yieldAt - position;
    if (speed === 0) this.#waited += PLANNING_PERIOD;
    if (toYield > -0.5 && speed * speed < 2 * EMERGENCY * Math.max(0.3, toYield)) {
      this.#room = toYield - 0.5;
      this.#stopInRoom(situation);
      return;
    }
    // Too late to stop where it should: stop in front of it where that is possible at all, else get across.
    const room = toCrossing - VEHICLE_WIDTH;
    if (room > 0 && speed * speed < 2 * (EMERGENCY + 1) * room) this.#atMost(-EMERGENCY);
  }

  /** Perceived sooner or later; one that is overlooked at first, much later. */
  #sees(crosser: Crosser): boolean {
    if (crosser.seen) return true;
    if (-crosser.offset > crosser.hiddenBeyond) return false;
    if (crosser.speedFactor === 1) {
      crosser.overlooked = this.#random.chance(this.#missProbability);
      crosser.speedFactor = Math.max(0.5, 1 + 0.2 * this.#noise * normal(this.#random));
    }
    const rate = crosser.overlooked ? 0.15 : 1 / this.#reaction;
    crosser.seen = this.#draws[5] < rate * PLANNING_PERIOD;
    return crosser.seen;
  }

  /** Seconds for so many metres, accelerating as it would to the speed of a turn at least. */
  #secondsTo(distance: number, speed: number): number {
    if (distance <= 0) return 0;
    const top = Math.max(speed, TURNING_SPEED);
    const accelerating = (top * top - speed * speed) / (2 * ACCELERATION);
    if (distance < accelerating) {
      return (Math.sqrt(speed * speed + 2 * ACCELERATION * distance) - speed) / ACCELERATION;
    }
    return (top - speed) / ACCELERATION + (distance - accelerating) / top;
  }

  /** Brakes as late as it finds comfortable, and creeps up to where it means to stand. */
  #stopInRoom({ speed }: Situation): void {
    const distance = this.#room;
    if (distance <= 0.1) {
      this.#atMost(speed > 0 ? -Math.max(1.5, this.#comfort) : -1);
      return;
    }
    const needed = (speed * speed) / (2 * distance);
    if (needed >= this.#comfort) this.#atMost(-needed);
    else if (distance <= 15) this.#atMost(1.5 * (Math.sqrt(1.2 * this.#comfort * distance) - speed));
  }

  /** Over to the fast lane where a slow vehicle is in front, and the road has one. */
  #changeLanes({ road, ahead, gap, leaders, speed, lateral }: Situation): void {
    if (road.lanes < 2) return;
    if (this.drift > 0) {
      if (lateral >= LANE_WIDTH) this.drift = 0;
    } else if (lateral === 0 && ahead >= 0 && gap < 45 && leaders[ahead].speed < speed + 1) {
      this.drift = 0.9;
    }
  }
}
