import { refuseUnknownOptions } from '../../base/suggest.js';
import { Ask, type AskOptions } from './ask.js';

/**
 * Makes what answers questions about the rules of a specification: may a call be made, why not, what instead, what first, what is owed, whether something can
 * happen, and what the rules are. Follow a run with `observe`. No answer changes anything.
 *
 * @throws NotSupportedError if the automaton of a rule is too large
 */
export function createAsk(options: AskOptions): Ask {
  refuseUnknownOptions('createAsk', options, { specification: true, guard: true, probabilityOf: true });
  return new Ask(options);
}
