import { describe, expect, it } from 'vitest';
import { Random } from '../../../bindings/base/random.js';
import { verifyPolicies } from '../../../bindings/proofs/policyProof/index.js';
import {
  DraftFile,
  inductiveModel,
  type SynthesisResult,
  synthesizePolicy,
} from '../../../bindings/proofs/synthesis/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { PolicyDecider } from '../../../bindings/runtime/policy/index.js';
import { LIARS, mutantModel, saying } from './models.js';

const mail = (properties = '') => `version: 1
# Who may get mail.
inputs:
  to: { list: text, max: 20 }
  tainted: { from: state.tainted, type: boolean }
policies:
  mail:
    tools: [send]
    request: 'Once private mail was read, mail goes to home.example only.'
    ensures:
      noLeak: 'permitted && tainted -> to.all(r, domainOf(r) == "home.example")'
      free: '!tainted && size(to) > 0 -> permitted'
      inside: 'size(to) > 0 && to.all(r, r.matches("^[a-z]{1,9}@home[.]example$")) -> permitted'${properties}
    examples:
      - { to: [], tainted: false, expect: deny }
`;

const INSIDE = 'size(to) > 0 && to.all(r, domainOf(r) == "home.example")';
const FREE = '!tainted && size(to) > 0';
const RIGHT = { permit: { free: FREE, inside: INSIDE }, forbid: {} };
const write = (model: Parameters<typeof synthesizePolicy>[2], text = mail()) =>
  synthesizePolicy(new DraftFile(text, 'mail.yaml'), 'mail', model);
const outcomes = ({ steps }: SynthesisResult) => steps.map(({ outcome }) => outcome);

