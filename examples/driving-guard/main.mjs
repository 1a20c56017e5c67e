// A guard in a vehicle: it learns from simulated drives in snow when the planner will not stop at a red light, and brakes before.
// Run it with: npm run build && node examples/driving-guard/main.mjs
import { readFileSync } from 'node:fs';
import { Abstraction, compileGuard, learn, parseSpecification } from 'foreguard';
import { loadGuard } from 'foreguard/guard';
import { createDrive, driveTrace, drivingScenarios } from 'foreguard-worlds';

const specification = parseSpecification(readFileSync(new URL('vehicle.yaml', import.meta.url), 'utf8'));
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
      if (braking && answer.decision !== 'allow') drive.brake();
      if (answer.reason === 'at-threshold') told ??= `${drive.time} s: ${guard.explain(answer)}`;
    } while (!guard.rules[0].violated && drive.step());
    if (guard.rules[0].violated) broken++;
  }
  if (!braking) console.log(told);
  console.log(`${broken} of 100 drives break the rule ${braking ? 'where the guard brakes' : 'unguarded'}`);
}
