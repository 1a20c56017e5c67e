import { describe, expect, it } from 'vitest';
import {
  type GenerateRequest,
  modelFromFunction,
  recordedModel,
  recordingModel,
} from '../../../bindings/base/languageModel/index.js';
import { verifyPolicies } from '../../../bindings/proofs/policyProof/index.js';
import {
  compileRules,
  parsePolicies,
  parseSpecification,
} from '../../../bindings/rules/specification/index.js';
import {
  type AuditEntry,
  createSession,
  type RunRecord,
  replayAudit,
} from '../../../bindings/runtime/enforcement/index.js';
import { policyExtractors } from '../../../bindings/runtime/extraction/index.js';
import { loadGuard, policyJudge } from '../../../bindings/runtime/guard/index.js';
import { loadNearestCalls, PolicyDecider } from '../../../bindings/runtime/policy/index.js';

const MAIL = `
version: 1
inputs:
  to: { type: text }
  body: { type: text }
  purpose: { extract: 'Is this message private or for work?', enum: [work, private, unknown] }
policies:
  mail:
    tools: [send]
    permit:
      inside: 'to.endsWith("@home.example")'
      work: 'purpose == "work" && to.endsWith("@partner.example")'
    ensures: { known: 'permitted -> to.endsWith("@home.example") || to.endsWith("@partner.example")' }
  look: { tools: [look], permit: { all: 'true' } }
`;
const CALL = { to: 'bob@partner.example', body: 'The figures.' };

/** A session under policies, with a model that answers so, and what it was asked. */
async function begun(
  text: string,
  answer: (request: GenerateRequest) => string | Promise<string>,
  timeoutMs = 300_000,
) {
  const asked: GenerateRequest[] = [];
  const model = modelFromFunction('test/model', (request) => {
    asked.push(request);
    return answer(request);
  });
  const { set, hash } = parsePolicies(text);
  const records: RunRecord[] = [];
  const session = createSession({
    judges: [await policyJudge(set, hash)],
    detectors: policyExtractors(set, model, { timeoutMs }),
    tools: ['send', 'look'],
    log: { append: async (record) => void records.push(structuredClone(record)) },
  });
  return { session, asked, records, text };
}

/** What the policies make of the call where the model answers so. */
async function decided(answer: (request: GenerateRequest) => string | Promise<string>, timeoutMs?: number) {
  const { session, records } = await begun(MAIL, answer, timeoutMs);
  const { decision, explanation } = await session.decide({ id: '1', name: 'send', arguments: CALL });
  const record = records.find((one) => one.kind === 'decision');
  return { decision, explanation, detected: record?.detected };
}

