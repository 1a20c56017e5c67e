import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../../bindings/base/errors.js';
import {
  DRIVING_VARIABLES,
  type DrivingVariableName,
} from '../../../../bindings/observations/trace/index.js';
import {
  createDrive,
  type Drive,
  type DrivingScenario,
  driveTrace,
  drivingScenarios,
  timeLost,
} from '../../../../worlds/src/index.js';
import { garbageOf } from '../../../garbage.js';

const scenario = (name: string): DrivingScenario => drivingScenarios.find((one) => one.name === name)!;

function drivesOf(count: number, hz: number): Drive[] {
  return drivingScenarios.flatMap((one) =>
    Array.from({ length: count }, (_, seed) => createDrive(one, { seed, hz })),
  );
}

/** The sum of all speeds, so that something is computed. */
function run(drives: readonly Drive[]): number {
  let sum = 0;
  for (const drive of drives) {
    do sum += drive.state.speed;
    while (drive.step());
  }
  return sum;
}

/** Bytes: less than two a step; one number that is allocated takes 16. */
const LITTLE = 400_000;

describe('a drive', () => {
  it('is the same for the same seed and another for another', () => {
    for (const one of drivingScenarios) {
      const trace = driveTrace(one, { seed: 7 });
      expect(driveTrace(one, { seed: 7 })).toEqual(trace);
      expect(driveTrace(one, { seed: 8 }).steps).not.toEqual(trace.steps);
    }
  });

  it('lasts from 20 to 120 seconds unless it collides, and ends where it arrived, collided or two minutes have passed', () => {
    let collisions = 0;
    for (const drive of drivesOf(60, 10)) {
      while (drive.step());
      expect(drive.over).toBe(true);
      expect(drive.step()).toBe(false);
      expect(drive.state.collision).toBe(drive.collided ? 1 : 0);
      expect(drive.state.reach_destination).toBe(drive.arrived ? 1 : 0);
      expect(drive.arrived).toBe(drive.progress === 1);
      if (drive.collided) {
        collisions++;
        continue;
      }
      expect(drive.time).toBeGreaterThanOrEqual(20);
      expect(drive.time).toBeLessThanOrEqual(120);
    }
    expect(collisions).toBeGreaterThan(0);
  });

  it('gives every variable a number within what the variable can be', () => {
    const bounds: Partial<Record<DrivingVariableName, readonly [number, number]>> = {
      speed: [0, 120],
      acc: [-8, 2.5],
      brake: [0, 100],
      direction: [0, 2],
      turnSignal: [0, 2],
      trafficLightAheadcolor: [0, 3],
      Time: [0, 24],
    };
    const least = new Map<string, number>();
    const most = new Map<string, number>();
    for (const drive of drivesOf(10, 10)) {
      expect(Object.keys(drive.state)).toEqual(DRIVING_VARIABLES.map(({ name }) => name));
      do {
        for (const { name } of DRIVING_VARIABLES) {
          const value = drive.state[name];
          if (!(value >= (least.get(name) ?? Number.POSITIVE_INFINITY))) least.set(name, value);
          if (!(value <= (most.get(name) ?? Number.NEGATIVE_INFINITY))) most.set(name, value);
        }
      } while (drive.step());
    }
    for (const { name, unit } of DRIVING_VARIABLES) {
      const [low, high] = bounds[name] ?? (unit === 'm' ? [0, 200] : [0, 210]);
      expect(least.get(name), name).toBeGreaterThanOrEqual(low);
      expect(most.get(name), name).toBeLessThanOrEqual(high);
    }
  });

  it('moves as its speed says, never faster than its actuators allow', () => {
    for (const hz of [10, 100]) {
      const { steps } = driveTrace(scenario('red-light'), { seed: 3, hz });
      for (let i = 1; i < steps.length; i++) {
        const before = steps[i - 1].state as Record<DrivingVariableName, number>;
        const now = steps[i].state as Record<DrivingVariableName, number>;
        expect(steps[i].time).toBeCloseTo(i / hz, 10);
        expect(Math.abs(now.acc - before.acc)).toBeLessThanOrEqual(
          Math.max(12 / hz, 0) + 8 * Number(now.speed === 0),
        );
        if (before.stoplineAhead > 150 || now.stoplineAhead > before.stoplineAhead) continue;
        const mean = (before.speed + now.speed) / 2 / 3.6;
        expect(Math.abs(before.stoplineAhead - now.stoplineAhead - mean / hz)).toBeLessThan(0.1 / hz);
      }
    }
  });

  it('at 100 Hz is nearly the one at 10 Hz: decisions come ten times a second in both', () => {
    let near = 0;
    const seeds = 30;
    for (let seed = 0; seed < seeds; seed++) {
      const slow = createDrive(scenario('red-light'), { seed });
      const fast = createDrive(scenario('red-light'), { seed, hz: 100 });
      run([slow, fast]);
      if (Math.abs(slow.time - fast.time) < 2) near++;
    }
    expect(near).toBeGreaterThan(0.8 * seeds);
  });

  it('refuses a seed that is no integer and a rate that is no multiple of 10', () => {
    const one = drivingScenarios[0];
    expect(() => createDrive(one, { seed: 0.5 })).toThrow(InvalidArgumentError);
    expect(() => createDrive(one, { seed: 1, hz: 25 })).toThrow(/multiple of 10 steps a second.*found 25/);
    expect(() => createDrive(one, { seed: 1, hz: 2000 })).toThrow(InvalidArgumentError);
    expect(() => createDrive(one, { seed: 1, Hz: 100 } as never)).toThrow(/did you mean hz/);
  });

  it('refuses a parameter that its planner does not have, and one that is no number', () => {
    const given = (planner: object): (() => Drive) => {
      return () => createDrive(drivingScenarios[0], { seed: 1, planner });
    };
    expect(given({ aggresiveness: 1 })).toThrow(/has no option aggresiveness; did you mean aggressiveness/);
    expect(given({ noise: Number.NaN })).toThrow(/noise must be a number from 0 on; found NaN/);
    expect(given({ creepRate: -1 })).toThrow(InvalidArgumentError);
  });

  it('has a planner that can be made worse', () => {
    const stops = (aggressiveness: number): number => {
      let stopped = 0;
      for (let seed = 0; seed < 60; seed++) {
        const drive = createDrive(scenario('yellow-light'), { seed, planner: { aggressiveness } });
        let stood = false;
        while (drive.step()) stood ||= drive.state.speed < 0.5;
        if (stood) stopped++;
      }
      return stopped;
    };
    expect(stops(1)).toBeLessThan(stops(0) - 10);
  });

  it('allocates next to nothing while it steps', async () => {
    let sum = 0;
    const { collections, grown } = await garbageOf(async () => {
      const { createDrive, drivingScenarios } = await import('../../../../worlds/src/index.js');
      const drives = () =>
        drivingScenarios.flatMap((one) =>
          Array.from({ length: 5 }, (_, seed) => createDrive(one, { seed, hz: 100 })),
        );
      const stepAll = (all: readonly Drive[]): number => {
        let total = 0;
        for (const drive of all) {
          do total += drive.state.speed;
          while (drive.step());
        }
        return total;
      };
      stepAll(drives());
      return () => {
        const all = drives();
        return () => {
          sum = stepAll(all);
        };
      };
    }, LITTLE);
    expect(collections).toBe(0);
    expect(grown).toBeLessThanOrEqual(LITTLE);
    expect(sum).toBeGreaterThan(0);
  });
});

