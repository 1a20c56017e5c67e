import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nodeStorage } from 'foreguard/node';
import { progress } from '../household/terminal.mjs';

/** A table in Markdown; all columns but the first are to the right. */
export function markdownTable(header, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line), ''].join(
    '\n',
  );
}

/** Goals as a table. Each is what was to be reached (`wanted`) and what was seen. */
export function goalTable(goals) {
  return markdownTable(
    ['what', 'goal', 'measured', ''],
    goals.map(({ what, wanted, seen, isReached }) => [what, wanted, seen, isReached ? 'reached' : 'missed']),
  );
}

/** Shows an experiment's report, writes it with its results to `out/NAME.md` and `.json`, and fails where a goal that is a law (`isLaw`) is missed. */
export async function writeReport(name, results, text, goals) {
  const here = (file) => fileURLToPath(new URL(`../../out/${file}`, import.meta.url));
  mkdirSync(here(''), { recursive: true });
  await nodeStorage.write(here(`${name}.json`), `${JSON.stringify(results, null, 1)}\n`);
  await nodeStorage.write(here(`${name}.md`), text);
  progress('');
  console.log(text);
  console.log(`Wrote out/${name}.json and out/${name}.md.`);
  const off = goals.filter(({ isLaw, isReached }) => isLaw && !isReached);
  for (const { what, seen } of off) console.error(`Something is off: ${what}: ${seen}`);
  if (off.length > 0) process.exitCode = 1;
}
