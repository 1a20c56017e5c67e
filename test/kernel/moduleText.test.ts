import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moduleBytes } from '../../bindings/solvers/kernel/moduleText.js';
import { script } from '../script.js';
import { wasmBytes } from './wasmBytes.js';

const { moduleText } = await script('moduleText.mjs');

test('bytes written as text are read back, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expect(moduleBytes(moduleText(bytes))).toEqual(bytes);
    }),
  );
  // More than half of the values that a byte can have are rare.
  const all = Uint8Array.from({ length: 1024 }, (_, i) => (i * 7) % 256);
  expect(moduleBytes(moduleText(all))).toEqual(all);
});

test('the text needs no escapes, in strings, templates or pages', () => {
  const text: string = moduleText(Uint8Array.from({ length: 256 }, (_, i) => i));
  expect(text).toMatch(/^[ -~]+$/);
  expect(text).not.toMatch(/["$'<\\`]/);
});

test('the kernel as text is hardly longer than the kernel', () => {
  expect(moduleText(wasmBytes()).length).toBeLessThan(1.05 * wasmBytes().length);
});
