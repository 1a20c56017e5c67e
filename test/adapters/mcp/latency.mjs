// What the proxy adds to a call on this machine: the same call, made directly and through the proxy by turns.
//   node test/adapters/mcp/latency.mjs [--short]
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { buildPrograms } from './programs.mjs';

const { foreguard, mail, latency } = await buildPrograms('mcp-latency');
console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`);
const words = [latency, foreguard, mail, ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
