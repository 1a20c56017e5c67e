/** Value of predicate `i` in the packed valuation that starts at `offset`. */
export function bit(valuation: Uint32Array, offset: number, i: number): boolean {
  return ((valuation[offset + (i >>> 5)] >>> (i & 31)) & 1) === 1;
}
