/** A field of the trace itself, as JSON lines have it. */
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

const NAMES = Object.keys(OWN_FIELDS) as OwnFieldName[];
const PATTERNS = Object.fromEntries(
  NAMES.map((name) => [name, new RegExp(`^(?:${OWN_FIELDS[name].spellings})$`, 'i')]),
) as Record<OwnFieldName, RegExp>;

/** Names of a step's time in other recorders' files. Only a hint, never read as the time, because its unit is unknown. */
const TIME_LIKE = /^(?:time[_ -]?(?:stamp|s|secs?|seconds)?|ts|t)$/i;

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
    const meant = fields.find((field) => PATTERNS[field].test(found) && !names.includes(field));
    if (meant !== undefined) return { found, meant };
  }
  return undefined;
}

/** The first name that looks like a step's time, if there is no `time`. */
export function timeLikeName(names: readonly string[]): string | undefined {
  return names.includes('time') ? undefined : names.find((name) => TIME_LIKE.test(name));
}
