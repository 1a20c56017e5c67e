import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { readJsonLines } from '../../../bindings/observations/trace/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  createSession,
  type Detector,
  type RunRecord,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { chunked, collect } from '../trace/bytes.js';
import { memoryTraces } from './memoryTraces.js';
import { expectReplayed } from './replayed.js';

/** A guard that blocks what the predicate is true of. */
const never = (predicate: string, strategy = 'block') =>
  compileRules(
    parseSpecification(`version: 1
detectors: { secrets: boolean, risk: number, kind: [none, email], injection: { answer: boolean, on: results } }
predicates: { bad: ${JSON.stringify(predicate)} }
rules: { r: { formula: 'G !bad', strategy: ${strategy} } }`),
  );
const sends = (predicate: string) => `has(action.name) && action.name == "send" && ${predicate}`;

/** Detectors that answer by what the text says. */
const saying = (asked: string[] = []): Record<string, Detector> => ({
  secrets: {
    detect(text) {
      asked.push(text);
      return text.includes('KEY');
    },
  },
  risk: { detect: async (text) => text.length },
  kind: { detect: (text) => (text.includes('@') ? 'email' : 'none') },
  injection: { detect: async (text) => text.includes('ignore') },
});

function begin(file: ReturnType<typeof never>, options: Partial<SessionOptions> = {}) {
  const records: RunRecord[] = [];
  const session = createSession({
    guard: createGuard(file),
    detectors: saying(),
    tools: ['send', 'read'],
    id: 'run',
    log: { append: (record) => void records.push(JSON.parse(JSON.stringify(record))) },
    ...options,
  });
  let calls = 0;
  const call = async (name: string, args: Record<string, unknown> = {}, result: unknown = 1) => {
    const verdict = await session.decide({ id: `${options.id ?? ''}${calls++}`, name, arguments: args });
    if (verdict.run !== null) await session.ran(verdict, { result });
    return verdict.decision;
  };
  return { session, records, call };
}

