import { describe, expect, it } from 'vitest';
import { build } from '../../bindings/solvers/exploration/index.js';
import { parseModel } from '../../bindings/solvers/formats/index.js';

/** In doubles 0.8² + 0.8·0.2 + 0.2·0.8 + 0.2² is 1.0000000000000002. */
const source = (type: string, p: string, q: string): string => `${type}
module first x : [0..1]; [a] x=0 -> ${p} : (x'=1) + ${q} : (x'=1); [] x=1 -> true; endmodule
module second y : [0..1]; [a] y=0 -> ${p} : (y'=1) + ${q} : (y'=1); endmodule`;

describe('products of probabilities that lead to one state and add up to a little more than 1', () => {
  it.each(['dtmc', 'mdp'])('are 1 (%s)', (type) => {
    for (const backend of ['closures', 'wasm'] as const) {
      const built = build(parseModel(source(type, '0.8', '1-0.8')), { backend });
      expect('values' in built.model && [...built.model.values]).toEqual([1, 1]);
    }
  });

  it('are 1 as lower ends of intervals', () => {
    const built = build(parseModel(source('dtmc', '[0.8,0.8]', '[0.2,0.2]')));
    expect('lower' in built.model && [...built.model.lower]).toEqual([1, 1]);
  });
});
