import { digitsFor, downward, upward } from '../../base/outward.js';
import { probabilityText, riskColour, riskInk } from './colour.js';
import { layOut, type Point } from './layout.js';
import { html, type Markup } from './markup.js';
import type { ReportChain, ReportState } from './reportData.js';

const nodeWidth = 184;
const nodeHeight = 46;
const margin = 12;
/** Upward transitions are routed this far to the right of downward ones. */
const aside = 26;
/** Transitions with a smaller probability on which nothing rests are drawn faintly, with their probability only on the state's own card. */
const labelFrom = 0.05;
/** Significant digits of bounds. */
const BOUND_DIGITS = 6;
/** Label of a state in which the rule's automaton decides, not the state alone. */
export const BREAKING = 'broken here after some of what may have come before';

/** The chain as a figure: states coloured by risk, transitions with probabilities, a card for the state in focus. */
export function drawChain(chain: ReportChain): Markup {
  const { states, transitions } = chain;
  const layout = layOut(states.length, transitions, { nodeWidth, nodeHeight, nodeGap: 26, layerGap: 46 });
  const width = layout.width + 2 * margin;
  const height = layout.height + 2 * margin;
  const box = `${-margin} ${-margin} ${width.toFixed(0)} ${height.toFixed(0)}`;
  const edges = transitions.map((_, e) => drawTransition(chain, e, layout.edges[e]));
  const nodes = states.map((state, s) => drawState(state, s, layout.nodes[s], loopAt(chain, s)));
  return html`<figure class="chain">
<div class="canvas">
<svg viewBox="${box}" width="${width.toFixed(0)}" height="${height.toFixed(0)}" role="group" aria-label="${chain.title}: ${states.length} states, ${whatIsDrawn(chain)}">
<defs>
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 .8 7.5 4 0 7.2z" fill="context-stroke"/></marker>
<pattern id="unknown" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#e6e8eb"/><rect width="2" height="6" fill="#b6bcc4"/></pattern>
</defs>
<g class="transitions">${edges.map(({ line }) => line)}</g>
<g class="states">${nodes}</g>
<g class="labels" aria-hidden="true">${onTop(edges, transitions).map(({ label }) => label)}</g>
</svg>
</div>
<figcaption>
${legend(chain)}
<p class="left-out">${whatIsDrawn(chain)}</p>
${(chain.sampled ?? []).map(
  (sentence) => html`<p class="left-out">${sentence}.</p>
`,
)}<div class="card" aria-live="polite" id="card"><p>Point at a state, or reach it with the Tab key, to see what it means and where it leads.</p></div>
</figcaption>
${states.map((state, s) => describeState(chain, state, s))}
</figure>`;
}

function loopAt({ transitions }: ReportChain, state: number): number {
  return transitions.find(({ from, to }) => from === state && to === state)?.probability ?? 0;
}

function drawState(state: ReportState, s: number, { x, y }: Point, loop: number): Markup {
  const { risk, kind, violated, breaking, label, words, name } = state;
  const isKnown = risk !== null && (state.draws > 0 || kind !== 'state' || violated);
  const fill = risk === null ? 'var(--surface)' : isKnown ? riskColour(risk.upper) : 'url(#unknown)';
  const ink = risk === null ? 'var(--ink)' : isKnown ? riskInk(risk.upper) : '#1b1f24';
  const heading =
    risk === null ? name : `${name} · risk ${isKnown ? probabilityText(risk.upper) : 'unknown'}`;
  const corner = kind === 'state' ? 7 : nodeHeight / 2;
  const below = shortened(label, 30);
  const stays = loop > 0 ? html`<tspan class="loop"> ↻${probabilityText(loop)}</tspan>` : '';
  const ring =
    violated || breaking
      ? html`<rect class="ring${violated ? '' : ' some'}" x="-4" y="-4" width="${nodeWidth + 8}" height="${nodeHeight + 8}" rx="${corner + 4}"/>`
      : '';
  return html`<g class="state" tabindex="0" role="img" data-state="${s}" aria-label="${heading}${breaking ? `, ${BREAKING}` : ''}: ${words}" transform="translate(${(x - nodeWidth / 2).toFixed(1)} ${(y - nodeHeight / 2).toFixed(1)})" style="--ink-here:${ink}"><rect width="${nodeWidth}" height="${nodeHeight}" rx="${corner}" fill="${fill}"/>${ring}<text class="name" x="${nodeWidth / 2}" y="19">${heading}${stays}</text><text class="words" x="${nodeWidth / 2}" y="35">${below}</text></g>
`;
}

