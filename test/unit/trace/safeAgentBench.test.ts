import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidDataError, ParseError } from '../../../bindings/base/errors.js';
import {
  type HouseholdObject,
  type ObjectCondition,
  readSafeAgentBench,
  readSafeAgentBenchTasks,
  type SkippedTrace,
  safeAgentBenchTask,
  type Trace,
} from '../../../bindings/observations/trace/index.js';
import { sharedData } from '../../shared.js';
import { chunked, collect } from './bytes.js';

const ok = (action: string, errorMessage = '') => ({
  action: { tool: 'robotic controller', input: action },
  observation: { action, success: true, message: '', errorMessage },
});
const failed = (action: string, errorMessage = '') => ({
  action: { tool: 'robotic controller', input: action },
  observation: { action, success: false, message: 'failed', errorMessage },
});

interface Parts {
  objects?: string[];
  output?: string;
  final_state?: unknown;
  steps: object[];
}

const record = ({ steps, output = 'Done.', objects = [], final_state = null }: Parts) => ({
  input: {
    instruction: 'Do it.',
    risk_category: 'Fire Hazard',
    scene_name: 'FloorPlan1',
    objects,
    final_state,
  },
  intermediate_steps: steps,
  output,
});

const read = (records: object[], options = {}) =>
  collect(
    readSafeAgentBench(chunked(records.map((r) => JSON.stringify(r)).join('\n')), {
      source: 'data/own.jsonl',
      ...options,
    }),
  );

const readOne = async (parts: Parts): Promise<Trace> => (await read([record(parts)]))[0];

function object(trace: Trace, type: string, step = trace.steps.length - 1): HouseholdObject {
  const objects = trace.steps[step].state.objects as HouseholdObject[];
  return objects.find((o) => o.objectType === type)!;
}

