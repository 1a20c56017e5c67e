import { InvalidArgumentError } from '../../base/errors.js';
import { html, type Markup } from './markup.js';
import type { ReportAxis, ReportPlot, ReportPoint } from './reportData.js';

const size = { width: 420, height: 320, left: 52, right: 14, top: 10, bottom: 44 };
/** Number of series colours in the style sheet. */
const mostSeries = 5;

/** A plot with its title, a key to its series, and a line in words for each point. */
export function drawPlot({ title, note, x, y, diagonal = false, series }: ReportPlot): Markup {
  if (series.length > mostSeries) {
    throw new InvalidArgumentError(
      `the plot "${title}" has ${series.length} series, which can no longer be told apart; expected at most ${mostSeries}`,
    );
  }
  const [left, right] = [size.left, size.width - size.right];
  const [bottom, top] = [size.height - size.bottom, size.top];
  const across = scale(x, left, right);
  const up = scale(y, bottom, top);
  const keys = series.map(
    ({ name }, g) =>
      html`<span><svg viewBox="0 0 10 10" class="g${g}" aria-hidden="true"><circle cx="5" cy="5" r="4.5"/></svg>${name}</span>`,
  );
  const agree = diagonal
    ? html`<path class="diagonal" d="M${at(left)} ${at(bottom)}L${at(right)} ${at(top)}"/>`
    : '';
  return html`<figure><figcaption><strong>${title}</strong><span>${note}</span>${series.length > 1 ? html`<span class="keys">${keys}</span>` : ''}</figcaption>
<svg class="plot" viewBox="0 0 ${size.width} ${size.height}" role="group" aria-label="${title}: ${y.name} against ${x.name}">
<g class="axes">${ticks(x).map(
    (tick) =>
      html`<path d="M${at(across(tick))} ${top}V${bottom}"/><text x="${at(across(tick))}" y="${bottom + 16}" text-anchor="middle">${written(tick, x)}</text>`,
  )}${ticks(y).map(
    (tick) =>
      html`<path d="M${left} ${at(up(tick))}H${right}"/><text x="${left - 6}" y="${at(up(tick) + 4)}" text-anchor="end">${written(tick, y)}</text>`,
  )}
<text class="title" x="${(left + right) / 2}" y="${size.height - 8}" text-anchor="middle">${x.name}</text>
<text class="title" transform="translate(13 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${y.name}</text></g>
${agree}
${series.map(({ joined, points }, g) => {
  const place = (point: ReportPoint): string => `${at(across(point.x))},${at(up(point.y))}`;
  const line =
    joined && points.length > 1
      ? html`<polyline class="group g${g}" points="${points.map(place).join(' ')}"/>`
      : '';
  return html`${line}${points.map((point) => drawPoint(point, g, across, up))}`;
})}
</svg></figure>
`;
}

function drawPoint(
  { x, y, interval, label }: ReportPoint,
  g: number,
  across: (value: number) => number,
  up: (value: number) => number,
): Markup {
  const px = at(across(x));
  const line = interval
    ? html`<path class="interval" d="M${px} ${at(up(interval.lower))}V${at(up(interval.upper))}"/>`
    : '';
  return html`<g class="point g${g}" tabindex="0" role="img" aria-label="${label}"><title>${label}</title>${line}<circle cx="${px}" cy="${at(up(y))}" r="4"/></g>
`;
}

/** Maps values to pixels; values outside are drawn at the border. */
function scale({ min, max }: ReportAxis, from: number, to: number): (value: number) => number {
  const span = max > min ? max - min : 1;
  return (value) => from + Math.min(1, Math.max(0, (value - min) / span)) * (to - from);
}

/** Four to eight round numbers. */
function ticks({ min, max }: ReportAxis): number[] {
  const rough = (max > min ? max - min : 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

function written(value: number, { percent = false }: ReportAxis): string {
  return percent ? `${Number((100 * value).toFixed(1))}%` : String(Number(value.toPrecision(6)));
}

function at(pixels: number): string {
  return pixels.toFixed(1);
}
