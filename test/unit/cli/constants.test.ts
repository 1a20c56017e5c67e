import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { parseConstants } from '../../../bindings/face/cli/constants.js';

describe('parseConstants', () => {
  it('reads names and values, from one option or several', () => {
    expect(parseConstants(['N=16,p=0.1', ' b = true ,q=1/3'])).toEqual([
      { N: '16', p: '0.1', b: 'true', q: '1/3' },
    ]);
    expect(parseConstants([''])).toEqual([{}]);
    expect(parseConstants()).toEqual([{}]);
  });

  it.each([
    ['N', 'name=value'],
    ['N=', 'name=value'],
    ['=3', 'name=value'],
    ['3=N', 'name=value'],
    ['N=1:x', 'is not a range of numbers'],
    ['N=1:2:3:4', 'is not a range of numbers'],
    ['N=1::4', 'is not a range of numbers'],
    ['N=4:1', 'is an empty range'],
    ['N=1:0:4', 'is an empty range'],
    ['N=1:100000', 'has 100000 values'],
    ['N=1:1000,M=1:1000', 'more than 10000 combinations'],
    ['N=1,N=2', 'N twice, as 1 and as 2'],
  ])('refuses %s, and says why', (text, why) => {
    expect(() => parseConstants([text])).toThrow(InvalidArgumentError);
    expect(() => parseConstants([text])).toThrow(why);
  });

  it('goes through ranges without rounding, the last one fastest', () => {
    expect(parseConstants(['N=1:2:6'])).toEqual([{ N: '1' }, { N: '3' }, { N: '5' }]);
    expect(parseConstants(['p=-0.1:0.1:0.3'])).toEqual(
      ['-0.1', '0', '0.1', '0.2', '0.3'].map((p) => ({ p })),
    );
    expect(parseConstants(['N=1:2,b=true,M=7:8'])).toEqual(
      [
        ['1', '7'],
        ['1', '8'],
        ['2', '7'],
        ['2', '8'],
      ].map(([N, M]) => ({ N, b: 'true', M })),
    );
  });

  it('gives back what was written, in any grouping', () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,5}$/);
    const value = fc.stringMatching(/^[0-9./e+-]{1,6}$|^(true|false)$/);
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), fc.boolean(), (values, apart) => {
        const pairs = Object.entries(values).map(([key, text]) => `${key}=${text}`);
        expect(parseConstants(apart ? pairs : [pairs.join(',')])).toEqual([values]);
      }),
    );
  });
});
