/** The process of one job: reads it from standard input and writes a JSON document a line, as `runJobs.mjs` expects. */
import * as foreguard from '../../dist/index.js';
import * as logic from '../../dist/logic/index.js';
import { api } from './api.mjs';
import { runInstance } from './runInstance.mjs';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const job = JSON.parse(Buffer.concat(chunks).toString());
runInstance(api(foreguard, logic), job, (message) => process.stdout.write(`${JSON.stringify(message)}\n`));