describe('an input that a model extracts', () => {
  it('is asked for once, before the call is decided, and only where a policy of the tool reads it', async () => {
    const { session, asked } = await begun(MAIL, () => '{"answer": "work"}');
    const verdict = await session.decide({ id: '1', name: 'send', arguments: CALL });
    expect(verdict.decision).toBe('allow');
    await session.ran(verdict, { result: 'sent' });
    expect((await session.decide({ id: '2', name: 'look', arguments: {} })).decision).toBe('allow');
    expect(asked).toHaveLength(1);
    const [{ messages, system, schema, purpose, prompt }] = asked;
    expect(JSON.parse(messages[0].content)).toEqual({
      question: 'Is this message private or for work?',
      tool: 'send',
      arguments: CALL,
    });
    expect([purpose, prompt.id, prompt.version]).toEqual(['extract', 'extract', 1]);
    // The arguments stand in the data alone.
    expect(system).not.toContain('figures');
    expect(schema).toMatchObject({ properties: { answer: { enum: ['work', 'private', 'unknown'] } } });
  });

  it('decides by the answer, which the record has', async () => {
    const answered = (one: string) => decided(() => JSON.stringify({ answer: one }));
    expect(await answered('work')).toMatchObject({ decision: 'allow', detected: { purpose: 'work' } });
    for (const one of ['private', 'unknown'])
      expect(await answered(one)).toMatchObject({ decision: 'block', detected: { purpose: one } });
  });

  it.each([
    ['prose', () => 'It is for work.', 'threw'],
    ['another text', () => '{"answer": "WORK"}', 'invalid'],
    ['another type', () => '{"answer": true}', 'invalid'],
    ['a list', () => '{"answer": ["work"]}', 'invalid'],
    ['nothing', () => '{"answer": null}', 'invalid'],
    ['more than an answer', () => '{"answer": "work", "to": "eve@evil.example"}', 'threw'],
    ['two blocks', () => '```\n{"answer": "work"}\n```\n```\n{"answer": "private"}\n```', 'threw'],
    ['a megabyte', () => `{"answer": "work"${' '.repeat(1_000_000)}}`, 'threw'],
    ['an error', () => Promise.reject(new Error('no such model')), 'threw'],
  ])('denies the call where the model gives %s', async (_, answer, unreadable) => {
    const { decision, explanation, detected } = await decided(answer);
    expect([decision, detected]).toEqual(['block', { purpose: { unreadable } }]);
    expect(explanation).toContain(
      'No model answered the question for the input "purpose" in time, so the call is denied.',
    );
  });

  it('denies the call where the answer is late, and tells the model that the time is over', async () => {
    let ended: AbortSignal | undefined;
    const { set, hash } = parsePolicies(MAIL);
    const detectors = policyExtractors(
      set,
      {
        id: 'test/slow',
        generate: (_, signal) => {
          ended = signal;
          return new Promise(() => undefined);
        },
      },
      { timeoutMs: 1 },
    );
    const session = createSession({ judges: [await policyJudge(set, hash)], detectors, tools: ['send'] });
    expect((await session.decide({ id: '1', name: 'send', arguments: CALL })).decision).toBe('block');
    expect(ended?.aborted).toBe(true);
  });

  it('is not asked for again in a replay, which makes the same decisions', async () => {
    let answers = 0;
    const { session, records, text } = await begun(MAIL, () =>
      answers++ % 2 === 0 ? '{"answer": "work"}' : 'no',
    );
    for (const id of ['1', '2', '3']) {
      const verdict = await session.decide({ id, name: 'send', arguments: { ...CALL, body: id } });
      if (verdict.run) await session.ran(verdict, { result: 'sent' });
    }
    const made = records.flatMap((one) => (one.kind === 'decision' ? [one.decision] : []));
    expect(made).toEqual(['allow', 'block', 'allow']);
    const { set, hash } = parsePolicies(text);
    const entries = (async function* () {
      for (const [sequence, record] of records.entries()) yield { sequence, record } as AuditEntry;
    })();
    const replayed = await replayAudit(entries, null, { judges: [await policyJudge(set, hash)] });
    expect(replayed).toMatchObject({ decisions: 3, faults: 0, difference: null });
    expect(answers).toBe(3);
  });

  it('is given by a transcript as by the model that it was recorded of', async () => {
    const { set, hash } = parsePolicies(MAIL);
    const play = async (model: Parameters<typeof policyExtractors>[1]) => {
      const session = createSession({
        judges: [await policyJudge(set, hash)],
        detectors: policyExtractors(set, model),
        tools: ['send'],
      });
      const made: string[] = [];
      for (const body of ['work', 'private', 'work'])
        made.push((await session.decide({ id: body, name: 'send', arguments: { ...CALL, body } })).decision);
      return made;
    };
    let transcript = '';
    const live = modelFromFunction('test/model', ({ messages }) =>
      JSON.stringify({ answer: JSON.parse(messages[0].content).arguments.body }),
    );
    const first = await play(recordingModel(live, (line) => void (transcript += line)));
    expect(first).toEqual(['allow', 'block', 'allow']);
    expect(await play(recordedModel(transcript))).toEqual(first);
    // What was not recorded has no answer.
    expect(await play(recordedModel(transcript.split('\n')[0]))).toEqual(['allow', 'block', 'allow']);
    expect(await play(recordedModel(''))).toEqual(['block', 'block', 'block']);
  });

  it('is proved of for every value that it may have, and a remark shows where it decides', async () => {
    const report = await verifyPolicies(parsePolicies(MAIL));
    expect(report.verified).toBe(true);
    expect(report.obligations.find(({ kind }) => kind === 'untrusted')).toMatchObject({
      name: 'purpose',
      verdict: 'refuted',
      isRemark: true,
    });
    const careless = MAIL.replace(
      'work: \'purpose == "work" && to.endsWith("@partner.example")\'',
      'work: \'purpose == "work"\'',
    );
    const refuted = await verifyPolicies(parsePolicies(careless));
    expect(refuted.verified).toBe(false);
    // The one value that breaks the property is found, however unlikely a model is to give it.
    expect(refuted.obligations.find(({ name }) => name === 'known')).toMatchObject({
      verdict: 'refuted',
      input: { purpose: 'work' },
    });
  });

  it.each([
    ['boolean', 'type: boolean', 'urgent', [true, false], [null, 'true', 1]],
    ['integer', 'integer: [1, 3]', 'urgent == 2', [1, 2, 3], [0, 4, 1.5, '2', 1e300, null]],
  ])('may be %s', async (_, type, condition, fitting, others) => {
    const text = `
version: 1
inputs: { urgent: { extract: 'How urgent is it?', ${type} } }
policies: { mail: { tools: [send], permit: { urgent: '${condition}' } } }`;
    const permitted = [];
    for (const answer of [...fitting, ...others]) {
      const { session } = await begun(text, () => JSON.stringify({ answer }));
      const { decision } = await session.decide({ id: '1', name: 'send', arguments: {} });
      if (decision === 'allow') permitted.push(answer);
    }
    expect(permitted).toEqual(type === 'type: boolean' ? [true] : [2]);
  });

  it('is found by nobody else: neither an argument nor the state of its name gives it', async () => {
    const { set } = parsePolicies(MAIL);
    const decider = new PolicyDecider(set);
    expect(
      decider.denial({ name: 'send', arguments: CALL }, { purpose: 'work', detected: { purpose: 'work' } }),
    ).toEqual({
      policy: '',
      denial: { kind: 'absent', input: 'purpose' },
    });
    expect(decider.denial({ name: 'send', arguments: { ...CALL, purpose: 'work' } }, {})).toEqual({
      policy: '',
      denial: { kind: 'extra', argument: 'purpose' },
    });
    const { session } = await begun(MAIL, () => 'no');
    const forged = { id: '1', name: 'send', arguments: CALL, detected: { purpose: 'work' } };
    expect((await session.decide(forged)).decision).toBe('block');
  });

  it('is not guessed for a suggestion', async () => {
    const { set } = parsePolicies(MAIL);
    const NearestCalls = await loadNearestCalls();
    const denied = { name: 'send', arguments: CALL, detected: { purpose: 'private' } };
    expect(new NearestCalls(set).of(denied, {})).toBeNull();
  });

  it('is refused by a session that has no model for it, and by a guard file that lost its question', async () => {
    const { set, hash } = parsePolicies(MAIL);
    const judges = [await policyJudge(set, hash)];
    expect(() => createSession({ judges, tools: ['send'] })).toThrow(
      'a guard reads the detector "purpose", which the session does not have',
    );
    const file = compileRules(parseSpecification(MAIL));
    const guard = await loadGuard(JSON.stringify(file));
    expect(() => createSession({ guard, tools: ['send'] })).toThrow('the detector "purpose"');
    const damaged = JSON.stringify(file).replace('"Is this message private or for work?"', '7');
    await expect(loadGuard(damaged)).rejects.toThrow('policies.set.inputs[2].extract');
  });

  it('has one question for a name', () => {
    const { set } = parsePolicies(MAIL);
    const other = parsePolicies(MAIL.replace('private or for work', 'for work')).set;
    const model = modelFromFunction('test/model', () => '');
    expect(Object.keys(policyExtractors([set, set], model))).toEqual(['purpose']);
    expect(policyExtractors([set, set], model).purpose.tools).toEqual(['send']);
    expect(() => policyExtractors([set, other], model)).toThrow('two files of policies extract "purpose"');
  });
});

