import { FUNCTIONS } from '../../languages/expression/index.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const ID = /^[\w.:-]{1,80}$/;

/** Words with a meaning of their own in expressions or in plans as code. */
const RESERVED = new Set([
  // Expressions.
  ...'in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
  ...'true false null time action has'.split(' '),
  ...Object.keys(FUNCTIONS),
  // JavaScript.
  ...'async await case catch class debugger default delete do enum eval arguments export extends finally implements'.split(
    ' ',
  ),
  ...'instanceof interface new of private protected public static super switch this throw try typeof with yield'.split(
    ' ',
  ),
  ...'undefined NaN Infinity globalThis Promise Error'.split(' '),
  // Plans as code.
  ...'tools ask require goal inputs atMost isIn existsOne'.split(' '),
]);

/** What a name may be, for messages. */
export const NAME_EXPECTED = 'a name of letters, digits and _, which is no reserved word';

/** Whether a text may name a value of a plan: an identifier of the expression language and of JavaScript with no meaning in either. */
export function isPlanName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name) && !name.startsWith('__') && !(name in Object.prototype);
}

/** What an id may be, for messages. */
export const ID_EXPECTED = 'an id of 1 to 80 letters, digits and _ . : -';

/** Whether a text may be the id of a step. */
export function isStepId(id: string): boolean {
  return ID.test(id) && !id.startsWith('__') && !(id in Object.prototype);
}