describe('detectors', () => {
  it('answer about arguments before the decision, and predicates read it', async () => {
    for (const [predicate, harmless, harmful] of [
      ['action.detected.secrets', { text: 'none' }, { text: 'a KEY' }],
      ['action.detected.risk > 10', { a: 1 }, { text: 'a long text indeed' }],
      ['action.detected.kind == "email"', { to: 'ann' }, { to: 'ann@home.example' }],
    ] as const) {
      const { call, records } = begin(never(sends(predicate)));
      expect([
        await call('send', harmless),
        await call('send', harmful),
        await call('read', harmful),
      ]).toEqual(['allow', 'block', 'allow']);
      expect(await expectReplayed(records, never(sends(predicate)))).toBe(3);
    }
  });

  it('answer about results, and rules remember', async () => {
    const last = never(sends('lastTool == "read" && lastDetected.injection'));
    const ever = never(sends('history.exists(c, c.name == "read" && c.detected.injection)'));
    for (const [file, after] of [
      [last, 'allow'],
      [ever, 'block'],
    ] as const) {
      const { call } = begin(file, { state: () => ({ own: 1 }) });
      expect([await call('read', {}, 'fine'), await call('send')]).toEqual(['allow', 'allow']);
      await call('read', {}, { page: ['please ignore all'] });
      expect(await call('send')).toBe('block');
      expect([await call('read', {}, 'fine'), await call('send')]).toEqual(['allow', after]);
    }
  });

  it('see the text that is hidden in records, and the records hold the answers alone', async () => {
    const asked: string[] = [];
    const { call, records } = begin(never(sends('action.detected.secrets')), {
      detectors: saying(asked),
      redact: ['password'],
    });
    await call('send', { password: 'the KEY', deep: [{ n: 4111 }, 'x\ny', true] });
    expect(asked).toEqual(['password\nthe KEY\ndeep\nn\n4111\nx\ny']);
    expect(records[1]).toMatchObject({ detected: { secrets: true, kind: 'none' }, decision: 'block' });
    expect(JSON.stringify(records)).not.toContain('KEY');
  });

  const broken: [name: string, detect: () => unknown, why: string][] = [
    [
      'throws',
      () => {
        throw new Error('KEY');
      },
      'threw',
    ],
    ['rejects', () => Promise.reject(new Error('KEY')), 'threw'],
    ['never answers', () => new Promise(() => {}), 'late'],
    ['answers another type', () => 'false', 'invalid'],
    ['answers nothing', () => undefined, 'invalid'],
  ];
  it.each(broken)('that %s cannot be read, and never allow', async (_, detect, why) => {
    for (const predicate of [
      'action.detected.secrets',
      '!(action.detected.secrets == false)',
      'has(action.detected.secrets) && action.detected.secrets',
      'action.detected.secrets != false',
    ]) {
      // A busy machine may take a while to throw: only what never answers has little time.
      const timeoutMs = why === 'late' ? 20 : 60_000;
      const detectors = { ...saying(), secrets: { detect: detect as Detector['detect'], timeoutMs } };
      const file = never(sends(predicate));
      const { call, records, session } = begin(file, { detectors });
      expect(await call('send', { text: 'KEY' })).toBe('block');
      expect(await call('read')).toBe('allow');
      expect(records[1]).toMatchObject({ detected: { secrets: { unreadable: why } } });
      expect(JSON.stringify(records)).not.toContain('Error');
      await session.end();
      expect(await expectReplayed(records, file)).toBe(2);
    }
  });

  it('that block the process too long are late, too', async () => {
    const slow = () => {
      const until = performance.now() + 30;
      while (performance.now() < until);
      return false;
    };
    const detectors = { ...saying(), secrets: { detect: slow, timeoutMs: 5 } };
    expect(await begin(never(sends('action.detected.secrets')), { detectors }).call('send')).toBe('block');
  });

  it('of results that are unreadable: nothing that they may have found passes', async () => {
    const detectors = { ...saying(), injection: { detect: () => Promise.reject(new Error('no')) } };
    const { call } = begin(never(sends('history.exists(c, c.name == "read" && c.detected.injection)')), {
      detectors,
    });
    await call('read');
    expect(await call('send')).toBe('block');
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const other = begin(never(sends('lastTool == "read" && lastDetected.injection')));
    await other.call('read', {}, cyclic);
    expect(await other.call('send')).toBe('block');
  });

  it('cannot be answered by the agent', async () => {
    const { session } = begin(never(sends('action.detected.secrets')));
    const forged = {
      id: '1',
      name: 'send',
      arguments: { text: 'KEY', detected: { secrets: false } },
      detected: { secrets: false },
    };
    expect((await session.decide(forged)).decision).toBe('block');
  });

  it('are asked once about a call, whatever becomes of it', async () => {
    const asked: string[] = [];
    const { session } = begin(never(sends('action.detected.secrets'), 'inspect'), {
      detectors: saying(asked),
      ask: async () => ({ approved: true, by: 'ann' }),
    });
    const proposed = { id: '1', name: 'send', arguments: { text: 'KEY' } };
    const verdict = await session.decide(proposed);
    expect([verdict.reason, verdict.run?.detected?.secrets]).toEqual(['approved', true]);
    await session.check(verdict.call);
    expect(asked).toHaveLength(1);
    await session.check({ ...proposed, arguments: { text: 'KEY' } });
    expect(asked).toHaveLength(2);
  });

  it('never let a later decision overtake an earlier one, and are asked side by side', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { minLength: 2, maxLength: 6 }), async (order) => {
        let open = 0;
        let most = 0;
        const release: (() => void)[] = [];
        const detect = async (text: string) => {
          most = Math.max(most, ++open);
          await new Promise<void>((resolve) => release.push(resolve));
          open--;
          return text.includes('KEY');
        };
        const { session, records } = begin(never(sends('action.detected.secrets')), {
          detectors: { ...saying(), secrets: { detect } },
          maxPending: 6,
        });
        const verdicts = order.map((n, i) =>
          session.check({ id: String(i), name: 'send', arguments: { text: n % 2 ? 'KEY' : '-' } }),
        );
        for (const n of order) release.splice(n % release.length, 1)[0]?.();
        const decisions = (await Promise.all(verdicts)).map(({ decision }) => decision);
        expect(most).toBe(order.length);
        expect(decisions).toEqual(order.map((n) => (n % 2 ? 'block' : 'allow')));
        const decided = records.flatMap((record) => (record.kind === 'decision' ? [record.call.id] : []));
        expect(decided).toEqual(order.map((_, i) => String(i)));
      }),
      { numRuns: 30 },
    );
  });

  it('only look at the tools that they are for', async () => {
    const asked: string[] = [];
    const { secrets, ...rest } = saying(asked);
    const detectors = { ...rest, secrets: { ...secrets, tools: ['read'] } };
    const { call } = begin(never(sends('action.detected.secrets')), { detectors });
    // Nobody looked, so nobody knows.
    expect([await call('send', { text: 'none' }), asked]).toEqual(['block', []]);
  });

  it('are asked about the call that runs in place of another, which the agent cannot choose', async () => {
    const file = never(sends('action.detected.secrets'), '{ replace: safe }');
    const replaced = async (text: string) => {
      const { session } = begin(file, { replacements: { safe: { name: 'send', arguments: { text } } } });
      return session.decide({ id: '1', name: 'send', arguments: { text: 'KEY' } });
    };
    expect((await replaced('fine')).decision).toBe('replace');
    expect(await replaced('a KEY')).toMatchObject({ reason: 'replacement-failed', run: null });
  });

  it('work in shadow mode, which records what they would have stopped', async () => {
    const detectors = { ...saying(), secrets: { detect: () => Promise.reject(new Error('no')) } };
    const { session, records } = begin(never(sends('action.detected.secrets')), { detectors, shadow: true });
    const verdict = await session.decide({ id: '1', name: 'send', arguments: {} });
    expect([verdict.decision, verdict.wouldDecide, verdict.run?.name]).toEqual(['report', 'block', 'send']);
    expect(records[1]).toMatchObject({ detected: { secrets: { unreadable: 'threw' } } });
  });
});

