import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, ParseError } from '../../../bindings/base/errors.js';
import { readJsonLines, type SkippedTrace, type Trace } from '../../../bindings/observations/trace/index.js';
import { chunked, collect } from './bytes.js';

const source = 'runs.jsonl';
const read = (text: string | Uint8Array, options = {}, sizes?: number[]) =>
  collect(readJsonLines(chunked(text, sizes), { source, ...options }));

async function failure(text: string | Uint8Array, options = {}): Promise<ParseError> {
  const error = await read(text, options).then(
    () => undefined,
    (e) => e,
  );
  expect(error).toBeInstanceOf(ParseError);
  return error;
}

const good = (id: string) => `{"id":"${id}","steps":[{"state":{"speed":1}}]}`;

const trace: fc.Arbitrary<Trace> = fc.record({
  id: fc.string({ unit: 'binary' }),
  complete: fc.boolean(),
  steps: fc
    .array(
      fc.record(
        {
          state: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { noNullPrototype: true }),
          action: fc.record({
            name: fc.string(),
            arguments: fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
          }),
          time: fc.nat(),
        },
        { requiredKeys: ['state'] },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((steps) => {
      const times = steps.flatMap((step) => step.time ?? []).sort((a, b) => a - b);
      return steps.map((step) => (step.time === undefined ? step : { ...step, time: times.shift()! }));
    }),
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that cannot be collected, in the heap and beside it: how many are to be collected depends on how busy the machine is. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('readJsonLines', () => {
  it('counts the steps that are marked as held', async () => {
    const held = '{"id":"a","steps":[{"state":{}},{"state":{},"held":true},{"state":{},"held":false}]}';
    const told = held.replace('"steps"', '"heldSteps":1,"steps"');
    const unmarked = '{"id":"a","heldSteps":2,"steps":[{"state":{}},{"state":{},"held":false}]}';
    const traces = await read([held, told, unmarked, good('a')].join('\n'));
    expect(traces.map(({ heldSteps }) => heldSteps)).toEqual([1, 1, 2, undefined]);
  });

  it('gives the same traces however the bytes are cut, with any line breaks, blank lines and a byte order mark', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(trace, fc.constantFrom('\n', '\r\n', '\n\n', '\n \r\n')), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
        fc.boolean(),
        fc.boolean(),
        async (lines, sizes, mark, lastBreak) => {
          let text =
            (mark ? '\ufeff' : '') + lines.map(([value, end]) => JSON.stringify(value) + end).join('');
          if (!lastBreak) text = text.trimEnd();
          const expected = lines.map(([value]) => JSON.parse(JSON.stringify(value)));
          expect(await read(text, {}, sizes)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes a trace without `complete` for a complete one', async () => {
    const [first, second] = await read(`${good('a')}\n{"id":"b","complete":false,"steps":[{"state":{}}]}`);
    expect(first.complete).toBe(true);
    expect(second.complete).toBe(false);
  });

  it('takes other spellings of `complete` for other fields only beside it', async () => {
    const [{ complete }] = await read('{"id":"b","complete":false,"completed":true,"steps":[{"state":{}}]}');
    expect(complete).toBe(false);
  });

  it('reads nothing from an empty file', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('\n\r\n')).toEqual([]);
  });

  it('places a syntax error in file, line and column', async () => {
    const error = await failure(`${good('a')}\r\n\r\n{"id": "b", "steps": [}\n${good('c')}`);
    expect(error).toMatchObject({ source, line: 3, column: 23 });
    expect(error.message).toContain('runs.jsonl:3:23: not JSON: found "}", expected a value or "]"');
  });

  it('says that a truncated last line ends too early', async () => {
    const error = await failure(`${good('a')}\n{"id":"b","steps":[{"sta`);
    expect(error).toMatchObject({ line: 2, column: 25 });
    expect(error.message).toContain('the end of the text');
  });

  it.each([
    ['[]', 'the line is an array of 0; expected a trace'],
    ['"x"', 'the line is "x"; expected a trace'],
    ['{"steps":[]}', 'id is missing; expected a string'],
    ['{"id":7,"steps":[]}', 'id is 7; expected a string'],
    ['{"id":"a","complete":"yes","steps":[]}', 'complete is "yes"; expected true or false'],
    [
      '{"id":"a","completed":false,"steps":[]}',
      'completed is false; expected no such field; did you mean complete, true or false?',
    ],
    ['{"id":"a","Complete":false,"steps":[]}', 'Complete is false; expected no such field'],
    ['{"id":"a","isComplete":0,"steps":[]}', 'isComplete is 0; expected no such field'],
    [
      '{"id":"a","not_recorded":{"x":"broken"},"steps":[]}',
      'not_recorded is an object with x; expected no such field; did you mean notRecorded, an object of fields with reasons?',
    ],
    [
      '{"id":"a","NotRecorded":{},"steps":[]}',
      'NotRecorded is an object with no keys; expected no such field',
    ],
    [
      '{"id":"a","notrecorded":{},"steps":[]}',
      'notrecorded is an object with no keys; expected no such field',
    ],
    [
      '{"id":"a","held_steps":3,"steps":[]}',
      'held_steps is 3; expected no such field; did you mean heldSteps',
    ],
    ['{"ID":"a","steps":[]}', 'ID is "a"; expected no such field; did you mean id, a string?'],
    ['{"id":"a","Steps":[]}', 'Steps is an array of 0; expected no such field; did you mean steps'],
    ['{"id":"a"}', 'steps is missing; expected an array'],
    ['{"id":"a","steps":{"state":1}}', 'steps is an object with state; expected an array'],
    ['{"id":"a","steps":[]}', 'trace "a" has no steps; expected at least one'],
    [
      '{"id":"a","heldSteps":"1","steps":[{"state":{}}]}',
      'heldSteps is "1"; expected how many of the steps are held',
    ],
    [
      '{"id":"a","heldSteps":2,"steps":[{"state":{}}]}',
      'heldSteps is 2; expected how many of the steps are held',
    ],
    [
      '{"id":"a","heldSteps":2,"steps":[{"state":{}},{"state":{},"held":true},{"state":{}}]}',
      'heldSteps is 2; expected 1, the number of steps with "held": true, the first of which is steps[1]',
    ],
    [
      '{"id":"a","heldSteps":0,"steps":[{"state":{},"held":true}]}',
      'heldSteps is 0; expected 1, the number of steps',
    ],
    [
      '{"id":"a","steps":[{"state":{}},{"state":{},"held":"true"}]}',
      'steps[1].held is "true"; expected true or false',
    ],
    ['{"id":"a","steps":[{"state":{},"held":null}]}', 'steps[0].held is null; expected true or false'],
    [
      '{"id":"a","leftOutMessages":-1,"steps":[{"state":{}}]}',
      'leftOutMessages is -1; expected how many messages are in no step',
    ],
    ['{"id":"a","steps":[{"state":{}},null]}', 'steps[1] is null; expected an object with a state'],
    [
      '{"id":"1","steps":[{"state":{"v":0},"Action":{"name":"cancel"}},{"state":{"v":0}}]}',
      'steps[0].Action is an object with name; expected no such field; did you mean action, an object with a name?',
    ],
    ['{"id":"a","steps":[{"state":{}},{"state":{},"act":1}]}', 'steps[1].act is 1; expected no such field'],
    [
      '{"id":"a","steps":[{"state":{},"actions":[]}]}',
      'steps[0].actions is an array of 0; expected no such field; did you mean action, an object',
    ],
    ['{"id":"a","steps":[{"State":{}}]}', 'steps[0].State is an object with no keys; expected no such field'],
    [
      '{"id":"a","steps":[{"state":{},"isHeld":true}]}',
      'steps[0].isHeld is true; expected no such field; did you mean held, true or false?',
    ],
    [
      '{"id":"a","steps":[{"state":{},"Answered":[]}]}',
      'steps[0].Answered is an array of 0; expected no such field; did you mean answered, the calls',
    ],
    ['{"id":"a","steps":[{}]}', 'steps[0].state is missing; expected an object'],
    ['{"id":"a","steps":[{"state":[1]}]}', 'steps[0].state is an array of 1; expected an object'],
    [
      '{"id":"a","steps":[{"state":{},"action":"go"}]}',
      'steps[0].action is "go"; expected an object with a name',
    ],
    [
      '{"id":"a","steps":[{"state":{},"action":null}]}',
      'steps[0].action is null; expected an object with a name',
    ],
    ['{"id":"a","steps":[{"state":{},"action":{}}]}', 'steps[0].action.name is missing; expected a string'],
    [
      '{"id":"a","steps":[{"state":{},"action":{"name":"go","arguments":[]}}]}',
      'steps[0].action.arguments is an array of 0; expected an object',
    ],
    [
      '{"id":"a","steps":[{"state":{},"time":"1"}]}',
      'steps[0].time is "1"; expected a finite number of seconds',
    ],
    [
      '{"id":"a","steps":[{"state":{},"time":1e999}]}',
      'steps[0].time is Infinity; expected a finite number of seconds',
    ],
    [
      '{"id":"a","steps":[{"state":{},"time":2},{"state":{}},{"state":{},"time":1.5}]}',
      'steps[2].time is 1.5; expected at least 2, the time before it',
    ],
  ])('refuses %s', async (line, message) => {
    const error = await failure(`${good('a')}\n${line}\n`);
    expect(error).toMatchObject({ source, line: 2, column: 1 });
    expect(error.message).toContain(`runs.jsonl:2:1: ${message}`);
  });

  it('leaves out what is null on a path that the trace declares as not recorded, and no other null', async () => {
    const notRecorded = {
      red: 'dropout',
      npc: 'no radar',
      'objects.isOpen': 'not told',
      'action.arguments.to': 'hidden',
    };
    const state = { red: null, speed: null, npc: { speed: null, at: [{ x: null, y: 0 }] } };
    const objects = [{ isOpen: null, kind: null }, { isOpen: true }, null];
    const action = { name: 'go', arguments: { to: null, by: null } };
    const steps = [{ state: { ...state, objects }, action }, { state: { red: 1, action: null } }];
    const [found] = await read(JSON.stringify({ id: 'a', notRecorded, steps }));
    expect(found.steps).toEqual([
      {
        state: { speed: null, npc: { at: [{ y: 0 }] }, objects: [{ kind: null }, { isOpen: true }, null] },
        action: { name: 'go', arguments: { by: null } },
      },
      { state: { red: 1, action: null } },
    ]);
    const [whole] = await read(
      JSON.stringify({ id: 'a', notRecorded: { npc: 'no radar' }, steps: [{ state: { npc: null } }] }),
    );
    expect(whole.steps).toEqual([{ state: {} }]);
  });

  it.each([
    [
      'NaN',
      '"x":NaN}',
      'JSON has no NaN: leave out the field that was not measured, and say why in notRecorded of the trace; only',
    ],
    ['-Infinity', '"x":-Infinity}', 'JSON has no -Infinity: write -1e999, which is read as -Infinity; only'],
    ['Infinity', '"x":[Infinity]}', 'JSON has no Infinity: write 1e999, which is read as Infinity; only'],
  ])('says of a bare %s how to write it, and which formats have it', async (_, field, advice) => {
    const { message } = await failure(`{"id":"b","steps":[{"state":{${field}}]}`);
    expect(message).toContain(`expected a value`);
    expect(message).toContain(`${advice} recordings in the formats apollo and mcap`);
    expect(message).not.toContain('cut short');
  });

  it('reads what it advises to write', async () => {
    const [{ steps }] = await read('{"id":"a","steps":[{"state":{"x":-1e999,"y":1e999}}]}');
    expect(steps[0].state).toEqual({ x: Number.NEGATIVE_INFINITY, y: Number.POSITIVE_INFINITY });
  });

  it('hands on times that descend where resample says what becomes of them', async () => {
    const line = '{"id":"a","steps":[{"state":{},"time":2},{"state":{},"time":1.5}]}';
    for (const resample of ['hold', 'skip'] as const) {
      const [{ steps }] = await read(line, { resample });
      expect(steps.map(({ time }) => time)).toEqual([2, 1.5]);
    }
    await expect(read(line, { resample: 'error' })).rejects.toThrow('unless resample is hold or skip');
  });

  it('skips what it cannot read, says why, and reads the rest', async () => {
    const invalidUtf8 = new Uint8Array([0x22, 0xff, 0x22]);
    const text = new TextEncoder().encode(`${good('a')}\n{"id":\n\n{"id":"e","steps":[]}\n{}\n`);
    const rest = new TextEncoder().encode(`\n${good('b')}\n${good('x'.repeat(200))}\n${good('c')}`);
    for (const size of [1, 7, 1000]) {
      const skipped: SkippedTrace[] = [];
      const traces = await read(
        Uint8Array.from([...text, ...invalidUtf8, ...rest]),
        { skipInvalid: true, maxLineBytes: 100, onSkipped: (s: SkippedTrace) => skipped.push(s) },
        [size],
      );
      expect(traces.map((t) => t.id)).toEqual(['a', 'b', 'c']);
      expect(skipped.map((s) => [s.line, s.reason])).toEqual([
        [2, 'malformed'],
        [4, 'empty'],
        [5, 'invalid'],
        [6, 'malformed'],
        [8, 'too-long'],
      ]);
      expect(skipped[3].message).toContain('runs.jsonl:6:1: a line of 3 bytes is not UTF-8');
    }
  });

  it('accepts a line of exactly the limit and refuses one byte more, with the line and what to do', async () => {
    const line = good('a');
    expect(await read(`${line}\n${line}`, { maxLineBytes: line.length })).toHaveLength(2);
    const error = await failure(`${line}\n${line} `, { maxLineBytes: line.length });
    expect(error).toMatchObject({ line: 2 });
    expect(error.message).toContain(
      `a line of ${line.length + 1} bytes, but lines may have at most ${line.length}`,
    );
    expect(error.message).toContain('raise maxLineBytes');
  });

  it.each([3, 4.5, Number.NaN, 2 ** 30])('refuses a limit of %d bytes', async (maxLineBytes) => {
    await expect(read(good('a'), { maxLineBytes })).rejects.toThrow(InvalidArgumentError);
  });

  it('reads 120 MB that exist only one chunk at a time, and lines above the limit, without holding them', async () => {
    const step = '{"state":{"speed":1.5,"lane":2,"red":false},"time":3}';
    const line = `{"id":"t","steps":[${Array(400).fill(step).join(',')}]}\n`;
    const chunk = new TextEncoder().encode(line.repeat(45));
    const long = new Uint8Array(chunk.length).fill(0x78);
    const rounds = Math.ceil(60e6 / chunk.length);
    let peak = 0;
    const look = (): void => {
      peak = Math.max(peak, heldBytes());
    };
    async function* file() {
      for (let i = 0; i < rounds; i++) {
        yield chunk;
        if (i % 10 === 0) look();
      }
      for (let i = 0; i < rounds; i++) {
        yield long;
        if (i % 10 === 0) look();
      }
      look();
      yield new TextEncoder().encode('\n');
    }
    let traces = 0;
    const skipped: SkippedTrace[] = [];
    const before = heldBytes();
    const options = {
      source,
      skipInvalid: true,
      maxLineBytes: 2 ** 24,
      onSkipped: (s: SkippedTrace) => skipped.push(s),
    };
    for await (const batch of readJsonLines(file(), options)) traces += batch.length;
    expect(traces).toBe(45 * rounds);
    expect(skipped).toMatchObject([{ line: 45 * rounds + 1, reason: 'too-long' }]);
    // A line may be kept until it is known to be too long; the file itself would not fit.
    expect(peak - before).toBeLessThan(2 ** 24 + 30e6);
  });
});
