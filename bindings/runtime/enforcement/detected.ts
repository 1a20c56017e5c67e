import { isObject } from '../../base/objectKind.js';

/** The answer of a detector: an input of decisions, like a state. */
export type DetectorValue = boolean | number | string;

/** Why a detector has no answer: it threw, answered after its time, answered something else, or records do not hold it. */
export type Undetected = 'threw' | 'late' | 'invalid' | 'not-recorded';

/** What detectors say of a call, by their names. One that has no answer throws when it is read, so that no predicate takes it for false, or for absent. */
export type Detected = Readonly<Record<string, DetectorValue>>;

/** The same as records hold it. */
export type RecordedDetected = Readonly<Record<string, DetectorValue | { readonly unreadable: Undetected }>>;

/** Makes what predicates read of what records hold. */
export function detectedOf(found: RecordedDetected): Detected {
  const detected: Record<string, DetectorValue> = {};
  for (const [name, answer] of Object.entries(found)) {
    if (!isObject(answer)) {
      detected[name] = answer as DetectorValue;
      continue;
    }
    const { unreadable } = answer as { readonly unreadable: Undetected };
    const get = (): never => {
      throw new Error(`the detector "${name}" has no answer: ${IN_WORDS[unreadable] ?? unreadable}`);
    };
    // Not listed, so that copies and records of a call need not read it.
    Object.defineProperty(detected, name, { get, enumerable: false });
  }
  const frozen = Object.freeze(detected);
  recorded.set(frozen, found);
  return frozen;
}

const recorded = new WeakMap<Detected, RecordedDetected>();

/** What records hold of what `detectedOf` has made. */
export function recordOf(detected: Detected): RecordedDetected {
  return recorded.get(detected) ?? detected;
}

const IN_WORDS: Readonly<Record<Undetected, string>> = {
  threw: 'it threw',
  late: 'it did not answer in time',
  invalid: 'it answered something else than it is declared to',
  'not-recorded': 'records do not hold it',
};
