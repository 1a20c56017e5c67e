import { describe, expect, it } from 'vitest';
import { verifyPolicies } from '../../../bindings/proofs/policyProof/index.js';
import { parsePolicies } from '../../../bindings/rules/specification/index.js';
import { describeDenial, loadParts, PolicyDecider } from '../../../bindings/runtime/policy/index.js';

async function decider(text: string) {
  const { set } = parsePolicies(text);
  await loadParts(set);
  const made = new PolicyDecider(set);
  return (args: Record<string, unknown>, state: Record<string, unknown> = {}) => {
    const denied = made.denial({ name: 'f', arguments: args }, state);
    return denied === null ? null : { kind: denied.denial.kind, says: describeDenial(denied, set) };
  };
}

const file = (inputs: string, condition: string, more = ''): string => `
version: 1
inputs: ${inputs}
policies: { p: { tools: [f], permit: { c: '${condition}' } ${more} } }
`;

describe('inputs inside of arguments', () => {
  const NESTED = file(
    '{ city: { from: action.arguments.address.city, type: text }, zip: { from: action.arguments.address.code.zip, type: text, optional: true } }',
    'city == "Graz" && (zip == null || size(zip) == 4)',
  );

  it('are read where they are', async () => {
    const denial = await decider(NESTED);
    expect(denial({ address: { city: 'Graz' } })).toBeNull();
    expect(denial({ address: { city: 'Graz', code: { zip: '8010' } } })).toBeNull();
    expect(denial({ address: { city: 'Wien' } })?.kind).toBe('notPermitted');
    expect(denial({ address: { city: 'Graz', code: { zip: 8010 } } })?.kind).toBe('mistyped');
    expect(denial({ address: {} })?.kind).toBe('absent');
    expect(denial({})?.kind).toBe('absent');
  });

  it('leave nothing beside them that no policy sees', async () => {
    const denial = await decider(NESTED);
    expect(denial({ address: { city: 'Graz', street: 'x' } })?.says).toContain(
      'the argument "address.street"',
    );
    const deep = denial({ address: { city: 'Graz', code: { zip: '8010', plus: 1 } } });
    expect(deep?.says).toContain('the argument "address.code.plus"');
    for (const code of ['8010', 8010, ['8010'], true])
      expect(denial({ address: { city: 'Graz', code } })?.says).toContain('the argument "address.code"');
    expect(denial({ address: { city: 'Graz', code: null } })).toBeNull();
    const inherited = Object.create({ city: 'Graz' });
    expect(denial({ address: inherited })?.kind).toBe('absent');
  });

  it('are those of this call, by whatever own field', async () => {
    const denial = await decider(NESTED);
    expect(denial({ address: { city: 'Graz', code: { zip: '80' } } })?.kind).toBe('notPermitted');
    expect(denial({ address: { city: 'Graz' } })).toBeNull();
    const hidden = Object.defineProperty({}, 'city', { value: 'Graz', enumerable: false });
    expect(denial({ address: hidden })).toBeNull();
    expect(denial({ address: {} })?.kind).toBe('absent');
  });

  it('may be read by two inputs', async () => {
    const inputs = `{ a: { from: action.arguments.n, type: number }, b: { from: action.arguments.n, type: integer }, note: { from: action.arguments.t, type: text, optional: true } }`;
    const denial = await decider(file(inputs, 'a > 1 && b < 4'));
    expect(denial({ n: 3 })).toBeNull();
    expect(denial({ n: 3, t: 'x' })).toBeNull();
    expect(denial({ n: 1 })?.kind).toBe('notPermitted');
    expect(denial({ n: 2.5 })?.kind).toBe('mistyped');
  });
});