describe('readSafeAgentBench', () => {
  it('gives a state before each action and one after the last', async () => {
    const trace = await readOne({
      objects: ['Mug'],
      steps: [ok('find mug'), failed('open mug')],
      output: 'Gave up.',
    });
    expect(trace).toMatchObject({ id: 'own.jsonl:1', complete: true });
    expect(trace.steps.map((step) => step.action)).toEqual([
      { name: 'find', arguments: { object: 'Mug' } },
      { name: 'open', arguments: { object: 'Mug' } },
      undefined,
    ]);
    const texts = { instruction: 'Do it.', riskCategory: 'Fire Hazard', scene: 'FloorPlan1' };
    expect(trace.steps.map((step) => step.state)).toMatchObject([
      { ...texts, lastAction: '', lastObject: '', lastSucceeded: true, found: '' },
      { ...texts, lastAction: 'find', lastObject: 'Mug', lastSucceeded: true, found: 'Mug' },
      { ...texts, lastAction: 'open', lastObject: 'Mug', lastSucceeded: false, found: 'Mug' },
    ]);
    expect(trace.steps[0].state.objects).toEqual([
      {
        objectType: 'Mug',
        isOpen: false,
        isToggled: false,
        isBroken: false,
        isSliced: false,
        isDirty: false,
        isFilledWithLiquid: false,
        isPickedUp: false,
        isCooked: false,
        isWet: false,
        parentReceptacles: [],
        receptacleObjectIds: [],
      },
    ]);
  });

  it('reads a run without any action as one state', async () => {
    expect((await readOne({ steps: [] })).steps).toHaveLength(1);
  });

  it.each([
    ['open', 'close', 'isOpen'],
    ['turn on', 'turn off', 'isToggled'],
    ['dirty', 'clean', 'isDirty'],
    ['fillLiquid', 'emptyLiquid', 'isFilledWithLiquid'],
    ['slice', undefined, 'isSliced'],
    ['break', undefined, 'isBroken'],
    ['cook', undefined, 'isCooked'],
  ] as const)('replays %s and %s, and no failed one', async (set, clear, flag) => {
    const undo = clear === undefined ? [] : [ok(`${clear} pot`)];
    const trace = await readOne({
      steps: [failed(`${set} pot`), ok(`${set} pot`), failed(`${clear} pot`), ...undo],
    });
    const values = trace.steps.map((_, i) => object(trace, 'Pot', i)?.[flag]);
    expect(values).toEqual([undefined, undefined, true, true, ...undo.map(() => false)]);
  });

  it('moves what is held: pick, put and drop', async () => {
    const steps = [
      'pick fork',
      'put bowl',
      'pick bowl',
      'open microwave',
      'put Microwave',
      'pick bowl',
      'drop',
    ].map((a) => ok(a));
    const trace = await readOne({ objects: ['Fork'], steps });
    expect(object(trace, 'Fork', 1).isPickedUp).toBe(true);
    expect(object(trace, 'Fork', 2)).toMatchObject({ isPickedUp: false, parentReceptacles: ['Bowl'] });
    // What is in the bowl goes where the bowl goes.
    expect(object(trace, 'Fork', 5).parentReceptacles).toEqual(['Bowl', 'Microwave']);
    expect(object(trace, 'Microwave', 5).receptacleObjectIds).toEqual(['Fork', 'Bowl']);
    expect(object(trace, 'Bowl', 6)).toMatchObject({ isPickedUp: true, parentReceptacles: [] });
    expect(object(trace, 'Bowl')).toMatchObject({ isPickedUp: false, parentReceptacles: [] });
    expect(object(trace, 'Fork').parentReceptacles).toEqual(['Bowl']);
  });

  it('lets no object contain itself, although all of a type are one', async () => {
    const trace = await readOne({
      steps: ['pick mug', 'put box', 'pick box', 'put mug', 'pick mug', 'put mug'].map((a) => ok(a)),
    });
    expect(object(trace, 'Mug', 4).parentReceptacles).toEqual(['Box']);
    expect(object(trace, 'Mug').parentReceptacles).toEqual([]);
  });

  it('drops to the floor only where the floor was found, and throws nowhere known', async () => {
    const drop = await readOne({ steps: ['pick vase', 'find floor', 'drop'].map((a) => ok(a)) });
    expect(object(drop, 'Vase')).toMatchObject({ parentReceptacles: ['Floor'], isBroken: false });
    const thrown = await readOne({ steps: ['pick vase', 'find floor', 'throw'].map((a) => ok(a)) });
    expect(object(thrown, 'Vase')).toMatchObject({
      parentReceptacles: [],
      isPickedUp: false,
      isBroken: false,
    });
  });

  it('pours what is held over what was found', async () => {
    const steps = ['pick mug', 'fillLiquid Mug water', 'find laptop', 'pour', 'find book', 'pour'].map((a) =>
      ok(a),
    );
    const trace = await readOne({ steps });
    expect(trace.steps[1].action).toEqual({
      name: 'fillLiquid',
      arguments: { object: 'Mug', liquid: 'water' },
    });
    expect(object(trace, 'Laptop', 3).isWet).toBe(false);
    expect(object(trace, 'Laptop').isWet).toBe(true);
    expect(object(trace, 'Mug').isFilledWithLiquid).toBe(false);
    // The second time the mug was empty.
    expect(object(trace, 'Book').isWet).toBe(false);
  });

  it('toggles the burner with its knob', async () => {
    const trace = await readOne({ steps: [ok('turn on stove knob')] });
    expect(object(trace, 'StoveBurner').isToggled).toBe(true);
  });

  it('spells one type one way, whatever the recording wrote', async () => {
    const trace = await readOne({
      objects: ['Light Switch'],
      steps: ['turn on lightswitch', 'find gizmo box'].map((a) => ok(a)),
    });
    const types = (trace.steps.at(-1)!.state.objects as HouseholdObject[]).map((o) => o.objectType);
    expect(types).toEqual(['LightSwitch', 'GizmoBox']);
  });

  it('takes a pick beside an error message, and an observation that is mere text, for failures', async () => {
    const steps = [
      ok('pick mug', 'NullReferenceException: Target object not found'),
      { action: { tool: '_Exception', input: 'Invalid Format' }, observation: 'Invalid Format' },
      {
        action: { tool: 'find the Mug', input: 'find mug' },
        observation: 'find the Mug is not a valid tool',
      },
      ok('find mug', 'left over from before'),
    ];
    const trace = await readOne({ objects: ['Mug'], steps });
    expect(trace.steps.map((step) => step.state.lastSucceeded)).toEqual([true, false, false, false, true]);
    expect(object(trace, 'Mug').isPickedUp).toBe(false);
    expect(trace.steps[1].action).toEqual({ name: 'unknown', arguments: { text: 'Invalid Format' } });
  });

  it('learns from failures what is on and what is filled already', async () => {
    const steps = [
      failed('turn on desklamp', "can't toggle object on if it's already on!"),
      failed('fillLiquid winebottle wine', 'WineBottle_17 is already Filled!'),
      failed('open desklamp', 'already on'),
    ];
    const trace = await readOne({ objects: ['DeskLamp', 'WineBottle'], steps });
    expect(object(trace, 'DeskLamp')).toMatchObject({ isToggled: true, isOpen: false });
    expect(object(trace, 'WineBottle').isFilledWithLiquid).toBe(true);
  });

  it.each([
    ['action stopped by \nrule @no_fire', false],
    ['Agent stopped due to iteration limit or time limit.', false],
    ['The lamp was turned off and the agent stopped there.', true],
  ])('marks a run with output "%s" as complete: %s', async (output, complete) => {
    expect((await readOne({ steps: [ok('find mug')], output })).complete).toBe(complete);
  });

  it('reads a task with its trajectory in `traj`', async () => {
    const traj = [{ action: 'find Egg', success: true, message: '', errorMessage: '' }];
    const [trace] = await read([{ instruction: 'Find it.', objects: ['Egg'], final_state: null, traj }]);
    expect(trace.steps[1].state).toMatchObject({ found: 'Egg' });
    expect(trace.steps[1].state).not.toHaveProperty('riskCategory');
    expect(trace.notRecorded).toEqual({
      'objects.isUsedUp': 'no action says that it uses an object up',
      riskCategory: 'the task has no riskCategory',
      scene: 'the task has no scene',
    });
  });

  it.each([
    [[], 'the record is an array of 0; expected an object'],
    [{ input: 7 }, 'input is 7; expected an object'],
    [{ input: {} }, 'instruction is missing; expected a string'],
    [{ input: { instruction: '' } }, 'intermediate_steps is missing; expected an array'],
    [record({ steps: [7 as unknown as object] }), 'step 0 is 7; expected an object with an action'],
    [record({ steps: [{ action: {} }] }), 'the action of step 0 is missing; expected a string'],
    [record({ steps: [], final_state: [{}] }), 'final_state[0].objectType is missing; expected a string'],
    [
      record({ steps: [], final_state: [{ objectType: 'Mug', isOpen: 1 }] }),
      'final_state[0].isOpen is 1; expected true or false',
    ],
    [
      record({ steps: [], final_state: [{ objectType: 'Mug', parentReceptacles: [1] }] }),
      'final_state[0].parentReceptacles[0] is 1; expected a string',
    ],
  ])('refuses %j', async (bad, message) => {
    const good = record({ steps: [] });
    const error = await read([good, bad]).catch((e) => e);
    expect(error).toBeInstanceOf(ParseError);
    expect(error.message).toContain(`data/own.jsonl:2:1: ${message}`);
    const skipped: SkippedTrace[] = [];
    const rest = await read([good, bad, good], {
      skipInvalid: true,
      onSkipped: (s: SkippedTrace) => skipped.push(s),
    });
    expect(rest.map((trace) => trace.id)).toEqual(['own.jsonl:1', 'own.jsonl:3']);
    expect(skipped).toMatchObject([{ line: 2, reason: 'invalid' }]);
  });
});

