import { ActionTables } from './actionTables.js';
import type { GuardFile } from './guardFile.js';

/**
 * Refuses a guard file whose budget is smaller than the cost of the safest policy, as loading it would. The file must have been checked.
 *
 * @throws InvalidArgumentError naming the rule and the least risk of a run from its start
 */
export function checkBudget(file: GuardFile): void {
  if (file.actions !== undefined) new ActionTables(file, file.actions);
}
