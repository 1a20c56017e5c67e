import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { followSpecification } from '../../../bindings/face/node/index.js';
import { readScript } from '../../../bindings/languages/policyScript/index.js';
import {
  compileRules,
  parsePolicies,
  parseSpecification,
  readSpecification,
} from '../../../bindings/rules/specification/index.js';
import {
  type AuditEntry,
  createSession,
  type RunRecord,
  replayAudit,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile, loadGuard } from '../../../bindings/runtime/guard/index.js';
import { foreguard } from '../cli/command.js';

const POLICIES = `version: 1
inputs:
  to: { list: text, max: 3 }
policies:
  mail:
    tools: [send]
    permit: { home: 'to.all(r, domainOf(r) == "home.example")' }
    ensures: { home: 'permitted -> to.all(r, lowerAscii(r).endsWith("@home.example"))' }
`;
const SCRIPT = `import { type Decision, deny, domainOf, permit } from 'foreguard/policy';
export function mail({ to }: { to: readonly string[] }): Decision {
  if (!to.every((r) => domainOf(r) === 'home.example')) return deny('Write to people at home.');
  return permit();
}
`;
const SCRIPTED = POLICIES.replace(/permit: .*/, 'source: mail.policy.ts').replace(
  'max: 3',
  'max: 3, untrusted: true',
);
const RULES = `predicates: { sends: 'has(action.name) && action.name == "send"' }
rules: { once: { formula: 'G count(sends) <= 1' } }
`;
const TESTS = `tests:
  - { name: home, run: [{ send: { to: [a@home.example] } }], expect: allowed }
  - { name: away, run: [{ send: { to: [a@evil.example] } }], expect: { stopped: 0, by: mail } }
  - { name: another, run: [look], expect: { stopped: 0, by: policies } }
  - { name: alone, rule: mail, run: [{ send: { to: [] } }, look, { send: { to: [] } }], expect: allowed }
`;
const BOTH = `${POLICIES}${RULES}uncoveredTools: permit\n`;
const REFUTED = POLICIES.replace('to.all(r, domainOf', 'to.exists(r, domainOf');
/** It compares two texts of a call with each other, which the decider does not follow. */
const UNPROVED = `version: 1
inputs: { user: { type: text }, to: { type: text } }
policies:
  mail:
    tools: [send]
    permit: { own: 'user + "@home.example" == to' }
    ensures: { addressed: 'permitted -> size(to) > 0' }
`;

