import { parentPort } from 'node:worker_threads';
import { drivingScenarios } from 'foreguard-worlds';
import { runScenario } from './scenario.mjs';

parentPort.on('message', async ({ name, plan }) => {
  const scenario = drivingScenarios.find((one) => one.name === name);
  parentPort.postMessage(await runScenario(scenario, plan));
});
