import { isObject } from '../../base/objectKind.js';
import { type Ego, egoAt, type Obstacle, readObstacle } from './apolloObstacles.js';
import { type Found, Traffic } from './apolloTraffic.js';
import { at, derived, finite, list, number, radians, type Told, text, Unknown } from './apolloValues.js';
import { DRIVING_VARIABLES, type DrivingVariableName } from './drivingVariables.js';
import type { Motion } from './motion.js';
import { unexpected } from './reader.js';

/** Fields of a step in addition to the driving variables: the vehicle's place, if recorded. */
export const PLACE_FIELDS = ['lane', 'road', 'inJunction'] as const;

/** The values of a frame by field; for a field without a value, the reason. */
export type Reading = Partial<Record<Field, number | string | Unknown>>;

/** A field of a step. */
export type Field = DrivingVariableName | (typeof PLACE_FIELDS)[number];

/** Fields that the recording as a whole shows to be wrong, so that nothing may be derived from them. */
export interface Suspect {
  readonly heading?: Unknown;
  /** All speeds and accelerations, which share a unit. */
  readonly speed?: Unknown;
}

const KMH_PER_METRE_PER_SECOND = 3.6;

/** Apollo's names of colours, for recordings that use names; the index is Apollo's number. */
const COLOURS = ['UNKNOWN', 'RED', 'YELLOW', 'GREEN', 'BLACK'];

/** Variables that are copied from a frame unchanged. */
const RECORDED = {
  brake: 'ego.Chasis.brake',
  gear: 'ego.Chasis.gear',
  engineOn: 'ego.Chasis.engineOn',
  turnSignal: 'ego.Chasis.turnSignal',
  hornOn: 'ego.Chasis.hornOn',
  lowBeamOn: 'ego.Chasis.lowBeamOn',
  highBeamOn: 'ego.Chasis.highBeamOn',
  direction: 'ego.planning_of_turn',
  isLaneChanging: 'ego.isLaneChanging',
  isOverTaking: 'ego.isOverTaking',
  isTurningAround: 'ego.isTurningAround',
  reach_destination: 'ego.reach_destinaton',
  stoplineAhead: 'ego.stoplineAhead',
  stopSignAhead: 'ego.stopSignAhead',
  crosswalkAhead: 'ego.crosswalkAhead',
} as const satisfies Partial<Record<DrivingVariableName, string>>;

const NO_VEHICLE = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ DRIVING_VARIABLES.map(({ name, default: value }) => [name, value]),
) as Record<DrivingVariableName, number>;

/**
 * A frame of a recording of Apollo, read by paths of keys; error messages show these paths.
 *
 * @see readApollo for the source of each variable
 */
export class ApolloFrame {
  /** Assumptions beyond the frame's own data, in words, for notes. */
  readonly assumed: string[] = [];
  readonly #frame: unknown;
  readonly #place: string;
  #suspect: Suspect = {};

  /** @param place the place of the frame in the recording, for messages */
  constructor(frame: unknown, place: string) {
    if (!isObject(frame)) throw unexpected(place, frame, 'a frame');
    this.#frame = frame;
    this.#place = place;
  }

