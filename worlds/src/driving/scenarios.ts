import type { Random } from '../../../bindings/base/random.js';
import { between } from './draws.js';
import type { PlannerParameters } from './planner.js';
import { LEFT, Road } from './road.js';
import type { DrivePlan } from './situation.js';
import type { CrosserPlan, LeaderPlan } from './traffic.js';

/** A situation in traffic that may break a law, or not. */
export interface DrivingScenario {
  readonly name: string;
  /** The law's number, or `no collision`. */
  readonly law: string;
  readonly description: string;
  /** The law over the driving variables; its windows are in seconds. */
  readonly formula: string;
  /** Steps a second unless a drive asks for another rate. */
  readonly hz: number;
  /** How its planner differs from the ordinary one. */
  readonly planner?: Partial<PlannerParameters>;
  /** Draws how a drive begins. */
  readonly plan: (random: Random) => DrivePlan;
}

// The laws as LawBreaker has them, with windows in seconds, so that they last as long at any rate.
const law38_2 =
  'G ((trafficLightAheadcolor == 2 & currentLanenumber == 0 -> (F[0s,10s] speed > 0.5)) & (trafficLightAheadcolor == 2 & currentLanenumber > 0 -> (F[0s,10s] speed < 0.5)))';
const law44 =
  'G (currentLanenumber >= 201 -> (F[0s,600s] (currentLanenumber >= 201 -> speed >= 20)) & speed <= speedLimitupperLimit)';
const law51_5 =
  'G (trafficLightAheadcolor == 1 & (stoplineAhead <= 2 | junctionAhead <= 2 | NPCAheadAhead <= 0.5) -> F[0s,0.2s] speed < 0.5)';
const law52 = 'G (signalAhead == 0 & NPCAheadAhead <= 1 & junctionAhead <= 1 -> F[0s,30s] speed < 0.5)';
const law53 =
  'G (isTrafficJam == 1 & (NPCAheadspeed < 0.5 | NPCAheadAhead <= 0.5 | junctionAhead <= 1) -> F[0s,20s] speed < 0.5)';
const noCollision = 'G !(collision == 1)';

