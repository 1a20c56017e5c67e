export { complementBounds, opposite } from './complement.js';
export { normaliseDirections } from './directions.js';
export { openQuantities } from './openQuantities.js';
export type { Directions, Quantities } from './quantities.js';
export { RoundedQuantities } from './roundedQuantities.js';
