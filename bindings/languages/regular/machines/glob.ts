import { ANY_CHARACTER, characterSet, complementOfSet } from '../characterSet.js';
import type { Machine } from '../machine.js';
import { choice, machineOfRegex, NOTHING, type Regex, repeat, sequence } from '../nfa.js';

const SLASH: Regex = { kind: 'set', set: characterSet('/') };
const WITHIN: Regex = { kind: 'set', set: complementOfSet(characterSet('/')) };
const ACROSS: Regex = { kind: 'set', set: ANY_CHARACTER };

/** `glob(text, pattern)`: whether the whole text matches the pattern. */
export function isLikeGlob(pattern: string): Machine<string> {
  return machineOfRegex(regexOfGlob(pattern), 'whole');
}

/** A pattern of `glob`: `*` and `?` stay within a name, `**` does not, and a segment `**` stands for nothing, too. */
export function regexOfGlob(pattern: string): Regex {
  const parts: Regex[] = [];
  const signs = /\*+|\?|[^*?]/gu;
  for (let found = signs.exec(pattern); found !== null; found = signs.exec(pattern)) {
    const [sign] = found;
    if (sign === '?') parts.push(WITHIN);
    else if (sign === '*') parts.push(repeat(WITHIN));
    else if (!sign.startsWith('*')) parts.push({ kind: 'set', set: characterSet(sign) });
    else {
      const beginsName = found.index === 0 || pattern[found.index - 1] === '/';
      if (beginsName && pattern[signs.lastIndex] === '/') {
        signs.lastIndex++;
        parts.push(choice(NOTHING, sequence(repeat(ACROSS), SLASH)));
      } else parts.push(repeat(ACROSS));
    }
  }
  return sequence(...parts);
}