/** The scenarios: the seven of the second paper's Table 1 in its order, and two more. */
export const drivingScenarios: readonly DrivingScenario[] = [
  {
    name: 'yellow-light',
    law: '38_2',
    description: 'A traffic light turns yellow while the ego vehicle approaches it to go straight on.',
    formula: law38_2,
    hz: 10,
    plan: (random) => {
      const speed = between(random, 10, 13.5);
      const junction = between(random, 120, 180);
      const yellowAt = (junction - between(random, 10, 85)) / speed;
      return {
        road: { length: junction + 260, junction, signalled: true },
        speed,
        light: { yellowAt, redSeconds: between(random, 12, 20) },
      };
    },
  },
  {
    name: 'red-light',
    law: '51_5',
    description: 'The ego vehicle is the first to stop at a red light, in rain or dry, and waits for green.',
    formula: law51_5,
    hz: 10,
    plan: (random) => ({
      ...redLightAhead(random),
      weather: { rain: random.chance(0.4) ? between(random, 0.3, 1) : 0 },
    }),
  },
  {
    name: 'left-turn',
    law: 'no collision',
    description: 'A left turn across oncoming traffic, and people who cross the road it leads to.',
    formula: noCollision,
    hz: 10,
    planner: { aggressiveness: 0.85, missProbability: 0.3, noise: 1.5 },
    plan: (random) => {
      const speed = between(random, 7, 11);
      const junction = between(random, 70, 110);
      const road = { length: junction + 170, junction, turn: LEFT, signalled: true };
      const { oncomingCrossing, junctionEnd } = new Road(road);
      const crossers: CrosserPlan[] = [];
      let arrival = junction / speed + between(random, -2, 3);
      for (let i = 0; i < 7; i++) {
        const oncoming = between(random, 9, 15);
        crossers.push({
          crossing: oncomingCrossing,
          heading: Math.PI,
          distance: oncoming * arrival,
          speed: oncoming,
          attentive: random.chance(0.15),
          yieldBefore: 4.5,
        });
        arrival += between(random, 2, 5.5);
      }
      if (random.chance(0.4)) {
        const setsOff = junction / speed + between(random, 0, 8);
        crossers.push(pedestrian(random, junctionEnd + 4, random.chance(0.5) ? 0 : Math.PI, setsOff));
      }
      return { road, speed, light: { yellowAt: 200, redSeconds: 10 }, crossers };
    },
  },
  {
    name: 'red-queue',
    law: '51_5',
    description:
      'The ego vehicle stops at a red light behind another vehicle, or after one that just made it.',
    formula: law51_5,
    hz: 10,
    planner: { standingGapMetres: 1.5, creepRate: 0.04 },
    plan: (random) => {
      const junction = between(random, 130, 180);
      const speed = between(random, 9, 12);
      const leader = {
        position: between(random, 25, 40),
        initialSpeed: speed,
        speed: between(random, 9, 12),
      };
      return {
        road: { length: junction + 170, junction, signalled: true },
        speed,
        light: { yellowAt: between(random, 3, 10), redSeconds: between(random, 18, 35) },
        leaders: [{ ...leader, obeysLight: random.chance(0.7) }],
      };
    },
  },
  {
    name: 'red-light-in-snow',
    law: '51_5',
    description: 'A red light in fog on a slippery road, at night: it is seen late, and braking takes long.',
    formula: law51_5,
    hz: 10,
    plan: (random) => ({
      ...redLightAhead(random),
      weather: { snow: between(random, 0.5, 1), fog: between(random, 0.4, 0.9) },
      timeOfDay: 21,
    }),
  },
  {
    name: 'crosswalk',
    law: 'no collision',
    description: 'People step onto a crosswalk between parked vehicles; a vehicle in front brakes hard.',
    formula: noCollision,
    hz: 10,
    planner: { missProbability: 0.1, distractionRate: 0.03 },
    plan: (random) => {
      const speed = between(random, 9, 13);
      const crosswalk = between(random, 110, 170);
      const reached = crosswalk / speed;
      const crossers: CrosserPlan[] = [];
      const people = 1 + Math.floor(3 * random.next());
      for (let i = 0; i < people; i++) {
        const heading = random.chance(0.6) ? Math.PI / 2 : -Math.PI / 2;
        crossers.push({
          ...pedestrian(random, crosswalk, heading, reached + between(random, -6, 0)),
          hiddenBeyond: between(random, 2.5, 5),
        });
      }
      const leader: LeaderPlan = {
        position: crosswalk + between(random, 20, 60),
        initialSpeed: speed,
        speed: between(random, 8, 12),
        deceleration: between(random, 3, 6.5),
        phases: [
          [4, 10],
          [2, 6],
        ],
        from: between(random, 4, 20),
        until: 60,
      };
      return {
        road: { length: crosswalk + 250, crosswalk },
        speed,
        crossers,
        leaders: random.chance(0.6) ? [leader] : [],
        weather: { rain: random.chance(0.5) ? between(random, 0.3, 1) : 0 },
      };
    },
  },
  {
    name: 'traffic-jam',
    law: '53',
    description: 'Stop and go in a traffic jam.',
    formula: law53,
    hz: 10,
    plan: (random) => {
      const first = between(random, 40, 70);
      const leaders: LeaderPlan[] = [];
      for (let i = 0; i < 4; i++) {
        leaders.push({ position: first + 8 * i, initialSpeed: 0, speed: between(random, 9, 12) });
      }
      leaders.push({
        position: first + 32,
        initialSpeed: 0,
        speed: between(random, 1.5, 3),
        phases: [
          [3, 12],
          [1, 8],
        ],
        until: between(random, 45, 75),
        speedAfter: 12,
      });
      return { road: { length: 240 }, speed: between(random, 5, 9), leaders };
    },
  },
  {
    name: 'fast-lane',
    law: '44',
    description: 'The ego vehicle overtakes in a fast lane, whose speed limit falls ahead.',
    formula: law44,
    hz: 10,
    plan: (random) => {
      const before = between(random, 70, 90);
      return {
        road: {
          length: 750,
          lanes: 2,
          speedLimit: before,
          limitChange: { at: between(random, 380, 520), speedLimit: before - between(random, 8, 20) },
        },
        speed: between(random, 15, 20),
        leaders: [{ position: between(random, 50, 120), speed: between(random, 8, 13) }],
      };
    },
  },
  {
    name: 'into-the-junction',
    law: '52',
    description: 'Close behind a vehicle into a junction without traffic lights, where others cross.',
    formula: law52,
    hz: 10,
    planner: { standingGapMetres: 0.8 },
    plan: (random) => {
      const speed = between(random, 6, 10);
      const junction = between(random, 70, 110);
      const road = { length: junction + 380, junction };
      const { crossingFromLeft, crossingFromRight } = new Road(road);
      const reached = junction / speed;
      const leader = {
        position: junction + between(random, 4.8, 5.8),
        initialSpeed: 0,
        speed: between(random, 8, 12),
        phases: [
          [60, 60],
          [reached + 1, reached + 7],
        ] as const,
      };
      const crossers: CrosserPlan[] = [];
      if (random.chance(0.5)) {
        const crossing = between(random, 7, 12);
        const fromLeft = random.chance(0.5);
        crossers.push({
          crossing: fromLeft ? crossingFromLeft : crossingFromRight,
          heading: fromLeft ? -Math.PI / 2 : Math.PI / 2,
          distance: crossing * (reached + between(random, 4, 14)),
          speed: crossing,
          attentive: true,
          yieldBefore: 5,
        });
      }
      return { road, speed, leaders: [leader], crossers };
    },
  },
];

/** A light that is red, or will be, when the ego vehicle comes to it. */
function redLightAhead(random: Random) {
  const junction = between(random, 130, 180);
  return {
    road: { length: junction + 170, junction, signalled: true },
    speed: between(random, 9, 13),
    light: { yellowAt: between(random, 0, 4), redSeconds: between(random, 22, 40) },
  } satisfies DrivePlan;
}

/** Somebody who sets off six metres from the path of the ego vehicle. */
function pedestrian(random: Random, crossing: number, heading: number, setsOff: number): CrosserPlan {
  return {
    pedestrian: true,
    crossing,
    heading,
    distance: 6,
    speed: between(random, 1, 2.2),
    startAt: Math.max(0.1, setsOff),
    yieldBefore: 3.5,
  };
}
