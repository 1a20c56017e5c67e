import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import type { Action } from '../../observations/trace/index.js';
import type { GuardFile } from './guardFile.js';
import type { PendingCalls } from './pendingCalls.js';

/** Which calls are of safe tools: those that the guard file declares, and those that the run trusts, unless the file says that they are not. */
export class SafeTools {
  /** The declared ones. */
  readonly names: readonly string[];
  readonly #declared: ReadonlyMap<string, boolean | undefined>;
  /** Null: the run trusts no other tool. */
  trusts: ((tool: string) => boolean) | null = null;

  constructor({ tools = {} }: Pick<GuardFile, 'tools'>) {
    this.names = Object.keys(tools).filter((name) => tools[name].safe === true);
    this.#declared = new Map(Object.entries(tools).map(([name, { safe }]) => [name, safe]));
  }

  /** Whether any tool may be safe. */
  get #some(): boolean {
    return this.names.length > 0 || this.trusts !== null;
  }

  has(tool: unknown): boolean {
    return typeof tool === 'string' && (this.#declared.get(tool) ?? this.trusts?.(tool) === true);
  }

  /** Whether a step comes with a call of a safe tool. Reads what a caller gave, which may throw: then it is not. */
  isProposed(context: EvaluationContext): boolean {
    return this.#some && this.#isSafe(() => context.action);
  }

  /** The calls that are not of safe tools, beside which a shield judges another. */
  others(pending: PendingCalls['all']): readonly Action[] {
    return this.#some ? pending.filter((action) => !this.#isSafe(() => action)) : pending;
  }

  /** Whether an action is a call of a safe tool; null is none. */
  isSafe(action: Action | null): boolean {
    return this.#some && this.#isSafe(() => action);
  }

  #isSafe(action: () => unknown): boolean {
    try {
      return this.has((action() as Partial<Action> | null | undefined)?.name);
    } catch {
      return false;
    }
  }
}
