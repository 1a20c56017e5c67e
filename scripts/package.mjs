// What users install and what it costs to load: files and bytes of the package, whether its declarations are whole and name what its scripts export,
// and the processor time that an import and the command take over Node itself, medians of 20.
//
//   npm run build && node scripts/package.mjs [--check]    with --check it fails above a budget
//
// Goals are those of the project. Budgets of sizes stand just above what has been reached; those of times are several times what was
// measured, so that a busy machine never fails them, and what loads everything again does.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { publicEntries } from './publicNames.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const RUNS = 20;
const faults = [];

/** @param {{ name: string, value: number, unit: string, digits: number, goal?: number, budget: number }} figure */
function report({ name, value, unit, digits, goal, budget }) {
  const written = [value, goal, budget]
    .map((number) => (number?.toFixed(digits) ?? '').padStart(8))
    .join(' ');
  console.log(`${written}  ${unit.padEnd(5)}  ${name}`);
  if (value > budget) faults.push(`${name}: ${value.toFixed(digits)} ${unit}, and the budget is ${budget}`);
}

console.log(`${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`);
console.log('measured     goal   budget');
packed();
times();
await declarations();

for (const fault of faults) console.error(fault);
if (faults.length > 0 && process.argv.includes('--check')) process.exit(1);

function packed() {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ entryCount, size, unpackedSize }] = JSON.parse(listed);
  report({ name: 'in the package', value: entryCount, unit: 'files', digits: 0, budget: 345 });
  report({ name: 'packed', value: size / 1e6, unit: 'MB', digits: 2, goal: 1, budget: 1.63 });
  report({ name: 'unpacked', value: unpackedSize / 1e6, unit: 'MB', digits: 2, goal: 4, budget: 5.42 });
}

function times() {
  // Preloaded into every process, also the bare one: says at its end what it took.
  const preload = fileURLToPath(new URL('./sayProcessorTime.cjs', import.meta.url));
  const programs = {
    bare: ['-e', '0'],
    'import of foreguard': ['--input-type=module', '-e', "import 'foreguard'"],
    'import of foreguard/guard': ['--input-type=module', '-e', "import 'foreguard/guard'"],
    'foreguard --version': [`${root}dist/cli.js`, '--version'],
    'foreguard --help': [`${root}dist/cli.js`, '--help'],
  };
  const taken = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let i = 0; i < RUNS; i++) {
    for (const [name, words] of Object.entries(programs)) {
      const { status, stderr } = spawnSync(process.execPath, ['--require', preload, ...words], {
        cwd: root,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
      taken[name].push(Number(/processor time: (\d+) µs/.exec(stderr)[1]) / 1e6);
    }
  }
  const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  const bare = median(taken.bare);
  const over = (name, goal, budget) =>
    report({
      name: `${name}, over ${bare.toFixed(3)} of node -e 0`,
      value: median(taken[name]) - bare,
      unit: 's',
      digits: 3,
      goal,
      budget,
    });
  over('import of foreguard', 0.1, 0.3);
  over('import of foreguard/guard', undefined, 0.12);
  over('foreguard --version', 0.06, 0.2);
  over('foreguard --help', 0.06, 0.2);
}

/** Each entry must declare what its source does and its script exports, by declarations that hold together without looking the other way. */
async function declarations() {
  const entries = publicEntries();
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8')).compilerOptions, skipLibCheck: false },
    root,
  );
  const declared = ({ file }) => `${root}dist/${file}.d.ts`;
  const program = ts.createProgram(
    entries.flatMap((entry) => [declared(entry), entry.source]),
    options,
  );
  const checker = program.getTypeChecker();
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program))
    if (file?.fileName.startsWith(`${root}dist/`))
      faults.push(`${file.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);

  const symbols = (path) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)));
  const isValue = (symbol) => {
    if (symbol.declarations.some(ts.isTypeOnlyExportDeclaration)) return false;
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (target.flags & ts.SymbolFlags.Value) !== 0;
  };
  const names = (list) => list.map(({ name }) => name).sort();
  for (const entry of entries) {
    const inSource = symbols(entry.source);
    const inDeclarations = symbols(declared(entry));
    const inScript = Object.keys(await import(`../dist/${entry.file}.js`)).sort();
    same(entry.name, 'its declarations have', names(inDeclarations), names(inSource));
    same(entry.name, 'its script exports', inScript, names(inDeclarations.filter(isValue)));
  }
}

function same(entry, what, found, expected) {
  const missing = expected.filter((name) => !found.includes(name));
  const more = found.filter((name) => !expected.includes(name));
  if (missing.length > 0) faults.push(`${entry}: ${what} no ${missing.join(', ')}, which its source has`);
  if (more.length > 0) faults.push(`${entry}: ${what} ${more.join(', ')}, which its source has not`);
}
