import { NotSupportedError } from '../../base/errors.js';

type Operations = typeof import('./texts/index.js').TEXT_OPERATIONS;
let operations: Operations | undefined;

/** Gives the functions on texts their operations. The parser does so; trees that were parsed elsewhere need `loadTextOperations`. */
export function provideTextOperations(given: Operations): void {
  operations = given;
}

/** The operations of functions on texts. @throws NotSupportedError if they are not loaded */
export function textOperations(): Operations {
  if (operations === undefined) {
    throw new NotSupportedError('await loadTextOperations() before compiling the tree');
  }
  return operations;
}
