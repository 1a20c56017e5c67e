import { DRIVING_VARIABLES, type DrivingVariableName } from './drivingVariables.js';
import { isObject, unexpected } from './reader.js';
import type { Motion } from './timestampUnit.js';

/** A value for each variable of `DRIVING_VARIABLES`. */
export type DrivingState = Record<DrivingVariableName, number>;

/** Variables of a frame; undefined where the frame does not tell. */
type Found = Record<DrivingVariableName, number | undefined>;

const KMH_PER_METRE_PER_SECOND = 3.6;

/** Apollo's names of colours, for recordings that have names. */
const COLOURS = ['UNKNOWN', 'RED', 'YELLOW', 'GREEN', 'BLACK'];

const DEFAULTS = Object.fromEntries(
  DRIVING_VARIABLES.map(({ name, default: value }) => [name, value]),
) as DrivingState;

/**
 * A frame of a recording of Apollo, read by paths of keys, which are in error messages too.
 *
 * @see readApollo for what each variable is read from
 */
export class ApolloFrame {
  readonly #frame: unknown;
  readonly #place: string;

  /** @param place of the frame in the recording, for messages */
  constructor(frame: unknown, place: string) {
    if (!isObject(frame)) throw unexpected(place, frame, 'a frame');
    this.#frame = frame;
    this.#place = place;
  }

  /** @throws TraceFault where there is no timestamp */
  motion(): Motion {
    const timestamp = this.#number('timestamp');
    if (timestamp === undefined || !Number.isFinite(timestamp))
      throw unexpected(`${this.#place}.timestamp`, timestamp, 'a number');
    return {
      timestamp,
      x: this.#number('ego.pose.position.x') ?? Number.NaN,
      y: this.#number('ego.pose.position.y') ?? Number.NaN,
      metresPerSecond: this.#metresPerSecond() ?? Number.NaN,
    };
  }

  /**
   * The driving variables, defaults filled in.
   *
   * @param scenario what the recording says for all frames
   * @param absent is given the names of variables that the frame does not tell
   */
  state(scenario: Partial<Found>, absent: Set<string>): DrivingState {
    const found: Partial<Found> = { ...this.#ego(), ...this.#road(), ...this.#others(), ...scenario };
    const state = { ...DEFAULTS };
    for (const { name } of DRIVING_VARIABLES) {
      const value = found[name];
      if (value === undefined) absent.add(name);
      else state[name] = value;
    }
    return state;
  }

  #ego(): Partial<Found> {
    const ofChassis = (key: string): number | undefined => this.#number(`ego.Chasis.${key}`);
    const speed = this.#metresPerSecond();
    return {
      speed: speed === undefined ? undefined : speed * KMH_PER_METRE_PER_SECOND,
      acc: this.#acceleration(),
      brake: ofChassis('brake'),
      gear: ofChassis('gear'),
      engineOn: ofChassis('engineOn'),
      turnSignal: ofChassis('turnSignal'),
      hornOn: ofChassis('hornOn'),
      lowBeamOn: ofChassis('lowBeamOn'),
      highBeamOn: ofChassis('highBeamOn'),
      direction: this.#number('ego.planning_of_turn'),
      isLaneChanging: this.#number('ego.isLaneChanging'),
      isOverTaking: this.#number('ego.isOverTaking'),
      isTurningAround: this.#number('ego.isTurningAround'),
      reach_destination: this.#number('ego.reach_destinaton'),
    };
  }

  #road(): Partial<Found> {
    const lights = this.#at('traffic_lights');
    const list = this.#at('traffic_lights.trafficLightList');
    const light = Array.isArray(list) ? list[this.#number('traffic_lights.nearst') ?? 0] : undefined;
    const present = Array.isArray(list) && list.length > 0;
    const place = `${this.#place}.traffic_lights.trafficLightList`;
    return {
      currentLanenumber: this.#number('ego.currentLane.number'),
      stoplineAhead: this.#number('ego.stoplineAhead'),
      stopSignAhead: this.#number('ego.stopSignAhead'),
      junctionAhead: this.#number('ego.junctionAhead'),
      crosswalkAhead: this.#number('ego.crosswalkAhead'),
      ...(isObject(lights) && {
        signalAhead: Number(present),
        trafficLightAheadcolor: present ? colour(at(light, 'color'), `${place}.color`) : 0,
        trafficLightAheadblink: present ? number(at(light, 'blink'), `${place}.blink`) : 0,
      }),
    };
  }

  #others(): Partial<Found> {
    const nearest = this.#number('truth.minDistToEgo');
    return {
      PriorityNPCAhead: this.#number('ego.PriorityNPCAhead'),
      PriorityPedsAhead: this.#number('ego.PriorityPedsAhead'),
      isTrafficJam: this.#number('ego.isTrafficJam'),
      ...this.#vehicle('NPCAhead', 'NPCAheadAhead', 'NPCAheadspeed'),
      ...this.#vehicle('NearestNPC', 'NearestNPCAhead', 'NearestNPCspeed'),
      ...this.#vehicle('NPCOpposite', 'NPCOppositeAhead', 'NPCOppositespeed'),
      collision: nearest === undefined ? undefined : Number(nearest <= 0),
    };
  }

  /** The obstacle that `truth` names in `role`. One that it names and does not list is somewhere: NaN, not nowhere. */
  #vehicle(role: string, distance: DrivingVariableName, speed: DrivingVariableName): Partial<Found> {
    const name = this.#at(`truth.${role}`);
    if (name === undefined) return {};
    if (name === null) return { [distance]: DEFAULTS[distance], [speed]: DEFAULTS[speed] };
    const list = this.#at('truth.obsList');
    const vehicle: unknown = (Array.isArray(list) ? list : []).find(
      (one: unknown) => isObject(one) && (one.name === name || one.id === name),
    );
    const of = (key: string): number =>
      (isObject(vehicle) ? number(vehicle[key], `${this.#place}.truth.obsList.${key}`) : undefined) ??
      Number.NaN;
    return { [distance]: of('distToEgo'), [speed]: of('speed') * KMH_PER_METRE_PER_SECOND };
  }

  /** The pose is new in every frame; the chassis reports more seldom, and its last report is repeated. */
  #metresPerSecond(): number | undefined {
    const x = this.#number('ego.pose.linearVelocity.x');
    const y = this.#number('ego.pose.linearVelocity.y');
    return x === undefined || y === undefined ? this.#number('ego.Chasis.speed') : Math.hypot(x, y);
  }

  /** Along the heading. */
  #acceleration(): number | undefined {
    const x = this.#number('ego.pose.linearAcceleration.x');
    const y = this.#number('ego.pose.linearAcceleration.y');
    const heading = this.#number('ego.pose.heading');
    if (x === undefined || y === undefined || heading === undefined) return undefined;
    return x * Math.cos(heading) + y * Math.sin(heading);
  }

  #number(path: string): number | undefined {
    return number(this.#at(path), `${this.#place}.${path}`);
  }

  #at(path: string): unknown {
    return at(this.#frame, path);
  }
}

function colour(value: unknown, place: string): number | undefined {
  const index = COLOURS.indexOf(value as string);
  return index < 0 ? number(value, place) : index;
}

/** What is at a path of keys; undefined where a part of it is missing. */
export function at(value: unknown, path: string): unknown {
  for (const key of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** A number, or a truth as 0 or 1; undefined for what is absent or null. @throws TraceFault for anything else */
export function number(value: unknown, place: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'number') throw unexpected(place, value, 'a number, a truth or null');
  return value;
}
