import { describe, expect, it } from 'vitest';
import { probabilityText, riskColour, riskInk } from '../../../bindings/study/report/colour.js';

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const channels = colour.startsWith('rgb')
    ? colour.match(/\d+/g)!.map(Number)
    : (colour.length === 4 ? [...colour.slice(1)].map((c) => c + c) : colour.slice(1).match(/../g)!).map(
        (hex) => Number.parseInt(hex, 16),
      );
  const [red, green, blue] = channels
    .map((channel) => channel / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the colour of risk', () => {
  it('gets darker as risk grows, and text on it keeps a contrast of 4.5', () => {
    let before = Number.POSITIVE_INFINITY;
    for (let i = 0; i <= 100; i++) {
      const here = luminance(riskColour(i / 100));
      expect(here).toBeLessThan(before);
      before = here;
      const [low, high] = [here, luminance(riskInk(i / 100))].sort((a, b) => a - b);
      expect((high + 0.05) / (low + 0.05), `risk ${i / 100}`).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('a probability in words', () => {
  it('never reads as certain or impossible where it is not', () => {
    expect(probabilityText(0)).toBe('0');
    expect(probabilityText(1)).toBe('1');
    expect(probabilityText(1e-9)).toBe('<0.001');
    expect(probabilityText(0.004)).toBe('0.004');
    expect(probabilityText(0.9996)).toBe('>0.999');
  });
});
