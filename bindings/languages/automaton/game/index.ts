export { type GameOptions, type LostPlay, lostPlays } from './lostPlays.js';
