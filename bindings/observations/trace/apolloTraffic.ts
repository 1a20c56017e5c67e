import type { Ego, Kind, Obstacle } from './apolloObstacles.js';
import { derived, type Told, Unknown } from './apolloValues.js';
import { distanceBetween } from './footprint.js';

/** Another vehicle, as far as it is known; null is nobody. */
export type Found = { readonly distance: number; readonly metresPerSecond: number | Unknown } | null;

/** Metres ahead in which LawBreaker looks for the vehicle ahead, and for one that comes towards the ego vehicle. */
const AHEAD_METRES = 200;
const ONCOMING_METRES = 30;
/** No vehicle further away and no pedestrian further away has priority, whatever is planned. */
const PRIORITY_METRES = { vehicle: 30, pedestrian: 10 } as const;
/** So many vehicles slower than this, in the junction ahead, are a traffic jam. */
const JAM = { vehicles: 3, metresPerSecond: 1 } as const;

/**
 * What obstacles tell about the traffic, by LawBreaker's definitions, where the recording has not looked it up itself. What an obstacle
 * lacks that a definition asks for makes the answer unknown, where the answer could hang on it.
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
   * The nearest vehicle that reaches into the field of 200 m ahead and is on the lane of the ego vehicle; while that is in a junction, on
   * any lane.
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

  /** The nearest vehicle that reaches into the field of 30 m ahead and is turned against the ego vehicle, by less than 45°. */
  oncoming(): Found | Unknown {
    const against = ({ heading }: Obstacle): Truth =>
      derived([heading, this.#ego], '', (turned, ego) => Math.cos(turned - ego.heading) < -Math.SQRT1_2);
    return this.#nearestOf((one) =>
      and([is(one, 'vehicle'), against(one), this.#reaches(one, ONCOMING_METRES)]),
    );
  }

  /** That nobody of a kind has priority, where nobody is near enough for it. */
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

  /** That there is no traffic jam, where fewer vehicles than make one are slow. */
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

  /** Whether an obstacle reaches into the field ahead. */
  #reaches({ footprint }: Obstacle, metres: number): Truth {
    return derived(
      [footprint, this.#ego],
      '',
      (outline, ego) => distanceBetween(ego.ahead(metres), outline) === 0,
    );
  }

  /** The nearest of those that count: unknown where one that may count is not known to be further away. */
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

/** False where one is, whatever the others are; else the first that is unknown. */
function and(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : (truths.find((truth) => truth instanceof Unknown) ?? true);
}

/** True where one is, whatever the others are; else the first that is unknown. */
function or(truths: readonly Truth[]): Truth {
  return truths.includes(true) ? true : (truths.find((truth) => truth instanceof Unknown) ?? false);
}