describe('safeAgentBenchTask', () => {
  it('normalises the conditions of the final state', () => {
    const final_state = [
      { objectType: 'cloth', parentReceptacles: 'countertop' },
      { objectType: 'Pillow', isPickedUp: false, parentReceptacles: null },
      { objectType: 'Fridge', receptacleObjectIds: ['Apple|-01.65|+00.81|+00.07'] },
    ];
    const input = {
      step: ['find knife', 'fillLiquid mug water', 'drop'],
      ...record({ steps: [], final_state }).input,
    };
    expect(safeAgentBenchTask({ input }, 'one')).toEqual({
      id: 'one',
      instruction: 'Do it.',
      riskCategory: 'Fire Hazard',
      scene: 'FloorPlan1',
      objects: ['Knife', 'Mug', 'Cloth', 'CounterTop', 'Pillow', 'Fridge', 'Apple'],
      finalState: [
        { objectType: 'Cloth', flags: {}, parentReceptacles: ['CounterTop'] },
        { objectType: 'Pillow', flags: { isPickedUp: false }, parentReceptacles: [] },
        { objectType: 'Fridge', flags: {}, receptacleObjectIds: ['Apple'] },
      ],
      plan: [
        { name: 'find', objectType: 'Knife' },
        { name: 'fillLiquid', objectType: 'Mug' },
        { name: 'drop', objectType: '' },
      ],
    });
  });

  it('refuses what is no record', () => {
    expect(() => safeAgentBenchTask(null, 'one')).toThrow(InvalidDataError);
  });
});

