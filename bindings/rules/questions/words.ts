import type { ComparedTrace } from '../../languages/automaton/compare/index.js';
import type { Knowledge } from './knowledge.js';

/** Parts as they are listed in a sentence: `a, b and c`. */
export function listed(parts: readonly string[], last = 'and'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}

/** A sentence with a capital. */
export function capital(sentence: string): string {
  return sentence.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

/** A run in words, from a step on: `step 3: the door is open; step 4: nothing of it`. */
export function sayRun(knowledge: Knowledge, run: ComparedTrace, firstStep = 0): string {
  return run
    .map((step, i) => {
      const holding = Object.keys(step).filter((name) => step[name]);
      const said =
        holding.length === 0 ? 'nothing of it' : listed(holding.map((name) => knowledge.say(name, true)));
      return `step ${firstStep + i}: ${said}`;
    })
    .join('; ');
}
