/** A field of the trace itself, as JSON lines have it. */
interface OwnField {
  /** Names that it is meant by where it is not there itself, as a regular expression, whatever the case; DuckDB reads it, too. */
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

/** The name of a field that a trace has of its own. */
export type OwnFieldName = keyof typeof OWN_FIELDS;

const NAMES = Object.keys(OWN_FIELDS) as OwnFieldName[];
const PATTERNS = Object.fromEntries(
  NAMES.map((name) => [name, new RegExp(`^(?:${OWN_FIELDS[name].spellings})$`, 'i')]),
) as Record<OwnFieldName, RegExp>;

/** Names that a step's time has in recordings of others; a hint, never read as the time: its unit is not known. */
const TIME_LIKE = /^(?:time[_ -]?(?:stamp|s|secs?|seconds)?|ts|t)$/i;

/**
 * The first name that is a near spelling of a trace's own field which is not there: a run of which `completed` says that it was cut must not
 * pass for complete.
 *
 * @param names all there are
 * @param fields that may be meant. Default: all of a trace
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

/** The first name that looks like that of a step's time and is not `time`. */
export function timeLikeName(names: readonly string[]): string | undefined {
  return names.includes('time') ? undefined : names.find((name) => TIME_LIKE.test(name));
}
