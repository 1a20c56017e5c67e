import { InvalidArgumentError, KernelError } from '../../base/errors.js';

/** The progress of an exploration. */
export interface Reached {
  readonly states: number;
  /** States whose successors are known. */
  readonly explored: number;
  readonly transitions: number;
  readonly bytes: number;
}

/** The limits of an exploration. */
export interface Limits {
  /** Name of the model. */
  readonly name: string;
  readonly maxStates: number;
  readonly maxMemoryBytes: number;
}

/** States are numbered in 32 bits, and one number is reserved for none. */
const MAX_STATES = 2 ** 31 - 1;

export function limitsOf(
  name: string,
  { maxStates, maxMemoryBytes }: { readonly maxStates?: number; readonly maxMemoryBytes?: number },
): Limits {
  for (const [option, value] of Object.entries({ maxStates, maxMemoryBytes })) {
    if (value !== undefined && !(value >= 1)) {
      throw new InvalidArgumentError(`${option} is ${value}; expected a number from 1 on`);
    }
  }
  return {
    name,
    maxStates: Math.min(Math.floor(maxStates ?? MAX_STATES), MAX_STATES),
    maxMemoryBytes: maxMemoryBytes ?? Number.POSITIVE_INFINITY,
  };
}

export function tooManyStates({ name, maxStates }: Limits, { explored }: Reached): InvalidArgumentError {
  return new InvalidArgumentError(
    `${name} has more than ${maxStates} states: so many were found after exploring ${explored} of them; raise maxStates (--max-states), or choose smaller constants`,
  );
}

/** Transitions are counted in 32 bits, and the limit is checked only occasionally. */
const MAX_TRANSITIONS = 2 ** 32 - 2 ** 28;

/** @throws KernelError if more memory is used than allowed, or there are more transitions than a model can have */
export function refuseBeyond(limits: Limits, reached: Reached): void {
  if (reached.bytes > limits.maxMemoryBytes) throw outOfMemory(limits, reached);
  if (reached.transitions > MAX_TRANSITIONS) {
    throw new KernelError(
      `${limits.name} has more than ${MAX_TRANSITIONS} transitions: so many were found after exploring ${reached.explored} of ${reached.states} states; choose smaller constants`,
    );
  }
}

export function outOfMemory(
  { name, maxMemoryBytes }: Limits,
  reached: Reached,
  cause?: unknown,
): KernelError {
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;
  const end =
    reached.bytes >= maxMemoryBytes
      ? `the ${megabytes(maxMemoryBytes)} of maxMemoryBytes end`
      : 'memory ends';
  return new KernelError(
    `${name}: ${end} after ${reached.states} states, of which ${reached.explored} are explored with ${reached.transitions} transitions, in ${megabytes(reached.bytes)}; choose smaller constants, or give the process more memory`,
    cause === undefined ? undefined : { cause },
  );
}

/** Whether an error says that an array could not be allocated. */
export function isAllocationFailure(error: unknown): boolean {
  return error instanceof RangeError && /alloc|array length|buffer|memory/i.test(error.message);
}
