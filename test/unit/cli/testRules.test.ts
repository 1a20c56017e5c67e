import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-tests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
/** The path of a new specification. */
function specification(text: string): string {
  const path = join(folder, `${files++}.yaml`);
  writeFileSync(path, text);
  return path;
}

const RULES = `version: 1
predicates:
  identifies: 'has(action.name) && action.name == "getCustomer" '
  cancels: 'has(action.name) && action.name == "cancel"'
  abroad: 'has(action.name) && action.name == "send" && domainOf(action.arguments.to) != "home.example"'
rules:
  identifyFirst: { formula: 'G (cancels -> O identifies)' }
  home: { formula: 'G !abroad', strategy: inspect }
`;
const withTests = (tests: string, rules = RULES): string => specification(`${rules}tests:\n${tests}`);

/** What one test of a file came to. */
async function outcomeOf(path: string) {
  const { out, code } = await foreguard('test', '--spec', path, '--json');
  const { files: found } = JSON.parse(out);
  expect(found[0].tests).toHaveLength(1);
  const [test] = found[0].tests;
  expect(code).toBe(test.passed ? 0 : 1);
  return test;
}

/** What one test comes to that expects a call to be stopped. */
const one = (run: string, expectation: string, rules = RULES) =>
  outcomeOf(withTests(`  - { name: one, run: [${run}], expect: ${expectation} }\n`, rules));