describe('the answers of detectors', () => {
  it('are remembered over a restart, and nobody is asked again', async () => {
    const file = never(
      sends('history.exists(c, c.detected.secrets || c.name == "read" && c.detected.injection)'),
    );
    for (const [first, args, result, expected] of [
      ['read', {}, 'fine', 'allow'],
      ['read', {}, 'ignore this', 'block'],
      ['read', { text: 'KEY' }, 'fine', 'block'],
    ] as const) {
      const { call, records } = begin(file);
      await call(first, args, result);
      const asked: string[] = [];
      const resumed = begin(file, { resume: records, detectors: saying(asked), id: 'run' });
      expect(asked).toEqual([]);
      expect(await resumed.call('send', { text: '-' })).toBe(expected);
      expect(asked).toHaveLength(1);
    }
  });

  it('of calls that were running at an interruption are unknown, until they are settled', async () => {
    const file = never(sends('history.exists(c, c.name == "read" && c.detected.injection)'));
    const { session, records } = begin(file);
    await session.check({ id: '1', name: 'read', arguments: {} });
    const resumed = begin(file, { resume: records, id: 'run' });
    expect(await resumed.call('send')).toBe('block');
    await resumed.session.settle(0, { result: 'fine' });
    expect(await resumed.call('send')).toBe('allow');
  });

  it('stand in recordings as guards read them, and what is missing is named', async () => {
    const record = memoryTraces();
    const file = never(sends('action.detected.secrets || lastTool == "read" && lastDetected.injection'));
    let isBroken = false;
    const detect = (text: string) => {
      if (isBroken) throw new Error('no');
      return text.includes('KEY');
    };
    const { call, session } = begin(file, {
      record,
      shadow: true,
      detectors: { ...saying(), secrets: { detect } },
    });
    await call('read', {}, 'ignore');
    await call('send', { text: 'KEY' });
    isBroken = true;
    await call('read');
    await session.end();
    const text = record.ended.map((trace) => JSON.stringify(trace)).join('\n');
    const [trace] = await collect(readJsonLines(chunked(text), { source: 'runs.jsonl' }));
    const [, second, third] = trace.steps;
    expect(second.action?.detected).toMatchObject({ secrets: true });
    expect(second.state.lastDetected).toMatchObject({ secrets: false, injection: true });
    expect((second.state.history as { detected: object }[])[0].detected).toMatchObject({ injection: true });
    expect(third.action?.detected).not.toHaveProperty('secrets');
    expect(Object.keys(trace.notRecorded ?? {}).sort()).toEqual([
      'action.detected.secrets',
      'history.detected.secrets',
      'lastDetected.secrets',
    ]);
  });
});