describe('an override', () => {
  it('brakes to a stand for as long as it is called, and the planner goes on afterwards', () => {
    const drive = createDrive(scenario('yellow-light'), { seed: 0 });
    for (let i = 0; i < 50; i++) {
      drive.brake();
      drive.step();
    }
    expect(drive.state.speed).toBe(0);
    expect(drive.overriddenSeconds).toBe(5);
    while (drive.step());
    expect(drive.arrived).toBe(true);
    expect(timeLost(drive)).toBeGreaterThan(3);
  });

  it('that is never called costs no time', () => {
    const drive = createDrive(scenario('red-queue'), { seed: 1 });
    run([drive]);
    expect(timeLost(drive)).toBe(0);
  });

  it('leaves the scene and the traffic as they are', () => {
    const free = createDrive(scenario('yellow-light'), { seed: 5 });
    const braked = createDrive(scenario('yellow-light'), { seed: 5 });
    for (let i = 0; i < 300; i++) {
      braked.brake();
      free.step();
      braked.step();
      expect(braked.situation.colour).toBe(free.situation.colour);
    }
  });

  it('that yields all along collides less and still arrives', () => {
    for (const name of ['left-turn', 'crosswalk']) {
      let free = 0;
      let yielded = 0;
      let arrived = 0;
      const seeds = 150;
      for (let seed = 0; seed < seeds; seed++) {
        const alone = createDrive(scenario(name), { seed });
        run([alone]);
        const guarded = createDrive(scenario(name), { seed });
        do guarded.yield();
        while (guarded.step());
        if (alone.collided) free++;
        if (guarded.collided) yielded++;
        if (guarded.arrived) arrived++;
      }
      expect(yielded, name).toBeLessThan(free / 2);
      expect(arrived, name).toBeGreaterThan(0.9 * seeds);
    }
  });
});
