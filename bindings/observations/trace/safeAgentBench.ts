import { isObject } from '../../base/objectKind.js';
import { Household } from './household.js';
import { objectType } from './objectTypes.js';
import { type ReadOptions, readJsonValues, unexpected } from './reader.js';
import { parseCommand, type SafeAgentBenchTask, safeAgentBenchTask } from './safeAgentBenchTask.js';
import type { Action, Step, Trace } from './trace.js';

/**
 * Reads recordings of SafeAgentBench, one record per line: `input` (the task) with `intermediate_steps` and `output`, or the task itself with a `traj`.
 *
 * The recordings tell which actions succeeded, but not the state of the world, so states are replayed from the successful actions. A trace
 * has one step before each action and one after the last, n + 1 for n actions; its id is the file's name and the line. A state is
 * `{ objects, instruction, riskCategory, scene, lastAction, lastObject, lastSucceeded, found }`: a HouseholdObject for each type the task
 * names (other types are added when first found or used), the task's texts (if the task lacks them, `instruction` is empty, `riskCategory`
 * and `scene` are absent), the action before this state and its object (empty in the first), and the type last found. Actions are named as
 * recorded (`find`, `turn on`, `fillLiquid`, …) with `arguments: { object, liquid }` if given; text that is not an action is `unknown` with
 * `arguments: { text }`. `complete` is false if a rule or the limit on iterations or time stopped the agent.
 *
 * An action succeeded if its observation's `success` is true, with these exceptions. A `pick` marked successful together with an error
 * message failed (every such robot turns out to hold nothing new); the message beside a successful `find` is left over from the action
 * before. An observation that is plain text is a failure. Two failures are informative and are used: an object that "is already on" is on,
 * one that "is already filled" is filled.
 *
 * The recordings do not contain the following, so the reader makes these assumptions:
 * - the initial state: all properties are false, and no object is in or on another;
 * - the instance of a type (which of five cabinets, say): each type is one object;
 * - physics: thrown objects lie in an unknown place, and so do dropped ones unless the agent had just found the Floor; they are assumed not
 *   to break: only `break` breaks. `pour` empties the held object and, if that was known to be filled, wets the object last found.
 *   `turn on` does not heat: only `cook` cooks. A sliced or broken object keeps its type and has no pieces. `turn on StoveKnob` also
 *   toggles StoveBurner; no other switch reaches what it controls;
 * - times: steps have no `time`.
 *
 * @throws ParseError with file and line, unless `skipInvalid` is set.
 * @see Yin et al., SafeAgentBench, 2024, arXiv:2412.13178
 */
export function readSafeAgentBench(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<Trace[]> {
  const { source, onNote } = options;
  let noted = false;
  return readJsonValues(chunks, options, (record, line) => {
    const trace = replayRecord(record, recordId(options, line));
    if (!noted) onNote?.({ source, message: `${source.split(/[\\/]/).at(-1)}: ${ASSUMED}` });
    noted = true;
    return trace;
  });
}

const ASSUMED =
  'the state of objects is not recorded; it is replayed from the actions that succeeded, from a start where every property is false and nothing is in or on another; all objects of a type are one';

/** Reads the tasks of the same files; a task has the id of its trace. */
export function readSafeAgentBenchTasks(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<SafeAgentBenchTask[]> {
  return readJsonValues(chunks, options, (record, line) =>
    safeAgentBenchTask(record, recordId(options, line)),
  );
}

function recordId({ source }: ReadOptions, line: number): string {
  return `${source.split(/[\\/]/).at(-1)}:${line}`;
}

interface Attempt {
  readonly action: Action;
  /** The type it names, or ''. */
  readonly type: string;
  readonly succeeded: boolean;
  readonly error: string;
}

function replayRecord(record: unknown, id: string): Trace {
  const task = safeAgentBenchTask(record, id);
  const { traj, intermediate_steps: recorded, output } = record as Record<string, unknown>;
  const attempts = (Array.isArray(traj) ? traj : Array.isArray(recorded) ? recorded : missing(recorded)).map(
    readAttempt,
  );
  const { instruction } = task;
  const texts = { riskCategory: task.riskCategory, scene: task.scene };
  const told = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  const household = new Household();
  for (const type of task.objects) household.add(type);
  const steps: Step[] = [];
  let last = { lastAction: '', lastObject: '', lastSucceeded: true };
  for (let i = 0; i <= attempts.length; i++) {
    const { found } = household;
    const state = { objects: household.objects(), instruction, ...told, ...last, found };
    if (i === attempts.length) {
      steps.push({ state });
      break;
    }
    const { action, type, succeeded } = attempts[i];
    steps.push({ state, action });
    if (succeeded) household.apply(action.name, type);
    else applyDisclosure(household, attempts[i]);
    last = { lastAction: action.name, lastObject: type, lastSucceeded: succeeded };
  }
  const stopped = typeof output === 'string' && /^(?:action|agent) stopped /i.test(output);
  return { id, complete: !stopped, notRecorded: { ...NEVER_RECORDED, ...notTold(texts) }, steps };
}

/** Tasks ask for this property, but no action shows it. */
const NEVER_RECORDED = { 'objects.isUsedUp': 'no action says that it uses an object up' } as const;

function notTold(texts: Readonly<Record<string, string>>): Record<string, string> {
  const empty = Object.entries(texts).filter(([, text]) => text === '');
  return Object.fromEntries(empty.map(([name]) => [name, `the task has no ${name}`]));
}

function missing(found: unknown): never {
  throw unexpected('intermediate_steps', found, 'an array, or an array "traj" in its place');
}

/** `entry` is `{ action: { input }, observation }`, or the observation itself. */
function readAttempt(entry: unknown, i: number): Attempt {
  if (!isObject(entry)) throw unexpected(`step ${i}`, entry, 'an object with an action');
  const observation: unknown = 'observation' in entry ? entry.observation : entry;
  const text = isObject(entry.action) ? entry.action.input : entry.action;
  if (typeof text !== 'string')
    throw unexpected(`the action of step ${i}`, text, 'a string such as "find Mug"');
  const { verb, object, liquid } = parseCommand(text);
  const type = object === undefined ? '' : objectType(object);
  const named = { ...(type !== '' && { object: type }), ...(liquid !== undefined && { liquid }) };
  const action =
    verb === undefined ? { name: 'unknown', arguments: { text } } : { name: verb, arguments: named };
  if (!isObject(observation)) return { action, type, succeeded: false, error: '' };
  const error = typeof observation.errorMessage === 'string' ? observation.errorMessage : '';
  return {
    action,
    type,
    succeeded: observation.success === true && (verb !== 'pick' || error === ''),
    error,
  };
}

function applyDisclosure(household: Household, { action, type, error }: Attempt): void {
  if (type === '') return;
  if (action.name === 'turn on' && error.includes('already on')) household.set(type, 'isToggled', true);
  if (action.name === 'fillLiquid' && error.includes('already Filled'))
    household.set(type, 'isFilledWithLiquid', true);
}
