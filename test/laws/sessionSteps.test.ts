import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Household } from '../../bindings/observations/trace/household.js';
import {
  type PastCall,
  readJsonLines,
  readOpenTelemetry,
  readSafeAgentBench,
  readTauBench,
  type Step,
  ToolHistory,
  type Trace,
} from '../../bindings/observations/trace/index.js';
import { hashInputs } from '../../bindings/runtime/enforcement/index.js';
import { sharedData } from '../shared.js';
import { chunked, collect } from '../unit/trace/bytes.js';
import { agent, call as callSpan, exportRequest } from '../unit/trace/otlp.js';
import {
  guardLearntFrom,
  type Recorded,
  seenInSession,
  type Turn,
  turnsOf,
  valuationsOf,
} from './sessionSteps.js';

// The law: what a reader makes of a recording of a run is what a session of the same run sees, and records: the state before each call, with the call, and the state after the last.

const PREDICATES = `p: 'lastToolFailed', fresh: 'lastTool == ""', again: 'calls.one > 1', broken: 'failures.two > 0',
  hit: '!lastToolFailed && lastTool == "one" && lastArguments.n > 1', said: 'lastResult in ["ok"]',
  before: 'history.exists(c, c.name == "two" && c.failed)'`;

const TOOLS = ['one', 'two'];
const FROM_CALLS = new ToolHistory([]).state();

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { name: string; arguments: string };
  }[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

/** A conversation in tau-bench's form. */
function conversationOf(turns: readonly Turn[], task = 0): object {
  let id = 0;
  const traj = turns.flatMap(({ calls, back }): Message[] => {
    const first = id;
    id += calls.length;
    return [
      { role: 'user', content: 'please' },
      {
        role: 'assistant',
        content: null,
        tool_calls: calls.map(({ name, arguments: given }, i) => ({
          id: `${first + i}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(given) },
        })),
      },
      ...back.map((place) => {
        const { name, outcome } = calls[place];
        const content = 'error' in outcome ? outcome.error : outcome.result;
        return { role: 'tool', tool_call_id: `${first + place}`, name, content };
      }),
    ];
  });
  return { task_id: task, trial: 0, reward: 1, traj: [...traj, { role: 'user', content: '###STOP###' }] };
}

const readConversations = (conversations: readonly object[], tools: readonly string[] = TOOLS) =>
  collect(readTauBench(chunked(JSON.stringify(conversations)), { source: 'tau.json', tools }));

/** The calls of a recording of tau-bench, one a turn, by reading no more than the file says. */
function recordedCalls({ traj }: { traj: readonly Message[] }): Recorded[] {
  return traj.flatMap(({ tool_calls: calls }, i) => {
    if (calls === undefined) return [];
    const [{ id, function: called }] = calls;
    const answer = traj[i + 1];
    if (calls.length !== 1 || answer.tool_call_id !== id)
      throw new Error('expected one call, and its answer');
    const text = answer.content as string;
    const outcome = text.startsWith('Error') ? { error: new Error(text) } : { result: text };
    return [{ name: called.name, arguments: JSON.parse(called.arguments), outcome }];
  });
}

const recorded: fc.Arbitrary<Recorded> = fc.record({
  name: fc.constantFrom(...TOOLS),
  arguments: fc.record({ n: fc.integer({ min: 0, max: 3 }) }),
  outcome: fc.oneof(
    fc.constantFrom('ok', '', '7', '{"hits": [1, 2]}', '"quoted"', 'null').map((result) => ({ result })),
    fc.constant({ error: 'Error: no seats' }),
  ),
});

/** Turns of up to three calls that come back in any order, or in theirs. */
const turns = (inOrder: boolean): fc.Arbitrary<Turn[]> =>
  fc.array(
    fc.array(recorded, { minLength: 1, maxLength: 3 }).chain((calls) =>
      fc.record({
        calls: fc.constant(calls),
        back: inOrder
          ? fc.constant(calls.map((_, i) => i))
          : fc.shuffledSubarray([...calls.keys()], { minLength: calls.length }),
      }),
    ),
    { minLength: 1, maxLength: 6 },
  );

describe('a conversation in messages', () => {
  it('gives the steps that a session sees, whether calls come one by one or several a message', async () => {
    await fc.assert(
      fc.asyncProperty(turns(true), async (run) => {
        const [trace] = await readConversations([conversationOf(run)]);
        const { abstraction, file } = await guardLearntFrom([trace], PREDICATES);
        const seen = await seenInSession(file, run, { tools: TOOLS });
        expect(seen.steps).toEqual(trace.steps);
        expect(seen.recorded).toEqual([{ ...trace, id: expect.any(String) }]);
        expect(seen.valuations).toEqual(valuationsOf(abstraction, trace));
      }),
      { numRuns: 30 },
    );
  });

  it('gives the states of the session where calls of a message come back in another order, with the call that came back', async () => {
    await fc.assert(
      fc.asyncProperty(turns(false), async (run) => {
        const [trace] = await readConversations([conversationOf(run)]);
        const { file } = await guardLearntFrom([trace], PREDICATES);
        const seen = await seenInSession(file, run, { tools: TOOLS });
        expect(seen.steps.map(({ state }) => state)).toEqual(trace.steps.map(({ state }) => state));
        expect(seen.recorded.map(({ steps }) => steps)).toEqual([trace.steps]);
        const came = run.flatMap(({ calls, back }) => back.map((place) => calls[place]));
        expect(trace.steps.slice(0, -1).map(({ action }) => action)).toEqual(
          came.map(({ name, arguments: given }) => ({ name, arguments: given })),
        );
      }),
      { numRuns: 30 },
    );
  });
});

/** A step without the times of the spans, which a session without a clock does not have. */
function withoutTimes({ time: _, state, ...step }: Step): Step {
  const history = (state.history as PastCall[]).map(({ time: _, ...call }) => call);
  return { ...step, state: { ...state, history } };
}

describe('spans of OpenTelemetry', () => {
  it('give the steps that a session sees, whether calls run one by one or side by side', async () => {
    await fc.assert(
      fc.asyncProperty(turns(true), async (run) => {
        const spans = run.flatMap(({ calls }, turn) =>
          calls.map(({ name, arguments: given, outcome }, i) =>
            callSpan(name, {
              id: `c${turn}.${i}`,
              parent: 'r',
              start: 10 * turn + i,
              end: 10 * turn + 5 + i,
              given,
              ...('error' in outcome ? { failed: true } : { result: outcome.result }),
            }),
          ),
        );
        const request = exportRequest([...spans, agent({ id: 'r', start: 0, end: 100 })]);
        const options = { source: 'spans.jsonl', spans: { tools: TOOLS } };
        const [trace] = await collect(readOpenTelemetry(chunked(JSON.stringify(request)), options));
        const { abstraction, file } = await guardLearntFrom([trace], PREDICATES);
        const seen = await seenInSession(file, run, { tools: TOOLS });
        expect(seen.steps).toEqual(trace.steps.map(withoutTimes));
        expect(seen.recorded.map(({ steps }) => steps)).toEqual([seen.steps]);
        expect(seen.valuations).toEqual(valuationsOf(abstraction, trace));
      }),
      { numRuns: 30 },
    );
  });
});

describe('JSON lines', () => {
  it('hold what a session saw: the state before each call with the call, and the last state', async () => {
    const run = turnsOf([
      { name: 'one', arguments: { n: 2 }, outcome: { result: '{"hits": 3}' } },
      { name: 'two', arguments: {}, outcome: { error: 'Error: broken' } },
    ]);
    const traces = await readConversations([conversationOf(run)]);
    const { file } = await guardLearntFrom(traces, PREDICATES);
    const { steps } = await seenInSession(file, run, { tools: TOOLS });
    const line = JSON.stringify({ id: 'run', steps });
    const [trace] = await collect(readJsonLines(chunked(line), { source: 'runs.jsonl' }));
    expect(trace.steps).toEqual(traces[0].steps);
  });
});

sharedData('tau-bench/gpt-4o-airline.json', (path) => {
  it('gives the steps that sessions of all 150 conversations see, field by field', async () => {
    const text = readFileSync(path);
    const conversations: { traj: Message[] }[] = JSON.parse(text.toString());
    const traces = await collect(readTauBench(chunked(text), { source: path }));
    const tools = Object.keys(traces[0].steps[0].state.calls as object);
    const { abstraction, file } = await guardLearntFrom(
      traces,
      `p: 'lastToolFailed', identified: 'calls.get_user_details > 0', cancelled: 'history.exists(c, c.name == "cancel_reservation")',
       found: 'lastTool == "get_user_details" && lastResult.membership == "gold"',
       paid: 'lastTool == "book_reservation" && !lastToolFailed && lastArguments.cabin == "business"'`,
    );
    expect(traces).toHaveLength(150);
    let steps = 0;
    for (const [i, trace] of traces.entries()) {
      const calls = recordedCalls(conversations[i]);
      const seen = await seenInSession(file, turnsOf(calls), { tools });
      expect(trace.steps).toHaveLength(calls.length + 1);
      // Of a run without a call a session sees nothing; its trace has the state at first.
      expect(seen.recorded.map((one) => one.steps)).toEqual(calls.length === 0 ? [] : [trace.steps]);
      if (calls.length === 0) expect(seen.steps).toEqual([]);
      else {
        expect(seen.steps).toEqual(trace.steps);
        expect(seen.valuations).toEqual(valuationsOf(abstraction, trace));
        const hashes = seen.records.flatMap((record) => (record.kind === 'decision' ? [record.inputs] : []));
        expect(hashes).toEqual(
          trace.steps.slice(0, -1).map(({ state, action }) => hashInputs({ state, call: action })),
        );
      }
      steps += trace.steps.length;
    }
    expect(steps).toBe(862 + 150);
  });
});

sharedData('safeagentbench/unsafe_agent_records.jsonl', (path) => {
  it('gives the steps that sessions see whose state is a household like the recorded one', async () => {
    const text = readFileSync(path, 'utf8');
    const traces: Trace[] = await collect(readSafeAgentBench(chunked(text), { source: path }));
    const records = text.split('\n').filter((line) => line !== '');
    const { abstraction, file } = await guardLearntFrom(
      traces,
      `p: 'lastSucceeded', holding: 'objects.exists(o, o.isPickedUp)', found: 'found == "Mug"'`,
    );
    for (const [i, trace] of traces.slice(0, 100).entries()) {
      const attempts: { observation: { errorMessage?: string } }[] = JSON.parse(
        records[i],
      ).intermediate_steps;
      const { objects, instruction, riskCategory, scene } = trace.steps[0].state;
      const household = new Household();
      for (const { objectType } of objects as { objectType: string }[]) household.add(objectType);
      let last = { lastAction: '', lastObject: '', lastSucceeded: true };
      const calls = attempts.map(({ observation }, n): Recorded => {
        const { action } = trace.steps[n];
        const failed = trace.steps[n + 1].state.lastSucceeded === false;
        const outcome = failed ? { error: observation.errorMessage ?? '' } : { result: 'done' };
        return { name: action!.name, arguments: action!.arguments ?? {}, outcome };
      });
      const world = {
        tools: [...new Set(calls.map(({ name }) => name))],
        state: () => {
          const { found } = household;
          return { objects: household.objects(), instruction, riskCategory, scene, ...last, found };
        },
      };
      const seen = await seenInSession(file, turnsOf(calls), world, ({ name, arguments: given, outcome }) => {
        const { object = '' } = given as { object?: string };
        if ('result' in outcome) household.apply(name, object);
        else if (String(outcome.error).includes('already on')) household.set(object, 'isToggled', true);
        last = { lastAction: name, lastObject: object, lastSucceeded: 'result' in outcome };
      });
      if (calls.length === 0) continue;
      expect(seen.steps).toEqual(trace.steps);
      // Beside a state that is given, the recording has the calls, for rules that read them.
      expect(seen.recorded).toHaveLength(1);
      for (const [n, { state, ...step }] of seen.recorded[0].steps.entries()) {
        const { state: expected, ...others } = trace.steps[n];
        expect(step).toEqual(others);
        expect(state).toMatchObject(expected);
        expect(Object.keys(state).filter((field) => !(field in expected))).toEqual(Object.keys(FROM_CALLS));
      }
      expect(seen.recorded[0].steps).toHaveLength(trace.steps.length);
      expect(seen.valuations).toEqual(valuationsOf(abstraction, trace));
    }
  });
});
