const nodeVm = () => globalThis.process?.getBuiltinModule?.('node:vm');

/** Thrown by work that has taken too long. */
export class OutOfTime extends Error {}

type Within = <T>(milliseconds: number, work: () => T) => T;
let within: Within | undefined;

/**
 * Does synchronous work, and gives it up after a time, in the midst of matching a pattern too. Where the runtime has no such means, the work is only done.
 *
 * @throws OutOfTime; any error of the work
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  within ??= makeWithin();
  return within(milliseconds, work);
}

function makeWithin(): Within {
  const vm = nodeVm();
  if (vm === undefined) return (_, work) => work();
  const script = new vm.Script('work()');
  const context = vm.createContext({ work: null });
  return <T>(timeout: number, work: () => T): T => {
    context.work = work;
    try {
      return script.runInContext(context, { timeout }) as T;
    } catch (error) {
      const { code } = (error ?? {}) as { readonly code?: unknown };
      throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new OutOfTime() : error;
    } finally {
      context.work = null;
    }
  };
}