describe('lists of records', () => {
  const PARTS = file(
    '{ parts: { list: { kind: text, amount: { integer: [0, 1000] }, note: { type: text, optional: true } }, max: 3 } }',
    'size(parts) >= 1 && sum(parts.map(p, p.amount)) <= 1000 && parts.all(p, p.kind in ["card", "gift"])',
  );

  it('are read field by field', async () => {
    const denial = await decider(PARTS);
    expect(
      denial({
        parts: [
          { kind: 'card', amount: 600 },
          { kind: 'gift', amount: 400, note: null },
        ],
      }),
    ).toBeNull();
    expect(
      denial({
        parts: [
          { kind: 'card', amount: 600 },
          { kind: 'gift', amount: 401 },
        ],
      })?.kind,
    ).toBe('notPermitted');
    expect(denial({ parts: [{ kind: 'cash', amount: 6 }] })?.kind).toBe('notPermitted');
  });

  it('deny what is of another form, and fields that no condition sees', async () => {
    const denial = await decider(PARTS);
    for (const part of [
      null,
      'card',
      ['card', 6],
      { kind: 'card' },
      { kind: 'card', amount: null },
      { kind: 'card', amount: '6' },
      { kind: 'card', amount: 6, note: 7 },
      { kind: 'card', amount: 6, secret: 1 },
      Object.create({ kind: 'card', amount: 6 }),
    ])
      expect(denial({ parts: [part] })?.kind, JSON.stringify(part)).toBe('mistyped');
    expect(denial({ parts: [{ kind: 'card', amount: 1001 }] })?.kind).toBe('outside');
    expect(denial({ parts: [{ kind: 'card', amount: 6, secret: 1 }] })?.says).toContain(
      'each a record (kind: a text of at most 100000 characters; amount: a whole number from 0 to 1000; note: a text of at most 100000 characters, or nothing; nothing else)',
    );
  });

  it('of the state may have more fields, and may be the history of calls', async () => {
    const denial = await decider(
      file(
        '{ x: { type: text }, history: { from: state.history, list: { name: text, arguments: { record: { x: { type: text, optional: true } } } } } }',
        'size(history.filter(c, c.name == "f" && c.arguments.x == x)) < 2',
      ),
    );
    const past = (...calls: [string, Record<string, unknown>][]) => ({
      history: calls.map(([name, args]) => ({ name, arguments: args, failed: false, time: 3 })),
    });
    expect(denial({ x: 'a' }, past(['f', { x: 'a' }], ['g', { y: 1 }]))).toBeNull();
    expect(denial({ x: 'a' }, past(['f', { x: 'a' }], ['f', { x: 'b' }]))).toBeNull();
    expect(denial({ x: 'a' }, past(['f', { x: 'a' }], ['f', { x: 'a' }]))?.kind).toBe('notPermitted');
    // A past call of the tool without the argument cannot be compared, so that nothing is known.
    expect(denial({ x: 'a' }, past(['f', {}]))?.kind).toBe('unreadable');
    expect(denial({ x: 'a' }, {})?.kind).toBe('absent');
  });

  it('are not followed in proofs, which then never say proved of what is not so', async () => {
    const inputs = '{ parts: { list: { kind: text, amount: integer }, max: 3 } }';
    const verdict = async (condition: string, property: string) => {
      const report = await verifyPolicies(
        parsePolicies(file(inputs, condition, `, ensures: { e: '${property}' }`)),
      );
      return report.obligations.find(({ kind }) => kind === 'ensures')?.verdict;
    };
    const small = 'parts.all(p, p.amount < 10)';
    expect(await verdict(`size(parts) <= 2 && ${small}`, 'permitted -> size(parts) < 3')).toBe('proved');
    expect(await verdict(small, `permitted -> ${small}`)).toBe('proved');
    expect(await verdict(small, 'permitted -> parts.all(p, p.amount < 5)')).not.toBe('proved');
    expect(await verdict(small, 'permitted -> !parts.exists(p, p.kind == "x")')).not.toBe('proved');
    expect(await verdict(small, 'permitted -> size(parts) < 3')).not.toBe('proved');
  });
});

describe('types of inputs that are none', () => {
  it.each([
    ['{ a: { list: { } } }', 'a record has no field'],
    ['{ a: { list: { b: date } } }', 'field "b"'],
    ['{ a: { list: { b: { list: text } } } }', 'field "b"'],
    ['{ a: { list: { b: { type: text, integer: [0, 1] } } } }', 'the types type and integer'],
    ['{ a: { list: { "b c": text } } }', 'is no name of a field'],
    ['{ a: { list: { toString: text } } }', 'is no name of a field'],
    ['{ a: { type: integer, max: 3 } }', 'max is for texts and lists'],
    ['{ a: { from: action.arguments, type: text } }', 'is read from'],
    ['{ a: { from: action.arguments.b..c, type: text } }', 'is read from'],
  ])('are refused: %s', (inputs, message) => {
    expect(() => parsePolicies(file(inputs, 'true'))).toThrow(message);
  });

  it('and fields that there are not', () => {
    expect(() =>
      parsePolicies(file('{ a: { list: { amount: number } } }', 'a.all(x, x.amonut > 1)')),
    ).toThrow('did you mean "amount"');
  });

  it('integer is any whole number', async () => {
    const denial = await decider(
      file('{ a: { type: integer }, b: { list: integer } }', 'a > 0 && b.all(x, x > 0)'),
    );
    expect(denial({ a: Number.MAX_SAFE_INTEGER, b: [1] })).toBeNull();
    for (const a of [1.5, 2 ** 53, '1']) expect(denial({ a, b: [] })?.kind).toBe('mistyped');
    expect(denial({ a: 1, b: [1.5] })?.says).toContain('each a whole number.');
  });
});
