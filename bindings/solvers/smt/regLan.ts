/** A regular set of texts, each a sequence of UTF-16 code units: the sort `RegLan` of SMT-LIB. */
export type RegLan =
  /** The texts of one code unit in one of these ranges. */
  | { readonly kind: 'units'; readonly ranges: readonly (readonly [first: number, last: number])[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly RegLan[] }
  /** `most` null: without limit. */
  | { readonly kind: 'repeat'; readonly part: RegLan; readonly least: number; readonly most: number | null };

/** Greatest code unit. */
export const LAST_UNIT = 0xffff;

/** Any code unit. */
export const ANY_UNIT: RegLan = { kind: 'units', ranges: [[0, LAST_UNIT]] };
/** All texts. */
export const ANY_TEXT: RegLan = { kind: 'repeat', part: ANY_UNIT, least: 0, most: null };

/** One code unit of these: texts give each of theirs, ranges all between their ends. */
export function units(...parts: readonly (string | readonly [number, number])[]): RegLan {
  return {
    kind: 'units',
    ranges: parts.flatMap((part) =>
      typeof part === 'string'
        ? [...part].map((one) => [one.charCodeAt(0), one.charCodeAt(0)] as const)
        : [part],
    ),
  };
}

export function textOf(text: string): RegLan {
  return { kind: 'text', text };
}

export function sequenceOf(...parts: readonly RegLan[]): RegLan {
  return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
}

export function choiceOf(...parts: readonly RegLan[]): RegLan {
  return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
}

export function repeatOf(part: RegLan, least = 0, most: number | null = null): RegLan {
  return { kind: 'repeat', part, least, most };
}

/** Whether a text is in the set: the places that a part can end at are followed from those that it can begin at. */
export function isInRegLan(set: RegLan, text: string): boolean {
  return endsOf(set, text, new Set([0])).has(text.length);
}

function endsOf(set: RegLan, text: string, from: ReadonlySet<number>): ReadonlySet<number> {
  switch (set.kind) {
    case 'units':
      return new Set(
        [...from]
          .filter((at) => at < text.length && isInRanges(set.ranges, text.charCodeAt(at)))
          .map((at) => at + 1),
      );
    case 'text':
      return new Set(
        [...from].filter((at) => text.startsWith(set.text, at)).map((at) => at + set.text.length),
      );
    case 'sequence':
      return set.parts.reduce((at, part) => endsOf(part, text, at), from);
    case 'choice':
      return new Set(set.parts.flatMap((part) => [...endsOf(part, text, from)]));
    case 'repeat':
      return endsOfRepeat(set, text, from);
  }
}

function endsOfRepeat(
  { part, least, most }: Extract<RegLan, { kind: 'repeat' }>,
  text: string,
  from: ReadonlySet<number>,
): ReadonlySet<number> {
  let at = from;
  for (let i = 0; i < least; i++) at = endsOf(part, text, at);
  const ends = new Set(at);
  for (let i = least; (most === null || i < most) && at.size > 0; i++) {
    at = new Set([...endsOf(part, text, at)].filter((end) => !ends.has(end)));
    for (const end of at) ends.add(end);
  }
  return ends;
}

function isInRanges(ranges: readonly (readonly [number, number])[], unit: number): boolean {
  return ranges.some(([first, last]) => first <= unit && unit <= last);
}