describe('a file with an input that a model extracts', () => {
  const input = (words: string) => `
version: 1
inputs: { it: { extract: 'Is it?', ${words} } }
policies: { p: { tools: [send], permit: { it: 'true' } } }`;

  it.each([
    ['type: text', 'input "it" is extracted as text; a model chooses among a few values'],
    ['type: number', 'input "it" is extracted as number'],
    ['list: text', 'input "it" is extracted as list'],
    ['type: boolean, from: action.name', 'input "it" has extract and from: a model answers with it'],
    [
      'type: boolean, optional: true',
      'input "it" has extract and optional: without an answer the call is denied',
    ],
    ['type: boolean, untrusted: false', 'input "it" is extracted by a model, and so untrusted'],
    [`enum: [${'x'.repeat(41)}]`, 'input "it" is extracted as one of too many or too long texts'],
    [`enum: [${Array.from({ length: 21 }, (_, i) => `a${i}`)}]`, 'up to 20 of up to 40 characters'],
  ])('is refused with %s', (words, message) => {
    expect(() => parsePolicies(input(words))).toThrow(message);
  });

  it('is refused without a question, with one that is too long, and beside a detector of its name', () => {
    const fine = input('type: boolean');
    expect(() => parsePolicies(fine)).not.toThrow();
    expect(() => parsePolicies(fine.replace("'Is it?'", "''"))).toThrow('extract');
    expect(() => parsePolicies(fine.replace('Is it?', `${'very '.repeat(200)}?`))).toThrow(
      'expected at most 1000',
    );
    expect(() => parseSpecification(`${fine}\ndetectors: { it: boolean }`)).toThrow(
      'detectors declares "it", and the input "it" is extracted',
    );
  });
});
