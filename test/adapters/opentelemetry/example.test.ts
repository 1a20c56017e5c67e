import { expect, it } from 'vitest';
import { printedBy } from '../shared/example.js';

it('the example learns from spans that a refund after a no is to be withheld', async () => {
  expect(await printedBy('opentelemetry')).toEqual([
    'look_up allow 0.10',
    'refund block 1.00',
    'tell_customer allow 0.00',
  ]);
});