const folder = mkdtempSync(join(tmpdir(), 'foreguard-policies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
function file(text: string): string {
  const path = join(folder, `${files++}.yaml`);
  writeFileSync(path, text);
  return path;
}

const guardFile = (text: string): GuardFile => compileRules(parseSpecification(text));

async function run(text: string, records: RunRecord[] = []) {
  const session = createSession({
    guard: await loadGuard(JSON.stringify(guardFile(text))),
    tools: ['send', 'look'],
    log: { append: async (record) => void records.push(structuredClone(record)) },
  });
  const send = async (id: string, ...to: string[]) => {
    const verdict = await session.check({ id, name: 'send', arguments: { to } });
    if (verdict.run) await session.ran(verdict, { result: null });
    return verdict;
  };
  return { session, send };
}

async function* entries(records: readonly RunRecord[]): AsyncIterable<AuditEntry> {
  for (const [sequence, record] of records.entries())
    yield { sequence, hash: '', previous: '', record } as never;
}

describe('a specification with policies', () => {
  it('has them beside rules, and gives the same as a file of their own', () => {
    const { policies, rules } = parseSpecification(BOTH);
    expect(rules.map(({ name }) => name)).toEqual(['once']);
    expect(policies).toMatchObject({ set: { uncoveredTools: 'permit' }, unproved: 'refuse' });
    expect(parsePolicies(`${POLICIES}uncoveredTools: permit\n`).hash).toBe(policies?.hash);
    expect(parsePolicies(BOTH).hash).toBe(policies?.hash);
    expect(() => parsePolicies(`version: 1\n${RULES}`)).toThrow('there are no policies; add policies');
    expect(parseSpecification(`version: 1\n${RULES}`).policies).toBeNull();
  });

  it.each([
    ['version: 1\ninputs: { to: { type: text } }\n', 'inputs is about policies, and there are none'],
    ['version: 1\n', 'the specification has no rules, and no policies'],
    ['version: 1\npolicies: {}\n', 'policies is empty'],
    [`${POLICIES}${RULES.replace('once', 'mail')}`, 'policy "mail" has the name of a rule'],
    [POLICIES.replace('mail:', 'policies:'), 'has the name of all policies'],
    [`${POLICIES}tools: { sent: {} }\n`, 'calls of "send", which is not among tools; did you mean "sent"?'],
    [`${POLICIES}unproved: allow\n`, 'unproved'],
    [`${POLICIES}tests: [{ name: a, rule: mails, run: [send], expect: allowed }]\n`, 'did you mean "mail"?'],
  ])('is refused where it is wrong (%#)', (text, message) => {
    expect(() => parseSpecification(text)).toThrow(message);
  });

  it('is what the published schema accepts', () => {
    const schema = new URL('../../../schema/specification.schema.json', import.meta.url);
    const valid = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(schema, 'utf8')));
    const records = `version: 1
inputs:
  paid: { list: { id: text, of: { record: { at: { type: text, optional: true } } }, n: { integer: [0, 9] } } }
policies: { pay: { tools: [pay], permit: { few: 'size(paid) < 3' } } }
`;
    expect(parseSpecification(records).policies).not.toBeNull();
    const extracted = records.replace('paid:', 'why: { extract: Why?, enum: [work, other] }\n  paid:');
    expect(parseSpecification(extracted).policies).not.toBeNull();
    const accepted = [
      POLICIES,
      BOTH,
      POLICIES + TESTS,
      `${POLICIES}unproved: report\n`,
      SCRIPTED,
      records,
      extracted,
    ];
    for (const text of accepted) expect(valid(parseYaml(text)), JSON.stringify(valid.errors)).toBe(true);
    for (const text of [
      'version: 1\n',
      'version: 1\npolicies: { a: { tools: [b] } }\n',
      SCRIPTED.replace('tools:', 'permit: { all: true }\n    tools:'),
      extracted.replace('enum: [work, other]', 'type: text'),
      extracted.replace('Why?', 'Why?, from: action.name'),
      extracted.replace('Why?', 'Why?, untrusted: false'),
    ])
      expect(valid(parseYaml(text))).toBe(false);
  });
});

describe('a specification whose policy is a function, of inputs that anybody may choose', () => {
  it('is compiled to a guard that loads and tells the reason', async () => {
    const compiled = compileRules(
      readSpecification(SCRIPTED, { scripts: { read: () => SCRIPT, parse: readScript } }),
    );
    const text = JSON.stringify(compiled);
    for (const guard of [await loadGuard(text), createGuard(JSON.parse(text))]) {
      const session = createSession({ guard, tools: ['send'] });
      const decide = (id: string, to: string) =>
        session.decide({ id, name: 'send', arguments: { to: [to] } });
      expect((await decide('1', 'a@home.example')).decision).toBe('allow');
      expect((await decide('2', 'a@evil.example')).message).toContain('Write to people at home.');
    }
    for (const [of, words] of [
      ['"untrusted":true', '"untrusted":1'],
      ['"reason":"Write', '"reason":7,"name":"Write'],
    ])
      await expect(loadGuard(text.replace(of, words))).rejects.toThrow('policies.set');
  });

  it('is followed where the function changes alone, or was wrong and is mended', async () => {
    const path = file(SCRIPTED);
    const script = join(folder, 'mail.policy.ts');
    writeFileSync(script, SCRIPT);
    const notes: string[] = [];
    const followed = await followSpecification(path, { onNote: (text) => notes.push(text) });
    const decide = async (to: string) => {
      const session = createSession({ guard: await followed.next(), tools: ['send'] });
      return (await session.decide({ id: '1', name: 'send', arguments: { to: [to] } })).decision;
    };
    expect([await decide('a@home.example'), await decide('b@home.example')]).toEqual(['allow', 'allow']);
    expect(notes).toEqual([]);
    const stricter = SCRIPT.replace('!to.every', "to.includes('b@home.example') || !to.every");
    writeFileSync(script, stricter);
    expect([await decide('b@home.example'), await decide('a@home.example')]).toEqual(['block', 'allow']);
    writeFileSync(script, 'export const nothing = 1;\n');
    expect([await decide('b@home.example'), await decide('b@home.example')]).toEqual(['block', 'block']);
    writeFileSync(script, SCRIPT);
    expect(await decide('b@home.example')).toBe('allow');
    expect(notes.map((note) => note.includes('is refused'))).toEqual([false, true, false]);
  });
});

