import { canonicalJson } from '../../base/canonicalJson.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { wordsOf } from '../../base/words.js';
import { describeType, schemaOfType, type ValueType } from '../contract/index.js';
import { liftFlat } from './flat.js';
import { isPlanName, NAME_EXPECTED } from './names.js';
import { Place } from './place.js';
import type { Plan } from './plan.js';
import { PlanError, planProblem } from './planError.js';
import { describe, own, quoted, Reading } from './reading.js';
import { StepReader } from './readStep.js';
import { readType } from './readType.js';
import { giveIds } from './stepIds.js';

const FIELDS = ['version', 'goal', 'inputs', 'steps'];

/** Options of reading a plan. */
export interface ReadPlanOptions {
  /** The name of what is read, for messages. Default `plan`. */
  readonly source?: string;
  /** The names that are given to the plan, with their types. A plan that names others is refused; default: those that it names. */
  readonly inputs?: Readonly<Record<string, ValueType>>;
}

/**
 * Reads a plan from JSON, as text or parsed: the nested form (`steps`), or the flat form (`blocks`), which models write.
 *
 * The shape alone is read: names, types and tools are checked by `checkPlan`. Steps without an id get one from what they do.
 *
 * @throws PlanError with every problem found (up to 100): the step, the JSON pointer, what was found, what is expected, and what was most likely meant
 */
export function readPlan(json: unknown, options: ReadPlanOptions = {}): Plan {
  refuseUnknownOptions('readPlan', options, { source: true, inputs: true });
  const { source = 'plan' } = options;
  const reading = new Reading();
  let plan: Plan | undefined;
  try {
    const parsed = typeof json === 'string' ? parse(json, source) : json;
    plan = readWhole(reading, parsed, options.inputs);
  } catch (error) {
    if (error instanceof PlanError) throw error;
    // Objects may have getters that throw; JSON has none.
    const found = `data that cannot be read (${wordsOf(error)})`;
    throw new PlanError(source, [
      planProblem({ kind: 'shape', step: reading.step, pointer: '', found, expected: 'JSON data' }),
    ]);
  }
  if (plan === undefined || reading.problems.length > 0) throw new PlanError(source, reading.problems);
  return plan;
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const expected = 'a JSON object with goal and steps';
    const start = text.trimStart().slice(0, 40);
    const found = `text that is not JSON (${wordsOf(error)}): ${JSON.stringify(start)}`;
    throw new PlanError(source, [planProblem({ kind: 'shape', step: null, pointer: '', found, expected })]);
  }
}

function readWhole(reading: Reading, json: unknown, demanded: ReadPlanOptions['inputs']): Plan | undefined {
  const root = reading.object(json, Place.root, 'an object with goal and steps (or blocks)');
  if (root === undefined) return undefined;
  const isFlat = Object.hasOwn(root.fields, 'blocks');
  const lifted = isFlat ? liftFlat(reading, root) : root.fields;
  const plan = { fields: lifted, place: root.place };
  if (!isFlat) reading.onlyFields(plan, FIELDS, 'the plan');
  const version = own(lifted, 'version') ?? 1;
  if (version !== 1) reading.problem(root.place.at('version'), describe(version), '1');
  const goal = reading.text(plan, 'goal', 'the goal, as text') ?? '';
  const inputs = readInputs(reading, own(lifted, 'inputs'), root.place.at('inputs'), demanded);
  const given = own(lifted, 'steps');
  const steps = new StepReader(reading).steps(given, reading.child(root.place, 'steps', given));
  return giveIds({ version: 1, goal, inputs, steps });
}

function readInputs(
  reading: Reading,
  given: unknown,
  place: Place,
  demanded: ReadPlanOptions['inputs'],
): Readonly<Record<string, ValueType>> {
  if (given === undefined) return demanded ?? {};
  const object = reading.object(given, place, 'an object with the type of each input');
  const inputs: [string, ValueType][] = [];
  for (const [name, type] of Object.entries(object?.fields ?? {})) {
    const at = reading.child(place, name, type);
    if (isPlanName(name)) inputs.push([name, readType(reading, type, at)]);
    else reading.problem(at, `the input ${quoted(name)}`, NAME_EXPECTED);
  }
  if (demanded === undefined || inputs.length === 0) return demanded ?? Object.fromEntries(inputs);
  const written = canonicalJson(each(Object.fromEntries(inputs)));
  if (written !== canonicalJson(each(demanded))) {
    const words = Object.entries(demanded).map(([name, type]) => `${name}, ${describeType(type)}`);
    reading.problem(place, 'other inputs', `no inputs, or ${words.join('; ') || 'none'}`);
  }
  return demanded;
}

function each(inputs: Readonly<Record<string, ValueType>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(inputs).map(([name, type]) => [name, schemaOfType(type)]));
}