describe('a policy that a model writes', () => {
  it('stands beside one that is a function, which is no draft', async () => {
    const script = `import { type Decision, permit } from 'foreguard/policy';
export function look({ tainted }: { tainted: boolean }): Decision {
  return permit();
}
`;
    const text = `${mail()}  look: { tools: [look], source: look.policy.ts }\n`;
    const read = () => script;
    const file = new DraftFile(text, 'mail.yaml', { read });
    expect(file.drafts.map(({ name }) => name)).toEqual(['mail']);
    const { outcome, draft } = await synthesizePolicy(file, 'mail', saying(RIGHT));
    expect(outcome).toBe('verified');
    const { set } = parsePolicies(file.with(draft, RIGHT), { read });
    expect(set.policies.map(({ name, permit }) => [name, permit.length])).toEqual([
      ['mail', 2],
      ['look', 1],
    ]);
    expect(() => new DraftFile(text, 'mail.yaml')).toThrow('nothing says how to read it');
  });

  it('is repaired by inputs that refute it, which stay as examples', async () => {
    const wrong = { permit: { free: FREE, some: 'to.exists(r, domainOf(r) == "home.example")' } };
    const block = `Sure!\n\`\`\`json\n${JSON.stringify(RIGHT)}\n\`\`\``;
    const result = await write(saying(wrong, block));
    expect(result).toMatchObject({
      outcome: 'verified',
      reason: null,
      candidate: RIGHT,
      usage: { calls: 2 },
    });
    expect(outcomes(result)).toEqual(['refuted', 'verified']);
    expect(result.draft.examples).toContainEqual({
      to: ['', 'a@home.example'],
      tainted: true,
      expect: 'deny',
    });
    const text = new DraftFile(mail(), 'mail.yaml').with(result.draft, RIGHT);
    expect(text).toContain('# Who may get mail.');
    expect((await verifyPolicies(parsePolicies(text))).verified).toBe(true);
    expect(() => new DraftFile(text, 'mail.yaml').draft('mail')).toThrow(
      'mail.yaml has no policy "mail" without permit; policies to be written: none',
    );
  });

  it('is asked for again with what is wrong in words, and less certain where the same is said twice', async () => {
    const heard: { problems?: string[]; attempt?: unknown }[] = [];
    const temperatures: (number | undefined)[] = [];
    const answers = [
      '{"permit": {"a": "to.all(r, domainOf(r) = 1)"}}',
      '{"permit": {"a": "true"}}',
      '{"permit": {"a": "true"}}',
    ];
    const result = await synthesizePolicy(new DraftFile(mail(), 'mail.yaml'), 'mail', {
      id: 'told',
      generate: async ({ messages, temperature }) => {
        heard.push(JSON.parse(messages[0].content));
        temperatures.push(temperature);
        return { texts: [answers[heard.length - 1] ?? JSON.stringify(RIGHT)], finish: 'stop' };
      },
    });
    expect(outcomes(result)).toEqual(['unreadable', 'refuted', 'no-answer', 'verified']);
    expect(heard[1]).toMatchObject({ attempt: { permit: { a: 'to.all(r, domainOf(r) = 1)' } } });
    expect(heard[1].problems?.join('\n')).toContain(
      'found "=", expected "==" to compare; in "a": "to.all(r, domainOf(r) = 1)"',
    );
    expect(heard[2].problems?.join()).toContain('"noLeak": the policy permits');
    expect(heard[3].problems?.at(-1)).toBe('this policy has been tried before; write another one');
    expect(temperatures).toEqual([undefined, undefined, undefined, 0.5]);
  });

  it('that no policy can be is told by an input, without asking for more', async () => {
    const result = await write(saying(RIGHT), mail(`\n      never: '!permitted'`));
    expect(result).toMatchObject({ outcome: 'failed', candidate: null, usage: { calls: 1 } });
    expect(result.reason).toMatch(
      /^no policy has all properties: of \{"to":.*"never" would not be true if it were permitted/,
    );
    const void_ = await write(saying(RIGHT), mail(`\n      always: 'permitted || !permitted'`));
    expect(void_.reason).toContain('property "always": whatever a policy decides, it has this property');
  });

  it('that says nothing cannot be asked for', async () => {
    const draft = `version: 1\ninputs: { to: { type: text } }\npolicies: { mail: { tools: [send] } }`;
    await expect(write(saying(RIGHT), draft)).rejects.toThrow(
      'policy "mail" has no ensures: any policy would do',
    );
  });

  it.each(LIARS)('that %s is never verified', async (_, answers) => {
    const { outcome, candidate, reason, steps } = await write(saying(...answers));
    expect([outcome, candidate]).toEqual(['failed', null]);
    expect(reason).toMatch(/./);
    expect(steps.length).toBeGreaterThan(0);
  });
});

/** Every input of a small world, judged by functions that share nothing with the language of policies. */
const SMALL = `version: 1
inputs:
  kind: { enum: [read, write, pay] }
  cents: { integer: [0, 5] }
  known: { type: boolean }
policies:
  pay:
    tools: [act]
    ensures:
      small: 'permitted && kind == "pay" -> cents <= 3 && known'
      reads: 'kind == "read" -> permitted'
      pays: 'kind == "pay" && cents <= 3 && known -> permitted'
      writes: 'kind == "write" -> permitted == known'
`;
const SMALL_RIGHT = {
  permit: {
    read: 'kind == "read"',
    write: 'kind == "write" && known',
    pay: 'kind == "pay" && cents <= 3 && known',
  },
  forbid: { much: 'kind == "pay" && cents >= 4' },
};

function allowed(kind: string, cents: number, known: boolean): boolean {
  if (kind === 'read') return true;
  return kind === 'write' ? known : cents <= 3 && known;
}

describe('of a model that makes mistakes', () => {
  const seeds = Number(process.env.SYNTHESIS_SEEDS ?? 60);
  it(`no policy passes as verified that breaks a property: ${seeds} seeds`, async () => {
    const file = new DraftFile(SMALL, 'small.yaml');
    const counts = { verified: 0, unproved: 0, failed: 0 };
    for (let seed = 0; seed < seeds; seed++) {
      const random = new Random(seed);
      const result = await synthesizePolicy(
        file,
        'pay',
        mutantModel(SMALL_RIGHT, () => random.next()),
      );
      counts[result.outcome]++;
      if (result.candidate === null) {
        expect(result.outcome).not.toBe('verified');
        continue;
      }
      const decider = new PolicyDecider(parsePolicies(file.with(result.draft, result.candidate)).set);
      for (const kind of ['read', 'write', 'pay'])
        for (let cents = 0; cents <= 5; cents++)
          for (const known of [false, true]) {
            const denial = decider.denial({ name: 'act', arguments: { kind, cents, known } }, {});
            expect(denial === null, `seed ${seed}: ${kind} ${cents} ${known}`).toBe(
              allowed(kind, cents, known),
            );
          }
    }
    expect(counts.verified).toBeGreaterThan(seeds / 3);
    expect(counts.verified + counts.unproved + counts.failed).toBe(seeds);
  });
});

describe('without a language model', () => {
  it('a policy is learnt from counterexamples alone', async () => {
    const result = await synthesizePolicy(new DraftFile(mail(), 'mail.yaml'), 'mail', inductiveModel(), {
      maxIterations: 12,
    });
    expect(result.outcome).toBe('verified');
    const small = await synthesizePolicy(new DraftFile(SMALL, 'small.yaml'), 'pay', inductiveModel(), {
      maxIterations: 12,
    });
    expect(small.outcome).toBe('verified');
  });

  it('it is said where conditions of the properties are not enough', async () => {
    const text = `version: 1
inputs: { n: { integer: [0, 9] } }
policies:
  odd: { tools: [f], ensures: { odd: 'permitted == (n == 1)' }, examples: [ { n: 2, expect: permit }, { n: 3, expect: deny } ] }`;
    const result = await synthesizePolicy(new DraftFile(text, 'odd.yaml'), 'odd', inductiveModel());
    expect(result).toMatchObject({ outcome: 'failed' });
    expect(result.reason).toContain(
      'no combination of the conditions in the properties decides all examples',
    );
  });
});
