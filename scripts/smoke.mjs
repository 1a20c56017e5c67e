// Packs the package, checks the tarball with publint and are-the-types-wrong, installs it into an empty folder and uses
// it there as a user would: import, load the kernel, compute one number, run the command.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadLinks } from './deadLinks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(exports).filter((entry) => !/\.(?:wasm|json)$/.test(entry));

const folder = mkdtempSync(join(tmpdir(), 'foreguard-smoke-'));
try {
  const [{ filename, size, entryCount }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
  );
  const tarball = join(folder, filename);
  console.log(`${filename}: ${entryCount} files, ${(size / 1024).toFixed(0)} KiB`);

  process.stdout.write(run('npx', ['publint', 'run', tarball, '--strict'], root));
  process.stdout.write(
    run(
      'npx',
      [
        'attw',
        tarball,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        ...Object.keys(exports).filter((entry) => /\.(?:wasm|schema\.json)$/.test(entry)),
      ],
      root,
    ),
  );

  writeFileSync(join(folder, 'package.json'), '{ "name": "smoke", "private": true, "type": "module" }');
  run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', tarball], folder);
  const dead = deadLinks(join(folder, 'node_modules', 'foreguard'));
  if (dead.length > 0) throw new Error(`links of the package lead nowhere:\n${dead.join('\n')}`);
  console.log(
    'every link in the pages of the package leads to a file in it, and to a heading where it names one',
  );
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { parseFormula } from 'foreguard';
import { BitSet, checkProperty, dtmcFromRows, getKernel } from 'foreguard/check';
import { explainVerdict } from 'foreguard/explain';
import { loadGuard } from 'foreguard/guard';
import { openThreads } from 'foreguard/threads';
// Gambler's ruin with 1 of 3 coins and a fair coin: ruin has probability 2/3.
const model = dtmcFromRows([[[0, 1]], [[0, 0.5], [2, 0.5]], [[1, 0.5], [3, 0.5]], [[3, 1]]], { initial: [1], labels: { ruin: [0] } });
const { lower, upper } = checkProperty(model, parseFormula('P=? [ F "ruin" ]'));
if (!(lower <= 2 / 3 && 2 / 3 <= upper && upper - lower < 1e-9)) throw new Error(\`\${lower}..\${upper} does not bracket 2/3\`);
if (!(getKernel().memoryBytes() > 0)) throw new Error('the kernel is not WebAssembly');
// Adapters load where their frameworks are not installed.
for (const entry of ${JSON.stringify(entries)}) {
  const values = Object.values(await import('foreguard' + entry.slice(1)));
  if (!values.some((value) => typeof value === 'function')) throw new Error('foreguard' + entry.slice(1) + ' has no function');
}
const threads = await openThreads({ count: 2 });
const shared = await threads.until(model, BitSet.full(4), BitSet.of(4, [0]));
if (!(shared.lower[1] <= 2 / 3 && 2 / 3 <= shared.upper[1])) throw new Error('threads do not bracket 2/3');
await threads.close();
if (typeof loadGuard !== 'function') throw new Error('foreguard/guard has no loadGuard');
if (explainVerdict('F a', [{ a: true }]).verdict !== 'satisfied') throw new Error('foreguard/explain does not explain');
console.log(\`P(ruin) in [\${lower}, \${upper}]\`);
`,
  );
  process.stdout.write(run('node', ['use.mjs'], folder));
  const help = run('npx', ['foreguard', '--help'], folder);
  for (const command of [
    'init',
    'validate',
    'learn',
    'risk',
    'replay',
    'compile',
    'check',
    'policy',
    'workflow',
    'mcp-proxy',
  ])
    if (!new RegExp(`^ +${command}\\b`, 'm').test(help)) throw new Error(`--help lacks ${command}:\n${help}`);
  console.log('npx foreguard --help lists the commands');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
