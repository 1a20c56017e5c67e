import { html, type Markup } from './markup.js';
import type { ReportSetting } from './reportData.js';

const size = { width: 720, height: 430, left: 62, right: 24, top: 18, bottom: 50 };

/** Unsafe against completed runs, one point per setting with its intervals; up and to the left is better. */
export function drawTradeOff(settings: readonly ReportSetting[]): Markup {
  const highest = Math.max(0.1, ...settings.map(({ unsafe }) => unsafe.confidenceUpper));
  const maxUnsafe = Math.min(1, Math.ceil((highest * 1.12) / 0.05) * 0.05);
  const x = (rate: number): number => size.left + (rate / maxUnsafe) * (size.width - size.left - size.right);
  const y = (rate: number): number => size.top + (1 - rate) * (size.height - size.top - size.bottom);
  const groups = [...new Set(settings.map(({ group }) => group))];
  const lines = groups.map((group, g) => {
    const members = settings.filter((setting) => setting.group === group);
    if (members.length < 2) return html``;
    const points = members.map(
      ({ unsafe, completed }) => `${x(unsafe.rate).toFixed(1)},${y(completed.rate).toFixed(1)}`,
    );
    return html`<polyline class="group g${g}" points="${points.join(' ')}"/>`;
  });
  const points = settings.map((setting) => {
    const { unsafe, completed } = setting;
    const [px, py] = [x(unsafe.rate), y(completed.rate)];
    return html`<g class="point g${groups.indexOf(setting.group)}" tabindex="0" role="img" aria-label="${describeSetting(setting)}"><title>${describeSetting(setting)}</title>
<path class="interval" d="M${x(unsafe.confidenceLower).toFixed(1)} ${py.toFixed(1)}H${x(unsafe.confidenceUpper).toFixed(1)}M${px.toFixed(1)} ${y(completed.confidenceLower).toFixed(1)}V${y(completed.confidenceUpper).toFixed(1)}"/>
<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="5.5"/></g>
`;
  });
  const names = placeNames(
    settings.map(({ name, unsafe, completed }) => ({ name, x: x(unsafe.rate), y: y(completed.rate) })),
  );
  return html`<svg class="plot" viewBox="0 0 ${size.width} ${size.height}" role="group" aria-label="Unsafe runs against completed runs, one point for each setting">
<g class="axes">${verticalTicks(maxUnsafe).map(
    (tick) =>
      html`<path d="M${x(tick).toFixed(1)} ${size.top}V${size.height - size.bottom}"/><text x="${x(tick).toFixed(1)}" y="${size.height - size.bottom + 18}" text-anchor="middle">${percent(tick)}</text>`,
  )}${[0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (tick) =>
      html`<path d="M${size.left} ${y(tick).toFixed(1)}H${size.width - size.right}"/><text x="${size.left - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${percent(tick)}</text>`,
  )}
<text class="title" x="${(size.left + size.width - size.right) / 2}" y="${size.height - 8}" text-anchor="middle">unsafe runs (fewer is better)</text>
<text class="title" transform="translate(15 ${(size.top + size.height - size.bottom) / 2}) rotate(-90)" text-anchor="middle">completed runs</text></g>
${lines}
${points}
<g aria-hidden="true">${names}</g>
</svg>`;
}

/** Places names beside their points, at a side and height where they cover no other name and no point, and stay inside the plot. */
function placeNames(points: readonly { name: string; x: number; y: number }[]): Markup[] {
  const taken = points.map(({ x, y }) => ({ left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 }));
  return points.map(({ name, x, y }) => {
    const width = name.length * 6.8;
    const boxes = [
      [x + 10, y - 9],
      [x + 10, y + 18],
      [x - 10 - width, y - 9],
      [x - 10 - width, y + 18],
      [x + 10, y - 25],
    ].map(([left, base]) => ({ left, right: left + width, top: base - 12, bottom: base + 4, base }));
    const isFree = (box: (typeof boxes)[number]): boolean =>
      box.left > size.left &&
      box.right < size.width &&
      taken.every(
        (o) => box.right < o.left || box.left > o.right || box.bottom < o.top || box.top > o.bottom,
      );
    const box = boxes.find(isFree) ?? boxes[0];
    taken.push(box);
    return html`<text class="name" x="${box.left.toFixed(1)}" y="${box.base.toFixed(1)}">${name}</text>`;
  });
}

/** A setting in one line. */
function describeSetting({ name, unsafe, completed, runs }: ReportSetting): string {
  return `${name}: unsafe ${percent(unsafe.rate, 1)} (${percent(unsafe.confidenceLower, 1)} to ${percent(unsafe.confidenceUpper, 1)}), completed ${percent(completed.rate, 1)} (${percent(completed.confidenceLower, 1)} to ${percent(completed.confidenceUpper, 1)}), ${runs} runs`;
}

export function percent(rate: number, digits = 0): string {
  return `${(100 * rate).toFixed(digits)}%`;
}

function verticalTicks(max: number): number[] {
  const step = max > 0.5 ? 0.2 : max > 0.25 ? 0.1 : 0.05;
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, i) => i * step);
}
