import { describe, expect, it } from 'vitest';
import type { InputType } from '../../../bindings/languages/inputs/index.js';
import { misfit } from '../../../bindings/languages/inputs/index.js';
import { Context } from '../../../bindings/solvers/symbolic/context.js';
import { symbolicInput } from '../../../bindings/solvers/symbolic/inputs.js';
import { shrunk } from '../../../bindings/solvers/symbolic/shrunk.js';

describe('an input that a solver finds', () => {
  it('loses all elements at once, where one alone may not stay', () => {
    expect(shrunk({ list: ['a', 'b'] }, ({ list }) => (list as string[]).length !== 1)).toEqual({ list: [] });
  });

  it('loses each sign of a text on which nothing depends', () => {
    const holds = ({ text }: Record<string, unknown>) => /x.*y/.test(text as string);
    expect(shrunk({ text: 'xay' }, holds)).toEqual({ text: 'xy' });
    expect(shrunk({ text: 'bxabyc' }, holds)).toEqual({ text: 'xy' });
    expect(shrunk({ text: 'bcd' }, ({ text }) => (text as string).length === 3)).toEqual({ text: 'aaa' });
  });

  const types: InputType[] = [
    { kind: 'boolean' },
    { kind: 'enum', values: ['work'] },
    { kind: 'integer', least: 0, most: 9 },
    { kind: 'number' },
    { kind: 'text', most: 5 },
    { kind: 'list', of: { kind: 'enum', values: ['work'] }, most: 5 },
  ];
  it.each(types)('is one of its type, also where the model is silent: $kind', (type) => {
    const { read } = symbolicInput(new Context(false), 'it', { type }, 3);
    expect(misfit(read(new Map()), { type })).toBeNull();
  });
});
