import type { Random } from '../random.js';
import { between } from './draws.js';
import type { PlannerParameters } from './planner.js';
import type { DrivePlan } from './situation.js';

/** A situation in traffic that may break a law, or not. */
export interface DrivingScenario {
  readonly name: string;
  /** The law's number, or `no collision`. */
  readonly law: string;
  readonly description: string;
  /** The law in LawBreaker's syntax over the driving variables; its windows count steps at `hz`. */
  readonly formula: string;
  /** Steps a second unless a drive asks for another rate. */
  readonly hz: number;
  /** How its planner differs from the ordinary one. */
  readonly planner?: Partial<PlannerParameters>;
  /** Draws how a drive begins. */
  readonly plan: (random: Random) => DrivePlan;
}

const law38_2 =
  '( always( ( ( (trafficLightAheadcolor == 2) and ((currentLanenumber == 0)) ) implies ( eventually[0,100](speed > 0.5) ) ) and ( ( (trafficLightAheadcolor == 2) and ((currentLanenumber > 0)) ) implies ( eventually[0,100](speed < 0.5) ) ) ) )';

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
];

/**
 * The law of a scenario with its windows in steps of another rate, so that they last as long.
 *
 * @param hz steps a second, a multiple of the scenario's
 */
export function lawAt(scenario: DrivingScenario, hz: number): string {
  const factor = hz / scenario.hz;
  return scenario.formula.replace(
    /\[(\d+),\s*(\d+)\]/g,
    (_, from, to) => `[${from * factor},${to * factor}]`,
  );
}
