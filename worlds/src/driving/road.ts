import { UNSET } from './draws.js';

/** Metres from lane centre to lane centre. */
export const LANE_WIDTH = 3.5;
/** Metres between the edges of a junction. */
export const JUNCTION_WIDTH = 16;
/** Metres from the stop line to the junction behind it. */
export const STOP_LINE_BEFORE_JUNCTION = 1.5;

/** Which way a path leaves its junction, numbered as LawBreaker's `direction`. */
export const STRAIGHT = 0;
export const LEFT = 1;
export const RIGHT = 2;

/** What a road looks like; positions are metres along the path of the ego vehicle. */
export interface RoadPlan {
  /** Where the drive ends. */
  readonly length: number;
  /** Where the junction begins; without it there is none. */
  readonly junction?: number;
  /** `STRAIGHT`, `LEFT` or `RIGHT`, default straight. */
  readonly turn?: number;
  /** Whether the junction has traffic lights, default false. */
  readonly signalled?: boolean;
  /** Where a crosswalk lies, default nowhere. */
  readonly crosswalk?: number;
  /** Lanes in the direction of travel, default 1. The second from the right is a fast lane. */
  readonly lanes?: number;
  /** km/h, default 50. */
  readonly speedLimit?: number;
  /** Where the limit changes and to what in km/h, default nowhere. */
  readonly limitChange?: { readonly at: number; readonly speedLimit: number };
}

/** A place on a path or beside it. */
export interface PathPlace {
  /** Metres along the path. */
  readonly position: number;
  /** Metres to its left. */
  readonly lateral: number;
}

/**
 * A road in the plane, traffic on its right. The path of the ego vehicle begins in (0, 0) and leads east along the
 * rightmost lane to a junction, through it, straight or on a quarter circle, and straight on.
 */
export class Road {
  readonly length: number;
  readonly junction: number;
  readonly junctionEnd: number;
  readonly stopLine: number;
  readonly turn: number;
  readonly signalled: boolean;
  readonly crosswalk: number;
  readonly lanes: number;
  readonly speedLimit: number;
  readonly limitChangeAt: number;
  readonly limitAfter: number;
  readonly radius: number;
  /** Where `place` put what it was asked to place: metres, and the direction of travel. */
  x = UNSET;
  y = UNSET;
  cosine = UNSET;
  sine = UNSET;

  constructor(plan: RoadPlan) {
    const { length, junction = Number.POSITIVE_INFINITY, turn = STRAIGHT, speedLimit = 50 } = plan;
    this.length = length;
    this.junction = junction;
    this.turn = turn;
    this.signalled = plan.signalled ?? false;
    this.crosswalk = plan.crosswalk ?? Number.POSITIVE_INFINITY;
    this.lanes = plan.lanes ?? 1;
    this.speedLimit = speedLimit;
    this.limitChangeAt = plan.limitChange?.at ?? Number.POSITIVE_INFINITY;
    this.limitAfter = plan.limitChange?.speedLimit ?? speedLimit;
    this.stopLine = junction - STOP_LINE_BEFORE_JUNCTION;
    this.radius = JUNCTION_WIDTH / 2 + (turn === LEFT ? LANE_WIDTH / 2 : -LANE_WIDTH / 2);
    this.junctionEnd = junction + (turn === STRAIGHT ? JUNCTION_WIDTH : (this.radius * Math.PI) / 2);
  }

  /** km/h at a position. */
  limitAt(position: number): number {
    return position < this.limitChangeAt ? this.speedLimit : this.limitAfter;
  }

  /** Where the path crosses the lane opposite: only a left turn does. */
  get oncomingCrossing(): number {
    return this.junction + this.radius * Math.acos(1 - LANE_WIDTH / this.radius);
  }

  /** Where a path straight on crosses the traffic that comes from the left. */
  get crossingFromLeft(): number {
    return this.junction + JUNCTION_WIDTH / 2 - LANE_WIDTH / 2;
  }

  /** Where a path straight on crosses the traffic that comes from the right. */
  get crossingFromRight(): number {
    return this.junction + JUNCTION_WIDTH / 2 + LANE_WIDTH / 2;
  }

  /** Sets `x`, `y`, `cosine` and `sine` to a place on the path or beside it. */
  place(at: PathPlace): void {
    const { junction, turn, radius } = this;
    const { position, lateral } = at;
    if (turn === STRAIGHT || position <= junction) {
      this.x = position;
      this.y = lateral;
      this.cosine = 1;
      this.sine = 0;
      return;
    }
    const side = turn === LEFT ? 1 : -1;
    const angle = (position - junction) / radius;
    const turned = position >= this.junctionEnd;
    const cosine = turned ? 0 : Math.cos(angle);
    const sine = turned ? 1 : Math.sin(angle);
    const beyond = turned ? position - this.junctionEnd : 0;
    this.x = junction + radius * sine - side * lateral * sine;
    this.y = side * (radius * (1 - cosine) + beyond) + lateral * cosine;
    this.cosine = cosine;
    this.sine = side * sine;
  }
}
