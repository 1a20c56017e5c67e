import { ModelError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';

/** A part of a sentence: its text, and where it begins, counted from 0. */
export interface Span {
  readonly text: string;
  readonly start: number;
}

/** A rule within a sentence, and the expressions in it that refer to something. */
export interface Segment extends Span {
  /** In order; places are those in the whole sentence. */
  readonly mentions: readonly Span[];
}

/** Words that join rules, and so may stand between them. */
const JOINING = /^(?:[\s,.;:]|and\b|also\b|but\b|then\b|please\b|furthermore\b|moreover\b|in addition\b)*$/i;

/**
 * The rules of a sentence as a model took them apart. Nothing may be added or left out: each text stands in the sentence, one behind the other, and only words that
 * join rules are left.
 *
 * @throws ModelError if the answer says something else
 */
export function readSegments(answer: Readonly<Record<string, unknown>>, sentence: string): Segment[] {
  const { rules } = answer;
  if (!Array.isArray(rules) || rules.length === 0 || rules.length > 8)
    throw new ModelError(`the answer has no list "rules" of 1 to 8 rules`);
  let end = 0;
  const segments = rules.map((rule: unknown): Segment => {
    const { text, mentions } = isObject(rule) ? rule : {};
    if (typeof text !== 'string' || !Array.isArray(mentions))
      throw new ModelError('a rule of the answer has no text, or no list of mentions');
    const start = placeOf(sentence, text, end, sentence.length);
    requireJoining(sentence.slice(end, start));
    end = start + text.length;
    return { text, start, mentions: readMentions(mentions, sentence, start, end) };
  });
  requireJoining(sentence.slice(end));
  return segments;
}

function readMentions(
  mentions: readonly unknown[],
  sentence: string,
  start: number,
  end: number,
): readonly Span[] {
  let from = start;
  return mentions.map((text) => {
    if (typeof text !== 'string' || text.trim() === '')
      throw new ModelError(`a mention of the answer is ${JSON.stringify(text)}; expected a part of the rule`);
    const at = placeOf(sentence, text, from, end);
    from = at + text.length;
    return { text, start: at };
  });
}

/** Where a text stands as whole words, from a place on. @throws ModelError if it does not */
export function placeOf(sentence: string, text: string, from: number, end: number): number {
  const isWordAt = (i: number): boolean => /[\p{L}\p{N}_]/u.test(sentence[i] ?? '');
  for (let at = sentence.indexOf(text, from); text !== '' && at >= 0; at = sentence.indexOf(text, at + 1)) {
    const after = at + text.length;
    if (after > end) break;
    const cuts = (isWordAt(at - 1) && isWordAt(at)) || (isWordAt(after - 1) && isWordAt(after));
    if (!cuts) return at;
  }
  throw new ModelError(`the answer has ${JSON.stringify(text)}, which does not stand there in the sentence`);
}

function requireJoining(between: string): void {
  if (!JOINING.test(between))
    throw new ModelError(`the answer leaves out ${JSON.stringify(between.trim())} of the sentence`);
}
