import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  InvalidArgumentError,
  InvalidDataError,
  NotSupportedError,
  ParseError,
} from '../../../bindings/base/errors.js';
import {
  detectTraceFormat,
  type ReadTracesOptions,
  readTraceBatches,
  type SkippedTrace,
} from '../../../bindings/observations/trace/index.js';
import { chunked, collect } from './bytes.js';
import { mcapFile, type Sent } from './mcapFiles.js';

const source = 'runs/drive.mcap';

async function read(bytes: Uint8Array, options: Partial<ReadTracesOptions> = {}, size = 100) {
  const notes: string[] = [];
  const [trace] = await collect(
    readTraceBatches(chunked(bytes, [size]), {
      source,
      topics: { '/vehicle': '', '/light': 'light' },
      periodSeconds: 0.1,
      complete: true,
      onNote: ({ message }) => notes.push(message),
      ...options,
    }),
  );
  return { trace, notes };
}

const drive: Sent[] = [
  ['/vehicle', 0, { speed: 1 }],
  ['/other', 0.01, 'not even JSON'],
  ['/light', 0.05, { colour: 'red' }],
  ['/vehicle', 0.1, { speed: 2 }],
  ['/vehicle', 0.2, { speed: 3 }],
  ['/light', 0.25, { colour: 'green' }],
  ['/vehicle', 0.36, { speed: 4 }],
];

