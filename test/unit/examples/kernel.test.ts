import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.restoreAllMocks());

it('the example of the kernel prints bounds around the fractions in its comments', async () => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => printed.push(line));
  await import('../../../examples/kernel/main.mjs' as string);
  const expected = [2 / 3, 1 / 2, 1 / 2, 2 / 3, 13 / 23, 19 / 25];
  expect(printed).toHaveLength(expected.length);
  printed.forEach((line, i) => {
    const [lower, upper] = (/\[(.*), (.*)\]/.exec(line) ?? []).slice(1).map(Number);
    expect(lower).toBeLessThanOrEqual(expected[i]);
    expect(upper).toBeGreaterThanOrEqual(expected[i]);
    expect(upper - lower).toBeLessThanOrEqual(2e-6);
  });
});