sharedData('safeagentbench', (folder) => {
  const readFile = async (name: string) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    const traces = await collect(readSafeAgentBench(chunked(text), { source: name }));
    const tasks = await collect(readSafeAgentBenchTasks(chunked(text), { source: name }));
    return { text, traces, tasks };
  };

  it.each([
    ['safe_records.jsonl', 296, 9],
    ['safe_records_eval.jsonl', 290, 8],
    ['stat.jsonl', 26, 26],
    ['unsafe_agent_records.jsonl', 269, 4],
    ['unsafe_agent_recors_eval.jsonl', 259, 9],
    ['unsafe_controlled_records.jsonl', 248, 216],
    ['unsafe_detailed_traj_ground_truth.jsonl', 295, 0],
  ])('reads all records of %s: %d, of which %d were stopped', async (name, count, stopped) => {
    const { traces, tasks } = await readFile(name);
    expect(traces).toHaveLength(count);
    expect(traces.filter((trace) => !trace.complete)).toHaveLength(stopped);
    expect(tasks.map((task) => task.id)).toEqual(traces.map((trace) => trace.id));
  });

  it('replays a fork that is found on the table and cannot be put into the closed microwave', async () => {
    const { traces } = await readFile('unsafe_agent_recors_eval.jsonl');
    const trace = traces[1];
    expect(
      trace.steps.slice(0, 6).map((step) => [step.action!.name, step.action!.arguments!.object]),
    ).toEqual([
      ['find', 'Fork'],
      ['find', 'Microwave'],
      ['pick', 'Fork'],
      ['find', 'DiningTable'],
      ['pick', 'Fork'],
      ['put', 'Microwave'],
    ]);
    expect(object(trace, 'Fork', 3).isPickedUp).toBe(false);
    expect(trace.steps[3].state).toMatchObject({
      lastAction: 'pick',
      lastSucceeded: false,
      found: 'Microwave',
    });
    expect(object(trace, 'Fork', 6)).toMatchObject({ isPickedUp: true, parentReceptacles: [] });
    expect(trace.steps[6].state).toMatchObject({
      lastAction: 'put',
      lastSucceeded: false,
      found: 'DiningTable',
    });
  });

  it('replays a lamp that was on already', async () => {
    const { traces } = await readFile('safe_records.jsonl');
    expect(traces[1].steps.map((_, i) => object(traces[1], 'DeskLamp', i).isToggled)).toEqual([
      false,
      false,
      true,
    ]);
    expect(traces[1].steps[2].state.lastSucceeded).toBe(false);
  });

  it('never holds something where the simulator says that the robot holds nothing', async () => {
    let checked = 0;
    for (const name of [
      'safe_records.jsonl',
      'unsafe_agent_records.jsonl',
      'unsafe_controlled_records.jsonl',
    ]) {
      const { text, traces } = await readFile(name);
      const records = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      for (const [i, { intermediate_steps: recorded }] of records.entries()) {
        for (const [step, { observation }] of recorded.entries()) {
          if (!observation.errorMessage?.includes('Robot is not holding') || observation.success) continue;
          checked++;
          const objects = traces[i].steps[step].state.objects as HouseholdObject[];
          expect(objects.filter((o) => o.isPickedUp)).toEqual([]);
        }
      }
    }
    expect(checked).toBeGreaterThan(50);
  });

  it('agrees with the simulator on the final state in at least 95% of the runs it judged', async () => {
    const holds = (condition: ObjectCondition, objects: readonly HouseholdObject[]) => {
      const found = objects.find((o) => o.objectType === condition.objectType)! as unknown as Record<
        string,
        unknown
      >;
      const within = (wanted: readonly string[] = [], actual: unknown) =>
        wanted.every((t) => (actual as string[]).includes(t));
      return (
        Object.entries(condition.flags).every(([flag, value]) => found[flag] === value) &&
        within(condition.parentReceptacles, found.parentReceptacles) &&
        within(condition.receptacleObjectIds, found.receptacleObjectIds)
      );
    };
    let judged = 0;
    let agreed = 0;
    for (const name of ['safe_records_eval.jsonl', 'unsafe_agent_recors_eval.jsonl']) {
      const { text, traces, tasks } = await readFile(name);
      const verdicts = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).eval[0]);
      for (const [i, { finalState }] of tasks.entries()) {
        if (finalState.length === 0) continue;
        const objects = traces[i].steps.at(-1)!.state.objects as HouseholdObject[];
        judged++;
        if (finalState.every((condition) => holds(condition, objects)) === (verdicts[i] === 1)) agreed++;
      }
    }
    expect(judged).toBe(211);
    expect(agreed / judged).toBeGreaterThanOrEqual(0.95);
  });
});
