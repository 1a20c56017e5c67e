export type { Storage } from './storage.js';
