import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import { comparePolicies, verifyPolicies } from '../../../bindings/proofs/policyProof/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { PolicyDecider } from '../../../bindings/runtime/policy/index.js';

beforeAll(loadRegexEngine);

const MAIL = `
version: 1
inputs:
  to: { list: text, max: 50 }
  subject: { type: text, optional: true }
  tainted: { from: state.tainted, type: boolean }
policies:
  mail:
    tools: [send]
    permit:
      inside: 'to.all(r, domainOf(r) == "home.example")'
      harmless: '!tainted'
    forbid: { empty: 'size(to) == 0' }
    ensures: { noLeak: 'permitted && tainted -> to.all(r, domainOf(r) == "home.example")' }
    examples:
      - { to: [a@home.example], tainted: true, expect: permit }
      - { to: ['x@home.example@evil.example'], tainted: true, expect: deny }
`;

const verdicts = async (text: string) =>
  (await verifyPolicies(parsePolicies(text))).obligations.map(
    ({ kind, name, verdict }) => `${kind} ${name}: ${verdict}`,
  );

describe('policies', () => {
  it('are verified', async () => {
    expect(await verdicts(MAIL)).toEqual([
      'permitsSomething permit: proved',
      'ensures noLeak: proved',
      'bites noLeak: proved',
      'example {"to":["a@home.example"],"tainted":true}: proved',
      'example {"to":["x@home.example@evil.example"],"tainted":true}: proved',
      'reachable inside: proved',
      'needed inside: proved',
      'readable inside: refuted',
      'reachable harmless: proved',
      'needed harmless: proved',
      'readable harmless: proved',
      'reachable empty: proved',
      'needed empty: proved',
      'readable empty: proved',
    ]);
    expect((await verifyPolicies(parsePolicies(MAIL))).verified).toBe(true);
  });

  it('are refuted with the smallest input', async () => {
    const report = await verifyPolicies(
      parsePolicies(MAIL.replace("'to.all(r, domainOf(r)", "'to.exists(r, domainOf(r)")),
    );
    const [broken] = report.obligations.filter(({ kind }) => kind === 'ensures');
    expect(broken).toMatchObject({
      verdict: 'refuted',
      line: 14,
      input: { to: ['', 'a@home.example'], tainted: true },
    });
    expect(report.verified).toBe(false);
  });

  it('are looked through again, with certificates as data', async () => {
    const { obligations, verified } = await verifyPolicies(parsePolicies(MAIL), {
      recheck: true,
      certificates: true,
    });
    const ensured = obligations.find(({ kind }) => kind === 'ensures');
    expect(ensured).toMatchObject({ verdict: 'proved', says: 'for every input; rechecked' });
    expect(JSON.parse(JSON.stringify(ensured!.certificate))).toEqual(ensured!.certificate);
    expect(ensured!.certificate!.cases[0].inputs.map(({ input }) => input)).toEqual(['to', 'tainted']);
    expect(verified).toBe(true);
  });

  it('are told which changes of them the properties and examples accept', async () => {
    const { obligations, scores, verified } = await verifyPolicies(parsePolicies(MAIL), { mutants: true });
    const survivors = obligations.filter(({ kind }) => kind === 'mutant');
    expect(survivors.map(({ name }) => name)).toEqual([
      'without "harmless"',
      'without "empty"',
      'with size(to) == -1 as "empty"',
    ]);
    expect(survivors[1]).toMatchObject({
      isRemark: true,
      says: 'the properties and examples also accept a policy that permits {"to":[],"tainted":false}',
    });
    expect(scores).toEqual({ mail: { mutants: 9, noticed: 6, unproved: 0 } });
    expect(verified).toBe(true);
    // What the survivors show, as properties and examples: then every change is noticed.
    const more = MAIL.replace('ensures: {', "ensures: { someone: 'permitted -> size(to) > 0',").replace(
      'examples:',
      'examples:\n      - { to: ["x@y.example"], tainted: false, expect: permit }',
    );
    const better = await verifyPolicies(parsePolicies(more), { mutants: true });
    expect(better.scores).toEqual({ mail: { mutants: 9, noticed: 9, unproved: 0 } });
  });

  it('are told of changes in a long condition without the rest of it', async () => {
    const parts = ['a', 'b', 'c', 'd'].map((one) => `to != "${one.repeat(30)}@home.example"`);
    const text = `
version: 1
inputs: { to: { type: text } }
policies: { mail: { tools: [send], permit: { known: '${parts.join(' && ')}' } } }`;
    const { obligations } = await verifyPolicies(parsePolicies(text), { mutants: true });
    const changes = obligations.filter(({ kind }) => kind === 'mutant').map(({ name }) => name);
    const [first, second] = parts;
    expect(changes).toContain(`with nothing in place of ${second}, in "known"`);
    expect(changes).toContain(`with || in place of && after ${first}, in "known"`);
    expect(changes).toContain(`with ${second.replace('!=', '==')} in place of ${second}, in "known"`);
    expect(changes.filter((one) => one.length > 160)).toEqual([]);
  });

  it('are told where they depend on inputs that anybody may choose', async () => {
    const untrusted = MAIL.replace('type: boolean }', 'type: boolean, untrusted: true }');
    const { obligations, verified } = await verifyPolicies(parsePolicies(untrusted), { recheck: true });
    expect(obligations.at(-1)).toMatchObject({
      kind: 'untrusted',
      verdict: 'refuted',
      isRemark: true,
      says: 'the policy permits {"to":[""],"tainted":false}, and denies the same with true in place of false: whoever chooses tainted chooses what is permitted',
    });
    expect(verified).toBe(true);
    const independent = untrusted.replace("harmless: '!tainted'", "harmless: '!tainted || tainted'");
    const found = (await verifyPolicies(parsePolicies(independent), { recheck: true })).obligations.at(-1);
    expect(found).toMatchObject({ kind: 'untrusted', verdict: 'proved', says: 'for every input; rechecked' });
  });

  it('are looked through again where proofs rest on comparisons that are not followed', async () => {
    const text = (permit: string, ensures: string) => `version: 1
inputs: { a: { type: integer }, b: { type: integer }, s: { type: boolean }, t: { type: text }, u: { type: text } }
policies: { p: { tools: [t], permit: { p: '${permit}' }, ensures: { e: 'permitted -> ${ensures}' } } }
`;
    const said = async (permit: string, ensures: string) => {
      const { obligations } = await verifyPolicies(parsePolicies(text(permit, ensures)), { recheck: true });
      return obligations.find(({ kind }) => kind === 'ensures')!.says;
    };
    for (const [permit, ensures] of [
      ['a < b && s', 'a <= b'],
      ['a < b && s', 's && a != b'],
      ['a + b < 3', 'a + b < 4'],
      ['(t < u || s) && a * b < 3', 'a * b < 4 && (s || t < u)'],
    ])
      expect(await said(permit, ensures), ensures).toBe('for every input; rechecked');
    expect(await said('a < b && s', 'a < b - 1')).toMatch(/^(?:the policy permits|a < )/);
  });

  it('stay unproved beyond the steps that are allowed, and say what was tried', async () => {
    const policies = parsePolicies(MAIL);
    const { obligations, verified } = await verifyPolicies(policies, { steps: 300 });
    expect(verified).toBe(false);
    expect(obligations.find(({ kind }) => kind === 'ensures')).toMatchObject({
      verdict: 'unproved',
      says: 'more than 300 steps are needed for the values of 2 predicates over to; allow more steps, or use fewer or simpler conditions',
    });
    expect(await verifyPolicies(policies, { steps: 300 })).toEqual({
      hash: policies.hash,
      obligations,
      scores: {},
      verified,
    });
    await expect(verifyPolicies(policies, { steps: 0 })).rejects.toThrow(
      'steps must be a whole number from 1',
    );
  });

  it.each([
    ["harmless: '!tainted'", "harmless: 'tainted && !tainted'", 'reachable harmless: refuted'],
    [
      'permitted && tainted -> to.all(r, domainOf(r) == "home.example")',
      'permitted || !permitted',
      'bites noLeak: refuted',
    ],
    ['size(to) == 0', 'size(to) > 60', 'reachable empty: refuted'],
    [
      'tainted: true, expect: permit',
      'tainted: true, expect: deny',
      'example {"to":["a@home.example"],"tainted":true}: refuted',
    ],
  ])('are not void: %s against %s', async (from, to, expected) => {
    expect(await verdicts(MAIL.replace(from, to))).toContain(expected);
  });

  it.each([
    ['size(name) > 4', 'refuted'],
    ['size(name) > 3', 'proved'],
    ['name.startsWith("abcde")', 'refuted'],
    ['name.startsWith("abcd")', 'proved'],
    ['size(name) == 4', 'proved'],
  ])('know how long texts may be: %s', async (condition, expected) => {
    const policies = parsePolicies(
      JSON.stringify({
        version: 1,
        inputs: { name: { type: 'text', max: 4 } },
        policies: { p: { tools: ['t'], permit: { c: condition } } },
      }),
    );
    const [something] = (await verifyPolicies(policies)).obligations;
    expect(something).toMatchObject({ kind: 'permitsSomething', verdict: expected });
    const decider = new PolicyDecider(policies.set);
    const { name } = something.input ?? { name: 'abcde' };
    expect(decider.denial({ name: 't', arguments: { name } }, {}) === null).toBe(
      something.verdict === 'proved',
    );
  });

  it('do not take a negative zero', () => {
    const text =
      '{"version":1,"inputs":{"n":{"integer":[0,5]}},"policies":{"p":{"tools":["t"],"permit":{"c":"10 / n > 1"}}}}';
    const decider = new PolicyDecider(parsePolicies(text).set);
    expect(decider.denial({ name: 't', arguments: { n: 0 } }, {})).toBeNull();
    expect(decider.denial({ name: 't', arguments: { n: -0 } }, {})?.denial).toEqual({
      kind: 'mistyped',
      input: 'n',
    });
  });

  it('decide calls as they were verified', () => {
    const decider = new PolicyDecider(parsePolicies(MAIL).set);
    const decide = (
      args: Record<string, unknown>,
      state: Record<string, unknown> = { tainted: true },
      name = 'send',
    ) => decider.denial({ name, arguments: args }, state)?.denial ?? 'permit';
    expect(decide({ to: ['a@home.example'] })).toBe('permit');
    expect(decide({ to: ['a@home.example', 'b@evil.example'] })).toEqual({ kind: 'notPermitted' });
    expect(decide({ to: ['b@evil.example'] }, { tainted: false })).toBe('permit');
    expect(decide({ to: [] })).toEqual({ kind: 'forbidden', rule: 'empty' });
    expect(decide({ to: ['a@home.example,b@evil.example'] })).toEqual({ kind: 'unreadable', rule: 'inside' });
    expect(decide({})).toEqual({ kind: 'absent', input: 'to' });
    expect(decide({ to: 'a@home.example' })).toEqual({ kind: 'mistyped', input: 'to' });
    expect(decide({ to: Array(51).fill('a@home.example') })).toEqual({ kind: 'outside', input: 'to' });
    expect(decide({ to: ['a@home.example'], bcc: ['x@evil.example'] })).toEqual({
      kind: 'extra',
      argument: 'bcc',
    });
    expect(decide({ to: ['a@home.example'], subject: 3 })).toEqual({ kind: 'mistyped', input: 'subject' });
    expect(decide({ to: ['a@home.example'] }, {})).toEqual({ kind: 'absent', input: 'tainted' });
    expect(decide({}, {}, 'delete')).toEqual({ kind: 'uncovered' });
  });

  it('are compared where calls are counted from 0', async () => {
    const [was, now] = ['refunds == 0', 'refunds <= 0'].map((condition) =>
      parsePolicies(`
version: 1
inputs: { refunds: { from: state.calls.refund, type: integer }, level: { from: state.level, type: integer } }
policies: { refunds: { tools: [refund], permit: { first: '${condition}', low: 'level < 0' } } }`),
    );
    expect(await comparePolicies(was, now)).toEqual([{ policy: 'refunds', kind: 'equivalent' }]);
    const level = parsePolicies(
      `version: 1\ninputs: { level: { from: state.level, type: integer } }\npolicies: { p: { tools: [t], permit: { a: 'level == 0' } } }`,
    );
    const below = parsePolicies(
      `version: 1\ninputs: { level: { from: state.level, type: integer } }\npolicies: { p: { tools: [t], permit: { a: 'level <= 0' } } }`,
    );
    expect(await comparePolicies(level, below)).toMatchObject([
      { kind: 'looser', newlyPermitted: { level: -1 } },
    ]);
  });

  it('are compared', async () => {
    const [was, stricter, other] = [
      MAIL,
      MAIL.replace("harmless: '!tainted'", "harmless: '!tainted && size(to) < 3'"),
      MAIL.replace('home.example")\'\n      harmless', 'work.example")\'\n      harmless'),
    ].map((text) => parsePolicies(text));
    expect(await comparePolicies(was, was)).toEqual([{ policy: 'mail', kind: 'equivalent' }]);
    const copied = parsePolicies(
      MAIL.replace('  subject:', '  bcc: { list: text, optional: true }\n  subject:'),
    );
    const reason = 'calls may have action.arguments.bcc now';
    const same = { policy: 'mail', kind: 'equivalent' };
    expect(await comparePolicies(was, copied)).toEqual([{ policy: 'inputs', kind: 'looser', reason }, same]);
    expect(await comparePolicies(copied, was)).toMatchObject([{ policy: 'inputs', kind: 'stricter' }, same]);
    expect(await comparePolicies(was, stricter)).toMatchObject([
      { kind: 'stricter', newlyDenied: { to: ['', '', ''] } },
    ]);
    expect(await comparePolicies(stricter, was)).toMatchObject([
      { kind: 'looser', newlyPermitted: { to: ['', '', ''] } },
    ]);
    expect(await comparePolicies(was, other)).toMatchObject([
      {
        kind: 'different',
        newlyPermitted: { to: ['a@work.example'] },
        newlyDenied: { to: ['a@home.example'] },
      },
    ]);
  });

  it.each([
    [
      "permit:\n      inside: 'to.all(r, domainOf(r) == \"home.example\")'\n      harmless: '!tainted'",
      'forbid2: {}',
      'unknown key "forbid2"',
    ],
    ['to.all(r, domainOf(r)', 'too.all(r, domainOf(r)', 'did you mean "to"?'],
    ['list: text', 'list: texts', 'did you mean "text"?'],
    ['from: state.tainted', 'from: tainted', 'expected action.name, action.arguments.NAME or state.FIELD'],
    ['tools: [send]', 'tools: []', 'decides no tool'],
    ['expect: deny', 'expect: no', 'must be one of permit, deny'],
    ['tainted: true, expect: permit', 'tained: true, expect: permit', 'did you mean "tainted"?'],
  ])('of bad form are refused with their place: %s', (from, to, message) => {
    expect(() => parsePolicies(MAIL.replace(from, to))).toThrow(message);
  });
});

describe('problems of a file of policies', () => {
  const problems = (text: string): string => {
    try {
      parsePolicies(text, { source: 'p' });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  it('are told without what follows from them', () => {
    const file = (type: string, condition: string) =>
      `version: 1\ninputs:\n  to: { list: ${type} }\npolicies: { m: { tools: [send], permit: { few: '${condition}' } } }`;
    expect(problems(file('map', 'size(to) < 3')).split('\n')).toEqual([
      'p:3:15: input "to": list must be one of text, number, integer, boolean, found "map"',
    ]);
    expect(problems(file('text', 'size(too) < 3'))).not.toContain('permits nothing');
    expect(problems(file('text', 'size(to) < 3'))).toBe('');
  });
});