describe('a compiled guard with policies', () => {
  it('judges by rules and policies, and without rules by policies alone', async () => {
    const both = await run(BOTH);
    expect(await both.send('1', 'a@home.example')).toMatchObject({ decision: 'allow' });
    expect(await both.send('2', 'a@evil.example')).toMatchObject({ decision: 'block', rule: 'once' });
    const alone = await run(POLICIES);
    expect(await alone.send('1', 'a@evil.example')).toMatchObject({ decision: 'block', rule: 'mail' });
    expect(await alone.send('2', 'a@home.example')).toMatchObject({ decision: 'allow' });
    expect(alone.session.closed).toEqual(['look']);
    expect([...(await run(BOTH)).session.strategies].sort()).toEqual(['allow', 'block', 'stop']);
  });

  it.each([BOTH, POLICIES])('is replayed from its file, and no other (%#)', async (text) => {
    const records: RunRecord[] = [];
    const { session, send } = await run(text, records);
    await send('1', 'a@evil.example');
    await send('2', 'a@home.example');
    await session.end();
    const replay = await replayAudit(entries(records), guardFile(text));
    expect(replay).toMatchObject({ runs: 1, decisions: 2, reactive: 0, difference: null });
    const other = text.replace('domainOf(r) == "home.example"', 'r != ""');
    expect(await replayAudit(entries(records), guardFile(other))).toMatchObject({ runs: 0, otherRuns: 1 });
    const forged = structuredClone(records) as { decision: string; rule: string; kind: string }[];
    for (const record of forged)
      if (record.kind === 'decision' && record.rule === 'mail') record.decision = 'allow';
    expect((await replayAudit(entries(forged as never), guardFile(text))).difference).not.toBeNull();
  });

  it('goes on under the same policies alone', async () => {
    const records: RunRecord[] = [];
    const { send } = await run(POLICIES, records);
    await send('1', 'a@evil.example');
    const resume = (text: string) =>
      createSession({
        guard: createGuard(guardFile(text)),
        tools: ['send'],
        state: () => ({}),
        resume: records,
      });
    expect(resume(POLICIES).stopped).toBeNull();
    expect(() => resume(REFUTED)).toThrow(/hash|guard|judge/);
  });

  it('loads everything that policies may say: untrusted inputs, functions with reasons, suggestions', async () => {
    const text = `version: 1
inputs:
  to: { list: text, max: 3, untrusted: true }
  subject: { type: text, optional: true, untrusted: true }
policies:
  mail:
    tools: [send]
    request: 'Mail needs a recipient.'
    requires: 'size(to) < 3'
    source: mail.policy.ts
    onDeny: { strategy: reflect, escalate: [block], suggest: true }
`;
    const script = `import { type Decision, deny, permit } from 'foreguard/policy';
export function mail({ to }: { to: readonly string[] }): Decision {
  if (to.length === 0) return deny('Name a recipient.');
  return permit();
}
`;
    const specification = readSpecification(text, {
      source: 'mail.yaml',
      scripts: { read: () => script, parse: readScript },
    });
    const guard = await loadGuard(JSON.stringify(compileRules(specification)));
    const session = createSession({ guard, tools: ['send'] });
    const verdict = await session.check({ id: '1', name: 'send', arguments: { to: [] } });
    expect(verdict).toMatchObject({ run: null, decision: 'reflect', rule: 'mail' });
    expect(JSON.stringify(verdict)).toContain('Name a recipient.');
  });

  it('is refused where it is damaged', async () => {
    const damaged = (change: (policies: never) => void): Promise<unknown> => {
      const copy = structuredClone(guardFile(POLICIES)) as unknown as { policies: never };
      change(copy.policies);
      return loadGuard(copy as never);
    };
    type Damage = {
      unproved: string;
      more: number;
      set: { policies: { onDeny: { strategy: { kind: string } } }[] };
    };
    await expect(damaged((one: Damage) => void (one.more = 1))).rejects.toThrow('policies has "more"');
    await expect(damaged((one: Damage) => void (one.unproved = 'no'))).rejects.toThrow('policies.unproved');
    await expect(damaged((one: Damage) => void (one.set.policies = []))).rejects.toThrow(
      'at least one policy',
    );
    await expect(
      damaged((one: Damage) => void (one.set.policies[0].onDeny.strategy.kind = 'allow')),
    ).rejects.toThrow('expected one of stop, block, inspect, reflect');
  });

  it('answers no step by itself, if it has no rules', async () => {
    const guard = await loadGuard(guardFile(POLICIES));
    expect(() => guard.step({})).toThrow('a session judges by them');
    expect(() => guard.propose({}, { name: 'send', arguments: {} })).toThrow('a session judges by them');
  });
});

