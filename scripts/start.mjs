// Runs docs/start.md, and the five minutes of docs/policies.md, line by line, each in an empty folder, as their readers would: commands run, files are written,
// and what the page says is printed must be.
// In place of the registry: the packed package, and the server and the protocol's SDK as test/adapters pins them.
//
//   npm run build && npm ci --prefix test/adapters && node scripts/start.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the pages promise: lines to write (on docs/start.md), and seconds, until the first guarded call. */
const MAX_LINES = 10;
const MAX_SECONDS = 300;

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const [, fiveMinutes] = /^## Five minutes with an MCP server$([\s\S]*?)^## /m.exec(read('docs/policies.md'));
const pages = [
  { path: 'docs/start.md', text: read('docs/start.md'), maxLines: MAX_LINES },
  { path: 'docs/policies.md', text: fiveMinutes, maxLines: Infinity },
];
const pinned = join(root, 'test/adapters/node_modules');

const folder = mkdtempSync(join(tmpdir(), 'foreguard-start-'));
try {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  for (const [i, page] of pages.entries()) {
    const work = join(folder, `work${i}`);
    mkdirSync(work);
    console.log(`${page.path}:`);
    follow(page, work, tarball);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function follow({ path, text, maxLines }, work, tarball) {
  const begin = performance.now();
  let [lines, isGuarded] = [0, false];
  let printed = '';
  for (const { language, code, before } of blocksOf(text)) {
    const written = code.trimEnd().split('\n');
    if (language === 'sh') {
      printed = '';
      for (const line of written) printed += run(line, work, tarball);
    } else if (language === 'text') {
      // A list of commands to choose from.
      if (code.startsWith('foreguard init')) continue;
      for (const line of written)
        if (!matches(printed, line)) fail(`the page says that this is printed: ${line}`, printed);
      isGuarded ||= code.includes('not permitted');
    } else if (language === 'js' || language === 'yaml') {
      const [, name] =
        /`([\w.]+\.(?:mjs|yaml))`[^`]*$/.exec(before) ?? fail(`no file is named before: ${code}`, '');
      writeFileSync(join(work, name), code);
    } else continue;
    if (!isGuarded && language !== 'text') lines += written.length;
    if (isGuarded && lines > 0) {
      const seconds = (performance.now() - begin) / 1000;
      console.log(`first guarded call after ${lines} lines, ${seconds.toFixed(0)} s`);
      if (lines > maxLines || seconds > MAX_SECONDS)
        fail(`more than ${maxLines} lines or ${MAX_SECONDS} s`, '');
      lines = -Infinity;
    }
  }
  if (!isGuarded) fail('no call was guarded', printed);
  console.log(`${path}: every line runs and prints what the page says`);
}

/** The blocks of a page, each with the text before it. */
function blocksOf(text) {
  const blocks = [];
  let end = 0;
  for (const match of text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    blocks.push({ language: match[1], code: match[2], before: text.slice(end, match.index) });
    end = match.index + match[0].length;
  }
  return blocks;
}

function run(line, work, tarball) {
  console.log(`$ ${line}`);
  const install = /^npm install PATH\/foreguard-[\d.]+\.tgz (.+)$/.exec(line);
  const command = install === null ? line : `npm install --no-audit --no-fund ${tarball}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: work,
    encoding: 'utf8',
    timeout: 120_000,
  });
  if (status !== 0) fail(`${line} failed with ${status}`, `${stdout}${stderr}`);
  for (const name of install?.[1].split(' ') ?? []) link(name, work);
  process.stdout.write(stdout);
  return `${stdout}${stderr}`;
}

/** Puts a pinned package, and its commands, where npm would have put it. */
function link(name, work) {
  const source = join(pinned, name);
  if (!existsSync(source)) fail(`${name} is not in test/adapters: npm ci --prefix test/adapters`, '');
  const target = join(work, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(source, target);
  const { bin = {} } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const [command, path] of Object.entries(bin))
    symlinkSync(join(source, path), join(work, 'node_modules/.bin', command));
}

/** Whether a line was printed; `…` stands for anything. */
function matches(printed, line) {
  const parts = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'm').test(printed);
}

function fail(what, printed) {
  throw new Error(`${what}\n${printed}`);
}
