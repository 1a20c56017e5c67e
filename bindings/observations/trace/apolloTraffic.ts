import type { Ego, Kind, Obstacle } from './apolloObstacles.js';
import { derived, type Told, Unknown } from './apolloValues.js';
import { distanceBetween } from './footprint.js';

/** Another vehicle; null if there is none. */
export type Found = { readonly distance: number; readonly metresPerSecond: number | Unknown } | null;

/** Metres ahead within which LawBreaker looks for the vehicle ahead, and for an oncoming one. */
const AHEAD_METRES = 200;
const ONCOMING_METRES = 30;
/** Metres at which LawBreaker begins to look for the nearest: an obstacle further away is none. */
const NOBODY_METRES = 200;
/** Metres by which distances that are one may differ: recorded ones are the simulator's, others follow from outlines. */
const SAME_METRES = 0.5;
/** Metres beyond which a vehicle or a pedestrian never has priority, whatever the planned path. */
const PRIORITY_METRES = { vehicle: 30, pedestrian: 10 } as const;
/** This many vehicles slower than this speed in the junction ahead make a traffic jam. */
const JAM = { vehicles: 3, metresPerSecond: 1 } as const;

/**
 * Derives facts about the traffic from the obstacles, by LawBreaker's definitions, for recordings that do not state them. If an obstacle
 * lacks a value that a definition needs, and the answer could depend on it, the answer is Unknown.
 *
 * @see https://github.com/lawbreaker2022/LawBreaker-SourceCode, bridge/lgsvl_method.py
 */
export class Traffic {
  readonly #obstacles: readonly Obstacle[];
  readonly #ego: Ego | Unknown;

  constructor(obstacles: readonly Obstacle[], ego: Ego | Unknown) {
    this.#obstacles = obstacles;
    this.#ego = ego;
  }

  /** Whether an obstacle touches the ego vehicle. */
  touches(): Truth {
    return or(this.#obstacles.map(({ distance }) => derived([distance], '', (metres) => metres <= 0)));
  }

  /** The nearest vehicle in any direction. */
  nearest(): Found | Unknown {
    return this.#nearestOf((one) => is(one, 'vehicle'));
  }

  /**
   * The nearest vehicle that reaches into the field of 200 m ahead and is on the ego vehicle's lane, or, if the ego vehicle is in a junction, on any lane.
   */
  ahead(lane: Told<string>, inJunction: Told<boolean>): Found | Unknown {
    const lanes = derived([inJunction], NOWHERE, (within) =>
      within ? null : derived([lane], NOWHERE, (own) => own),
    );
    if (lanes instanceof Unknown) return lanes;
    return this.#nearestOf((one) =>
      and([
        is(one, 'vehicle'),
        lanes === null || derived([one.lane], '', (other) => other === lanes),
        this.#reaches(one, AHEAD_METRES),
      ]),
    );
  }

  /** The nearest vehicle that reaches into the field of 30 m ahead and whose heading is within 45° of opposite to the ego vehicle's. */
  oncoming(): Found | Unknown {
    const against = ({ heading }: Obstacle): Truth =>
      derived([heading, this.#ego], '', (turned, ego) => Math.cos(turned - ego.heading) < -Math.SQRT1_2);
    return this.#nearestOf((one) =>
      and([is(one, 'vehicle'), against(one), this.#reaches(one, ONCOMING_METRES)]),
    );
  }

  /** False if no obstacle of the kind is near enough to have priority; otherwise Unknown. */
  noPriority(kind: 'vehicle' | 'pedestrian'): false | Unknown {
    const metres = PRIORITY_METRES[kind];
    const near = or(
      this.#obstacles.map((one) =>
        and([is(one, kind), derived([one.distance], '', (distance) => distance < metres)]),
      ),
    );
    return near === true
      ? new Unknown(`a ${kind} is within ${metres} m, and whether it has priority is not told`)
      : near;
  }

  /** False if fewer vehicles are slow than make a traffic jam; otherwise Unknown. */
  noJam(): false | Unknown {
    const slow = this.#obstacles
      .map((one) =>
        and([is(one, 'vehicle'), derived([one.metresPerSecond], '', (speed) => speed < JAM.metresPerSecond)]),
      )
      .filter((truth) => truth !== false);
    if (slow.length < JAM.vehicles) return false;
    return (
      slow.find((truth) => truth instanceof Unknown) ??
      new Unknown('several vehicles are slow, and whether they are in the junction ahead is not told')
    );
  }

  /**
   * Why the vehicle that the frame names, or that it names none, is in doubt: another that is listed takes the same part, and is nearer. Undefined if it is not.
   *
   * @param found by its definition, among those listed
   */
  nearer(named: Found, found: Found | Unknown): Unknown | undefined {
    if (found instanceof Unknown) {
      // Who is there for certain, at a distance that is not known, is somebody.
      const isThere = named === null && this.#obstacles.some(({ distance }) => distance === found);
      return isThere ? new Unknown(`obsList lists such a vehicle: ${found.why}`, true) : undefined;
    }
    if (found === null || found.distance >= (named?.distance ?? NOBODY_METRES) - SAME_METRES)
      return undefined;
    return new Unknown('obsList lists such a vehicle that is nearer', true);
  }

  /** Why a vehicle, or that there is none, is in doubt: somebody is nearer, by the least of all distances, whom the frame does not list. Undefined if it is not. */
  unlisted(found: Found, least: Told<number>): Unknown | undefined {
    if (typeof least !== 'number') return undefined;
    const isFurther = (distance: number | Unknown): boolean =>
      typeof distance === 'number' && distance > least + SAME_METRES;
    if (!isFurther(found?.distance ?? NOBODY_METRES)) return undefined;
    if (!this.#obstacles.every(({ distance }) => isFurther(distance))) return undefined;
    return new Unknown('minDistToEgo is that of nobody in obsList', true);
  }

  /** Whether an obstacle reaches into the field ahead. */
  #reaches({ footprint }: Obstacle, metres: number): Truth {
    return derived(
      [footprint, this.#ego],
      '',
      (outline, ego) => distanceBetween(ego.ahead(metres), outline) === 0,
    );
  }

  /** The nearest obstacle that counts; Unknown if another that may count is not known to be further away. */
  #nearestOf(counts: (obstacle: Obstacle) => Truth): Found | Unknown {
    let nearest: Found = null;
    const mayCount: { why: Unknown; distance: number | Unknown }[] = [];
    for (const one of this.#obstacles) {
      const { distance, metresPerSecond } = one;
      const truth = counts(one);
      if (truth instanceof Unknown) mayCount.push({ why: truth, distance });
      if (truth !== true) continue;
      if (distance instanceof Unknown) return distance;
      if (distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { distance, metresPerSecond };
    }
    const further = (distance: number | Unknown): boolean =>
      nearest !== null && typeof distance === 'number' && distance > nearest.distance;
    return mayCount.find(({ distance }) => !further(distance))?.why ?? nearest;
  }
}

const NOWHERE = 'neither the lane nor the junction of the ego vehicle';

type Truth = boolean | Unknown;

function is({ kind }: Obstacle, wanted: Kind): Truth {
  return derived([kind], '', (one) => one === wanted);
}

/** False if any is false; else the first Unknown; else true. */
function and(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : (truths.find((truth) => truth instanceof Unknown) ?? true);
}

/** True if any is true; else the first Unknown; else false. */
function or(truths: readonly Truth[]): Truth {
  return truths.includes(true) ? true : (truths.find((truth) => truth instanceof Unknown) ?? false);
}
