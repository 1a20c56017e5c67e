import type { Ego, Obstacle } from './apolloObstacles.js';
import { distanceBetween } from './footprint.js';

/** Another vehicle, as far as it is known; null is nobody. */
export type Found = { readonly distance: number; readonly metresPerSecond: number | undefined } | null;

/** What cannot be derived, and why. */
export class Unknown {
  constructor(readonly why: string) {}
}

/** Metres ahead in which LawBreaker looks for the vehicle ahead, and for one that comes towards the ego vehicle. */
const AHEAD_METRES = 200;
const ONCOMING_METRES = 30;
/** No vehicle further away and no pedestrian further away has priority, whatever is planned. */
const PRIORITY_METRES = { vehicle: 30, pedestrian: 10 } as const;
/** So many vehicles slower than this, in the junction ahead, are a traffic jam. */
const JAM = { vehicles: 3, metresPerSecond: 1 } as const;

/**
 * What obstacles tell about the traffic, by LawBreaker's definitions, where the recording has not looked it up itself. Whatever one of
 * the obstacles lacks that a definition asks for makes its answer unknown.
 *
 * @see https://github.com/lawbreaker2022/LawBreaker-SourceCode, bridge/lgsvl_method.py
 */
export class Traffic {
  readonly #obstacles: readonly Obstacle[];
  readonly #ego: Ego | undefined;

  constructor(obstacles: readonly Obstacle[], ego: Ego | undefined) {
    this.#obstacles = obstacles;
    this.#ego = ego;
  }

  /** The least distance to any obstacle; infinite without one. */
  leastDistance(): number | Unknown {
    return this.#all(
      ({ distance }) => distance,
      'distToEgo, nor what it follows from',
      this.#obstacles,
      (all) => Math.min(Number.POSITIVE_INFINITY, ...all),
    );
  }

  /** The nearest vehicle in any direction. */
  nearest(): Found | Unknown {
    return this.#nearestOf(() => true);
  }

  /**
   * The nearest vehicle that reaches into the field of 200 m ahead and is on the lane of the ego vehicle; while that is in a junction, on
   * any lane.
   */
  ahead(lane: string | undefined, inJunction: boolean | undefined): Found | Unknown {
    if (inJunction === undefined || (!inJunction && lane === undefined))
      return new Unknown('neither the lane nor the junction of the ego vehicle');
    const without = inJunction ? undefined : this.#vehiclesLacking((vehicle) => vehicle.lane);
    if (without !== undefined) return new Unknown('an obstacle without lane_position.lane');
    return this.#within(AHEAD_METRES, (vehicle) => inJunction || vehicle.lane === lane);
  }

  /** The nearest vehicle that reaches into the field of 30 m ahead and is turned against the ego vehicle, by less than 45°. */
  oncoming(): Found | Unknown {
    if (this.#vehiclesLacking((vehicle) => vehicle.heading) !== undefined)
      return new Unknown('an obstacle without theta');
    const against = ({ heading = 0 }: Obstacle): boolean =>
      Math.cos(heading - (this.#ego?.heading ?? 0)) < -Math.SQRT1_2;
    return this.#within(ONCOMING_METRES, against);
  }

  /** That nobody of a kind has priority, where nobody is near enough for it. */
  noPriority(kind: 'vehicle' | 'pedestrian'): false | Unknown {
    const near = this.#near(kind, PRIORITY_METRES[kind]);
    if (near instanceof Unknown) return near;
    return near === 0
      ? false
      : new Unknown(
          `a ${kind} is within ${PRIORITY_METRES[kind]} m, and whether it has priority is not told`,
        );
  }

  /** That there is no traffic jam, where fewer vehicles than make one are slow. */
  noJam(): false | Unknown {
    const vehicles = this.#ofKind('vehicle');
    if (vehicles instanceof Unknown) return vehicles;
    return this.#all(
      ({ metresPerSecond }) => metresPerSecond,
      'speed or velocity',
      vehicles,
      (speeds) =>
        speeds.filter((speed) => speed < JAM.metresPerSecond).length < JAM.vehicles
          ? (false as const)
          : new Unknown('several vehicles are slow, and whether they are in the junction ahead is not told'),
    );
  }

  #near(kind: 'vehicle' | 'pedestrian', metres: number): number | Unknown {
    const some = this.#ofKind(kind);
    if (some instanceof Unknown) return some;
    return this.#all(
      ({ distance }) => distance,
      'distToEgo, nor what it follows from',
      some,
      (all) => all.filter((distance) => distance < metres).length,
    );
  }

  /** @param side whether a vehicle counts that reaches into the field ahead */
  #within(metres: number, side: (vehicle: Obstacle) => boolean): Found | Unknown {
    const vehicles = this.#ofKind('vehicle');
    if (vehicles instanceof Unknown || vehicles.length === 0)
      return vehicles instanceof Unknown ? vehicles : null;
    const field = this.#ego?.ahead(metres);
    if (field === undefined) return new Unknown('no ego.pose of use with ego.size');
    if (vehicles.some(({ footprint }) => footprint === undefined))
      return new Unknown('an obstacle without polygonPointList, nor what it follows from');
    return this.#nearestOf(
      (vehicle) => side(vehicle) && distanceBetween(field, vehicle.footprint ?? field) === 0,
    );
  }

  #nearestOf(counts: (vehicle: Obstacle) => boolean): Found | Unknown {
    const vehicles = this.#ofKind('vehicle');
    if (vehicles instanceof Unknown) return vehicles;
    const some = vehicles.filter(counts);
    return this.#all(
      ({ distance }) => distance,
      'distToEgo, nor what it follows from',
      some,
      (distances) => {
        const distance = Math.min(...distances);
        const { metresPerSecond } = some[distances.indexOf(distance)] ?? {};
        return some.length === 0 ? null : { distance, metresPerSecond };
      },
    );
  }

  #ofKind(kind: 'vehicle' | 'pedestrian'): readonly Obstacle[] | Unknown {
    return this.#obstacles.some((one) => one.kind === undefined)
      ? new Unknown('an obstacle without type or typeName')
      : this.#obstacles.filter((one) => one.kind === kind);
  }

  #vehiclesLacking(part: (vehicle: Obstacle) => unknown): Obstacle | undefined {
    return this.#obstacles.find((one) => one.kind === 'vehicle' && part(one) === undefined);
  }

  #all<T>(
    part: (obstacle: Obstacle) => number | undefined,
    name: string,
    some: readonly Obstacle[],
    answer: (parts: readonly number[]) => T,
  ): T | Unknown {
    const parts = some.map(part);
    return parts.every((one) => one !== undefined)
      ? answer(parts)
      : new Unknown(`an obstacle without ${name}`);
  }
}
