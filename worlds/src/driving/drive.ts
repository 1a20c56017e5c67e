import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { Random } from '../../../bindings/base/random.js';
import { type OptionNames, refuseUnknownOptions } from '../../../bindings/base/suggest.js';
import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import { FULL_BRAKE, yieldInstead } from './override.js';
import { defaultPlanner, PLANNING_PERIOD, Planner, type PlannerParameters } from './planner.js';
import type { DrivingScenario } from './scenarios.js';
import { Situation } from './situation.js';
import { createDrivingState, type DrivingState, observe } from './state.js';

/** Seconds after which a drive ends wherever it is. */
const LONGEST_DRIVE = 120;

/** Which drive of a scenario. */
export interface DriveOptions {
  /** Integer; drives of one scenario, seed and planner are the same. */
  readonly seed: number;
  /** Steps a second: a multiple of 10 up to 1000. Default the scenario's. */
  readonly hz?: number;
  /** Differences from the scenario's planner. */
  readonly planner?: Partial<PlannerParameters>;
}

/**
 * One drive through a scenario. `state` is the observation of now; `step` moves on by one period. A supervisor that wants
 * to intervene calls `brake` or `yield` before a step.
 *
 * ```ts
 * const drive = createDrive(drivingScenarios[0], { seed: 1 });
 * do {
 *   if (guard.step(drive.state).decision !== 'allow') drive.yield();
 * } while (drive.step());
 * ```
 */
export class Drive {
  readonly scenario: DrivingScenario;
  readonly options: DriveOptions;
  /** Steps a second. */
  readonly hz: number;
  /** LawBreaker's variables, the same object all along: copy what is to be kept. */
  readonly state: DrivingState;
  readonly #situation: Situation;
  readonly #planner: Planner;
  readonly #stepsPerPlan: number;
  #steps = 0;
  #brakes = false;
  #yields = false;
  #overridden = 0;

  constructor(scenario: DrivingScenario, options: DriveOptions) {
    refuseUnknownOptions('createDrive', options, driveOptions);
    const { seed, hz = scenario.hz } = options;
    if (!Number.isSafeInteger(seed)) {
      throw new InvalidArgumentError(`The seed of a drive must be an integer; found ${seed}.`);
    }
    if (!Number.isInteger(hz) || hz % 10 !== 0 || hz < 10 || hz > 1000) {
      throw new InvalidArgumentError(
        `A drive has a multiple of 10 steps a second, from 10 to 1000, because the planner decides ten times a second; found ${hz}.`,
      );
    }
    this.scenario = scenario;
    this.options = options;
    this.hz = hz;
    // Three streams: what a supervisor or another planner changes leaves the scene and the traffic as they are.
    const plan = scenario.plan(new Random(seed, 0));
    this.#situation = new Situation(plan, 1 / hz, new Random(seed, 1));
    this.#planner = new Planner(plannerOf(scenario, options.planner ?? {}), new Random(seed, 2));
    this.#stepsPerPlan = Math.round(hz * PLANNING_PERIOD);
    this.state = createDrivingState();
    observe(this.#situation, this.state);
  }

  /** Seconds since the drive began. */
  get time(): number {
    return this.#steps / this.hz;
  }

  /** Whether the ego vehicle has touched another road user; the drive ends with that. */
  get collided(): boolean {
    return this.#situation.collided;
  }

  /** Whether the ego vehicle is where it wanted to go. */
  get arrived(): boolean {
    return this.#situation.arrived;
  }

  /** Whether the drive has ended: arrived, collided, or after two minutes. */
  get over(): boolean {
    return this.collided || this.arrived || this.#steps >= LONGEST_DRIVE * this.hz;
  }

  /** How much of the way is behind the ego vehicle, 0 to 1. */
  get progress(): number {
    return Math.min(1, this.#situation.position / this.#situation.road.length);
  }

  /** Seconds for which a supervisor has overridden the planner. */
  get overriddenSeconds(): number {
    return this.#overridden / this.hz;
  }

  /** The world behind the observation, to be looked at only. */
  get situation(): Situation {
    return this.#situation;
  }

  /** For the next step: brake hard. */
  brake(): void {
    this.#brakes = true;
  }

  /**
   * For the next step: stop before the conflict, that is a light that is not green, traffic that is about to cross, or a
   * vehicle that stands, and let what has priority pass; where nothing of that is ahead, drive on within the limit.
   */
  yield(): void {
    this.#yields = true;
  }

  /**
   * Moves on by one period; allocates nothing. O(vehicles and pedestrians).
   *
   * @returns whether `state` is a new observation; false where the drive was over
   */
  step(): boolean {
    if (this.over) return false;
    const situation = this.#situation;
    if (this.#steps % this.#stepsPerPlan === 0) this.#planner.plan(situation);
    situation.command = this.#planner.command;
    situation.drift = this.#planner.drift;
    if (this.#brakes) situation.command = -FULL_BRAKE;
    else if (this.#yields) yieldInstead(situation);
    if (this.#brakes || this.#yields) this.#overridden++;
    this.#brakes = false;
    this.#yields = false;
    situation.advance();
    this.#steps++;
    observe(situation, this.state);
    return true;
  }
}

const driveOptions = { seed: true, hz: true, planner: true } as const;

const plannerParameters: OptionNames<PlannerParameters> = {
  reactionSeconds: true,
  aggressiveness: true,
  noise: true,
  missProbability: true,
  distractionRate: true,
  stopMarginMetres: true,
  creepRate: true,
  standingGapMetres: true,
  speedFactor: true,
};

function plannerOf(scenario: DrivingScenario, given: Partial<PlannerParameters>): PlannerParameters {
  refuseUnknownOptions('the planner of a drive', given, plannerParameters);
  for (const [name, value] of Object.entries(given)) {
    if (!(Number.isFinite(value) && value >= 0)) {
      throw new InvalidArgumentError(`A planner's ${name} must be a number from 0 on; found ${value}.`);
    }
  }
  return { ...defaultPlanner, ...scenario.planner, ...given };
}

/**
 * Begins a drive.
 *
 * @throws InvalidArgumentError where the seed is no integer, `hz` no multiple of 10 between 10 and 1000, an option or a planner's
 *   parameter unknown, or a parameter negative or no finite number
 */
export function createDrive(scenario: DrivingScenario, options: DriveOptions): Drive {
  return new Drive(scenario, options);
}

/**
 * A whole drive as a complete trace: the first observation and one after each step, with their times.
 *
 * @throws InvalidArgumentError as `createDrive`
 */
export function driveTrace(scenario: DrivingScenario, options: DriveOptions): Trace {
  const drive = createDrive(scenario, options);
  const steps: Step[] = [];
  do steps.push({ state: { ...drive.state }, time: drive.time });
  while (drive.step());
  return { id: `${scenario.name}-${options.seed}`, complete: true, steps };
}

/**
 * What a supervisor's overrides have cost a drive so far.
 *
 * @returns seconds by which the same drive without overrides was earlier where this one is now; 0 where nothing was
 *   overridden, NaN where the other never gets there
 */
export function timeLost(drive: Drive): number {
  if (drive.overriddenSeconds === 0) return 0;
  const twin = createDrive(drive.scenario, drive.options);
  while (twin.progress < drive.progress) if (!twin.step()) return Number.NaN;
  return drive.time - twin.time;
}
