/** A field of the trace itself, or of its steps, as JSON lines have it. */
interface OwnField {
  /** Near spellings that probably mean the field if it is absent, as a case-insensitive regular expression; DuckDB uses it too. */
  readonly spellings: string;
  readonly expected: string;
}

/** The fields of a trace that readers of JSON lines know. */
export const OWN_FIELDS = {
  id: { spellings: '_?id', expected: 'a string' },
  complete: { spellings: '(is[_ -]?)?completed?', expected: 'true or false' },
  notRecorded: { spellings: 'not[_ -]?recorded', expected: 'an object of fields with reasons' },
  heldSteps: { spellings: 'held[_ -]?steps?', expected: 'how many of the steps are held' },
  leftOutMessages: {
    spellings: 'left[_ -]?out[_ -]?messages?',
    expected: 'how many messages are in no step',
  },
  steps: { spellings: 'steps?', expected: 'an array of {"state": {…}}' },
} as const satisfies Readonly<Record<string, OwnField>>;

/** The name of a field of the trace itself. */
export type OwnFieldName = keyof typeof OWN_FIELDS;

/** The fields of a step; of `time` in other spellings `timeLikeName` gives a hint. */
export const STEP_FIELDS = {
  state: { spellings: 'states?', expected: 'an object' },
  action: { spellings: 'act(ion)?s?', expected: 'an object with a name' },
  held: { spellings: '(is[_ -]?)?held', expected: 'true or false' },
  answered: {
    spellings: 'answer(s|ed)([_ -]?calls?)?',
    expected: 'the calls that answered before the step',
  },
} as const satisfies Readonly<Record<string, OwnField>>;

/** The name of a field of a step that may be misspelt. */
export type StepFieldName = keyof typeof STEP_FIELDS;

const patternsOf = <Name extends string>(fields: Readonly<Record<Name, OwnField>>): [Name, RegExp][] =>
  (Object.keys(fields) as Name[]).map((name) => [name, new RegExp(`^(?:${fields[name].spellings})$`, 'i')]);

const NAMES = Object.keys(OWN_FIELDS) as OwnFieldName[];
const PATTERNS = new Map(patternsOf(OWN_FIELDS));
const STEP_PATTERNS = patternsOf(STEP_FIELDS);

/** Names of a step's time in other recorders' files. Only a hint, never read as the time, because its unit is unknown. */
const UNIT = '(?:s|secs?|seconds|[mun](?:s|secs?)|(?:milli|micro|nano)s(?:ec(?:ond)?s)?)';
const TIME_LIKE = new RegExp(`^(?:time(?:[_ -]?stamp)?(?:[_ -]?${UNIT})?|ts?(?:[_ -]${UNIT})?)$`, 'i');

/**
 * The first name that is a near spelling of an absent field of the trace: a run that `completed` marks as cut short must not pass for complete.
 *
 * @param names all names present
 * @param fields that may be meant. Default: all fields of a trace
 */
export function misspeltField(
  names: readonly string[],
  fields: readonly OwnFieldName[] = NAMES,
): { readonly found: string; readonly meant: OwnFieldName } | undefined {
  for (const found of names) {
    if (Object.hasOwn(OWN_FIELDS, found)) continue;
    const meant = fields.find((field) => PATTERNS.get(field)?.test(found) && !names.includes(field));
    if (meant !== undefined) return { found, meant };
  }
  return undefined;
}

/** The first name that is a near spelling of an absent field of a step: without its action a step would keep every rule about actions. */
export function misspeltStepField(
  step: object,
): { readonly found: string; readonly meant: StepFieldName } | undefined {
  for (const found in step) {
    if (Object.hasOwn(STEP_FIELDS, found)) continue;
    const meant = STEP_PATTERNS.find(([name, pattern]) => pattern.test(found) && !Object.hasOwn(step, name));
    if (meant !== undefined) return { found, meant: meant[0] };
  }
  return undefined;
}

/** The first name that looks like a step's time, if there is no `time`. */
export function timeLikeName(names: readonly string[]): string | undefined {
  return names.includes('time') ? undefined : names.find((name) => TIME_LIKE.test(name));
}