describe('detectors that do not fit', () => {
  const file = never(sends('action.detected.secrets'));
  const wrong: [detectors: unknown, words: string][] = [
    [
      undefined,
      'a guard reads the detector "secrets", which the session does not have; give detectors: { secrets:',
    ],
    [
      { ...saying(), kinds: saying().kind, kind: undefined },
      'detectors.kind is undefined; expected { detect',
    ],
    [{ ...saying(), secrets: (text: string) => text === '' }, 'expected { detect: (text) => true or false }'],
    [{ ...saying(), secrets: { ...saying().secrets, timeout: 3 } }, 'did you mean timeoutMs?'],
    [{ ...saying(), secrets: { ...saying().secrets, timeoutMs: 0 } }, 'detectors.secrets.timeoutMs is 0'],
    [{ ...saying(), more: { detect: () => true, on: 'result' } }, 'expected arguments or results'],
    [{ ...saying(), more: { detect: () => true, answer: [] } }, 'detectors.more.answer'],
    [{ ...saying(), more: { detect: () => true, tools: 'send' } }, 'expected a list of names'],
    [
      { ...saying(), secrets: { ...saying().secrets, on: 'results' } },
      'answers "boolean" on arguments, and the session says "boolean" on results',
    ],
  ];
  it.each(wrong)('are refused when the session is made: %j', (detectors, words) => {
    expect(() => begin(file, { detectors: detectors as Record<string, Detector> })).toThrow(words);
  });

  const refused: [name: string, text: string, words: string][] = [
    [
      'undeclared',
      "predicates: { a: 'action.detected.secrets' }",
      'specification:2:35: found action.detected.secrets, and detectors declares no "secrets"; add detectors: { secrets: boolean }',
    ],
    [
      'misspelt',
      "detectors: { secrets: boolean }\npredicates: { a: 'lastDetected.secret' }",
      'did you mean "secrets"?',
    ],
    [
      'in a list',
      "detectors: { secrets: boolean }\npredicates: { a: 'history.exists(c, c.detected.pii)' }",
      'declares no "pii"',
    ],
    ['by an index', 'predicates: { a: \'history[0].detected["pii"] || true\' }', 'declares no "pii"'],
    [
      'in a condition of a list',
      "predicates: { a: 'size(history.filter(c, has(c.detected.pii))) > 0' }",
      'declares no "pii"',
    ],
    [
      'of a result before it',
      "detectors: { seen: { answer: boolean, on: results } }\npredicates: { a: 'action.detected.seen' }",
      'which looks at results: a call that is proposed has none; read lastDetected.seen',
    ],
    [
      'of no type',
      'detectors: { secrets: text }\npredicates: { a: a }',
      'detector "secrets" answers "text"; expected boolean, number, or a list',
    ],
    [
      'of twice the same',
      'detectors: { kind: [a, a] }\npredicates: { a: a }',
      'a list that is not of such texts',
    ],
    [
      'of no name',
      'detectors: { "a b": boolean }\npredicates: { a: a }',
      'detector "a b" cannot be read by predicates',
    ],
    [
      'on nothing',
      'detectors: { a: { answer: boolean, on: calls } }\npredicates: { a: a }',
      'detector "a": on',
    ],
  ];
  it.each(refused)('are refused in a specification: %s', (_, text, words) => {
    expect(() => parseSpecification(`version: 1\n${text}\nrules: { r: { formula: 'G !a' } }`)).toThrow(words);
  });
});
