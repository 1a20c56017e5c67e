/** Longest pattern. Together with the text's length it bounds the time of a test. */
const maximumLength = 1000;
/** Signs that other languages of patterns read: whoever writes them does not mean them to stand for themselves. */
const SIGNS_OF_OTHERS = /[[\]{}\\]/;

/** What `glob` takes for a pattern. */
export const GLOB_EXPECTED = `a pattern of at most ${maximumLength} characters, without [ ] { } and \\ (for these use matches)`;

/** Whether a text is a pattern of `glob`. */
export function isGlob(pattern: string): boolean {
  return pattern.length <= maximumLength && !SIGNS_OF_OTHERS.test(pattern);
}

/** One place of a pattern: a character, or a sign of which characters may stand there. */
type Token = string | 'ONE' | 'WITHIN' | 'ACROSS' | 'MAYBE';

/** The places of a pattern. `MAYBE` may be left out together with the two places after it. */
function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    if (characters[i] !== '*') {
      tokens.push(characters[i] === '?' ? 'ONE' : characters[i]);
      continue;
    }
    const first = i;
    while (characters[i + 1] === '*') i++;
    const beginsName = first === 0 || characters[first - 1] === '/';
    if (first === i) tokens.push('WITHIN');
    else if (beginsName && characters[i + 1] === '/') tokens.push('MAYBE', 'ACROSS');
    else tokens.push('ACROSS');
  }
  return tokens;
}

/**
 * Compiles a pattern to a test of whole texts. `*` stands for any characters but `/`, `**` for any characters, and `?` for one character but `/`.
 * A segment `**` stands, with the `/` after it, also for nothing. Everything else stands for itself.
 *
 * The test takes time in proportion to the lengths of text and pattern.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const tokens = tokensOf(pattern);
  const end = tokens.length;
  let places = new Uint8Array(end + 3);
  let next = new Uint8Array(end + 3);
  /** Marks a place, and those that are reached from it without a character. */
  const reach = (into: Uint8Array, place: number): void => {
    for (let i = place; into[i] === 0; i++) {
      into[i] = 1;
      if (tokens[i] === 'MAYBE') reach(into, i + 3);
      else if (tokens[i] !== 'WITHIN' && tokens[i] !== 'ACROSS') return;
    }
  };
  return (text) => {
    places.fill(0);
    reach(places, 0);
    for (const character of text) {
      next.fill(0);
      for (let i = 0; i < end; i++) {
        if (places[i] === 0) continue;
        const token = tokens[i];
        if (token === 'ACROSS' || (token === 'WITHIN' && character !== '/')) reach(next, i);
        else if (token === character || (token === 'ONE' && character !== '/')) reach(next, i + 1);
      }
      [places, next] = [next, places];
    }
    return places[end] === 1;
  };
}

const cache = new Map<string, (text: string) => boolean>();

/** The test of a pattern, made once: patterns are constants, and few. Undefined if the text is no pattern. */
export function cachedGlob(pattern: string): ((text: string) => boolean) | undefined {
  let test = cache.get(pattern);
  if (test === undefined && isGlob(pattern)) {
    test = compileGlob(pattern);
    if (cache.size === 1000) cache.clear();
    cache.set(pattern, test);
  }
  return test;
}
