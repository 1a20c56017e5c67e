import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { modelFromFunction, recordingModel } from '../../../bindings/base/languageModel/index.js';
import { extraction } from '../../../bindings/face/cli/mcp/extraction.js';
import { withoutSecrets } from '../../../bindings/face/cli/mcp/stdio.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { policyExtractors } from '../../../bindings/runtime/extraction/index.js';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-extraction-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const SPEC = `version: 1
inputs:
  body: { type: text }
  purpose: { extract: 'Is it for work?', enum: [work, private] }
policies:
  mail: { tools: [send], permit: { work: 'purpose == "work"' } }
`;
const spec = file('mail.yaml', SPEC);

describe('commands on policies with an input that a model extracts', () => {
  it('ask takes the answer from the file of the call', async () => {
    const ask = (more: object) =>
      foreguard(
        'policy',
        'ask',
        spec,
        file('call.json', JSON.stringify({ name: 'send', arguments: { body: 'a' }, ...more })),
      );
    expect(await ask({ detected: { purpose: 'work' } })).toMatchObject({ code: 0, out: 'permit: send\n' });
    expect((await ask({ detected: { purpose: 'private' } })).code).toBe(1);
    for (const more of [{}, { detected: {} }, { detected: { purpose: 7 } }])
      expect((await ask(more)).code).toBe(1);
    expect(await ask({})).toMatchObject({
      out: expect.stringContaining('No model answered the question'),
    });
    expect((await ask({ detected: 'work' })).code).toBe(2);
  });

  it('replay takes the answers that were recorded', async () => {
    const step = (detected?: object) => ({
      state: {},
      action: { name: 'send', arguments: { body: 'a' }, ...(detected && { detected }) },
    });
    const steps = [
      step({ purpose: 'work' }),
      step({ purpose: 'private' }),
      step(),
      step({ purpose: 'work' }),
    ];
    const traces = file('runs.jsonl', JSON.stringify({ id: 'a', steps }));
    const { out, code } = await foreguard(
      'policy',
      'replay',
      spec,
      '--traces',
      traces,
      '--mode',
      'teh',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out).modes).toMatchObject([{ proposed: 4, ran: 2, denied: 2, lost: 0 }]);
  });

  it('test takes the answers that the test says', async () => {
    const tests = `tests:
  - { name: a, run: [{ call: send, arguments: { body: a }, detected: { purpose: work } }], expect: allowed }
  - { name: b, run: [{ call: send, arguments: { body: a }, detected: { purpose: private } }], expect: { stopped: 0, by: mail } }
  - { name: c, run: [{ call: send, arguments: { body: a } }], expect: { stopped: 0 } }
`;
    const { code, out } = await foreguard('test', '--spec', file('tested.yaml', SPEC + tests));
    expect(out).toContain('3 tests: 3 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('mcp-proxy asks the model that is named, and refuses to start without one', async () => {
    const server = ['--', 'no-such-server'];
    for (const [words, message] of [
      [['--spec', spec], 'the input "purpose" extracted by a language model; name one: --extract-model'],
      [['--spec', spec, '--extract-model', 'gpt'], '--extract-model is "gpt"; expected URL#NAME'],
      [['--spec', spec, '--extract-timeout', '5'], '--extract-timeout is for --extract-model'],
      [['--spec', spec, '--extract-model', `recorded:${spec}`], 'mail.yaml:1'],
      [
        ['--spec', spec, '--extract-model', 'http://127.0.0.1:9#a', '--extract-timeout', '0'],
        '--extract-timeout',
      ],
      [['--record', join(folder, 'new.jsonl'), '--extract-model', 'a'], '--extract-model is about decisions'],
    ] as const) {
      const { code, err } = await foreguard('mcp-proxy', ...words, ...server);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe('the model of mcp-proxy', () => {
  it('answers for the policies of the guards', async () => {
    const compiled = compileRules(parseSpecification(SPEC));
    const guard = await loadGuard(JSON.stringify(compiled));
    let transcript = '';
    const live = modelFromFunction('test/model', ({ messages }) =>
      JSON.stringify({ answer: JSON.parse(messages[0].content).arguments.body }),
    );
    const play = async (detectors: object) => {
      const session = createSession({ guard: guard.fork(), tools: ['send'], ...detectors });
      const made = [];
      for (const body of ['work', 'private'])
        made.push((await session.decide({ id: body, name: 'send', arguments: { body } })).decision);
      return made;
    };
    const recording = recordingModel(live, (line) => void (transcript += line));
    const { set } = compiled.policies!;
    expect(await play({ detectors: policyExtractors(set, recording) })).toEqual(['allow', 'block']);
    const of = await extraction({ extractModel: `recorded:${file('answers.jsonl', transcript)}` });
    expect(await play(of([compiled]))).toEqual(['allow', 'block']);
    expect((await extraction({}))([])).toEqual({});
  });

  it('has a key that servers do not see', () => {
    expect(withoutSecrets({ FOREGUARD_MODEL_KEY: 'a', PATH: 'b' })).toEqual({ PATH: 'b' });
  });
});
