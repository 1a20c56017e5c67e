// The vehicle whose guard is timed: 12 predicates over the variables of the driving world (comparisons, of two variables too), a chain learnt from
// drives at 10 Hz, four automata (responses within 100 steps and nested ones); and what its rules come to by definition.

import { driveTrace, drivingScenarios } from 'foreguard-worlds';
import { createGuardStep } from '../dist/guard.js';
import { Abstraction, compileGuard, learn, parseSpecification } from '../dist/index.js';
import { windowInSteps } from './internals.mjs';
import { SHORT } from './timing.mjs';
import { observationOf } from './vehicleObservation.mjs';

export const DRIVES = SHORT ? 20 : 200; // to learn from, of each scenario

export const specification = parseSpecification(`
version: 1
samplingPeriod: 0.1s
predicates:
  green: 'trafficLightAheadcolor == 3'
  yellow: 'trafficLightAheadcolor == 2'
  red: 'trafficLightAheadcolor == 1'
  moving: 'speed > 0.5'
  speeding: 'speed > speedLimitupperLimit'
  atLine: 'stoplineAhead <= 2 || junctionAhead <= 2'
  inJunction: 'currentLanenumber == 0'
  clear: 'PriorityNPCAhead == 0 && PriorityPedsAhead == 0'
  close: 'NPCAheadAhead <= 8'
  touching: 'NPCAheadAhead <= 0.5'
  aheadStands: 'NPCAheadspeed < 0.5'
  jam: 'isTrafficJam == 1'
rules:
  leaveOnYellow: { formula: 'G (yellow & inJunction -> F[0s,10s] moving)', minimumSafe: 0.7, strategy: { replace: brake } }
  stopInJam: { formula: 'G (jam & (aheadStands | touching | atLine) -> F[0s,10s] !moving)', threshold: 0.5 }
  startOnGreen: { formula: 'G (green & clear & (!close | F[0s,0.3s] !aheadStands) -> F[0s,10s] (moving | inJunction))', threshold: 0.5 }
  slowDown: { formula: 'G (speeding & (H[0s,1s] speeding) -> F[0s,5s] (!speeding & F[0s,2s] !speeding))', threshold: 0.7, strategy: report }
learning: { smoothing: 0 }
onUnknown: inspect
`);

/** What a formula comes to at position i of a drive so far: true, false, or undefined while it can still become both. */
export function verdictOf(formula, valuations, i) {
  const not = (value) => (value === undefined ? undefined : !value);
  /** Whether one of the values is true; those after it are not looked at. */
  const some = (count, value) => {
    let any = false;
    for (let n = 0; n < count && any !== true; n++) {
      const one = value(n);
      if (one !== false) any = one;
    }
    return any;
  };
  const of = (part, j = i) => verdictOf(part, valuations, j);
  const either = (left, right) => some(2, (n) => (n === 0 ? left() : right()));
  switch (formula.kind) {
    case 'predicate':
      return valuations[i][formula.name];
    case 'not':
      return not(of(formula.operand));
    case 'and':
      return not(
        either(
          () => not(of(formula.left)),
          () => not(of(formula.right)),
        ),
      );
    case 'or':
      return either(
        () => of(formula.left),
        () => of(formula.right),
      );
    case 'implies':
      return either(
        () => not(of(formula.left)),
        () => of(formula.right),
      );
    default: {
      const { operator, operand } = formula;
      const { from, to } = windowInSteps(formula.window, specification.samplingPeriod);
      const universal = operator === 'G' || operator === 'H';
      const past = operator === 'O' || operator === 'H';
      const reach = past ? Math.min(i, to ?? i) : Math.min(valuations.length - i, to ?? Infinity);
      const found = some(reach - from + 1, (n) => {
        const j = past ? i - from - n : i + from + n;
        if (j >= valuations.length) return undefined;
        return universal ? not(of(operand, j)) : of(operand, j);
      });
      return universal ? not(found) : found;
    }
  }
}

/** Of each scenario the drives of these seeds. */
export function drivesOf(seeds) {
  return drivingScenarios.flatMap((scenario) =>
    seeds.map((seed) => {
      const { id, complete, steps } = driveTrace(scenario, { seed });
      return {
        id,
        complete,
        steps: steps.map(({ state, time }) => ({ state: observationOf(state), time })),
      };
    }),
  );
}

const traces = drivesOf(Array.from({ length: DRIVES }, (_, seed) => seed));
export const abstraction = new Abstraction(specification.abstraction);
const { model, report } = await learn(abstraction, traces, specification.learning);
/** Steps that the chain was learnt from. */
export const { steps: stepsLearnt } = report;
export const file = compileGuard(specification, model);

/**
 * Compares a guard's verdicts along drives with those by definition: in the end of every drive, and of a tenth of them at every step.
 * @throws Error where one is wrong
 */
export function compareVerdicts(guard, drives, visit = () => undefined) {
  const word = new Uint32Array(abstraction.words);
  const result = createGuardStep();
  let [compared, violated] = [0, 0];
  for (const { id, steps } of drives) {
    const valuations = [];
    const everyStep = random() < 0.1;
    guard.reset();
    for (const [i, step] of steps.entries()) {
      visit(guard.stepInto(step.state, step, result));
      abstraction.encode(step.state, step, word);
      valuations.push(abstraction.decode(word));
      if (!everyStep && i < steps.length - 1) continue;
      for (const [r, { name, violated: found }] of guard.rules.entries()) {
        compared++;
        if (found) violated++;
        if (found !== (verdictOf(specification.rules[r].formula, valuations, 0) === false))
          throw new Error(`${id}: wrong verdict of ${name} at step ${i}`);
      }
    }
  }
  return { compared, violated };
}

/** The drives that keep every rule: a violated automaton no longer steps, and would be timed for nothing. */
export function keepingRules(guard, drives) {
  return drives.filter(({ steps }) => {
    guard.reset();
    for (const step of steps) guard.step(step.state, step);
    return guard.rules.every(({ violated }) => !violated);
  });
}

/** Numbers from 0 to 1, the same every time. */
export const random = (() => {
  let state = 5;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
})();

/** The value below which a share `q` of sorted values lies. */
export const quantile = (values, q) => values[Math.min(values.length - 1, Math.floor(q * values.length))];