describe('policies that are not verified', () => {
  it('are compiled and followed by nothing, if something is refuted', async () => {
    const path = file(REFUTED);
    const { code, err } = await foreguard('compile', '--spec', path, '-o', join(folder, 'guard.json'));
    expect(err).toContain('policies are not verified, and guard nothing');
    expect(err).toContain(`${path}:8: refuted: policy "mail", ensures "home"`);
    expect(code).toBe(2);
    await expect(followSpecification(path)).rejects.toThrow('refuted: policy "mail"');
    await expect(followSpecification(file(`${REFUTED}unproved: report\n`))).rejects.toThrow('refuted');
  });

  it('guard where the specification lets what is unproved be reported', async () => {
    await expect(followSpecification(file(UNPROVED))).rejects.toThrow('unproved: report');
    const notes: string[] = [];
    const path = file(`${UNPROVED}unproved: report\n`);
    await (await followSpecification(path, { onNote: (text) => notes.push(text) })).next();
    expect(notes[0]).toContain('policies guard of which not all is proved');
    const output = join(folder, 'unproved.json');
    const { err, code } = await foreguard('compile', '--spec', path, '-o', output);
    expect([err, code]).toEqual([expect.stringContaining('warning: '), 0]);
    expect(JSON.parse(readFileSync(output, 'utf8')).policies.unproved).toBe('report');
  });
});

describe('the commands', () => {
  it('compile, test and validate what a specification says of policies', async () => {
    const path = file(POLICIES + TESTS);
    expect(await foreguard('test', '--spec', path)).toMatchObject({
      code: 0,
      out: expect.stringContaining('4 tests: 4 passed, 0 failed'),
    });
    expect((await foreguard('validate', '--spec', path)).out).toContain('mail decides send: permit home');
    const output = join(folder, 'policies.json');
    const { out } = await foreguard('compile', '--spec', path, '-o', output);
    expect(out).toContain('0 rules and 1 verified policy, enforced without a model');
    expect((await loadGuard(readFileSync(output, 'utf8'))).policies?.hash).toBe(parsePolicies(POLICIES).hash);
  });
});
