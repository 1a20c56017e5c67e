import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../../bindings/languages/expression/index.js';
import { type Inputs, misfit } from '../../../bindings/languages/inputs/index.js';
import { guess } from '../../../bindings/solvers/decide/guess.js';
import { Decider } from '../../../bindings/solvers/decide/index.js';
import type { Claim } from '../../../bindings/solvers/recheck/index.js';

const inputs: Inputs = {
  path: { type: { kind: 'text', most: 40 } },
  mail: { type: { kind: 'text', most: 100 } },
  to: { type: { kind: 'list', of: { kind: 'text', most: 100 }, most: 3 } },
  tainted: { type: { kind: 'boolean' } },
  count: { type: { kind: 'integer', least: 0, most: 1_000 } },
  small: { type: { kind: 'integer', least: -3, most: 12 } },
  low: { type: { kind: 'integer', least: -3, most: 2 } },
};

function found(text: string): Readonly<Record<string, unknown>> | null {
  const claim: Claim = { kind: 'is', values: ['true'], of: parseExpression(text) };
  const input = guess(claim, inputs, (one) => new Decider(inputs).find(one));
  for (const [name, value] of Object.entries(input ?? {})) expect(misfit(value, inputs[name])).toBeNull();
  return input;
}

describe('a guess', () => {
  it('gives inputs the values of others', () => {
    expect(found('domainOf(mail) == "home.example" && path == mail')).toMatchObject({
      path: expect.stringMatching(/@home\.example$/),
    });
    expect(found('domainOf(mail) == "home.example" && mail in to')).not.toBeNull();
  });

  it('gives none that the other type has not', () => {
    expect(found('count > 100 && small == count')).toBeNull();
    expect(found('count == 12 && small == count')).toMatchObject({ small: 12, count: 12 });
    expect(found('low == small && small > 2')).toBeNull();
  });

  it('tries both truth values, and both ends of a range', () => {
    expect(found('tainted && path == mail')).toMatchObject({ tainted: true });
    expect(found('!tainted && path == mail')).toMatchObject({ tainted: false });
    expect(found('small + count == -3')).toMatchObject({ small: -3, count: 0 });
    expect(found('small + count == 1012')).toMatchObject({ small: 12, count: 1_000 });
  });

  it('mostly leaves inputs their own values', () => {
    expect(found('count + 10 * small + 100 * low == 1000 + 10 - 300')).not.toBeNull();
  });

  it('finds nothing where there is nothing', () => {
    expect(found('count + small == 2000')).toBeNull();
  });
});
