import { downward, upward } from '../../base/outward.js';
import { BREAKING, drawChain } from './chainDrawing.js';
import { probabilityText, riskColour, riskInk } from './colour.js';
import { html, Markup } from './markup.js';
import { drawPlot } from './plot.js';
import type { ReportChain, ReportData, ReportSetting, ReportState, ReportTable } from './reportData.js';
import { script, style } from './style.js';
import { drawTradeOff, percent } from './tradeOff.js';

/**
 * Renders a report as one self-contained HTML page: the chain drawn with risk as colour, the risk of every state, and the trade-off between
 * safe and completed runs. The page loads nothing, works from a file, follows light and dark, and can be read by keyboard and screen
 * reader. The same data give the same page.
 *
 * @param data all text in it is plain and is escaped
 * @returns the page's text
 */
export function renderReport(data: ReportData): string {
  const { title, summary, facts, chain, settings, plots = [], tables, notes } = data;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="lead">${summary}</p>
<dl class="facts">${facts.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<section aria-labelledby="trade-off"><h2 id="trade-off">Safety against completion</h2>
<p class="note">${settings.note}</p>
<div class="sheet">${drawTradeOff(settings.rows)}</div>
<div class="sheet">${settingsTable(settings.rows)}</div></section>
<section aria-labelledby="chain"><h2 id="chain">${chain.title}</h2>
<p class="note">Each state's risk is the probability of ${risked(chain)} from there on, where it is not broken yet.</p>
${drawChain(chain)}</section>
<section aria-labelledby="risks"><h2 id="risks">Risk of every state, worst first</h2>
<div class="sheet">${riskTable(chain)}</div></section>
${
  plots.length === 0
    ? ''
    : html`<section aria-labelledby="plots"><h2 id="plots">Predictions against what happened</h2>
<div class="plots">${plots.map(drawPlot)}</div></section>
`
}${tables.map(section)}
<footer>${notes.map((note) => html`<p>${note}</p>`)}</footer>
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

function risked({ rule, english, evaluation }: ReportChain): Markup {
  return evaluation === 'state'
    ? html`the event that <code>${rule}</code> bounds,`
    : html`breaking <code>${rule}</code>${english === undefined ? '' : html` (${english})`}`;
}

function settingsTable(settings: readonly ReportSetting[]): Markup {
  const interval = ({ confidenceLower, confidenceUpper }: ReportSetting['unsafe']): string =>
    `${percent(confidenceLower, 1)} – ${percent(confidenceUpper, 1)}`;
  return renderTable({
    title: '',
    note: 'Intervals hold the true rate with a confidence of 95%.',
    columns: [
      { name: 'enforcement', numeric: false },
      { name: 'unsafe', numeric: true },
      { name: '95% interval', numeric: true },
      { name: 'completed', numeric: true },
      { name: '95% interval', numeric: true },
      { name: 'runs', numeric: true },
    ],
    rows: settings.map(({ name, unsafe, completed, runs }) => [
      name,
      percent(unsafe.rate, 1),
      interval(unsafe),
      percent(completed.rate, 1),
      interval(completed),
      String(runs),
    ]),
  });
}

function riskTable({ states, threshold, confidence }: ReportChain): Markup {
  const known = states.flatMap((state) => (state.risk ? [{ ...state, risk: state.risk }] : []));
  const rows = known
    .sort((a, b) => b.risk.upper - a.risk.upper)
    .map((state) => {
      const { name, words, risk, draws, confidence: interval } = state;
      const meaning = standing(state, risk.upper, threshold);
      return html`<tr><td class="number"><span class="swatch" style="background:${riskColour(risk.upper)};color:${riskInk(risk.upper)}">${probabilityText(risk.upper)}</span></td>${confidence === undefined ? '' : html`<td class="number">${intervalText(interval)}</td>`}<th scope="row">${name}</th><td>${words}</td><td class="number">${draws}</td><td>${meaning}</td></tr>
`;
    });
  const note = threshold === null ? '' : html`<caption>${comparisonNote(threshold)}</caption>`;
  return html`<table>${note}<thead><tr><th scope="col" class="number">risk</th>${confidence === undefined ? '' : html`<th scope="col" class="number">at confidence ${confidence}</th>`}<th scope="col">state</th><th scope="col">in words</th><th scope="col" class="number">left in data</th><th scope="col">${threshold === null ? 'the rule' : `this risk alone, at ${threshold}`}</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

/** The state of the rule in a chain state, and its risk compared with the threshold; no guard is involved. */
function standing(
  { kind, draws, violated, breaking }: ReportState,
  risk: number,
  threshold: number | null,
): string {
  if (violated) return 'broken';
  const parts = [
    ...(threshold === null
      ? []
      : [kind === 'state' && draws === 0 ? 'no data' : risk >= threshold ? 'intervenes' : 'below it']),
    ...(breaking ? [BREAKING] : []),
  ];
  return parts.join('; ');
}

function comparisonNote(threshold: number): string {
  return (
    `The last column compares the largest upper bound of this rule's risk in a state with ${threshold}, and nothing else: it does not say what a guard does. ` +
    'A guard may also intervene where this risk is below: where the state is not in the data or cannot be read, where the rule is broken already, for another rule, at another threshold, ' +
    'where it decides on the upper end of a confidence interval, and where it judges an action, doing nothing or a budget rather than the state. What it does then is its strategy. ' +
    'Under shield: least or budget it may also let pass what this risk would refuse: it goes by the least risk over all ways to go on, not by the risk if the agent goes on as learnt, which this is.'
  );
}

/** Rounded outward, because the printed interval is a bound too. */
function intervalText(interval: ReportState['confidence']): string {
  if (interval === undefined) return '';
  if (interval.unbounded !== null) return interval.unbounded;
  return `${downward(interval.lower, 3)} – ${upward(interval.upper, 3)}`;
}

function section(table: ReportTable): Markup {
  return html`<section><h2>${table.title}</h2>
<div class="sheet">${renderTable(table)}</div></section>
`;
}

function renderTable({ note, columns, rows }: ReportTable): Markup {
  const className = (column: number): string => (columns[column].numeric ? 'number' : '');
  const head = columns.map(({ name }, c) => html`<th scope="col" class="${className(c)}">${name}</th>`);
  const body = rows.map(
    (row) => html`<tr>${row.map((cell, c) =>
      c === 0
        ? html`<th scope="row" class="${className(c)}">${cell}</th>`
        : html`<td class="${className(c)}">${cell}</td>`,
    )}</tr>
`,
  );
  return html`<table>${note === '' ? '' : html`<caption>${note}</caption>`}<thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table>`;
}
