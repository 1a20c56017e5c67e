import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { bindAutomaton, buildAutomaton, VIOLATED } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import {
  Abstraction,
  fromConditions,
  fromTask,
  type GeneratedRule,
} from '../../../bindings/observations/abstraction/index.js';
import { objectConditions, safeAgentBenchTask } from '../../../bindings/observations/trace/index.js';
import { sharedData } from '../../shared.js';

type State = Record<string, unknown>;
type Thing = Record<string, unknown>;

/** Whether a rule is violated by its own automaton as soon as it sees one state. */
function violatedBy(rule: GeneratedRule): (state: State, action?: { name: string }) => boolean {
  const abstraction = new Abstraction(rule);
  const automaton = buildAutomaton(parseFormula(rule.formula));
  const stepper = bindAutomaton(automaton, [...abstraction.predicates]);
  const valuation = new Uint32Array(abstraction.words);
  return (state, action) => {
    abstraction.encode(state, { action }, valuation);
    expect(abstraction.validState(valuation)).toBe(true);
    return automaton.verdict[stepper.step(automaton.initial, valuation)] === VIOLATED;
  };
}

/** An object that has every property a task may ask for, all of them absent. */
const nothing: Thing = {
  ...Object.fromEntries(
    'isToggled isOpen isBroken isFilledWithLiquid isDirty isPickedUp isSliced isCooked isUsedUp'
      .split(' ')
      .map((flag) => [flag, false]),
  ),
  parentReceptacles: [],
  receptacleObjectIds: [],
};

function capitalised(type: string): string {
  const spelling: Record<string, string> = {
    alarmclock: 'AlarmClock',
    cellphone: 'CellPhone',
    floor: 'Floor',
  };
  const name = type.split('|')[0];
  return spelling[name.toLowerCase()] ?? name;
}

function typesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : value === null ? [] : [value]).map(capitalised);
}

/** The object that a condition of a record describes, written down without the code under test. */
function described(condition: Thing): Thing {
  const thing: Thing = { ...nothing };
  for (const [key, value] of Object.entries(condition)) {
    thing[key] =
      key === 'objectType' ? capitalised(String(value)) : typeof value === 'boolean' ? value : typesOf(value);
  }
  return thing;
}

function matches(thing: Thing, condition: Thing): boolean {
  return Object.entries(condition).every(([key, value]) => {
    if (key === 'objectType') return thing[key] === capitalised(String(value));
    if (typeof value === 'boolean') return thing[key] === value;
    const asked = typesOf(value);
    const found = thing[key] as string[];
    return asked.length === 0 ? found.length === 0 : asked.every((type) => found.includes(type));
  });
}

/** States around the one described: itself, each property wrong, each split over two objects, each object gone. */
function statesAround(conditions: Thing[]): { objects: Thing[] }[] {
  const whole = conditions.map(described);
  const states = [{ objects: whole }, { objects: [] }];
  conditions.forEach((condition, i) => {
    const others = whole.filter((_, j) => j !== i);
    states.push({ objects: others });
    const keys = Object.keys(condition).filter((key) => key !== 'objectType');
    const wrong = (key: string): unknown => {
      const value = whole[i][key];
      if (typeof value === 'boolean') return !value;
      return (value as string[]).length > 0 ? [] : ['Floor'];
    };
    for (const key of keys) {
      states.push({ objects: [...others, { ...whole[i], [key]: wrong(key) }] });
      const rest = Object.fromEntries(
        keys.filter((other) => other !== key).map((other) => [other, wrong(other)]),
      );
      states.push({ objects: [...others, { ...whole[i], [key]: wrong(key) }, { ...whole[i], ...rest }] });
    }
  });
  return states;
}

/** The state in which a reference solution without final state does its harm, and the action that does it. */
function beforeDeed(steps: string[], types: readonly string[]): { state: State; action: string } {
  const spelt = (text: string): string => types.find((type) => type.toLowerCase() === text.toLowerCase())!;
  const at = steps.findLastIndex((step) => /^(throw|drop|pour)\b/.test(step));
  const picked = steps.slice(0, at).findLastIndex((step) => step.startsWith('pick '));
  const place = steps.slice(picked, at).findLast((step) => step.startsWith('find '));
  const held = { objectType: spelt(steps[picked].slice(5)), isPickedUp: true, isFilledWithLiquid: true };
  const found = place === undefined ? held.objectType : spelt(place.slice(5));
  return { state: { objects: [{ ...nothing, ...held }], found }, action: steps[at].split(' ')[0] };
}

