// Makes the traces that the main job learns from: one gzipped file a task, the same bytes of JSON lines every time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { generateTraces, householdTasks } from 'foreguard-worlds';

const tracesPerTask = 150;
const seed = 2026;
const folder = fileURLToPath(new URL('traces/', import.meta.url));

mkdirSync(folder, { recursive: true });
let bytes = 0;
for (const task of householdTasks) {
  const traces = generateTraces({ task, seed });
  const lines = Array.from({ length: tracesPerTask }, () => `${JSON.stringify(traces.next().value)}\n`);
  const file = gzipSync(lines.join(''), { level: 9 });
  writeFileSync(`${folder}${task.name}.jsonl.gz`, file);
  bytes += file.length;
}
console.log(
  `${householdTasks.length * tracesPerTask} traces of ${householdTasks.length} tasks, ${bytes} bytes, in ${folder}`,
);
