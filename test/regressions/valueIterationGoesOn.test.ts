import { expect, test } from 'vitest';
import '../../bindings/solvers/kernel/inline.js';
import { NotConvergedError } from '../../bindings/base/errors.js';
import { BitSet } from '../../bindings/solvers/kernel/index.js';
import { backends } from '../kernel/backends.js';
import { expectBrackets } from '../oracle/brackets.js';
import { ExactMdp } from '../oracle/mdp.js';

// A state that stays where it is in all but 3 of ten million steps: values rise by more than the precision for longer than any test may take.
test.each(backends)(
  'value iteration that goes on ends after maxIterations with true bounds: %s',
  (_, kernel) => {
    const matrix = {
      rowGroupStart: Uint32Array.of(0, 1, 3, 4, 7, 8, 9),
      rowStart: Uint32Array.of(0, 2, 4, 5, 7, 9, 11, 12, 13, 14),
      columns: Uint32Array.of(0, 4, 0, 3, 0, 0, 4, 0, 5, 1, 3, 0, 4, 5),
      values: Float64Array.of(
        ...[
          0.5, 0.5, 2.944439134178189e-7, 0.9999997055560866, 1, 0.5, 0.5, 0.9473684210526315,
          0.05263157894736842,
        ],
        ...[0.9900990099009901, 0.009900990099009901, 1, 1, 1],
      ),
    };
    const [everywhere, goal] = [BitSet.full(6), BitSet.of(6, [4])];
    using mdp = kernel.mdp(matrix);
    let error: unknown;
    try {
      mdp.until('min', everywhere, goal, {
        method: 'value-iteration',
        precision: 1e-12,
        maxIterations: 20_000,
      });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(NotConvergedError);
    expect(String(error)).toContain('values still change after 20000 sweeps');
    expectBrackets(error as NotConvergedError, new ExactMdp(matrix).until('min', everywhere, goal));
  },
);
