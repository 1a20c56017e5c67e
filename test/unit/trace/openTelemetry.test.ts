import { describe, expect, it } from 'vitest';
import {
  detectTraceFormat,
  type ReadOpenTelemetryOptions,
  readOpenTelemetry,
  readTraceBatches,
  type SkippedTrace,
  type Trace,
  type TraceNote,
} from '../../../bindings/observations/trace/index.js';
import { chunked, collect } from './bytes.js';
import { agent, call, exportRequest, type SpanSketch, START } from './otlp.js';

const read = (
  text: string,
  options: Partial<ReadOpenTelemetryOptions> = {},
  sizes?: readonly number[],
): Promise<Trace[]> =>
  collect(readOpenTelemetry(chunked(text, sizes), { source: 'spans.jsonl', ...options }));

const readSpans = (spans: readonly SpanSketch[], options: Partial<ReadOpenTelemetryOptions> = {}) =>
  read(JSON.stringify(exportRequest(spans)), options);

const actionsOf = ({ steps }: Trace): (string | undefined)[] => steps.map(({ action }) => action?.name);

/** An agent that searches, fails to buy and buys; children first, as they are exported. */
const shopping: readonly SpanSketch[] = [
  call('search', { id: 'c1', parent: 'm1', start: 1, given: { size: 41 }, result: { hits: [7, 8] } }),
  { id: 'm1', parent: 'r', start: 0.5, attributes: { 'gen_ai.operation.name': 'chat' } },
  call('buy', { id: 'c2', parent: 'r', start: 3, end: 3.5, given: { id: 7 }, failed: true }),
  call('buy', { id: 'c3', parent: 'r', start: 4, end: 6, given: { id: 8 }, result: 'thanks' }),
  agent({ id: 'r', start: 0, end: 9, attributes: { 'gen_ai.agent.name': 'shopper' } }),
];

const start = { lastTool: '', lastToolFailed: false, lastArguments: {}, lastResult: null };
const zero = { buy: 0, search: 0 };

/** The calls of `shopping`, in the order of their answers. */
const done = [
  { name: 'search', arguments: { size: 41 }, failed: false, time: START + 2 },
  { name: 'buy', arguments: { id: 7 }, failed: true, time: START + 3.5 },
  { name: 'buy', arguments: { id: 8 }, failed: false, time: START + 6 },
];

