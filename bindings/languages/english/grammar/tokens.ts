/** A word, number or sign of a sentence, and where it stands. */
export interface Token {
  /** In lower case, without apostrophes: `won't` is the two tokens `will` and `not`. */
  readonly text: string;
  /** From the first character of the sentence, from 0. */
  readonly start: number;
  readonly end: number;
}

const SHORT: Readonly<Record<string, readonly string[]>> = {
  "won't": ['will', 'not'],
  "can't": ['can', 'not'],
  cannot: ['can', 'not'],
  "mustn't": ['must', 'not'],
  "don't": ['do', 'not'],
  "doesn't": ['does', 'not'],
  "isn't": ['is', 'not'],
  "aren't": ['are', 'not'],
  "shouldn't": ['should', 'not'],
  "you've": ['you', 'have'],
  "you're": ['you', 'are'],
  "it's": ['it', 'is'],
};
/** Words that may stand for each other before a thing. */
export const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an', 'any']);

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The tokens of a sentence. Every character but white space belongs to one. */
export function tokensOf(sentence: string): Token[] {
  const tokens: Token[] = [];
  for (const match of sentence.matchAll(/`[^`]*`|[\p{L}\p{N}_](?:['’\-.]?[\p{L}\p{N}_])*|\S/gu)) {
    const start = match.index;
    const end = start + match[0].length;
    const word = match[0].replace(/[’]/g, "'").replace(/^`|`$/g, '').toLowerCase();
    for (const text of SHORT[word] ?? [word.replace(/'/g, '')])
      tokens.push({ text: text === ';' || text === '!' ? '.' : text, start, end });
  }
  return tokens;
}

/** The whole number that a token writes, in digits or in a word; null if it writes none. */
export function numberOf(text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const number = NUMBERS.indexOf(text);
  return number < 0 ? null : number;
}