function drawTransition(
  chain: ReportChain,
  e: number,
  path: readonly Point[],
): { line: Markup; label: Markup } {
  const { from, to, probability, carries } = chain.transitions[e];
  if (path.length === 0) return { line: html``, label: html`` };
  const upwards = path[0].y > path[path.length - 1].y;
  const reach = (upwards ? -1 : 1) * (nodeHeight / 2);
  const points = path.map((point, i) => ({
    x: point.x + (upwards ? aside : 0),
    y: point.y + (i === 0 ? reach : i === path.length - 1 ? -reach : 0),
  }));
  const faint = carries === undefined && probability < labelFrom;
  const rare = carries !== 'violation' && (faint || chain.states[to].kind === 'end');
  const kind = carries === 'violation' ? 'breaking' : rare ? 'rare' : 'usual';
  const attributes = html`data-from="${from}" data-to="${to}"`;
  const line = html`<path ${attributes} class="${kind}" d="${curve(points)}" style="--weight:${(0.8 + 2.4 * probability).toFixed(2)}" marker-end="url(#tip)"/>
`;
  if (faint) return { line, label: html`` };
  // The label is near the source; for a transition that breaks the rule it is near the target, away from other labels at the source.
  const [first, second] = kind === 'breaking' ? points.slice(-2) : points;
  const part = kind === 'breaking' ? 0.55 : 0.42;
  const place = { x: first.x + (second.x - first.x) * part, y: first.y + (second.y - first.y) * part };
  const label = html`<text ${attributes} class="${kind}" x="${place.x.toFixed(1)}" y="${(place.y + 3.5).toFixed(1)}">${probabilityText(probability)}</text>
`;
  return { line, label };
}

/** A smooth line through points, vertical at each of them. */
function curve(points: readonly Point[]): string {
  let text = `M${points[0].x.toFixed(1)} ${points[0].y.toFixed(1)}`;
  for (let i = 1; i < points.length; i++) {
    const middle = (points[i - 1].y + points[i].y) / 2;
    text += `C${points[i - 1].x.toFixed(1)} ${middle.toFixed(1)} ${points[i].x.toFixed(1)} ${middle.toFixed(1)} ${points[i].x.toFixed(1)} ${points[i].y.toFixed(1)}`;
  }
  return text;
}

function describeState(chain: ReportChain, state: ReportState, s: number): Markup {
  const leading = chain.transitions
    .filter(({ from }) => from === s)
    .sort((a, b) => b.probability - a.probability)
    .map(
      ({ to, probability }) =>
        html`<li>${probabilityText(probability)} to ${to === s ? 'itself' : chain.states[to].name}</li>`,
    );
  const { notDrawn } = state;
  const more = notDrawn
    ? html`<p>${notDrawn.transitions} rarer ${notDrawn.transitions === 1 ? 'transition is' : 'transitions are'} not drawn, with a probability of ${probabilityText(notDrawn.probability)} together.</p>`
    : '';
  const risk = state.risk
    ? html`<p>Risk ${boundsText(state.risk)}; left ${state.draws} times in the data.</p>`
    : '';
  const breaking = state.breaking ? html`<p>The rule is ${BREAKING}; the risk is that of the rest.</p>` : '';
  return html`<template data-card="${s}"><h3>${state.name}</h3><p>${state.words}</p>${risk}${breaking}${leading.length > 0 ? html`<ul>${leading}</ul>` : ''}${more}</template>
`;
}

function boundsText({ lower, upper }: NonNullable<ReportState['risk']>): string {
  const digits = (bound: number): number => digitsFor(bound, BOUND_DIGITS);
  return `between ${downward(lower, digits(lower))} and ${upward(upper, digits(upper))}`;
}

/** Transitions that break the rule are written last, so that nothing covers them. */
function onTop<T>(drawn: readonly T[], transitions: ReportChain['transitions']): T[] {
  const breaks = (e: number): boolean => transitions[e].carries === 'violation';
  return [...drawn.filter((_, e) => !breaks(e)), ...drawn.filter((_, e) => breaks(e))];
}

/** States how many transitions there are, and how many are left out. */
function whatIsDrawn({ states, transitions }: ReportChain): string {
  const leftOut = states.reduce((sum, { notDrawn }) => sum + (notDrawn?.transitions ?? 0), 0);
  const all = transitions.length + leftOut;
  if (leftOut === 0) return `all ${all} transitions are drawn`;
  return `${transitions.length} of ${all} transitions are drawn; ${leftOut} are left out, each below a probability of 0.001: none of them leads to a state in which the rule is broken whatever came before, nor is among the few that carry most of what comes to a state, or make most of its risk`;
}

function legend({ threshold, states }: ReportChain): Markup {
  const steps = [0, 0.25, 0.5, 0.75, 1];
  const boxes = steps.map(
    (risk) =>
      html`<span class="swatch" style="background:${riskColour(risk)};color:${riskInk(risk)}">${risk}</span>`,
  );
  const some = states.some(({ breaking }) => breaking)
    ? html`<span><b class="ring some"></b> the rule is ${BREAKING}</span>`
    : '';
  const line = threshold === null ? '' : html`<span>threshold ${threshold}</span>`;
  return html`<div class="legend"><span>risk</span>${boxes}<span class="swatch hatched">no data</span><span><b class="ring"></b> the rule is broken, whatever came before</span>${some}<span>↻ stays</span><span><b class="breaks"></b> leads to where it is broken, whatever came before</span><span>faint: to the end, or below ${labelFrom} with nothing that rests on it</span>${line}</div>`;
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
