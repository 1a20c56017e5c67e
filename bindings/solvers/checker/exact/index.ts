export { bracket, exactText } from './bracket.js';
export type { ExactOptions, ExactQuantities, ExactSubject, ExactValue } from './exactQuantities.js';
export { openExact } from './openExact.js';
export { TooMuchWorkError } from './workLimit.js';