describe('foreguard test', () => {
  it('notes a tool that a predicate misspells: its rule stops nothing', async () => {
    const text = `version: 1
predicates: { deletes: 'action.name == "delte"', looks: 'action.name == "look"', flies: 'action.name == "fly"' }
rules: { never: { formula: 'G !deletes' } }
tests: [{ name: passes, run: [look, delete], expect: allowed }]
`;
    const path = specification(text);
    const note =
      'predicate "deletes" names the tool "delte", which the rest of the specification does not list; did you mean "delete"?';
    const { out, code } = await foreguard('test', '--spec', path);
    expect(out.split('\n')[0]).toBe(`${path}: note: ${note}`);
    expect(code).toBe(0);
    expect((await foreguard('validate', '--spec', path)).out).toContain(`warning: ${note}`);
    const right = specification(text.replace('delte', 'delete').replace('allowed', '{ stopped: 1 }'));
    expect((await foreguard('test', '--spec', right)).out).not.toContain('note');
  });

  it('prints a line for each test, and what was expected and found of one that fails', async () => {
    const path = withTests(`  - { name: known, run: [getCustomer, { cancel: { id: A1 } }], expect: allowed }
  - { name: unknown, run: [look, cancel], expect: { stopped: 1, by: identifyFirst } }
  - { name: too late, run: [getCustomer, cancel], expect: { stopped: 1, by: identifyFirst } }
  - { name: too early, run: [cancel, getCustomer], expect: allowed }
  - { name: other rule, run: [cancel], expect: { stopped: 0, by: home } }
  - { name: "line\\nbreak", run: [look, cancel], expect: { stopped: 0 } }
`);
    const { out, code } = await foreguard('test', '--spec', path);
    const state = 'State: cancels; none of identifies, abroad.';
    const broken = 'block. This step breaks rule "identifyFirst" (G (cancels -> O identifies)).';
    expect(out.split('\n')).toEqual([
      `${path}:10: passed: known`,
      `${path}:11: passed: unknown`,
      `${path}:12: failed: too late: expected call 1 (cancel) to be stopped by "identifyFirst"; every call ran. Step 1: allow. Nothing breaks rule "identifyFirst" (G (cancels -> O identifies)) or another rule here. ${state}`,
      `${path}:13: failed: too early: expected every call to run; call 0 (cancel) was stopped by "identifyFirst" (block). Step 0: ${broken} ${state}`,
      `${path}:14: failed: other rule: expected call 0 (cancel) to be stopped by "home"; call 0 (cancel) was stopped by "identifyFirst" (block). Step 0: ${broken} ${state}`,
      `${path}:15: failed: line\\u{a}break: expected call 0 (look) to be stopped by a rule; call 1 (cancel) was stopped by "identifyFirst" (block). Step 1: ${broken} ${state}`,
      '6 tests: 2 passed, 4 failed',
      '',
    ]);
    expect(code).toBe(1);
  });

  it('gives the same as one document', async () => {
    const path = withTests(
      '  - { name: unknown, rule: identifyFirst, run: [look, cancel], expect: { stopped: 1 } }\n',
    );
    const { out, code } = await foreguard('test', '--spec', path, '--json');
    expect(JSON.parse(out)).toEqual({
      passed: 1,
      failed: 0,
      files: [
        {
          file: path,
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          leftOut: [],
          notes: [],
          tests: [
            {
              name: 'unknown',
              line: 10,
              rule: 'identifyFirst',
              passed: true,
              expected: { stopped: 1, by: 'identifyFirst' },
              found: {
                stopped: 1,
                by: 'identifyFirst',
                decision: 'block',
                wouldDecide: 'block',
                reason: 'violated',
                explanation: expect.stringMatching(/^Step 1: block\. This step breaks rule/),
              },
            },
          ],
        },
      ],
    });
    expect(code).toBe(0);
  });

  it('runs the tests of several files, and fails if one of them does', async () => {
    const good = withTests('  - { name: a, run: [look], expect: allowed }\n');
    const bad = withTests('  - { name: a, run: [cancel], expect: allowed }\n');
    const { out, code } = await foreguard('test', '--spec', good, bad);
    expect([code, out]).toEqual([1, expect.stringMatching(/2 tests: 1 passed, 1 failed\n$/)]);
    expect((await foreguard('test', '--spec', good, good)).code).toBe(0);
  });

  it('exits with 2 if a file has no tests, cannot be read or is not given', async () => {
    const good = withTests('  - { name: a, run: [look], expect: allowed }\n');
    for (const rest of ['', 'tests: []\n']) {
      const none = specification(`${RULES}${rest}`);
      expect(await foreguard('test', '--spec', good, none)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/\.yaml has no tests; add some, such as tests: \[\{ name: reads/),
      });
    }
    // What the message proposes can be pasted.
    const { err } = await foreguard('test', '--spec', specification(RULES));
    const [, proposed] = /such as (tests: .*)\n/.exec(err) ?? [];
    expect(
      JSON.parse((await foreguard('test', '--json', '--spec', specification(`${RULES}${proposed}\n`))).out),
    ).toMatchObject({ failed: 1, passed: 1 });
    const misspelt = withTests('  - { name: a, run: [look], expect: allow }\n');
    expect(await foreguard('test', '--spec', misspelt)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/\.yaml:10:37: test "a": expect must be allowed, or/),
    });
    expect((await foreguard('test', '--spec', join(folder, 'nowhere.yaml'))).code).toBe(2);
    expect(await foreguard('test')).toMatchObject({ code: 2, err: expect.stringContaining('--spec') });
    const { out, code } = await foreguard('test', '--json', '--spec', specification(RULES));
    expect([code, JSON.parse(out).error.code]).toEqual([2, 'invalid-argument']);
  });

  it('judges by one rule alone if the test names it', async () => {
    const both = '{ send: { to: a@evil.example } }, cancel';
    const named = (rule: string, stopped: number) =>
      outcomeOf(
        withTests(`  - { name: one, rule: ${rule}, run: [${both}], expect: { stopped: ${stopped} } }\n`),
      );
    expect((await named('home', 0)).passed).toBe(true);
    expect((await named('identifyFirst', 1)).passed).toBe(true);
    expect((await named('identifyFirst', 0)).found).toMatchObject({ stopped: 1, by: 'identifyFirst' });
  });

  it('takes any decision that withholds the call as stopped', async () => {
    const strategies = { stop: 'stop', block: 'block', inspect: 'inspect', reflect: 'reflect' };
    for (const [strategy, decision] of [...Object.entries(strategies), ['{ replace: park }', 'replace']]) {
      const rules = RULES.replace("O identifies)'", `O identifies)', strategy: ${strategy}`);
      const { passed, found } = await one('cancel', '{ stopped: 0, by: identifyFirst }', rules);
      expect([passed, found.decision]).toEqual([true, decision]);
    }
  });

  it('takes rules that only report as they are, and says what shadow mode kept them from', async () => {
    const shadow = RULES.replace("O identifies)'", "O identifies)', strategy: block, shadow: true");
    expect((await one('cancel', 'allowed', shadow)).passed).toBe(true);
    const path = withTests('  - { name: one, run: [cancel], expect: { stopped: 0 } }\n', shadow);
    expect((await foreguard('test', '--spec', path)).out).toContain(
      'every call ran, and only shadow mode kept it from block',
    );
  });

  it('says that a call was stopped as expected because it could not be read', async () => {
    const path = withTests(
      "  - { name: one, run: [{ send: { to: 'a@home.example, b@evil.example' } }], expect: { stopped: 0, by: home } }\n",
    );
    expect((await foreguard('test', '--spec', path)).out).toContain(
      ':10: passed: one (call 0 was stopped because a predicate could not be read)\n',
    );
  });

  it('does not take a fault for a rule', async () => {
    const { passed, found } = await one('{ look: { __proto__: { to: 1 } } }', '{ stopped: 0 }');
    expect([passed, found.stopped, found.by, found.reason]).toEqual([false, 0, null, 'invalid-arguments']);
  });

  it('leaves out rules that need a model, and says so', async () => {
    const rules = `${RULES}  rarely: { formula: 'P<0.1 [ F cancels ]' }\n`;
    const path = withTests('  - { name: one, run: [cancel], expect: { stopped: 0 } }\n', rules);
    const { out, code } = await foreguard('test', '--spec', path);
    expect(code).toBe(0);
    expect(out).toContain(
      `${path}: rule "rarely" was left out: it bounds a probability, which needs a model\n`,
    );
    const only = withTests(
      '  - { name: one, run: [cancel], expect: allowed }\n',
      RULES.replace(/rules:[\s\S]*/, "rules: { rarely: { formula: 'P<0.1 [ F cancels ]' } }\n"),
    );
    expect(await foreguard('test', '--spec', only)).toMatchObject({
      code: 2,
      err: expect.stringContaining('each rule bounds a probability'),
    });
  });
});

