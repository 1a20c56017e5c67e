import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { countComponents } from '../../../bindings/face/cli/countComponents.js';
import { getKernel } from '../../../bindings/solvers/kernel/index.js';
import { createMdp, dtmcFromRows, type Transition } from '../../../bindings/solvers/model/index.js';

describe('countComponents', () => {
  it('counts those of a chain as the kernel does', () => {
    const states = 12;
    const row = fc.uniqueArray(fc.nat(states - 1), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(row, { minLength: states, maxLength: states }), (targets) => {
        const model = dtmcFromRows(
          targets.map((row) => row.map((target): Transition => [target, 1 / row.length])),
        );
        const chain = getKernel().chain(model);
        expect(countComponents(model)).toBe(chain.components().count);
        chain.free();
      }),
    );
  });

  it('takes every choice of a decision process as possible', () => {
    const model = createMdp({
      rowGroupStart: Uint32Array.of(0, 2, 3, 4),
      rowStart: Uint32Array.of(0, 1, 2, 3, 4),
      columns: Uint32Array.of(1, 2, 0, 2),
      values: Float64Array.of(1, 1, 1, 1),
      initial: [0],
      labels: new Map(),
    });
    expect(countComponents(model)).toBe(2);
  });

  it('counts a long line without running out of stack', () => {
    const length = 100_000;
    const rows = Array.from({ length }, (_, s): Transition[] => [[Math.min(s + 1, length - 1), 1]]);
    expect(countComponents(dtmcFromRows(rows))).toBe(length);
  });
});
