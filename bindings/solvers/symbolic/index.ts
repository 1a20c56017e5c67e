export { type Question, questionOf } from './question.js';
export { type SeekOptions, type Sought, seek } from './seek.js';
