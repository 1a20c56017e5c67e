import { isObject } from '../../base/objectKind.js';
import { objectType } from './objectTypes.js';
import { unexpected } from './reader.js';

/** The properties that a task requires of one object; omitted properties are not required. Types are spelt as in the traces. */
export interface ObjectCondition {
  readonly objectType: string;
  /** `isOpen`, `isToggled`, … with the required value. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** Types it must be in or on; empty: in or on nothing. */
  readonly parentReceptacles?: readonly string[];
  /** Types that must be in or on it; empty: nothing. */
  readonly receptacleObjectIds?: readonly string[];
}

/** One action of a task's reference solution. */
export interface PlannedAction {
  /** `find`, `turn on`, …, or `unknown` for text that is not an action. */
  readonly name: string;
  /** The type it names, or ''. */
  readonly objectType: string;
}

/** A task of SafeAgentBench. Texts are empty if the record has none. */
export interface SafeAgentBenchTask {
  readonly id: string;
  readonly instruction: string;
  readonly riskCategory: string;
  readonly scene: string;
  /** Types that the task, its reference solution or its final state names, each once. */
  readonly objects: readonly string[];
  /** Conditions that all hold when the task has been done (for an unsafe task, the unsafe state); empty if the record has none. */
  readonly finalState: readonly ObjectCondition[];
  /** The reference solution; empty if the record has none. */
  readonly plan: readonly PlannedAction[];
}

/**
 * Reads the task of a record of SafeAgentBench: `record.input`, or `record` itself.
 *
 * @throws InvalidDataError that says what was found and expected.
 */
export function safeAgentBenchTask(record: unknown, id: string): SafeAgentBenchTask {
  if (!isObject(record))
    throw unexpected('the record', record, 'an object with input and intermediate_steps');
  const task = record.input ?? record;
  if (!isObject(task)) throw unexpected('input', task, 'an object with an instruction');
  const { instruction, risk_category: riskCategory, scene_name: scene, final_state: wanted } = task;
  if (typeof instruction !== 'string') throw unexpected('instruction', instruction, 'a string');
  const finalState = objectConditions(wanted);
  const plan = names(task.step, 'step').map((command) => {
    const { verb = 'unknown', object = '' } = parseCommand(command);
    return { name: verb, objectType: object && objectType(object) };
  });
  const named = [
    ...names(task.objects, 'objects'),
    ...names(task.involved_objects, 'involved_objects'),
    ...plan.map((action) => action.objectType),
  ];
  const conditioned = finalState.flatMap((o) => [
    o.objectType,
    ...(o.parentReceptacles ?? []),
    ...(o.receptacleObjectIds ?? []),
  ]);
  const types = [...named.filter((name) => name !== '').map(objectType), ...conditioned];
  return {
    id,
    instruction,
    riskCategory: typeof riskCategory === 'string' ? riskCategory : '',
    scene: typeof scene === 'string' ? scene : '',
    objects: [...new Set(types)],
    finalState,
    plan,
  };
}

/**
 * Reads a `final_state` as the records have it: a list of objects with an `objectType`, flags, and receptacles as a list of
 * types or ids, one of them, or null.
 *
 * @throws InvalidDataError that says what was found and expected.
 */
export function objectConditions(finalState: unknown): ObjectCondition[] {
  return list(finalState, 'final_state').map((condition, i) => readCondition(condition, `final_state[${i}]`));
}

function readCondition(condition: unknown, place: string): ObjectCondition {
  if (!isObject(condition)) throw unexpected(place, condition, 'an object with an objectType');
  const { objectType: type, parentReceptacles, receptacleObjectIds, ...rest } = condition;
  if (typeof type !== 'string') throw unexpected(`${place}.objectType`, type, 'a string');
  const flags: Record<string, boolean> = {};
  for (const [flag, value] of Object.entries(rest)) {
    if (typeof value !== 'boolean') throw unexpected(`${place}.${flag}`, value, 'true or false');
    flags[flag] = value;
  }
  const types = (value: unknown, key: string) => names(value, `${place}.${key}`).map(objectType);
  return {
    objectType: objectType(type),
    flags,
    ...(parentReceptacles !== undefined && {
      parentReceptacles: types(parentReceptacles, 'parentReceptacles'),
    }),
    ...(receptacleObjectIds !== undefined && {
      receptacleObjectIds: types(receptacleObjectIds, 'receptacleObjectIds'),
    }),
  };
}

/** Reads an absent list as empty, and a single value as a list with that element. */
function list(value: unknown, place: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [value];
  throw unexpected(place, value, 'an array');
}

function names(value: unknown, place: string): string[] {
  return list(value, place).map((name, i) => {
    if (typeof name !== 'string') throw unexpected(`${place}[${i}]`, name, 'a string');
    return name;
  });
}

/** A command to the robot, such as `find Mug`, `turn on StoveKnob`, `fillLiquid Mug water`, `drop`. */
export interface Command {
  /** Spelt as in the list below; undefined if the text starts with no known verb. */
  readonly verb: string | undefined;
  readonly object?: string;
  readonly liquid?: string;
}

const VERBS =
  'find|pick|put|open|close|turn on|turn off|slice|break|throw|drop|pour|fillLiquid|emptyLiquid|dirty|clean|cook'.split(
    '|',
  );
const COMMAND = new RegExp(`^\\s*(${VERBS.join('|').replaceAll(' ', '[ _]')})(?:\\s+(.*?))?\\s*$`, 'is');
const LIQUID = /^(.+?)\s+(?:with\s+)?(water|coffee|wine)$/i;

export function parseCommand(text: string): Command {
  const [, word, object] = COMMAND.exec(text) ?? [];
  if (word === undefined) return { verb: undefined };
  const verb = VERBS.find((name) => name.toLowerCase() === word.toLowerCase().replace('_', ' '));
  if (object === undefined || object === '') return { verb };
  const [, container, liquid] = (verb === 'fillLiquid' && LIQUID.exec(object)) || [];
  return container === undefined
    ? { verb, object }
    : { verb, object: container, liquid: liquid.toLowerCase() };
}
