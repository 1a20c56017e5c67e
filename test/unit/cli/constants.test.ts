import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConstants } from '../../../bindings/cli/constants.js';
import { InvalidArgumentError } from '../../../bindings/errors.js';

describe('parseConstants', () => {
  it('reads names and values, from one option or several', () => {
    expect(parseConstants(['N=16,p=0.1', ' b = true ,q=1/3'])).toEqual({
      N: '16',
      p: '0.1',
      b: 'true',
      q: '1/3',
    });
    expect(parseConstants([''])).toEqual({});
    expect(parseConstants()).toEqual({});
  });

  it.each([
    ['N', 'name=value'],
    ['N=', 'name=value'],
    ['=3', 'name=value'],
    ['3=N', 'name=value'],
    ['N=1:4', 'is a range'],
    ['p=0.1:0.1:0.9', 'is a range'],
    ['N=1,N=2', 'N twice, as 1 and as 2'],
  ])('refuses %s, and says why', (text, why) => {
    expect(() => parseConstants([text])).toThrow(InvalidArgumentError);
    expect(() => parseConstants([text])).toThrow(why);
  });

  it('gives back what was written, in any grouping', () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,5}$/);
    const value = fc.stringMatching(/^[0-9./e+-]{1,6}$|^(true|false)$/);
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), fc.boolean(), (values, apart) => {
        const pairs = Object.entries(values).map(([key, text]) => `${key}=${text}`);
        expect(parseConstants(apart ? pairs : [pairs.join(',')])).toEqual(values);
      }),
    );
  });
});
