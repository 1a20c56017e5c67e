import { provideTextOperations } from './textOperations.js';

/** Loads the operations of functions on texts. Await it once before compiling a tree for which `usesTexts` is true. */
export async function loadTextOperations(): Promise<void> {
  provideTextOperations((await import('./texts/index.js')).TEXT_OPERATIONS);
}
