import type { Bounds } from '../../base/bounds.js';
import { NotConvergedError } from '../../base/errors.js';
import type { Solution } from '../kernel/index.js';

/** Solves, and maps the bounds: those of the solution, or those reached if the solver gave up. */
export function withBounds(change: (bounds: Bounds) => Bounds, solve: () => Solution): Solution {
  const { solution, failure } = attempted(solve);
  if (failure) throw new NotConvergedError(failure.message, change(failure));
  return { ...solution, ...change(solution) };
}

/** Solves, and continues from the bounds found, or from those reached if the solver gave up. */
export function goOnFrom(solve: () => Solution, next: (bounds: Bounds) => Solution): Solution {
  const { solution, failure } = attempted(solve);
  if (failure) throw new NotConvergedError(failure.message, next(failure));
  const last = next(solution);
  return {
    ...last,
    accuracy: weaker(solution.accuracy, last.accuracy),
    method: solution.method,
    iterations: solution.iterations + last.iterations,
  };
}

/** Bounds that hold whether an event never or always happens from the states without data. */
export function hull(solveNever: () => Solution, solveAlways: () => Solution): Solution {
  const never = attempted(solveNever);
  const always = attempted(solveAlways);
  if (never.failure || always.failure) {
    const { message } = (never.failure ?? always.failure)!;
    const { lower } = never.failure ?? never.solution;
    const { upper } = always.failure ?? always.solution;
    throw new NotConvergedError(message, { lower, upper });
  }
  const [least, greatest] = [never.solution, always.solution];
  const same = least.lower.every((value, s) => value === greatest.upper[s]);
  return {
    lower: least.lower,
    upper: greatest.upper,
    accuracy: weaker(weaker(least.accuracy, greatest.accuracy), same ? 'exact' : 'bounded'),
    method: least.method === 'graph' ? greatest.method : least.method,
    iterations: least.iterations + greatest.iterations,
  };
}

type Attempt =
  | { readonly solution: Solution; readonly failure?: undefined }
  | { readonly solution?: undefined; readonly failure: NotConvergedError };

function attempted(solve: () => Solution): Attempt {
  try {
    return { solution: solve() };
  } catch (failure) {
    if (failure instanceof NotConvergedError) return { failure };
    throw failure;
  }
}

/** The weaker of two accuracies. */
function weaker(a: Solution['accuracy'], b: Solution['accuracy']): Solution['accuracy'] {
  const order = ['exact', 'bounded', 'estimated'] as const;
  return order[Math.max(order.indexOf(a), order.indexOf(b))];
}
