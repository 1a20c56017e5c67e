import { parentPort, workerData } from 'node:worker_threads';
import { drivingScenarios } from 'foreguard/simulation';
import { runScenario } from './scenario.mjs';

const { name, plan } = workerData;
parentPort.postMessage(
  await runScenario(
    drivingScenarios.find((scenario) => scenario.name === name),
    plan,
  ),
);
