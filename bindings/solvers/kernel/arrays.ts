import { InvalidArgumentError } from '../../base/errors.js';

type ArrayName = 'Uint32Array' | 'Int32Array' | 'Float64Array';

/**
 * Refuses arrays of any other type: numbers copied from them into the kernel would be taken modulo 2^32 or rounded, and
 * describe another model.
 */
export function checkArrays(arrays: Readonly<Record<string, unknown>>, type: ArrayName): void {
  for (const [name, array] of Object.entries(arrays)) {
    const found = Object.prototype.toString.call(array).slice(8, -1);
    if (found !== type) throw new InvalidArgumentError(`${name} is of type ${found}: it is a ${type}`);
  }
}
