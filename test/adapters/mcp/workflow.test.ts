import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPrograms } from './programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-workflow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let programs: { foreguard: string; mail: string; ledger: string };
beforeAll(async () => {
  programs = await buildPrograms('workflow');
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const CONTRACTS = `version: 1
tools:
  search: { arguments: { query: text }, result: text, consequential: false, observable: nobody }
  send: { arguments: { to: { type: text, integrity: trusted } }, result: { fields: { sent: boolean } } }
  forget: { ask: person }
  fail: {}
`;
const contracts = file('mail.yaml', CONTRACTS);
const plan = file(
  'plan.mjs',
  `goal('Find, and send');
const found = await search({ query: 'bills' });
const done = await send({ to: 'ann' });
return done.sent;
`,
);

function workflow(command: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [programs.foreguard, 'workflow', command, ...words, '--', process.execPath, programs.mail],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

describe('workflow run', () => {
  it('calls the tools of a server, and the log is replayed with the plan, proved again', () => {
    const log = join(folder, 'audit.jsonl');
    const { status, stdout, stderr } = workflow('run', plan, '-c', contracts, '--log', log);
    expect([status, stderr]).toEqual([0, expect.stringContaining('to keep elsewhere: --head')]);
    expect(stdout).toMatch(/^proved: /);
    expect(stdout).toContain(
      '\ncalled: search {"query":"bills"}, which gave "3 messages about bills"\ncalled: send {"to":"ann"}, which gave {"sent":true}\nreturned: true\n',
    );
    const replay = (path: string) =>
      spawnSync(process.execPath, [programs.foreguard, 'audit', 'replay', log, '-p', path, '-c', contracts], {
        encoding: 'utf8',
      });
    expect(replay(plan).stdout).toContain('2 decisions of 1 run, the same to the last bit');
    const other = replay(file('other.mjs', readFileSync(plan, 'utf8').replace('ann', 'bob')));
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining('none of which began with')]);
  });

  it('is under a guard, a tool that fails ends it, and nobody at a terminal approves nothing', () => {
    const spec = file(
      'rules.yaml',
      "version: 1\npredicates: { sends: 'action.name == \"send\"' }\nrules: { none: { formula: 'G !sends' } }\n",
    );
    const stopped = workflow('run', plan, '-c', contracts, '-s', spec, '--json');
    expect(stopped.status).toBe(3);
    expect(JSON.parse(stopped.stdout)).toMatchObject({
      verdict: 'proved',
      calls: [{ tool: 'search' }],
      run: { kind: 'stopped', step: 'done', because: 'withheld', verdict: { rule: 'none' } },
    });
    const failing = file('fail.mjs', "goal('Fail');\nawait fail();\nawait send({ to: 'ann' });\n");
    expect(workflow('run', failing, '-c', contracts)).toMatchObject({
      status: 3,
      stdout: expect.stringContaining(
        'stopped at step fail (failed): the call of fail failed: failed, tainted: false',
      ),
    });
    const asking = file(
      'ask.mjs',
      "goal('Forget');\nconst s = await search({ query: 'x' });\nif (contains(s, 'm')) { await forget(); }\n",
    );
    expect(workflow('run', asking, '-c', contracts)).toMatchObject({
      status: 3,
      stdout: expect.stringMatching(/proved, but for 1 call that a person must approve[\s\S]*\(withheld\)/),
    });
  });

  it('runs nothing with a server whose tools are not as they were pinned, or that lacks one', () => {
    const drafted = join(folder, 'draft.yaml');
    expect(workflow('contracts', '--draft', '-o', drafted).status).toBe(0);
    const pin = /\n {2}search:[\s\S]*?pin: (sha256:)?([0-9a-f]{64})/.exec(readFileSync(drafted, 'utf8'))?.[2];
    const pinned = (hash: string | undefined) =>
      file('pinned.yaml', CONTRACTS.replace('search: {', `search: { pin: 'sha256:${hash}',`));
    expect(workflow('run', plan, '-c', pinned(pin)).status).toBe(0);
    expect(workflow('run', plan, '-c', pinned('0'.repeat(64)))).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^search: its definition has changed[\s\S]*\nnothing was run\n$/),
    });
    const lacking = file('lacking.yaml', `${CONTRACTS}  burn: {}\n`);
    expect(workflow('run', file('burn.mjs', "goal('Burn');\nawait burn();\n"), '-c', lacking)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the plan calls burn'),
    });
    const nowhere = [
      programs.foreguard,
      'workflow',
      'run',
      plan,
      '-c',
      contracts,
      '--',
      join(folder, 'none'),
    ];
    expect(spawnSync(process.execPath, nowhere, { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('there is no such command'),
    });
  });
});

