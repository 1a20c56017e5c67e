import { isObject } from '../../base/objectKind.js';
import { at, derived, finite, list, radians, type Told, text, Unknown } from './apolloValues.js';
import {
  distanceBetween,
  type Footprint,
  type Placement,
  type Point,
  placed,
  rectangle,
} from './footprint.js';
import { unexpected } from './reader.js';

/** The ego vehicle as LawBreaker models it. */
export interface Ego {
  readonly footprint: Footprint;
  readonly heading: number;
  /** The field ahead, up to the given metres: as wide as the vehicle at its front, and that many metres to either side at the far end. */
  readonly ahead: (metres: number) => Footprint;
}

/** The kinds of obstacle that the definitions distinguish; bicycles and objects that do not move are `other`. */
export type Kind = 'vehicle' | 'pedestrian' | 'other';

/** An obstacle; values that are not recorded are Unknown. */
export interface Obstacle {
  readonly names: readonly unknown[];
  readonly kind: Kind | Unknown;
  readonly metresPerSecond: number | Unknown;
  /** Metres between its outline and the ego vehicle's. */
  readonly distance: number | Unknown;
  readonly footprint: Footprint | Unknown;
  readonly heading: number | Unknown;
  readonly lane: string | Unknown;
}

/** Metres between the axles of the Lincoln MKZ; the pose refers to the rear axle. */
const WHEELBASE = 2.697298;

/** The ego vehicle, its pose at the rear axle and its overhangs equal. */
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

/** Apollo's types by number. Its unknown types may be vehicles or pedestrians, except the one that does not move. */
const TYPES: readonly (readonly [name: string, kind: Kind | undefined])[] = [
  ['UNKNOWN', undefined],
  ['UNKNOWN_MOVABLE', undefined],
  ['UNKNOWN_UNMOVABLE', 'other'],
  ['PEDESTRIAN', 'pedestrian'],
  ['BICYCLE', 'other'],
  ['VEHICLE', 'vehicle'],
];
const KINDS = new Map(TYPES);

/** Reads an obstacle. @param place the obstacle's place in the recording, for messages */
export function readObstacle(value: unknown, place: string, ego: Ego | Unknown): Obstacle {
  if (!isObject(value)) throw unexpected(place, value, 'an obstacle');
  const named = (path: string): string => `${path} of an obstacle`;
  const numberAt = (path: string): Told<number> =>
    finite(at(value, path, place), `${place}.${path}`, named(path));
  const lacking = (what: string): string => `an obstacle without ${what}`;
  const theta = radians(value.theta, `${place}.theta`, named('theta'));
  const footprint = outlineOf(value, place, theta, numberAt);
  return {
    names: [value.name, value.id].filter((name) => name !== undefined && name !== null),
    kind: kindOf(numberAt('type'), text(value.typeName, `${place}.typeName`, named('typeName'))),
    metresPerSecond:
      numberAt('speed') ??
      derived([numberAt('velocity.x'), numberAt('velocity.y')], lacking('speed or velocity'), Math.hypot),
    distance:
      numberAt('distToEgo') ??
      (ego instanceof Unknown
        ? ego.after(lacking('distToEgo'))
        : derived([footprint], lacking('distToEgo, nor what it follows from'), (outline) =>
            distanceBetween(ego.footprint, outline),
          )),
    footprint: footprint ?? new Unknown(lacking('polygonPointList, nor what it follows from')),
    heading: theta ?? new Unknown(lacking('theta')),
    lane:
      text(
        at(value, 'lane_position.lane', place),
        `${place}.lane_position.lane`,
        named('lane_position.lane'),
      ) ?? new Unknown(lacking('lane_position.lane')),
  };
}

function kindOf(type: Told<number>, typeName: Told<string>): Kind | Unknown {
  const name = typeof typeName === 'string' ? typeName.replace(/^TYPE_/, '') : '';
  const kind = (typeof type === 'number' ? TYPES[type]?.[1] : undefined) ?? KINDS.get(name);
  if (kind !== undefined) return kind;
  const told = type ?? typeName;
  if (told === undefined) return new Unknown('an obstacle without type or typeName');
  if (told instanceof Unknown) return told;
  return new Unknown(
    `an obstacle whose ${type === undefined ? 'typeName' : 'type'} ${JSON.stringify(told)} says neither vehicle nor pedestrian nor other`,
  );
}

/** The obstacle's polygon, else the rectangle of its position, heading, length and width; undefined if the recording has neither. */
function outlineOf(
  value: Record<string, unknown>,
  place: string,
  heading: Told<number>,
  numberAt: (path: string) => Told<number>,
): Told<Footprint> {
  const corners = list(value.polygonPointList, `${place}.polygonPointList`) ?? [];
  const points = corners.map((corner, i): Point | Unknown => {
    const [x, y] = ['x', 'y'].map((axis) => {
      const where = `${place}.polygonPointList[${i}]`;
      return finite(at(corner, axis, where), `${where}.${axis}`, `polygonPointList.${axis} of an obstacle`);
    });
    return derived([x, y], '', (...point) => point);
  });
  if (points.length >= 3 && !points.some((point) => point instanceof Unknown)) return points as Point[];
  const size = ['position.x', 'position.y', 'length', 'width'].map(numberAt);
  const rectangular = derived(
    [size[0], size[1], size[2], size[3], heading],
    '',
    (x, y, length, width, heading) => rectangle({ x, y, heading }, -length / 2, length / 2, width),
  );
  if (!(rectangular instanceof Unknown)) return rectangular;
  return [...points, rectangular].find((one) => one instanceof Unknown && one.unusable) as
    | Unknown
    | undefined;
}
