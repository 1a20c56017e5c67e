import type { TextFunctionName } from '../functions.js';
import type { Operation } from '../operators.js';
import { findAddresses, readAddress } from './address.js';
import { cachedGlob, GLOB_EXPECTED } from './glob.js';
import { readHost } from './host.js';
import { extension, isUnder } from './path.js';
import { trim } from './space.js';
import { hour, secondsOf, weekday } from './time.js';

export { GLOB_EXPECTED, isGlob } from './glob.js';

function ofText(read: (text: string) => unknown, expected: string): Operation {
  return { apply: (text) => (typeof text === 'string' ? read(text) : undefined), expected };
}

function ofTwoTexts(read: (first: string, second: string) => unknown, expected: string): Operation {
  return {
    apply: (first, second) =>
      typeof first === 'string' && typeof second === 'string' ? read(first, second) : undefined,
    expected,
  };
}

const anAddress = 'one e-mail address such as ann@home.example and nothing else';
const aPath = 'without backslash, U+0000 or a percent sign that programs read differently';

/** The operations of the functions on texts. A text that cannot be read with certainty has no value. */
export const TEXT_OPERATIONS: Readonly<Record<TextFunctionName, Operation>> = {
  domainOf: ofText((text) => readAddress(text)?.domain, anAddress),
  localPart: ofText((text) => readAddress(text)?.local, anAddress),
  emails: ofText(
    findAddresses,
    'a text in which every "@" inside a word is of an e-mail address such as ann@home.example',
  ),
  hostOf: ofText(
    readHost,
    'an absolute http, https, ws, wss or ftp URL whose host every program reads alike',
  ),
  isUnder: ofTwoTexts(
    isUnder,
    `two absolute or two relative paths that do not climb above where they start, ${aPath}`,
  ),
  extension: ofText(extension, `a path that does not end in "..", ${aPath}`),
  trim: ofText(trim, 'a string'),
  lowerAscii: ofText((text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()), 'a string'),
  timeOf: ofText(
    secondsOf,
    'a date such as 2025-06-30, or a time such as 2025-06-30T08:15:00Z or 2025-06-30T10:15:00+02:00',
  ),
  weekdayOf: ofText(weekday, 'a date such as 2025-06-30, or a time in UTC such as 2025-06-30T08:15:00Z'),
  hourOf: ofText(hour, 'a time in UTC such as 2025-06-30T08:15:00Z'),
  glob: ofTwoTexts((text, pattern) => cachedGlob(pattern)?.(text), `a string and ${GLOB_EXPECTED}`),
};
