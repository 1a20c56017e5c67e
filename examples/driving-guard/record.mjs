// Writes simulated drives in snow as JSON lines, with the variables that vehicle.yaml reads; a vehicle would log its own.
// Run it with: npm run build && node examples/driving-guard/record.mjs FIRST_SEED DRIVES > drives.jsonl
import { driveTrace, drivingScenarios } from 'foreguard-worlds';

const [first, drives] = process.argv.slice(2).map(Number);
const scenario = drivingScenarios.find(({ name }) => name === 'red-light-in-snow');
for (let seed = first; seed < first + drives; seed++) {
  const trace = driveTrace(scenario, { seed });
  const steps = trace.steps.map(({ state, time }) => {
    const { speed, stoplineAhead, junctionAhead, trafficLightAheadcolor } = state;
    return { state: { speed, stoplineAhead, junctionAhead, trafficLightAheadcolor }, time };
  });
  process.stdout.write(`${JSON.stringify({ ...trace, steps })}\n`);
}
