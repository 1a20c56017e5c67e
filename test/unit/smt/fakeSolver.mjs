// A solver that fails in one of the ways in which programs do: node fakeSolver.mjs MODE
import { readFileSync } from 'node:fs';

const mode = process.argv[2];
const script = readFileSync(0, 'utf8');
const version = '(:version "fake 1")\n';
const modes = {
  unsat: () => process.stdout.write(`${version}unsat\n(error "no model")\n`),
  unsatThenError: () => {
    process.stdout.write(`${version}unsat\n(error "no model is available")\n`);
    process.exitCode = 1;
  },
  sat: () => process.stdout.write(`${version}sat\n((|n| 7))\n`),
  unknown: () => process.stdout.write(`${version}unknown\n`),
  crash: () => process.exit(3),
  crashAfterUnsat: () => {
    process.stdout.write(`${version}unsat\n`);
    process.exitCode = 134;
  },
  killed: () => {
    process.stdout.write(`${version}unsat\n`, () => process.kill(process.pid, 'SIGSEGV'));
  },
  garbage: () => process.stdout.write('<html>busy</html> unsat'),
  error: () => process.stdout.write(`${version}(error "line 1: unknown option")\nunsat\n`),
  twoMinds: () => process.stdout.write(`${version}unsat\nsat\n`),
  tail: () => process.stdout.write(`${version}sat\n((|n| 7))\nunsat\n`),
  silence: () => undefined,
  brackets: () => process.stdout.write('('.repeat(100000)),
  model: () => process.stdout.write(`${version}sat\n((|n| maybe))\n`),
  complains: () => {
    process.stderr.write('cannot open the licence');
    process.exitCode = 2;
  },
  hang: () => setInterval(() => undefined, 1000),
  flood: () => {
    const line = 'unsat '.repeat(10000);
    const write = () => process.stdout.write(line, write);
    write();
  },
  echo: () => process.stdout.write(`${version}${script.includes('(check-sat)') ? 'unsat' : 'unknown'}\n`),
};
modes[mode]();