  /** @throws TraceFault if there is no timestamp */
  motion(): Motion {
    const timestamp = this.#at('timestamp');
    if (typeof timestamp !== 'number' || !Number.isFinite(timestamp))
      throw unexpected(`${this.#place}.timestamp`, timestamp, 'a number');
    const orNaN = (told: Told<number>): number => (typeof told === 'number' ? told : Number.NaN);
    return {
      timestamp,
      x: orNaN(this.#finite('ego.pose.position.x')),
      y: orNaN(this.#finite('ego.pose.position.y')),
      metresPerSecond: orNaN(this.#metresPerSecond()),
      course: orNaN(this.#planar('ego.pose.linearVelocity', (x, y) => Math.atan2(y, x))),
      heading: orNaN(this.#heading()),
      gear: this.#number(RECORDED.gear) ?? Number.NaN,
      clock: this.#clock(orNaN),
    };
  }

  /** The chassis' clock, in seconds; NaN if a part of it is missing. */
  #clock(orNaN: (told: Told<number>) => number): number {
    const [day, hours, minutes, seconds] = ['day', 'hours', 'minutes', 'seconds'].map((part) =>
      orNaN(this.#finite(`ego.Chasis.${part}`)),
    );
    return ((day * 24 + hours) * 60 + minutes) * 60 + seconds;
  }

  /** Reads all fields that the frame determines by itself. */
  read(suspect: Suspect = {}): Reading {
    this.#suspect = suspect;
    return { ...this.#recorded(), ...this.#ego(), ...this.#lights(), ...this.#traffic() };
  }

  #recorded(): Reading {
    const reading: Reading = {};
    for (const [name, path] of Object.entries(RECORDED) as [keyof typeof RECORDED, string][])
      reading[name] = this.#number(path) ?? new Unknown(`no ${path}`);
    return reading;
  }

  #ego(): Reading {
    const inJunction = this.#inJunction();
    /** The recorded number, else 0 in a junction. */
    const orInJunction = (path: string): number | Unknown =>
      this.#number(path) ??
      derived([inJunction], `no ${path}`, (within) =>
        within ? 0 : new Unknown(`no ${path}, and not in a junction`),
      );
    return {
      speed: inKmh(this.#metresPerSecond()),
      acc: this.#acceleration(),
      lane: this.#lane() ?? new Unknown('neither ego.lane nor ego.currentLane.currentLaneId'),
      road: this.#text('ego.road') ?? new Unknown('no ego.road'),
      inJunction: derived([inJunction], 'neither ego.junction nor ego.currentLane.number', Number),
      currentLanenumber: orInJunction('ego.currentLane.number'),
      junctionAhead: orInJunction('ego.junctionAhead'),
      speedLimitlowerLimit: new Unknown('recordings of Apollo have no speed limits'),
      speedLimitupperLimit: new Unknown('recordings of Apollo have no speed limits'),
    };
  }

  #lights(): Reading {
    const path = 'traffic_lights.trafficLightList';
    const place = `${this.#place}.${path}`;
    const lights = list(this.#at(path), place);
    const said = this.#finite('traffic_lights.containLights');
    const contains = typeof said === 'number' ? said !== 0 : (said ?? (lights && lights.length > 0));
    const unknown = (signalAhead: number | Unknown, why: Unknown): Reading => ({
      signalAhead,
      trafficLightAheadcolor: why,
      trafficLightAheadblink: why,
    });
    if (contains === undefined || contains instanceof Unknown) {
      const why = contains ?? new Unknown('no traffic_lights');
      return unknown(why, why);
    }
    if (!contains) {
      if (lights?.length) {
        const both = new Unknown(`traffic_lights.containLights is false, and ${path} lists some`, true);
        return unknown(both, both);
      }
      this.assumed.push(
        'where no traffic lights are there, signalAhead, trafficLightAheadcolor and trafficLightAheadblink are 0',
      );
      return { signalAhead: 0, trafficLightAheadcolor: 0, trafficLightAheadblink: 0 };
    }
    if (lights === undefined) return unknown(1, new Unknown(`no ${path}`));
    if (lights.length === 0)
      return unknown(1, new Unknown(`traffic_lights.containLights is true, and ${path} is empty`, true));
    const nearest = this.#finite('traffic_lights.nearst');
    if (nearest instanceof Unknown) return unknown(1, nearest);
    if (nearest === undefined && lights.length > 1)
      this.assumed.push('of several traffic lights the first counts, as nothing says which is nearest');
    const index = nearest ?? 0;
    const light = lights[index];
    if (!isObject(light))
      throw unexpected(`${place}[${index}]`, light, `a traffic light, one of the ${lights.length} listed`);
    return {
      signalAhead: 1,
      trafficLightAheadcolor: colour(light.color, `${path}.color`),
      trafficLightAheadblink:
        number(light.blink, `${place}[${index}].blink`) ?? new Unknown(`no ${path}.blink`),
    };
  }

  #traffic(): Reading {
    const key = ['truth', 'perception'].find((one) => this.#at(one) !== undefined) ?? 'truth';
    if (key === 'perception') this.assumed.push('obstacles are those perceived: there is no truth');
    const where = `${this.#place}.${key}.obsList`;
    const listed = list(this.#at(`${key}.obsList`), where);
    const ego = this.#footprint();
    const { speed } = this.#suspect;
    const obstacles = listed
      ?.map((one, i) => readObstacle(one, `${where}[${i}]`, ego))
      .map((one) => (speed === undefined ? one : { ...one, metresPerSecond: speed }));
    const traffic = new Traffic(obstacles ?? [], ego);
    /** The recorded value, else the value derived from the obstacles. */
    const orDerived = <T>(told: Told<T>, derive: () => T | Unknown, path: string): T | Unknown => {
      if (told !== undefined) return told;
      if (obstacles === undefined) return new Unknown(`neither ${path} nor ${key}.obsList`);
      const follows = derive();
      return follows instanceof Unknown ? follows.after(`no ${path}`) : follows;
    };
    const least = this.#finite(`${key}.minDistToEgo`);
    const named = (role: string, derive: () => Found | Unknown): Found | Unknown => {
      const told = this.#named(key, role, obstacles ?? []);
      const found = orDerived(told, derive, `${key}.${role}`);
      if (found instanceof Unknown) return found;
      const names = JSON.stringify(at(this.#frame, `${key}.${role}`, this.#place) ?? null);
      const doubt =
        (told === undefined ? undefined : traffic.nearer(found, derive())) ?? traffic.unlisted(found, least);
      return doubt?.after(`${key}.${role} ${told === undefined ? 'is not there' : `is ${names}`}`) ?? found;
    };
    const flag = (path: string, derive: () => boolean | Unknown): number | Unknown => {
      const found = orDerived<number | boolean>(this.#number(path), derive, path);
      return typeof found === 'boolean' ? Number(found) : found;
    };
    const collides = (): boolean | Unknown => {
      const path = `${key}.minDistToEgo`;
      const touched = traffic.touches();
      if (touched !== true)
        return orDerived(typeof least === 'number' ? least <= 0 : least, () => touched, path);
      if (typeof least === 'number' && least > 0)
        this.assumed.push(`collision is 1, as an obstacle is at a distance of 0, though ${path} is more`);
      return true;
    };
    return {
      ...this.#vehicle(
        'NPCAheadAhead',
        'NPCAheadspeed',
        named('NPCAhead', () => traffic.ahead(this.#lane(), this.#inJunction())),
      ),
      ...this.#vehicle(
        'NearestNPCAhead',
        'NearestNPCspeed',
        named('NearestNPC', () => traffic.nearest()),
      ),
      ...this.#vehicle(
        'NPCOppositeAhead',
        'NPCOppositespeed',
        named('NPCOpposite', () => traffic.oncoming()),
      ),
      PriorityNPCAhead: flag('ego.PriorityNPCAhead', () => traffic.noPriority('vehicle')),
      PriorityPedsAhead: flag('ego.PriorityPedsAhead', () => traffic.noPriority('pedestrian')),
      isTrafficJam: flag('ego.isTrafficJam', () => traffic.noJam()),
      collision: derived([collides()], '', Number),
    };
  }

  /** The obstacle that the frame names in `role`; null if it says that there is none. */
  #named(key: string, role: string, obstacles: readonly Obstacle[]): Told<Found> {
    const part = at(this.#frame, key, this.#place);
    if (!isObject(part) || !Object.hasOwn(part, role)) return undefined;
    const name = part[role];
    if (name === null) return null;
    const found = obstacles.find(({ names }) => names.includes(name));
    if (found === undefined)
      return typeof name === 'number' && !Number.isFinite(name)
        ? new Unknown(`${key}.${role} is ${name}`, true)
        : new Unknown(`${key}.${role} names ${JSON.stringify(name)}, which ${key}.obsList does not list`);
    const { metresPerSecond } = found;
    return derived([found.distance], '', (distance) => ({ distance, metresPerSecond }));
  }

  #vehicle(distance: DrivingVariableName, speed: DrivingVariableName, found: Found | Unknown): Reading {
    if (found instanceof Unknown) return { [distance]: found, [speed]: found };
    if (found === null) {
      this.assumed.push(
        `where nobody is there, ${distance} is ${NO_VEHICLE[distance]} m and ${speed} ${NO_VEHICLE[speed]} km/h`,
      );
      return { [distance]: NO_VEHICLE[distance], [speed]: NO_VEHICLE[speed] };
    }
    return { [distance]: found.distance, [speed]: inKmh(found.metresPerSecond) };
  }

  #footprint(): Ego | Unknown {
    return derived(
      [
        this.#finite('ego.pose.position.x'),
        this.#finite('ego.pose.position.y'),
        this.#heading(),
        this.#finite('ego.size.length'),
        this.#finite('ego.size.width'),
      ],
      'no ego.pose of use with ego.size',
      (x, y, heading, length, width) => egoAt({ x, y, heading }, length, width),
    );
  }

  #lane(): Told<string> {
    return this.#text('ego.lane') ?? this.#text('ego.currentLane.currentLaneId');
  }

  /** A null junction means outside junctions, if the frame has the field. */
  #inJunction(): Told<boolean> {
    const ego = this.#at('ego');
    if (isObject(ego) && Object.hasOwn(ego, 'junction')) {
      const junction = this.#text('ego.junction');
      return junction instanceof Unknown ? junction : junction !== undefined;
    }
    const lane = this.#finite('ego.currentLane.number');
    return typeof lane === 'number' ? lane === 0 : lane;
  }

  /** The speed in m/s, preferably from the pose, which every frame updates: the chassis reports less often, and its last report is repeated. */
  #metresPerSecond(): number | Unknown {
    const ofPose = this.#suspect.speed ?? this.#planar('ego.pose.linearVelocity', Math.hypot);
    if (ofPose !== undefined) return ofPose;
    const ofChassis = this.#finite('ego.Chasis.speed');
    if (typeof ofChassis === 'number')
      this.assumed.push(
        'speed is that of the chassis, which may repeat an old one: there is no ego.pose.linearVelocity',
      );
    return ofChassis ?? new Unknown('neither ego.pose.linearVelocity nor ego.Chasis.speed');
  }

  /** The acceleration along the heading. */
  #acceleration(): number | Unknown {
    if (this.#suspect.speed !== undefined) return this.#suspect.speed;
    return derived(
      [this.#planar('ego.pose.linearAcceleration', (x, y) => [x, y]), this.#heading()],
      'no ego.pose.linearAcceleration with ego.pose.heading',
      ([x, y], heading) => x * Math.cos(heading) + y * Math.sin(heading),
    );
  }

  /** Applies `derive` to the horizontal components of a vector. */
  #planar<T>(path: string, derive: (x: number, y: number) => T): Told<T> {
    const parts = [this.#finite(`${path}.x`), this.#finite(`${path}.y`)];
    return parts.includes(undefined) ? undefined : derived([parts[0], parts[1]], '', derive);
  }

  #heading(): Told<number> {
    const path = 'ego.pose.heading';
    return this.#suspect.heading ?? radians(this.#at(path), `${this.#place}.${path}`, path);
  }

  #text(path: string): Told<string> {
    return text(this.#at(path), `${this.#place}.${path}`, path);
  }

  #finite(path: string): Told<number> {
    return finite(this.#at(path), `${this.#place}.${path}`, path);
  }

  /** A number that is copied to the state unchanged, NaN included. */
  #number(path: string): number | undefined {
    return number(this.#at(path), `${this.#place}.${path}`);
  }

  #at(path: string): unknown {
    return at(this.#frame, path, this.#place);
  }
}

function inKmh(metresPerSecond: number | Unknown): number | Unknown {
  return derived([metresPerSecond], '', (speed) => speed * KMH_PER_METRE_PER_SECOND);
}

/** Reads a colour; NaN stays NaN. @param name of the field, for the reason given if Apollo does not know the colour */
function colour(value: unknown, name: string): number | Unknown {
  if (value === undefined || value === null) return new Unknown(`no ${name}`);
  if (typeof value === 'number' && Number.isNaN(value)) return value;
  const index = typeof value === 'string' ? COLOURS.indexOf(value.toUpperCase()) : value;
  if (typeof index === 'number' && index > 0 && COLOURS[index] !== undefined) return index;
  const { message } = unexpected(name, value, `1 to 4, or one of ${COLOURS.slice(1).join(', ')}`);
  return new Unknown(message, true);
}
