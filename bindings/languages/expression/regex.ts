import { NotSupportedError } from '../../base/errors.js';

/** A compiled pattern: whether some part of the text matches it. */
export type Matcher = (text: string) => boolean;

type Engine = typeof import('re2js').RE2JS;
let engine: Engine | undefined;

/** Longest pattern from data. Such patterns are compiled while a guard runs, and longer ones would let data slow it down. */
const maximumPatternLength = 1000;
/** Compiled patterns cached for each call of `matches` with a pattern from data. */
const cacheSize = 32;

/**
 * Loads the engine of `matches`, which runs in time linear in the text. Await it once before compiling an expression for which
 * `usesMatches` is true; without `matches`, the engine need not be shipped.
 */
export async function loadRegexEngine(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

/**
 * Compiles a pattern in RE2's syntax. Returns a message if the pattern is invalid.
 *
 * @throws NotSupportedError if the engine is not loaded.
 */
export function compilePattern(pattern: string): Matcher | string {
  if (engine === undefined) {
    throw new NotSupportedError(
      '"matches" needs its engine: await loadRegexEngine() before compiling the expression',
    );
  }
  if (pattern.length > maximumPatternLength) {
    return `a pattern of ${pattern.length} characters, expected at most ${maximumPatternLength}`;
  }
  try {
    const compiled = engine.compile(pattern);
    return (text) => compiled.test(text);
  } catch (error) {
    return `the pattern ${JSON.stringify(pattern)} (${(error as Error).message}), expected RE2 syntax`;
  }
}

/** Creates a `compilePattern` for patterns from data, with a small cache; the oldest pattern is dropped first. */
export function cachedPatterns(): (pattern: string) => Matcher | string {
  const cache = new Map<string, Matcher | string>();
  return (pattern) => {
    let matcher = cache.get(pattern);
    if (matcher === undefined) {
      matcher = compilePattern(pattern);
      if (cache.size === cacheSize) cache.delete(cache.keys().next().value!);
      cache.set(pattern, matcher);
    }
    return matcher;
  };
}
