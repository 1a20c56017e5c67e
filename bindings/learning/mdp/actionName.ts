import type { Step } from '../../trace/index.js';

/**
 * The abstraction of an action: its name. What its arguments are is not told apart; predicates over them would refine the name here.
 *
 * @returns null where a step has no action, which is a choice like others: to do nothing, or to stop.
 */
export function actionName({ action }: Step): string | null {
  return action === undefined ? null : action.name;
}
