import { GLOB_EXPECTED, isGlob, TEXT_OPERATIONS } from '../../languages/expression/index.js';
import {
  beginsWith,
  isInFolders,
  Language,
  type Machine,
  ofDomain,
  ofHost,
  readFolder,
  TRUE,
} from '../../languages/regular/index.js';
import type { TextFormat } from './valueType.js';

/** The formats that have a grammar. `id:STORE` has none. */
export const FORMATS = ['email', 'url', 'path', 'glob', 'date-time'] as const;

/** What texts of a format are, for messages. */
export const FORMAT_EXPECTED: Readonly<Record<(typeof FORMATS)[number], string>> = {
  email: 'one e-mail address such as ann@home.example, as domainOf reads it',
  url: 'an absolute URL with a host, as hostOf reads it',
  path: 'a path that does not climb above where it starts, as isUnder reads it',
  glob: GLOB_EXPECTED,
  'date-time': 'a date with a time and its offset such as 2025-06-30T08:15:00Z, as timeOf reads it',
};

/** Whether a text is of a format: whether the function of expressions that reads texts of this form has a value of it. */
export function isOfFormat(text: string, format: TextFormat | undefined): boolean {
  const { domainOf, hostOf, isUnder, timeOf } = TEXT_OPERATIONS;
  switch (format) {
    case 'email':
      return domainOf.apply(text, undefined) !== undefined;
    case 'url':
      return hostOf.apply(text, undefined) !== undefined;
    case 'path':
      return ROOTS.some((root) => isUnder.apply(text, root) === true);
    case 'glob':
      return isGlob(text);
    case 'date-time':
      return text.includes('T') && timeOf.apply(text, undefined) !== undefined;
    default:
      return true;
  }
}

/** Every path that can be read lies in one of these. */
const ROOTS = ['/', '.'] as const;

const made = new Map<string, Language>();

/**
 * A regular set that has every text of a format. It also has texts that only their length excludes, URLs with any IPv6 address, and paths for which percent
 * signs or a hundred names make a difference; so what holds of all its texts holds of all of the format.
 */
export function languageOfFormat(format: TextFormat): Language {
  const key = format.startsWith('id:') ? 'id' : format;
  let language = made.get(key);
  if (language === undefined) {
    language = makeLanguage(format);
    made.set(key, language);
  }
  return language;
}

function makeLanguage(format: TextFormat): Language {
  switch (format) {
    case 'email':
      return possible(ofDomain(beginsWith('')));
    case 'url':
      return possible(ofHost(beginsWith('')));
    case 'path':
      return ROOTS.map((root) => possible(isInFolders([readFolder(root)!]))).reduce((a, b) => a.union(b));
    case 'glob':
      return Language.matching('[^\\[\\]{}\\\\]*');
    case 'date-time':
      return Language.matching(
        '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)',
      );
    default:
      return Language.all;
  }
}

/** The domains that `domainOf` gives, and others that only their length excludes. */
export function languageOfDomains(): Language {
  let language = made.get('domain');
  if (language === undefined) {
    const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
    const numbers = Language.matching('(?:.*\\.)?(?:[0-9]+|0x[0-9a-f]*)');
    language = Language.matching(`${label}(?:\\.${label})*`).minus(numbers);
    made.set('domain', language);
  }
  return language;
}

/** The addresses whose domain is in a set, as `domainOf` reads them. */
export function languageOfAddressesAt(domains: Machine): Language {
  return Language.where(ofDomain(domains));
}

/** The texts of which a predicate may be true. */
function possible<S extends number | string>(machine: Machine<S>): Language {
  const values = (state: S): readonly number[] => {
    const outcome = machine.outcomes(state);
    return machine.together === undefined ? [outcome] : machine.together.of(outcome).map(([value]) => value);
  };
  const { together: _, ...rest } = machine;
  return Language.where({
    ...(rest as Machine),
    outcomes: (state) => (values(state as S).some((value) => (value & TRUE) !== 0) ? TRUE : 0),
  });
}