describe('a rule from object conditions', () => {
  it('has a predicate for each condition and each property, and forbids all conditions at once', () => {
    const rule = fromConditions(
      objectConditions([
        { objectType: 'Egg', parentReceptacles: ['Microwave'] },
        { objectType: 'Microwave', isToggled: true, isOpen: false },
      ]),
    );
    expect(rule).toEqual({
      predicates: [
        {
          name: 'eggInMicrowave',
          expression: 'objects.exists(o, o.objectType == "Egg" && "Microwave" in o.parentReceptacles)',
        },
        {
          name: 'microwaveToggled',
          expression: 'objects.exists(o, o.objectType == "Microwave" && o.isToggled)',
        },
        {
          name: 'microwaveNotOpen',
          expression: 'objects.exists(o, o.objectType == "Microwave" && !o.isOpen)',
        },
        {
          name: 'microwaveToggledNotOpen',
          expression: 'objects.exists(o, o.objectType == "Microwave" && o.isToggled && !o.isOpen)',
        },
      ],
      constraints: {
        state: '(!microwaveToggledNotOpen || microwaveToggled && microwaveNotOpen)',
      },
      formula: 'G !(eggInMicrowave & microwaveToggledNotOpen)',
    });
  });

  it('asks for all properties of a condition in one and the same object', () => {
    const violated = violatedBy(
      fromConditions([{ objectType: 'Candle', flags: { isToggled: true }, parentReceptacles: ['Drawer'] }]),
    );
    const candle = { ...nothing, objectType: 'Candle' };
    const lit = { ...candle, isToggled: true };
    const stowed = { ...candle, parentReceptacles: ['Drawer'] };
    expect(violated({ objects: [lit, stowed] })).toBe(false);
    expect(violated({ objects: [candle, { ...lit, ...stowed, isToggled: true }] })).toBe(true);
  });

  it.each([
    [{ objectType: 'Pillow', parentReceptacles: null }, 'G !pillowInNothing'],
    [{ objectType: 'mug', parentReceptacles: 'Fridge|-01.76|+00.00|00.00' }, 'G !mugInFridge'],
    [{ objectType: 'Desk', receptacleObjectIds: ['RemoteControl'] }, 'G !deskHoldsRemoteControl'],
    [{ objectType: 'Fridge', receptacleObjectIds: null }, 'G !fridgeHoldsNothing'],
    [{ objectType: 'CD' }, 'G !cdPresent'],
    [{ objectType: 'TVStand', isUsedUp: false }, 'G !tvStandNotUsedUp'],
  ])('reads %j', (condition, formula) => {
    expect(fromConditions(objectConditions([condition])).formula).toBe(formula);
  });

  it('keeps apart conditions whose names would be the same', () => {
    const many = { isOpen: true, isToggled: true, isBroken: true, isDirty: true, isSliced: true };
    const rule = fromConditions([
      { objectType: 'Pot', flags: many },
      { objectType: 'Pot', flags: { ...many, isCooked: true } },
    ]);
    expect(rule.formula).toBe('G !(potAsDescribed & potAsDescribed2)');
  });

  it('needs a condition, and flags that can be read', () => {
    expect(() => fromConditions([])).toThrow(InvalidArgumentError);
    expect(() => fromConditions([{ objectType: 'Pot', flags: { 'is open': true } }])).toThrow(/"is open"/);
  });
});

describe('a rule from a task without final state', () => {
  const task = (step: string[]) =>
    safeAgentBenchTask({ instruction: 'Do it.', final_state: null, step }, 'one');

  it('forbids the deed with that object at that place', () => {
    const rule = fromTask(task(['find Mug', 'fillLiquid Mug water', 'pick Mug', 'find Laptop', 'pour']));
    expect(rule.formula).toBe('G !(mugPickedUpFilledWithLiquid & atLaptop & pouring)');
    const violated = violatedBy(rule);
    const objects = [{ ...nothing, objectType: 'Mug', isPickedUp: true, isFilledWithLiquid: true }];
    expect(violated({ objects, found: 'Laptop' }, { name: 'pour' })).toBe(true);
    expect(violated({ objects, found: 'Laptop' }, { name: 'put' })).toBe(false);
    expect(violated({ objects, found: 'Sink' }, { name: 'pour' })).toBe(false);
    expect(violated({ objects, found: 'Laptop' })).toBe(false);
    const empty = [{ ...objects[0], isFilledWithLiquid: false }];
    expect(violated({ objects: empty, found: 'Laptop' }, { name: 'pour' })).toBe(false);
  });

  it('is refused where nothing is thrown, dropped or poured', () => {
    expect(() => fromTask(task(['find Mug']))).toThrow(/task one has no final_state.*by hand/);
  });
});

sharedData('safeagentbench', (folder) => {
  const unsafe = [
    'unsafe_agent_records.jsonl',
    'unsafe_agent_recors_eval.jsonl',
    'unsafe_controlled_records.jsonl',
    'unsafe_detailed_traj_ground_truth.jsonl',
    'stat.jsonl',
  ];

  it.each([...unsafe, 'safe_records.jsonl'])(
    'every task of %s gives a rule that means its final state',
    (file) => {
      const records = readFileSync(`${folder}/${file}`, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line));
      let withState = 0;
      let withDeed = 0;
      for (const [i, record] of records.entries()) {
        const task = safeAgentBenchTask(record, `${file}:${i + 1}`);
        const conditions: Thing[] | null = (record.input ?? record).final_state;
        if (conditions === null && file === 'safe_records.jsonl') continue;
        const violated = violatedBy(fromTask(task));
        if (conditions === null) {
          withDeed++;
          const { state, action } = beforeDeed((record.input ?? record).step, task.objects);
          expect(violated(state, { name: action }), task.instruction).toBe(true);
          expect(violated(state, { name: 'find' }), task.instruction).toBe(false);
          expect(violated({ ...state, objects: [] }, { name: action }), task.instruction).toBe(false);
          continue;
        }
        withState++;
        const states = statesAround(conditions);
        for (const state of states) {
          const expected = conditions.every((one) => state.objects.some((thing) => matches(thing, one)));
          expect(violated(state), JSON.stringify({ conditions, state })).toBe(expected);
        }
        expect(violated(states[0]), task.instruction).toBe(true);
        expect(violated(states[1]), task.instruction).toBe(false);
      }
      expect(withState).toBeGreaterThan(20);
      if (file !== 'safe_records.jsonl' && file !== 'stat.jsonl') expect(withDeed).toBeGreaterThan(100);
    },
  );
});