describe('readOpenTelemetry', () => {
  it('makes a run of the span of an agent: its calls by their start, each in the state that the calls before left', async () => {
    expect(await readSpans(shopping)).toEqual([
      {
        id: 'a1-r',
        complete: true,
        notRecorded: { principal: 'no attribute user.id or enduser.id' },
        steps: [
          {
            time: START + 1,
            state: { ...start, calls: zero, failures: zero, history: [] },
            action: { name: 'search', arguments: { size: 41 } },
          },
          {
            time: START + 3,
            state: {
              lastTool: 'search',
              lastToolFailed: false,
              lastArguments: { size: 41 },
              lastResult: { hits: [7, 8] },
              calls: { buy: 0, search: 1 },
              failures: zero,
              history: done.slice(0, 1),
            },
            action: { name: 'buy', arguments: { id: 7 } },
          },
          {
            time: START + 4,
            state: {
              lastTool: 'buy',
              lastToolFailed: true,
              lastArguments: { id: 7 },
              lastResult: null,
              calls: { buy: 1, search: 1 },
              failures: { buy: 1, search: 0 },
              history: done.slice(0, 2),
            },
            action: { name: 'buy', arguments: { id: 8 } },
          },
          {
            time: START + 6,
            state: {
              lastTool: 'buy',
              lastToolFailed: false,
              lastArguments: { id: 8 },
              lastResult: 'thanks',
              calls: { buy: 2, search: 1 },
              failures: { buy: 1, search: 0 },
              history: done,
            },
          },
        ],
      },
    ]);
  });

  it('reads the same from lines in any order, from one document over many lines, and from an array of requests', async () => {
    const expected = await readSpans(shopping);
    const requests = shopping.map((span) => exportRequest([span]));
    const lines = requests.map((request) => JSON.stringify(request));
    const metrics = JSON.stringify({ resourceMetrics: [] });
    expect(await read([metrics, ...lines].join('\n'), {}, [1, 5, 700])).toEqual(expected);
    expect(await read(`${lines.toReversed().join('\r\n\n')}\n`)).toEqual(expected);
    expect(await read(JSON.stringify(exportRequest(shopping), null, 2), {}, [3, 400])).toEqual(expected);
    expect(await read(JSON.stringify(requests, null, '\t'))).toEqual(expected);
    expect(await read(JSON.stringify(requests))).toEqual(expected);
    // An export that was tried again.
    expect(await read([...lines, ...lines].join('\n'))).toEqual(expected);
  });

  it('is chosen by the content, packed or not', async () => {
    const text = JSON.stringify(exportRequest(shopping));
    for (const found of [text, `[${text}]`, JSON.stringify(JSON.parse(text), null, 2), '{"resourceLogs": ['])
      expect(detectTraceFormat(found)).toBe('otel');
    const [trace] = await collect(readTraceBatches(chunked(text), { source: 'spans' }));
    expect(trace.id).toBe('a1-r');
  });

  it('takes structured arguments and results for the same as JSON text', async () => {
    const [structured] = await readSpans([
      call('search', {
        id: 'c1',
        parent: 'r',
        start: 1,
        attributes: {
          'gen_ai.tool.call.arguments': { size: 41 },
          'gen_ai.tool.call.result': { hits: [7, 8], price: 1.5, sold: false },
        },
      }),
      agent({ id: 'r' }),
    ]);
    expect(structured.steps[0].action).toEqual({ name: 'search', arguments: { size: 41 } });
    expect(structured.steps[1].state.lastResult).toEqual({ hits: [7, 8], price: 1.5, sold: false });
  });

  it.each<[string, SpanSketch[]]>([
    ['ended in an error', [agent({ id: 'r', failed: true })]],
    ['has an error.type', [agent({ id: 'r', attributes: { 'error.type': 'timeout' } })]],
    ['has not ended', [agent({ id: 'r', end: null })]],
    ['is missing', []],
  ])('calls a run incomplete where the span of the agent %s', async (_, spans) => {
    const [trace, ...others] = await readSpans([
      call('search', { id: 'c', parent: 'r', result: 1 }),
      ...spans,
    ]);
    expect(trace.complete).toBe(false);
    expect(actionsOf(trace)).toEqual(['search', undefined]);
    expect(others).toEqual([]);
  });

  it('takes calls below a span that was lost for those of the one agent at work, and the run for cut', async () => {
    const lost = shopping.filter(({ id }) => id !== 'm1');
    const notes: string[] = [];
    const traces = await readSpans(lost, { onNote: ({ message }) => void notes.push(message) });
    const [whole] = await readSpans(shopping);
    expect(traces).toEqual([{ ...whole, complete: false }]);
    expect(notes).toContainEqual(
      expect.stringMatching(/^1 of 3 tool calls are below a span that is missing.*not complete$/),
    );
    // A web request above the agent, in another system, is nothing that the run lacks.
    const [asked] = await readSpans(
      shopping.map((span) => (span.id === 'r' ? { ...span, parent: 'web' } : span)),
    );
    expect(asked.complete).toBe(true);
  });

  it('ends the runs of all agents that a call below a lost span may be of before that call', async () => {
    const traces = await readSpans([
      agent({ id: 'r', start: 0, end: 9 }),
      call('search', { id: 'c1', parent: 'r', start: 1 }),
      call('buy', { id: 'c4', parent: 'r', start: 7 }),
      agent({ id: 's', parent: 'r', start: 2, end: 8 }),
      call('look', { id: 'c2', parent: 's', start: 3 }),
      call('sell', { id: 'c3', parent: 'gone', start: 5 }),
      agent({ id: 't', start: 20, end: 30 }),
      call('search', { id: 'c5', parent: 't', start: 21 }),
    ]);
    const found = traces.map((trace) => [trace.id, trace.complete, actionsOf(trace)]);
    expect(found).toEqual([
      ['a1-r', false, ['search', undefined]],
      ['a1-s', false, ['look', undefined]],
      ['a1', false, ['sell', undefined]],
      ['a1-t', true, ['search', undefined]],
    ]);
  });

  it('ends a run with the call that has not ended, since what came of it is not known', async () => {
    const [trace] = await readSpans([
      call('search', { id: 'c1', parent: 'r', start: 1 }),
      call('buy', { id: 'c2', parent: 'r', start: 2, end: null }),
      call('search', { id: 'c3', parent: 'r', start: 3 }),
      agent({ id: 'r', end: 9 }),
    ]);
    expect(trace.complete).toBe(false);
    expect(actionsOf(trace)).toEqual(['search', 'buy']);
  });

  it('takes calls that began at the same time in the order of the file, which is that in which they ended', async () => {
    const [trace] = await readSpans([
      call('search', { id: 'c1', parent: 'r', start: 1, end: 3 }),
      call('buy', { id: 'c2', parent: 'r', start: 1, end: 2 }),
      agent({ id: 'r', end: 9 }),
    ]);
    expect(actionsOf(trace)).toEqual(['search', 'buy', undefined]);
    expect(trace.steps[2].time).toBe(START + 3);
  });

  it('gives an agent that called nothing one step', async () => {
    const [trace] = await readSpans([agent({ id: 'r', start: 2 })], { spans: { tools: ['buy'] } });
    const calls = { buy: 0 };
    expect(trace).toEqual({
      id: 'a1-r',
      complete: true,
      notRecorded: { principal: 'no attribute user.id or enduser.id' },
      steps: [{ time: START + 2, state: { ...start, calls, failures: calls, history: [] } }],
    });
  });

  it('gives each agent its own calls, and leaves what tools do inside to the tools', async () => {
    const traces = await readSpans([
      agent({ id: 'outer', start: 0, end: 20 }),
      call('research', { id: 'c1', parent: 'outer', start: 1, end: 9 }),
      agent({ id: 'inner', parent: 'c1', start: 2, end: 8 }),
      call('search', { id: 'c2', parent: 'inner', start: 3 }),
      call('search', { id: 'c3', parent: 'c2', start: 3.1, attributes: { 'mcp.method.name': 'tools/call' } }),
      call('buy', { id: 'c4', parent: 'outer', start: 10 }),
    ]);
    expect(traces.map(({ id }) => id)).toEqual(['a1-outer', 'a1-inner']);
    expect(traces.map(actionsOf)).toEqual([
      ['research', 'buy', undefined],
      ['search', undefined],
    ]);
  });

  it('makes no run of an agent that only hands on to others', async () => {
    const traces = await readSpans([
      agent({ id: 'desk', start: 0, end: 20 }),
      agent({ id: 'sales', parent: 'desk', start: 1 }),
      agent({ id: 'refunds', parent: 'desk', start: 2 }),
      call('refund', { id: 'c', parent: 'refunds', start: 2.5 }),
    ]);
    expect(traces.map(({ id }) => id)).toEqual(['a1-sales', 'a1-refunds']);
  });

  it('makes one run of a conversation where that is asked for', async () => {
    const turn = { 'gen_ai.conversation.id': 'talk' };
    const spans = [
      agent({ id: 'r2', trace: 'b2', start: 10, attributes: turn }),
      call('buy', { id: 'c2', trace: 'b2', parent: 'r2', start: 10.5 }),
      agent({ id: 'r1', start: 0, attributes: turn }),
      call('search', { id: 'c1', parent: 'r1', start: 0.5 }),
      agent({ id: 'r3', start: 3 }),
    ];
    expect((await readSpans(spans)).map(({ id }) => id)).toEqual(['a1-r1', 'a1-r3', 'b2-r2']);
    const traces = await readSpans(spans, { spans: { runs: 'conversation' } });
    expect(traces.map(({ id }) => id)).toEqual(['talk', 'a1-r3']);
    expect(actionsOf(traces[0])).toEqual(['search', 'buy', undefined]);
    expect(traces[0].complete).toBe(true);
  });

  it.each([
    [
      { 'user.id': 'ada', 'user.roles': ['admin', 'user'] },
      { id: 'ada', roles: ['admin', 'user'] },
    ],
    [
      { 'enduser.id': 'ada', 'enduser.role': 'admin' },
      { id: 'ada', roles: ['admin'] },
    ],
    [{ 'enduser.id': 'old', 'user.id': 'ada', 'user.roles': 'admin', 'enduser.role': 'root' }, { id: 'ada' }],
    [{ 'user.id': 7, 'user.roles': ['admin'] }, undefined],
    [{ 'user.roles': ['admin'] }, undefined],
  ])('tells who is asking by the attributes of users: %j', async (attributes, principal) => {
    const [trace] = await readSpans([agent({ id: 'r', attributes }), call('buy', { id: 'c', parent: 'r' })]);
    expect(trace.steps.map(({ state }) => state.principal)).toEqual([principal, principal]);
    const lacking = Object.keys(trace.notRecorded ?? {}).filter((field) => field.startsWith('principal'));
    expect(lacking).toEqual(
      principal === undefined
        ? ['principal']
        : [...('roles' in principal ? [] : ['principal.roles']), 'principal.tenant'],
    );
  });

  it('does not choose among different users of one run', async () => {
    const of = (id: string, user: string) =>
      agent({ id, attributes: { 'gen_ai.conversation.id': 'talk', 'user.id': user } });
    const run = async (...users: string[]) => {
      const spans = users.map((user, i) => of(`r${i}`, user));
      const [trace] = await readSpans(spans, { spans: { runs: 'conversation' } });
      return [trace.steps[0].state.principal, trace.notRecorded?.principal];
    };
    expect(await run('ada', 'ada')).toEqual([{ id: 'ada' }, undefined]);
    expect(await run('ada', 'eve')).toEqual([undefined, 'spans of the run name different users']);
  });

  it('keeps agents, tools and attributes as asked', async () => {
    const named = (id: string, name: string) =>
      agent({ id, attributes: { 'gen_ai.agent.name': name, tier: 2 } });
    const traces = await readSpans([named('r', 'shopper'), named('s', 'clerk')], {
      spans: {
        agents: ['clerk'],
        tools: ['__proto__'],
        attributes: { service: 'service.name', tier: 'tier', region: 'cloud.region', lastTool: 'tier' },
      },
    });
    expect(traces.map(({ id }) => id)).toEqual(['a1-s']);
    const { state } = traces[0].steps[0];
    expect(state).toMatchObject({ service: 'shop', tier: 2, lastTool: '' });
    expect(state).not.toHaveProperty('region');
    expect(traces[0].notRecorded).toEqual({
      principal: 'no attribute user.id or enduser.id',
      region: 'no attribute cloud.region',
    });
    expect(Object.keys(state.calls as object)).toEqual(['__proto__']);
  });

  it('knows the tools that the span of an agent lists', async () => {
    const definitions = [{ type: 'function', name: 'refund' }, { type: 'x' }, 7];
    for (const list of [definitions.slice(0, 2), JSON.stringify(definitions)]) {
      const spans = [agent({ id: 'r', attributes: { 'gen_ai.tool.definitions': list } })];
      const [trace] = await readSpans(spans);
      expect(trace.steps[0].state.calls).toEqual({ refund: 0 });
    }
  });

  it('leaves out calls that a guard withheld, and names those that it let run instead', async () => {
    const named = (on: string) => {
      const [tool, id = ''] = on.split('#');
      return { 'gen_ai.tool.name': tool, 'gen_ai.tool.call.id': id };
    };
    const decided = (id: string, parent: string, on: string, runs: string, at: number): SpanSketch => ({
      id,
      parent,
      start: at,
      attributes: { 'foreguard.decision': 'block', 'foreguard.runs': runs, ...named(on) },
    });
    const [trace] = await readSpans([
      call('search', { id: 'c1', parent: 'r', start: 1, given: { size: 41 } }),
      decided('d1', 'c1', 'search', 'search', 1.1),
      // Decided while another call was running.
      decided('d2', 'c1', 'buy', '', 1.1),
      decided('d3', 'c1', 'buy#7', '', 1.1),
      call('buy', {
        id: 'c2',
        parent: 'r',
        start: 2,
        result: 'No.',
        attributes: { 'gen_ai.tool.call.id': '7' },
      }),
      call('buy', { id: 'c3', parent: 'r', start: 3, given: { id: 7 } }),
      decided('d4', 'c3', 'buy', '', 3.1),
      decided('d5', 'c3', 'buy', 'ask', 3.2),
      decided('d6', 'r', 'buy', '', 4),
      agent({ id: 'r', end: 9 }),
    ]);
    expect(trace.steps.map(({ action }) => action)).toEqual([
      { name: 'search', arguments: { size: 41 } },
      { name: 'ask' },
      undefined,
    ]);
    expect(trace.steps[2].state.calls).toEqual({ ask: 1, search: 1 });
  });

  it.each([
    [
      'ai.operationId',
      'ai.generateText',
      'ai.toolCall',
      'ai.toolCall.name',
      'ai.toolCall.args',
      'ai.toolCall.result',
    ],
    ['openinference.span.kind', 'AGENT', 'TOOL', 'tool.name', 'input.value', 'output.value'],
  ])('reads spans that say by %s what they are', async (kind, run, tool, name, given, result) => {
    const [trace] = await readSpans([
      { id: 'r', end: 9, attributes: { [kind]: run } },
      { id: 'm', parent: 'r', attributes: { [kind]: 'other' } },
      {
        id: 'c',
        parent: 'r',
        attributes: { [kind]: tool, [name]: 'search', [given]: '{"size":41}', [result]: '{"hits":1}' },
      },
    ]);
    expect(trace.complete).toBe(true);
    expect(trace.steps[0].action).toEqual({ name: 'search', arguments: { size: 41 } });
    expect(trace.steps[1].state.lastResult).toEqual({ hits: 1 });
  });

  it('says what it had to assume, once for the file', async () => {
    const notes: TraceNote[] = [];
    const onNote = (note: TraceNote): void => void notes.push(note);
    const traces = await readSpans(
      [
        call('search', { id: 'c1', parent: 'gone', start: 1, end: 4, given: {} }),
        call('buy', { id: 'c2', start: 2, end: 3, given: {}, result: 1 }),
        call('buy', { id: 'c3', trace: 'b2', attributes: { 'mcp.session.id': 's7' } }),
        call('buy', {
          id: 'c4',
          trace: 'c3',
          attributes: { 'mcp.session.id': 's7' },
          start: 5,
          failed: true,
        }),
      ],
      { onNote },
    );
    expect(traces.map(({ id, steps }) => [id, steps.length])).toEqual([
      ['s7', 3],
      ['a1', 3],
    ]);
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringContaining('4 of 4 tool calls have no invoke_agent span above them'),
      expect.stringContaining('2 of 4 tool calls have no arguments recorded'),
      expect.stringContaining('2 of 4 tool calls have no result recorded'),
      expect.stringContaining('1 of 4 tool calls began before an earlier one had ended'),
    ]);
    notes.length = 0;
    await readSpans([call('a', { id: 'c', parent: 'r', given: {}, result: 1 }), agent({ id: 'r' })], {
      onNote,
    });
    expect(notes).toEqual([]);
  });

  it('says that calls overlapped also where their clock ticks no faster than they come', async () => {
    const noted = async (...spans: Parameters<typeof call>[1][]) => {
      const notes: string[] = [];
      const all = spans.map((more) => call('search', { given: {}, result: 1, parent: 'r', ...more }));
      await readSpans([...all, agent({ id: 'r' })], { onNote: ({ message }) => void notes.push(message) });
      return notes;
    };
    const overlapped = /^1 of 2 tool calls began .* at the same tick of the clock as one/;
    expect(await noted({ id: 'a', start: 5, end: 5 }, { id: 'b', start: 5, end: 7 })).toEqual([
      expect.stringMatching(overlapped),
    ]);
    expect(await noted({ id: 'a', start: 5, end: 5 }, { id: 'b', start: 5, end: 5 })).toEqual([
      expect.stringMatching(overlapped),
    ]);
    // One that begins when the other ends follows it.
    expect(await noted({ id: 'a', start: 5, end: 6 }, { id: 'b', start: 6, end: 7 })).toEqual([]);
  });

  it('ends where spans are above each other in a circle', async () => {
    const traces = await readSpans([
      { id: 'x', parent: 'y' },
      { id: 'y', parent: 'x' },
      call('search', { id: 'c', parent: 'x' }),
      agent({ id: 'r', parent: 'y' }),
    ]);
    expect(traces.map(({ id }) => id).sort()).toEqual(['a1', 'a1-r']);
  });

  const broken = (change: object): string => {
    const request = exportRequest([agent({ id: 'r' })]) as {
      resourceSpans: [{ scopeSpans: [{ spans: object[] }] }];
    };
    Object.assign(request.resourceSpans[0].scopeSpans[0].spans[0], change);
    return JSON.stringify(request);
  };

  it.each([
    [
      '{"id": 1}',
      'spans.jsonl:1:1: the export request is an object with id; expected an object with resourceSpans',
    ],
    ['[7]', 'the export request is 7'],
    ['{"resourceSpans": {}}', 'resourceSpans is an object with no keys; expected an array'],
    ['{"resourceSpans": [{"scopeSpans": [7]}]}', 'resourceSpans[0].scopeSpans[0] is 7; expected an object'],
    [broken({ spanId: '' }), 'resourceSpans[0].scopeSpans[0].spans[0].spanId is ""; expected an identifier'],
    [broken({ traceId: undefined }), 'spans[0].traceId is missing'],
    [
      broken({ startTimeUnixNano: 'soon' }),
      'spans[0].startTimeUnixNano is "soon"; expected nanoseconds since 1970',
    ],
    [broken({ endTimeUnixNano: -1 }), 'spans[0].endTimeUnixNano is -1'],
    ['{\n  "resourceSpans": }', 'spans.jsonl:2:20: not JSON: found "}", expected a value'],
    ['{"resourceSpans": ', 'spans.jsonl:1:19: not JSON'],
  ])('refuses %s', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('skips a line that it cannot read, all of it, and goes on', async () => {
    const skipped: SkippedTrace[] = [];
    const bad = JSON.stringify(exportRequest([agent({ id: 'r' }), { id: '' }]));
    const traces = await read(`${bad}\nnot JSON\n${JSON.stringify(exportRequest(shopping))}`, {
      skipInvalid: true,
      onSkipped: (what) => void skipped.push(what),
    });
    expect(traces.map(({ id }) => id)).toEqual(['a1-r']);
    expect(actionsOf(traces[0])).toHaveLength(4);
    expect(skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'invalid'],
      [2, 'malformed'],
    ]);
  });

  it('holds lines and documents to the limit', async () => {
    const options = { maxLineBytes: 64 };
    await expect(readSpans(shopping, options)).rejects.toThrow('lines may have at most 64');
    await expect(read(JSON.stringify(exportRequest(shopping), null, 1), options)).rejects.toThrow(
      'more than 64 bytes',
    );
  });
});