/** Writes after which the command is killed, too; `KILLS=all`: all of them, which takes two minutes. */
const AFTER = process.env.KILLS === 'all' ? Number.POSITIVE_INFINITY : 7;

describe('a run that is killed', () => {
  const ledgerContracts = file(
    'ledger.yaml',
    `version: 1
tools:
  list: { result: { type: list, of: integer }, consequential: false, observable: nobody }
  book: { arguments: { amount: integer }, consequential: false, observable: nobody }
  note: { arguments: { amount: integer }, idempotent: true, consequential: false, observable: nobody }
`,
  );
  const ledgerPlan = file(
    'ledger.mjs',
    `goal('Book what is listed');
const amounts = await list();
for (const amount of amounts) {
  await book({ amount });
  await note({ amount });
}
return amounts.length;
`,
  );
  const CALLS = ['list', 'book 1', 'note 1', 'book 2', 'note 2'];

  /** Loaded before the command: the process is killed (SIGKILL) right before, or after, its write of a number. */
  const killer = file(
    'killer.mjs',
    `import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const { link } = promises;
const [number, when] = (process.env.KILL_AT ?? '').split(' ');
let count = 0;
const kill = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};
promises.link = async (...given) => {
  const isIt = ++count === Number(number);
  if (isIt && when === 'before') await kill();
  await link(...given);
  if (isIt && when === 'after') await kill();
};
syncBuiltinESMExports();
`,
  );

  /** The command, in a run of its own. */
  function runOf(name: string) {
    const ledger = join(folder, `${name}.ledger`);
    const words = ['run', ledgerPlan, '-c', ledgerContracts, '--results', join(folder, name), '--run', name];
    return {
      lines: () => (existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : []),
      go: (killAt: string, ...more: string[]) =>
        spawnSync(
          process.execPath,
          [
            '--import',
            killer,
            programs.foreguard,
            'workflow',
            ...words,
            ...more,
            '--',
            process.execPath,
            programs.ledger,
            ledger,
          ],
          { encoding: 'utf8', env: { ...process.env, KILL_AT: killAt } },
        ),
      results: () => readdirSync(join(folder, name)).sort(),
    };
  }

  /** What somebody says who looks at the ledger about a call that was running: it is there, or to be made. */
  function settlement(stdout: string, lines: readonly string[]): string {
    const [, id] = /--settle (\S+)=again/.exec(stdout) ?? [];
    const [, step, round] = /^(\w+?)(?:\[(\d)\])?$/.exec(id) ?? [];
    const line = step === 'amounts' ? 'list' : `${step} ${Number(round) + 1}`;
    if (!lines.includes(line)) return `${id}=again`;
    return `${id}=${line === 'list' ? '[1,2]' : '"booked"'}`;
  }

  it('goes on from a kill at any write, and makes no call twice but idempotent ones', () => {
    const whole = runOf('whole');
    expect(whole.go('')).toMatchObject({ status: 0, stdout: expect.stringContaining('\nreturned: 2\n') });
    expect(whole.lines()).toEqual(CALLS);
    expect(whole.results()).toEqual(['records', 'results']);
    let unknown = 0;
    let writes = 0;
    for (; ; writes++) {
      const isBefore = writes % 2 === 0;
      // After a write is mostly as before the next one: here but for the first calls, which then have begun and are not made.
      if (!isBefore && writes > AFTER) continue;
      const when = `${Math.floor(writes / 2) + 1} ${isBefore ? 'before' : 'after'}`;
      const run = runOf(`kill-${when.replace(' ', '-')}`);
      const first = run.go(when);
      if (first.status === 0) break;
      expect(first.signal, when).toBe('SIGKILL');
      let again = run.go('');
      if (again.stdout.includes('(unknown)')) {
        unknown++;
        again = run.go('', '--settle', settlement(again.stdout, run.lines()));
      }
      expect([again.status, again.stderr, again.stdout], when).toEqual([
        0,
        expect.anything(),
        expect.stringContaining('\nreturned: 2\n'),
      ]);
      expect([...new Set(run.lines())], when).toEqual(CALLS);
      const twice = run.lines().filter((line, i, all) => all.indexOf(line) !== i);
      expect(twice.length, when).toBeLessThanOrEqual(1);
      expect(
        twice.every((line) => line.startsWith('note')),
        when,
      ).toBe(true);
    }
    // Records and results of five calls, begin and end, each before and after.
    expect(writes).toBeGreaterThanOrEqual(2 * (5 * 4 + 2));
    // Three calls are not idempotent. Each was killed after it had been made, the first also before.
    expect(unknown).toBe(process.env.KILLS === 'all' ? 6 : 4);
  });
});
