import { type Fields, fail, fields, list, oneOf, onlyKeys, text } from './checks.js';

/** What a detector answers: true or false, a number, or one of a few texts. */
export type DetectorAnswer = 'boolean' | 'number' | readonly string[];

/** What predicates may read of a detector. */
export interface DetectorDeclaration {
  readonly answer: DetectorAnswer;
  /** What it looks at: the arguments of a proposed call (`action.detected.NAME`), or the result of one that has answered (`lastDetected.NAME`). */
  readonly on: (typeof DETECTED_ON)[number];
}

export const DETECTED_ON = ['arguments', 'results'] as const;

/** Short: an answer is for a predicate, not a copy of the text. */
export const MOST_ANSWERS = 20;
export const LONGEST_ANSWER = 40;

/** Whether texts may be the answers of a detector. */
export function areAnswers(texts: readonly unknown[]): texts is readonly string[] {
  const fit = texts.every((one) => typeof one === 'string' && one !== '' && one.length <= LONGEST_ANSWER);
  return fit && texts.length > 0 && texts.length <= MOST_ANSWERS && new Set(texts).size === texts.length;
}

/** Checks the detectors of a guard file. */
export function checkDetectors(detectors: Fields): void {
  for (const [name, item] of Object.entries(detectors)) {
    const path = `detectors.${name}`;
    const detector = fields(item, path);
    onlyKeys(detector, path, ['answer', 'on']);
    oneOf(detector.on, `${path}.on`, DETECTED_ON);
    if (detector.answer === 'boolean' || detector.answer === 'number') continue;
    list(detector.answer, `${path}.answer`).forEach((one, i) => void text(one, `${path}.answer[${i}]`));
    if (!areAnswers(detector.answer as unknown[]))
      fail(
        `${path}.answer`,
        detector.answer,
        `up to ${MOST_ANSWERS} different texts of up to ${LONGEST_ANSWER} characters`,
      );
  }
}
