import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../../bindings/languages/logic/index.js';
import { quantitiesOf } from '../../../bindings/study/robustness/quantities.js';
import { robustnessSignal } from '../../../bindings/study/robustness/robustness.js';
import { Tracks } from '../../../bindings/study/robustness/tracks.js';

const rules = [
  '(y > -7) S (x < -6)',
  '(F<=5 (y > 6)) S (x < -6)',
  'O>=3 (F[2,4] (y > 5))',
  'H[4,9] (G<=6 (x > -7))',
  '(x < 7) U[2,6] (O (y > 7))',
  '(O<=5 (x > 6)) U ((y > 4) S[1,7] (x < 3))',
].map((source) => parseFormula(source));

describe('tracks', () => {
  it('bound every position that is asked for, also after what came before is dropped', () => {
    const value = fc.integer({ min: -8, max: 8 });
    const columns = fc
      .array(fc.tuple(value, value), { minLength: 150, maxLength: 200 })
      .map((pairs) => ({ x: pairs.map(([x]) => x), y: pairs.map(([, y]) => y) }));
    fc.assert(
      fc.property(fc.constantFrom(...rules), columns, fc.nat(12), (rule, { x, y }, recent) => {
        const quantities = quantitiesOf(rule);
        const { atoms, root } = quantities;
        const tracks = new Tracks(quantities, [root]);
        const expected = robustnessSignal(rule, { x, y });
        for (let n = 1; n <= x.length; n++) {
          tracks.append(atoms.map(({ margin }) => margin({ x: x[n - 1], y: y[n - 1] }, {})));
          const oldest = Math.max(0, n - recent - 1);
          const ended = n === x.length;
          tracks.update(ended, (ask) => ask(root, oldest));
          for (let i = oldest; i < n; i++) {
            const [lower, upper] = [tracks.lower(root, i), tracks.upper(root, i)];
            if (!(lower <= expected[i] && expected[i] <= upper)) expect([i, lower, upper]).toBe(expected[i]);
            if (ended) expect([lower, upper]).toEqual([expected[i], expected[i]]);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