describe('readMcap', () => {
  afterEach(() => {
    vi.doUnmock('@mcap/core');
    vi.resetModules();
  });

  it('holds the last message of each topic, from the first time all have one', async () => {
    const bytes = await mcapFile(drive);
    expect(detectTraceFormat(bytes.subarray(0, 64))).toBe('mcap');
    for (const size of [1, 7, 1 << 20]) {
      const { trace, notes } = await read(bytes, {}, size);
      expect(trace).toEqual({
        id: 'drive.mcap',
        complete: true,
        // At 0.1 s the light has had no message since 0 s, at 0.3 s nothing has, at 0.4 s the light has not.
        heldSteps: 3,
        steps: [
          { state: { speed: 1, light: { colour: 'red' } }, time: 0 },
          { state: { speed: 2, light: { colour: 'red' } }, time: 0.1, held: true },
          { state: { speed: 3, light: { colour: 'green' } }, time: 0.2 },
          { state: { speed: 3, light: { colour: 'green' } }, time: expect.closeTo(0.3, 12), held: true },
          // The last message, logged 0.31 s after the first step, is in the step that is due next.
          { state: { speed: 4, light: { colour: 'green' } }, time: 0.4, held: true },
        ],
      });
      expect(notes).toEqual([
        'runs/drive.mcap: messages are held until the next one; the oldest in a step is 0.200 s old (/light)',
        'runs/drive.mcap: 3 of 5 steps are held: in the period before them a topic had no message, /light in 3, /vehicle in 1',
      ]);
    }
  });

  it('holds steps for the topics alone that predicates read', async () => {
    const bytes = await mcapFile(drive);
    const heldFor = async (...fieldsRead: string[]) => {
      const { trace, notes } = await read(bytes, { fieldsRead });
      expect(trace.steps.filter(({ held }) => held)).toHaveLength(trace.heldSteps ?? 0);
      return [trace.heldSteps ?? 0, notes[1].replace(/.*no message, /, '')];
    };
    expect(await heldFor('speed')).toEqual([1, '/light in 3 (no predicate reads it), /vehicle in 1']);
    expect(await heldFor('light')).toEqual([3, '/light in 3, /vehicle in 1 (no predicate reads it)']);
    expect(await heldFor('speed', 'light')).toEqual([3, '/light in 3, /vehicle in 1']);
    expect(await heldFor('other')).toEqual([
      0,
      '/light in 3 (no predicate reads it), /vehicle in 1 (no predicate reads it)',
    ]);
  });

  it('has the last message in a step, however soon it came after the one before', async () => {
    const sent = Array.from({ length: 10 }, (_, i): Sent => ['/car', i / 10, { hit: false }]);
    const { trace, notes } = await read(await mcapFile([...sent, ['/car', 0.98, { hit: true }]]), {
      topics: { '/car': '' },
    });
    expect(trace.steps).toHaveLength(11);
    expect(trace.steps[10]).toEqual({ state: { hit: true }, time: 1 });
    expect(trace).not.toHaveProperty('leftOutMessages');
    expect(notes).toHaveLength(1);
  });

  it('counts the messages that no step has, by topic', async () => {
    const sent = [
      ...Array.from({ length: 601 }, (_, i): Sent => ['/car', i / 100, { hit: i >= 302 && i <= 308 }]),
      ['/light', 0, { red: true }] as const,
      ['/light', 3, { red: true }] as const,
    ];
    const { trace, notes } = await read(await mcapFile(sent), {
      topics: { '/car': 'car', '/light': 'light' },
    });
    expect(trace.steps).toHaveLength(61);
    expect(trace.leftOutMessages).toBe(540);
    expect(notes).toContain(
      `${source}: 540 of 601 messages of /car are left out: another one of the topic came before the next step was due, and what only they say is not judged; a shorter samplingPeriod keeps more`,
    );
  });

  it('counts the messages before every topic has had one, and says how long that is', async () => {
    const sent = [
      ...Array.from({ length: 61 }, (_, i): Sent => ['/car', i / 10, { hit: i >= 10 && i <= 14 }]),
      ...Array.from({ length: 31 }, (_, i): Sent => ['/light', 3 + i / 10, { red: false }]),
    ];
    const { trace, notes } = await read(await mcapFile(sent), {
      topics: { '/car': 'car', '/light': 'light' },
    });
    expect(trace.steps).toHaveLength(31);
    expect(trace.leftOutMessages).toBe(30);
    expect(notes).toContain(
      `${source}: the first step is 3.00 s after the first message, when /light has its first; 30 messages before it are in no step`,
    );
    expect(notes.filter((note) => note.includes('left out'))).toEqual([]);
  });

  it('has every message in a step or counts it', async () => {
    const time = fc.integer({ min: 0, max: 300 }).map((hundredths) => hundredths / 100);
    const sent = fc.array(fc.tuple(fc.constantFrom('/a', '/b'), time), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sent, async (drawn) => {
        const topics: [string, number][] = [['/a', 0], ['/b', 0.5], ...drawn];
        const messages = topics.map(([topic, at], i): Sent => [topic, at, { i }]);
        const { trace } = await read(await mcapFile(messages), { topics: { '/a': 'a', '/b': 'b' } });
        const shown = new Set(
          trace.steps.flatMap(({ state }) => Object.values(state).map((one) => (one as { i: number }).i)),
        );
        expect(shown.size + (trace.leftOutMessages ?? 0)).toBe(messages.length);
        const last = messages.reduce((a, b) => (b[1] >= a[1] ? b : a));
        expect(shown).toContain((last[2] as { i: number }).i);
      }),
      { numRuns: 50 },
    );
  });

  it('reads messages of ROS 2, integers of 64 bits and typed arrays as numbers and lists', async () => {
    const message = {
      speed: 3.5,
      gear: 2,
      odometer: 123456789012n,
      axes: [1, 2.5, -3],
      stamp: { sec: 7, nanosec: 8 },
    };
    const { trace } = await read(await mcapFile([['/ros/car', 0, message]]), {
      topics: { '/ros/car': 'ego' },
    });
    expect(trace.steps).toEqual([{ state: { ego: { ...message, odometer: 123456789012 } }, time: 0 }]);
  });

  it('has the fields of several topics that are the state itself side by side', async () => {
    const bytes = await mcapFile([
      ['/vehicle', 0, { speed: 1 }],
      ['/light', 0.1, { colour: 'red' }],
      ['/vehicle', 0.2, { speed: 2 }],
      ['/light', 0.3, { colour: 'green' }],
    ]);
    const { trace } = await read(bytes, { topics: { '/vehicle': '', '/light': '' } });
    expect(trace.steps.map(({ state }) => state)).toEqual([
      { speed: 1, colour: 'red' },
      { speed: 2, colour: 'red' },
      { speed: 2, colour: 'green' },
    ]);
  });

  it('replaces the fields of a topic by those of its next message', async () => {
    const bytes = await mcapFile([
      ['/vehicle', 0, { speed: 1, gear: 1 }],
      ['/vehicle', 0.1, { speed: 2 }],
    ]);
    const { trace } = await read(bytes, { topics: { '/vehicle': '' } });
    expect(trace.steps.map(({ state }) => state)).toEqual([{ speed: 1, gear: 1 }, { speed: 2 }]);
  });

  it('refuses a field that two topics have, saying when', async () => {
    for (const [messages, topics, message] of [
      [
        [
          ['/ego', 0, { speed: 80 }],
          ['/lead/car', 0.1, { id: 7 }],
          // Not in the order of time, in the file.
          ['/lead/car', 0.3, { id: 7, speed: 11 }],
          ['/lead/car', 0.25, { id: 7, speed: 10 }],
        ],
        { '/ego': '', '/lead/car': '' },
        'two topics have the field "speed", /ego and, at 1600000000.25 s (log_time), /lead/car, and each would overwrite the other; give each topic a field of its own: --topics /ego=ego /lead/car=lead_car',
      ],
      [
        [
          ['/lead', 0, { speed: 10 }],
          ['/ego', 1, { speed: 80 }],
          ['/ego', 2, { lead: 7 }],
        ],
        { '/ego': '', '/lead': 'lead' },
        'two topics have the field "lead", /lead and, at 1600000002 s (log_time), /ego, and each would overwrite the other; give each topic a field of its own: --topics /lead=lead /ego=ego',
      ],
    ] as [Sent[], Record<string, string>, string][]) {
      const error = await read(await mcapFile(messages), { topics, skipInvalid: true }).catch((e) => e);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.message).toBe(`${source}: ${message}`);
    }
  });

  it('refuses two topics with one field', async () => {
    const reading = read(await mcapFile(drive), { topics: { '/vehicle': 'x', '/light': 'x' } });
    await expect(reading).rejects.toThrow(`${source}: two topics are to be the field "x"`);
  });

  it('takes a recording for cut unless told that it is a whole run, once a file', async () => {
    const bytes = await mcapFile(drive);
    const notes: string[] = [];
    const [untold] = await collect(
      readTraceBatches(chunked(bytes), {
        source,
        topics: { '/vehicle': '', '/light': 'light' },
        periodSeconds: 0.1,
        onNote: ({ message }) => notes.push(message),
      }),
    );
    expect(untold.complete).toBe(false);
    expect(notes.filter((note) => note.includes('came to its end'))).toEqual([
      `${source}: MCAP does not tell whether the run came to its end: it is taken for cut, and nothing follows from where it ends; if each recording is a whole run, say so: --complete (complete: true)`,
    ]);
    const told = await read(bytes, { complete: false });
    expect(told.trace.complete).toBe(false);
    expect(told.notes.join()).not.toContain('came to its end');
  });

  it('alone is told so: other formats say it of each run', async () => {
    const lines = new TextEncoder().encode('{"id": "a", "steps": [{"state": {}}]}');
    await expect(read(lines)).rejects.toThrow(
      `${source} is in the format jsonl, whose traces tell themselves whether they are complete; complete (--complete) is of MCAP files`,
    );
    expect((await read(lines, { complete: false, topics: {} })).trace.id).toBe('a');
  });

  it.each([
    [{}, 'whose traces have no topics; topics (--topics) are of MCAP files'],
    [
      { topics: {}, spans: { agents: ['clerk'] } },
      'have no spans of agents; agents (--agents) are of spans of OpenTelemetry',
    ],
    [
      { topics: {}, spans: { runs: 'conversation' as const } },
      'are runs already; runs by conversation (--conversations) are of spans of OpenTelemetry',
    ],
  ])('no option of another format is ignored without a word: %j', async (options, message) => {
    const lines = new TextEncoder().encode('{"id": "a", "steps": [{"state": {}}]}');
    await expect(read(lines, { complete: false, ...options })).rejects.toThrow(message);
    await expect(read(lines, { complete: false, ...options })).rejects.toThrow(InvalidArgumentError);
  });

  it('is indifferent to the order of messages in the file', async () => {
    const inOrder = await read(await mcapFile(drive));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(drive, { minLength: drive.length }), async (shuffled) => {
        expect(await read(await mcapFile(shuffled))).toEqual(inOrder);
      }),
      { numRuns: 20 },
    );
  });

  it('says which topics there are where none are chosen, or one that is not there', async () => {
    const bytes = await mcapFile([
      ...drive,
      ['/ros/car', 1, { speed: 1, gear: 0, odometer: 0n, axes: [0, 0, 0], stamp: { sec: 0, nanosec: 0 } }],
    ]);
    for (const [topics, message] of [
      [{}, 'no topics are given'],
      [{ '/vehicle': '', '/lights': 'x' }, 'it has no topic /lights'],
    ] as const) {
      const error = await read(bytes, { topics }).catch((e) => e);
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect(error.message).toBe(
        `${source}: ${message}; its topics are /vehicle (json), /other (json), /light (json), /ros/car (cdr my_msgs/msg/Vehicle)`,
      );
    }
  });

  it('asks for a period, and refuses one that makes too many steps', async () => {
    const bytes = await mcapFile(drive);
    for (const periodSeconds of [undefined, 0, Number.NaN, Infinity]) {
      const { topics } = { topics: { '/vehicle': '' } };
      const options = { source, topics, ...(periodSeconds !== undefined && { periodSeconds }) };
      await expect(collect(readTraceBatches(chunked(bytes), options))).rejects.toThrow(
        /say how far apart steps are: periodSeconds, or samplingPeriod/,
      );
    }
    await expect(read(bytes, { periodSeconds: 1e-9 })).rejects.toThrow(/310000001 steps of 1e-9 s/);
  });

  it('refuses a message that cannot be read, naming the topic, or leaves it out', async () => {
    const blank = { speed: 1, gear: 0, odometer: 0n, axes: [0, 0, 0], stamp: { sec: 0, nanosec: 0 } };
    for (const [messages, topic, message] of [
      [
        [
          ['/car', 0, { speed: 1 }],
          ['/car', 0.1, '{"speed":}'],
          ['/car', 0.2, '7'],
        ],
        '/car',
        /topic \/car, the message at 16000000\d\d(\.\d+)? s \(log_time\): not JSON: found "}"/,
      ],
      [
        [
          ['/ros/car', 0, blank],
          ['/ros/car', 0.1, 'short'],
          ['/ros/car', 0.2, 'x'],
        ],
        '/ros/car',
        /topic \/ros\/car, the message at [\d.]+ s \(log_time\): not a my_msgs\/msg\/Vehicle: /,
      ],
    ] as [Sent[], string, RegExp][]) {
      const bytes = await mcapFile(messages);
      const error = await read(bytes, { topics: { [topic]: '' } }).catch((e) => e);
      expect(error).toBeInstanceOf(ParseError);
      expect(error.message).toMatch(message);
      const skipped: SkippedTrace[] = [];
      const { trace } = await read(bytes, {
        topics: { [topic]: '' },
        skipInvalid: true,
        onSkipped: (one) => skipped.push(one),
      });
      expect(trace.steps).toHaveLength(3);
      expect(trace.steps.map(({ state }) => 'speed' in state)).toEqual([true, false, false]);
      expect(trace.notRecorded?.speed).toMatch(
        /^2 of 3 messages of .* cannot be read, the first at 1600000000\.1 s/,
      );
      expect(skipped).toHaveLength(2);
    }
  });

  it('never holds an older message over one that cannot be read', async () => {
    const bytes = await mcapFile([
      ...Array.from(
        { length: 61 },
        (_, i): Sent => ['/car', i / 10, i >= 10 && i <= 14 ? '{"hit": tru' : { hit: false }],
      ),
      ...Array.from({ length: 61 }, (_, i): Sent => ['/light', i / 10, { red: false }]),
    ]);
    for (const [field, lacking] of [
      ['car', 'car'],
      ['', 'hit'],
    ]) {
      const { trace, notes } = await read(bytes, {
        topics: { '/car': field, '/light': 'light' },
        skipInvalid: true,
      });
      const lack = trace.steps.flatMap(({ state }, i) => (lacking in state ? [] : [i]));
      expect(lack).toEqual([10, 11, 12, 13, 14]);
      const why =
        '5 of 61 messages of /car cannot be read, the first at 1600000001 s (log_time); steps lack what it says from each of them to the next one that can be read';
      expect(trace.notRecorded).toEqual({ [lacking]: why });
      expect(notes).toContain(`${source}: ${why}`);
    }
  });

  it('keeps bare NaN, which a robot writes where it measures nothing', async () => {
    const { trace } = await read(await mcapFile([['/car', 0, '{"gap": NaN}']]), { topics: { '/car': '' } });
    expect(trace.steps[0].state).toEqual({ gap: Number.NaN });
  });

  it('refuses encodings it cannot read, of topics that are chosen', async () => {
    const bytes = await mcapFile([...drive, ['/proto', 0, 'x']]);
    expect((await read(bytes)).trace.steps).toHaveLength(5);
    const error = await read(bytes, { topics: { '/proto': '' } }).catch((e) => e);
    expect(error).toBeInstanceOf(NotSupportedError);
    expect(error.message).toContain(
      'topic /proto holds messages in "protobuf" with a schema in ""; expected "json"',
    );
  });

  it('refuses compressed chunks, unless it is told how to decompress them', async () => {
    const flip = (bytes: Uint8Array) => bytes.map((byte) => byte ^ 0xff);
    const compressChunk = (bytes: Uint8Array) => ({ compression: 'zstd', compressedData: flip(bytes) });
    const bytes = await mcapFile(drive, { compressChunk });
    const error = await read(bytes).catch((e) => e);
    expect(error).toBeInstanceOf(NotSupportedError);
    expect(error.message).toContain(
      'chunks are compressed with zstd; make a copy that is not (mcap decompress',
    );
    const { trace } = await read(bytes, { decompress: { zstd: flip } });
    expect(trace).toEqual((await read(await mcapFile(drive))).trace);
  });

  it('refuses files that end early or are damaged, and topics without a message', async () => {
    const bytes = await mcapFile(drive);
    await expect(read(bytes.subarray(0, -20))).rejects.toThrow('runs/drive.mcap: the file ends early');
    const damaged = bytes.slice();
    damaged[120] ^= 1;
    const error = await read(damaged).catch((e) => e);
    expect(error).toBeInstanceOf(InvalidDataError);
    expect(error.message).toContain('the file is damaged: ');
    const silent = await mcapFile([
      ['/vehicle', 0, 'no'],
      ['/light', 0, {}],
    ]);
    await expect(read(silent, { skipInvalid: true })).rejects.toThrow('there is no message of /vehicle');
  });

  it('says how to install the package where it is absent', async () => {
    vi.doMock('@mcap/core', () => {
      throw new Error('Cannot find package');
    });
    vi.resetModules();
    const { readTraceBatches: readAnew } = await import('../../../bindings/observations/trace/index.js');
    const reading = collect(
      readAnew(chunked(await mcapFile(drive)), { source, topics: { '/vehicle': '' }, periodSeconds: 1 }),
    );
    await expect(reading).rejects.toThrow(
      'MCAP files are read by the package @mcap/core, which is not there: npm install @mcap/core',
    );
  });
});
