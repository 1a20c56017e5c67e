/** Risk from 0 to 1 in steps of a quarter, from pale to dark, so that it is also legible without hue. */
const scale = [
  [238, 247, 244],
  [250, 235, 190],
  [247, 190, 112],
  [226, 106, 64],
  [163, 20, 38],
];

/** Colour of a risk in [0, 1], as CSS. */
export function riskColour(risk: number): string {
  const place = Math.min(1, Math.max(0, risk)) * (scale.length - 1);
  const below = Math.min(Math.floor(place), scale.length - 2);
  const channels = scale[below].map((low, i) =>
    Math.round(low + (scale[below + 1][i] - low) * (place - below)),
  );
  return `rgb(${channels.join(' ')})`;
}

/** Colour of text on `riskColour(risk)`, with a contrast of at least 4.5. */
export function riskInk(risk: number): string {
  return risk > 0.84 ? '#fff' : '#000';
}

/** A probability with its significant digits. */
export function probabilityText(probability: number): string {
  if (probability === 0 || probability === 1) return String(probability);
  if (probability < 0.01) return probability < 0.001 ? '<0.001' : probability.toFixed(3);
  if (probability > 0.99) return probability >= 0.9995 ? '>0.999' : probability.toFixed(3);
  return probability.toFixed(2);
}