describe('the run of a test', () => {
  const reading = (predicate: string, more = ''): string =>
    `version: 1\n${more}predicates: { bad: '${predicate}' }\nrules: { never: { formula: 'G !bad', strategy: block } }\n`;

  it('has the state that follows from calls and results', async () => {
    const seen = (predicate: string, first: string) =>
      one(`${first}, go`, '{ stopped: 1 }', reading(predicate)).then(({ found }) => found.reason);
    const look = '{ call: look, arguments: { n: 3 }, result: { hits: [1, 2] } }';
    expect(await seen('lastTool == "look" && lastArguments.n == 3', look)).toBe('violated');
    expect(await seen('lastTool == "look" && lastResult.hits[1] == 2', look)).toBe('violated');
    expect(await seen('lastTool == "look" && lastResult == null', 'look')).toBe('violated');
    expect(await seen('calls.look == 1 && calls.go == 0', 'look')).toBe('violated');
    expect(await seen('lastToolFailed && failures.look == 1', '{ call: look, error: gone }')).toBe(
      'violated',
    );
    expect(await seen('lastToolFailed', look)).toBe('kept');
  });

  it('counts calls of declared tools alone, and tools of the test are declared', async () => {
    const rules = reading('calls.refund > 0');
    expect((await one('look', 'allowed', rules)).found.reason).toBe('predicate-failed');
    const declared = withTests('  - { name: one, tools: [refund], run: [look], expect: allowed }\n', rules);
    expect((await outcomeOf(declared)).passed).toBe(true);
  });

  it('has the given principal, and none by default', async () => {
    const rules = reading('has(action.name) && !("admin" in principal.roles)');
    const told = (principal: string) =>
      outcomeOf(withTests(`  - { name: one, ${principal}run: [go], expect: allowed }\n`, rules));
    expect((await told('principal: { id: ada, roles: [admin] }, ')).passed).toBe(true);
    expect((await told('principal: { id: eve, roles: [] }, ')).found.reason).toBe('violated');
    expect((await told('')).found.reason).toBe('predicate-failed');
    const path = withTests(
      '  - { name: one, principal: { roles: [a] }, run: [go], expect: allowed }\n',
      rules,
    );
    expect(await foreguard('test', '--spec', path)).toMatchObject({
      code: 2,
      err: expect.stringContaining('test "one": principal.id is undefined'),
    });
  });

  it('has the given state, from the call on that gives it', async () => {
    const rules = reading('hot && has(action.name) && action.name == "go"');
    const run = (state: string) => `{ call: go, state: { hot: false } }, ${state}, go`;
    expect((await one(run('{ call: look, state: { hot: true } }'), '{ stopped: 2 }', rules)).passed).toBe(
      true,
    );
    expect((await one(run('{ call: go, state: { hot: true } }'), '{ stopped: 1 }', rules)).passed).toBe(true);
    expect((await one(run('{ call: look, state: { hot: false } }'), 'allowed', rules)).passed).toBe(true);
  });

  it('has what follows from the calls beside a given state', async () => {
    const rules = reading('hot && calls.look == 2');
    const hot = '{ call: look, state: { hot: true } }';
    expect((await one(`look, ${hot}, go`, '{ stopped: 2 }', rules)).found.reason).toBe('violated');
    expect((await one(`${hot}, go, look, go`, '{ stopped: 3 }', rules)).passed).toBe(true);
  });

  it('has a history with the times of the calls', async () => {
    const rules = reading('history.exists(c, c.name == "look" && c.failed && c.time > time - 10)');
    const look = '{ call: look, error: gone, time: 5 }';
    expect((await one(`${look}, { call: go, time: 14 }`, '{ stopped: 1 }', rules)).passed).toBe(true);
    expect((await one(`${look}, { call: go, time: 15 }`, 'allowed', rules)).passed).toBe(true);
  });

  it('has a clock if a call gives a time, and else none', async () => {
    const rules = reading('time > 10');
    expect(
      (await one('go, { call: go, time: 10 }, go, { call: go, time: 11 }', '{ stopped: 3 }', rules)).passed,
    ).toBe(true);
    expect((await one('go', 'allowed', rules)).found.reason).toBe('predicate-failed');
  });

  it('goes a sampling period further with each call without a time', async () => {
    const timed = `version: 1
samplingPeriod: 2s
predicates: { opens: 'action.name == "open"', closes: 'action.name == "close"' }
rules: { shut: { formula: 'G (opens -> F<=4s closes)', strategy: block } }
`;
    expect((await one('open, look, look', '{ stopped: 2, by: shut }', timed)).passed).toBe(true);
    expect((await one('open, look, close, look', 'allowed', timed)).passed).toBe(true);
    const given = await one(
      '{ call: open, time: 7 }, look, { call: look, time: 11 }',
      '{ stopped: 2 }',
      timed,
    );
    expect(given.found.reason).toBe('violated');
    const late = await one('open, { call: look, time: 9 }', '{ stopped: 1 }', timed);
    expect(late.found.reason).toBe('irregular-time');
  });

  it('is refused where a session would be', async () => {
    const held = `version: 1
samplingPeriod: 2s
resample: hold
predicates: { opens: 'action.name == "open"' }
rules: { shut: { formula: 'G !opens' } }
tests: [{ name: one, run: [open], expect: { stopped: 0 } }]
`;
    expect(await foreguard('test', '--spec', specification(held))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/predicates of the guard read the action, and resample: hold/),
    });
  });
});
