// A guard in a vehicle: it learns from simulated drives in snow when the planner will not stop at a red light, and brakes before.
// Run it with: npm run build && node examples/driving-guard/main.mjs
import { Abstraction, compileGuard, learn, parseSpecification } from 'foreguard';
import { loadGuard } from 'foreguard/guard';
import { createDrive, driveTrace, drivingScenarios } from 'foreguard/simulation';

const specification = parseSpecification(`
version: 1
samplingPeriod: 0.1s
predicates: # how hard the vehicle must brake to stand three metres before the line: 1, 2, 4 m/s²
  gently: 'speed * speed < 26 * (stoplineAhead - 3)'
  firmly: 'speed * speed < 52 * (stoplineAhead - 3)'
  hard:   'speed * speed < 104 * (stoplineAhead - 3)'
  near:   'stoplineAhead < 30'
  slow:   'speed < 10'
rules:
  stopAtRed: # a traffic law; what it compares are predicates too
    formula: 'G (trafficLightAheadcolor == 1 & (stoplineAhead <= 2 | junctionAhead <= 2) -> F[0s,0.2s] speed < 0.5)'
    minimumSafe: 0.7
    strategy: { replace: brake }
learning: { smoothing: 0 }`);
const scenario = drivingScenarios.find(({ name }) => name === 'red-light-in-snow');
const traces = Array.from({ length: 500 }, (_, seed) => driveTrace(scenario, { seed }));
const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
const guard = await loadGuard(compileGuard(specification, model));
for (const braking of [false, true]) {
  let [broken, told] = [0, null];
  for (let seed = 1000; seed < 1100; seed++) {
    const drive = createDrive(scenario, { seed });
    guard.reset();
    do {
      const answer = guard.step(drive.state, { time: drive.time });
      if (braking && answer.action === 'brake') drive.brake();
      if (answer.reason === 'at-threshold') told ??= `${drive.time} s: ${guard.explain(answer)}`;
    } while (!guard.rules[0].violated && drive.step());
    if (guard.rules[0].violated) broken++;
  }
  if (!braking) console.log(told);
  console.log(`${broken} of 100 drives break the rule ${braking ? 'where the guard brakes' : 'unguarded'}`);
}
