import { at, list, number, radians, text } from './apolloValues.js';
import {
  distanceBetween,
  type Footprint,
  type Placement,
  type Point,
  placed,
  rectangle,
} from './footprint.js';
import { isObject, unexpected } from './reader.js';

/** The ego vehicle as LawBreaker draws it; of what the recording does not tell there is no part. */
export interface Ego {
  readonly footprint: Footprint;
  readonly heading: number;
  /** What it sees ahead up to so many metres: as wide as itself in front, and as far to either side as it reaches ahead. */
  readonly ahead: (metres: number) => Footprint;
}

/** An obstacle; of what the recording does not tell undefined. */
export interface Obstacle {
  readonly names: readonly unknown[];
  readonly kind: 'vehicle' | 'pedestrian' | 'other' | undefined;
  readonly metresPerSecond: number | undefined;
  /** Metres between its outline and that of the ego vehicle. */
  readonly distance: number | undefined;
  readonly footprint: Footprint | undefined;
  readonly heading: number | undefined;
  readonly lane: string | undefined;
}

/** Metres between the axles of the Lincoln MKZ; the pose is that of the rear axle. */
const WHEELBASE = 2.697298;

/** The ego vehicle with its pose at the rear axle, its overhangs equal. */
export function egoAt(pose: Placement, length: number, width: number): Ego {
  const overhang = (length - WHEELBASE) / 2;
  const front = WHEELBASE + overhang;
  return {
    footprint: rectangle(pose, -overhang, front, width),
    heading: pose.heading,
    ahead: (metres) =>
      placed(pose, [
        [front + metres, metres],
        [front + metres, -metres],
        [front, -width / 2],
        [front, width / 2],
      ]),
  };
}

const KINDS: Readonly<Record<number, Obstacle['kind']>> = { 3: 'pedestrian', 5: 'vehicle' };

/** @param place of the obstacle in the recording, for messages */
export function readObstacle(value: unknown, place: string, ego: Ego | undefined): Obstacle {
  if (!isObject(value)) throw unexpected(place, value, 'an obstacle');
  const numberAt = (path: string): number | undefined => number(at(value, path, place), `${place}.${path}`);
  const textAt = (path: string): string | undefined => text(at(value, path, place), `${place}.${path}`);
  const type = numberAt('type');
  const typeName = textAt('typeName');
  const velocity = [numberAt('velocity.x'), numberAt('velocity.y')];
  const heading = radians(value.theta, `${place}.theta`);
  const footprint = outlineOf(value, place, heading, numberAt);
  return {
    names: [value.name, value.id].filter((name) => name !== undefined && name !== null),
    kind:
      type !== undefined
        ? (KINDS[type] ?? 'other')
        : typeName !== undefined
          ? /VEHICLE$/.test(typeName)
            ? 'vehicle'
            : /PEDESTRIAN$/.test(typeName)
              ? 'pedestrian'
              : 'other'
          : undefined,
    metresPerSecond: numberAt('speed') ?? (isKnown(velocity) ? Math.hypot(...velocity) : undefined),
    distance:
      numberAt('distToEgo') ?? (ego && footprint ? distanceBetween(ego.footprint, footprint) : undefined),
    footprint,
    heading,
    lane: textAt('lane_position.lane'),
  };
}

/** Its polygon, else the rectangle of its position, heading, length and width. */
function outlineOf(
  value: Record<string, unknown>,
  place: string,
  heading: number | undefined,
  numberAt: (path: string) => number | undefined,
): Footprint | undefined {
  const corners = list(value.polygonPointList, `${place}.polygonPointList`) ?? [];
  const points = corners.map((corner, i): (number | undefined)[] =>
    ['x', 'y'].map((axis) => {
      const where = `${place}.polygonPointList[${i}]`;
      return number(at(corner, axis, where), `${where}.${axis}`);
    }),
  );
  if (points.length >= 3 && points.every(isKnown)) return points as unknown as readonly Point[];
  const size = ['position.x', 'position.y', 'length', 'width'].map(numberAt);
  if (!isKnown(size) || heading === undefined) return undefined;
  const [x, y, length, width] = size;
  return rectangle({ x, y, heading }, -length / 2, length / 2, width);
}

function isKnown(values: readonly (number | undefined)[]): values is readonly number[] {
  return values.every((value) => value !== undefined && Number.isFinite(value));
}
