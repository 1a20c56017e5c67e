import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { printable } from '../../base/words.js';
import { REDACTED } from './redaction.js';

/** Who changes a call sees it whole elsewhere; an agent is told the beginning of what is long. */
const MAX_TOLD = 2000;

/**
 * The arguments that a person's answer means: those of the answer, with what was hidden from the person put back where the answer has its placeholder.
 *
 * @param original the arguments of the call as it was judged
 * @param shown the same as the person saw them: hidden fields are `REDACTED`
 * @param given the arguments of the answer, plain JSON
 * @throws InvalidArgumentError where it cannot be told what a placeholder stands for: where nothing was hidden, or in a list, whose items may have moved
 */
export function withHidden(original: unknown, shown: unknown, given: unknown, place = 'arguments'): unknown {
  if (given === REDACTED && shown === REDACTED) return original;
  if (given === REDACTED)
    throw new InvalidArgumentError(
      `${printable(place)} is ${REDACTED}, and nothing was hidden there; write its value`,
    );
  if (Array.isArray(given)) {
    if (!holdsHidden(given)) return given;
    if (Array.isArray(shown) && canonicalJson(shown) === canonicalJson(given)) return original;
    throw new InvalidArgumentError(
      `${printable(place)} is a list with hidden fields that has been changed, so that it cannot be told which is which; leave it as it was shown, or write every field of it`,
    );
  }
  if (!isObject(given)) return given;
  const [before, seen] = [fieldsOf(original), fieldsOf(shown)];
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      withHidden(own(before, name), own(seen, name), value, `${place}.${name}`),
    ]),
  );
}

/** What the agent is told whose call ran with other arguments. @param shown the arguments that ran, with hidden fields hidden */
export function editInWords(shown: unknown): string {
  const text = printable(JSON.stringify(shown) ?? '');
  const told = text.length <= MAX_TOLD ? text : `${text.slice(0, MAX_TOLD)}…`;
  return `A person has changed the arguments of this call, which ran with ${told}`;
}

function holdsHidden(value: unknown): boolean {
  if (value === REDACTED) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsHidden);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function own(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
