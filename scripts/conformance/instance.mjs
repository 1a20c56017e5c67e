/**
 * The process of one job: reads it from standard input and writes a JSON document a line, as `runJobs.mjs` expects. What it needs of the language,
 * and the package does not export, ../conformance.mjs has bundled.
 */
import * as check from '../../dist/check.js';
import * as foreguard from '../../dist/index.js';
import * as logic from '../../out/conformance/logic.mjs';
import { api } from './api.mjs';
import { runInstance } from './runInstance.mjs';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const job = JSON.parse(Buffer.concat(chunks).toString());
runInstance(api({ ...foreguard, ...check }, logic), job, (message) =>
  process.stdout.write(`${JSON.stringify(message)}\n`),
);
