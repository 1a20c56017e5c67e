/** The page's style sheet: light and dark, wide and narrow, on screen and on paper. */
export const style = /* @__PURE__ */ (() => `
:root{color-scheme:light dark;--paper:#fbfbfa;--surface:#fff;--ink:#1b1f24;--soft:#59626d;--line:#d8dce1;--accent:#1f5fa8;--broken:#a31426;--g0:#59626d;--g1:#a0522d;--g2:#1f5fa8;--g3:#1b7f5c;--g4:#7b4bb0}
@media (prefers-color-scheme:dark){:root{--paper:#14171b;--surface:#1c2126;--ink:#e8eaed;--soft:#a2abb6;--line:#363d45;--accent:#7fb2ee;--broken:#ff7b72;--g0:#a2abb6;--g1:#e0946a;--g2:#7fb2ee;--g3:#62c7a0;--g4:#bb96ea}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1120px;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.015em}
h2{font-size:1.25rem;margin:2.75rem 0 .4rem}
h3{font-size:1rem;margin:0 0 .25rem}
p{max-width:46rem;margin:.4rem 0}
.lead,.note{color:var(--soft)}
.facts{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0 0;padding:0}
.facts div{flex:1 1 9rem;background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem}
.facts dt{color:var(--soft);font-size:.82rem}
.facts dd{margin:0;font-size:1.3rem;font-weight:600;font-variant-numeric:tabular-nums}
figure{margin:1rem 0 0}
.canvas,.sheet{overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:10px}
.canvas svg{display:block;margin:0 auto}
.chain{--gap:1rem}
.state rect{stroke:var(--line);stroke-width:1.2}
.state text{text-anchor:middle;fill:var(--ink-here);pointer-events:none}
.state .name{font-size:13px;font-weight:600}
.state .words{font-size:10.5px}
.state .loop{font-weight:400;font-size:11px}
.state .ring{fill:none;stroke:var(--broken);stroke-width:2}
.state .ring.some{stroke-dasharray:5 4}
.state{cursor:pointer;outline:none}
.state:hover rect:not(.ring),.state:focus-visible rect:not(.ring),.state.chosen rect:not(.ring){stroke:var(--accent);stroke-width:3}
.transitions path{fill:none;stroke:var(--soft);stroke-width:calc(var(--weight)*1px);opacity:.8}
.transitions .rare{opacity:.22;stroke-dasharray:3 3}
.transitions .breaking{opacity:1;stroke:var(--broken);stroke-width:calc(max(1.6,var(--weight))*1px)}
.labels text{font-size:11px;text-anchor:middle;fill:var(--ink);paint-order:stroke;stroke:var(--surface);stroke-width:4px;font-variant-numeric:tabular-nums;pointer-events:none}
.labels .rare{opacity:0}
.labels .breaking{fill:var(--broken);font-weight:600}
.focused .transitions path,.focused .labels text{opacity:.07}
.focused .transitions .near{opacity:1;stroke:var(--accent)}
.focused .labels .near{opacity:1}
figcaption{display:grid;grid-template-columns:1fr;gap:.75rem;margin-top:.75rem}
.legend{display:flex;flex-wrap:wrap;align-items:center;gap:.35rem .8rem;font-size:.82rem;color:var(--soft)}
.swatch{display:inline-block;min-width:2.6rem;text-align:center;border-radius:4px;padding:.1rem .35rem;border:1px solid var(--line);font-variant-numeric:tabular-nums}
.legend .swatch{margin-right:-.55rem}
.hatched{background:repeating-linear-gradient(45deg,#e6e8eb 0 4px,#b6bcc4 4px 6px);color:#1b1f24;margin:0 .2rem 0 .5rem!important}
.legend .ring{display:inline-block;width:1.1rem;height:.85rem;border:2px solid var(--broken);border-radius:4px;vertical-align:-2px}
.legend .ring.some{border-style:dashed}
.legend .breaks{display:inline-block;width:1.3rem;border-top:2px solid var(--broken);vertical-align:4px}
.left-out{margin:0;font-size:.85rem;color:var(--soft)}
.card{min-height:6.5rem;border-left:3px solid var(--accent);background:var(--surface);padding:.6rem .9rem;border-radius:0 8px 8px 0;font-size:.92rem}
.card ul{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;list-style:none;margin:.3rem 0 0;padding:0;color:var(--soft);font-variant-numeric:tabular-nums}
.plot{display:block;width:100%;max-width:900px;margin:0 auto;height:auto}
.sheet .plot{padding:.75rem}
.axes path{stroke:var(--line);stroke-width:1}
.axes text{font-size:11.5px;fill:var(--soft);font-variant-numeric:tabular-nums}
.axes .title{font-size:12.5px;fill:var(--ink)}
.group{fill:none;stroke-width:1.5;stroke-dasharray:4 4;opacity:.55}
.plot .name{font-size:12.5px;fill:var(--ink);paint-order:stroke;stroke:var(--surface);stroke-width:4px}
.point .interval{stroke-width:1.6;fill:none;opacity:.75}
.point circle{stroke:var(--surface);stroke-width:1.5}
.point{outline:none}
.point:focus-visible circle{stroke:var(--ink);stroke-width:2.5}
${[0, 1, 2, 3, 4].map((g) => `.g${g} circle{fill:var(--g${g})}.g${g} .interval,.group.g${g}{stroke:var(--g${g})}`).join('')}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr));gap:1rem}
.plots figure{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:.6rem .8rem;break-inside:avoid}
.plots figcaption{gap:.1rem;margin:0 0 .3rem;font-size:.85rem;color:var(--soft)}
.plots figcaption strong{color:var(--ink);font-size:.95rem}
.keys{display:flex;flex-wrap:wrap;gap:.1rem .9rem}
.keys svg{width:.7rem;height:.7rem;margin-right:.3rem}
.diagonal{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 4;opacity:.8}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;color:var(--soft);padding:.6rem .8rem 0;font-size:.85rem}
th,td{padding:.42rem .8rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;white-space:nowrap}
tbody tr:last-child td,tbody tr:last-child th{border-bottom:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tbody th{font-weight:500}
.sheet{margin-top:.8rem}
footer{margin-top:3rem;color:var(--soft);font-size:.88rem;border-top:1px solid var(--line);padding-top:1rem}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media print{.card,.legend{break-inside:avoid}.canvas,.sheet{overflow:visible;border:0}}
`)();

/** Shows the card of the state under the pointer or in focus, and its incoming and outgoing transitions. */
export const script = `
const figure = document.querySelector('.chain'), card = document.getElementById('card'), idle = card.innerHTML;
const choose = (state) => {
  const s = state && state.dataset.state;
  figure.classList.toggle('focused', s !== null);
  figure.querySelectorAll('.chosen').forEach((other) => other.classList.remove('chosen'));
  figure.querySelectorAll('[data-from]').forEach((edge) =>
    edge.classList.toggle('near', edge.dataset.from === s || edge.dataset.to === s));
  if (s === null) { card.innerHTML = idle; return; }
  state.classList.add('chosen');
  card.replaceChildren(figure.querySelector('template[data-card="' + s + '"]').content.cloneNode(true));
};
for (const state of figure.querySelectorAll('.state')) {
  state.addEventListener('pointerenter', () => choose(state));
  state.addEventListener('focus', () => choose(state));
  state.addEventListener('blur', () => choose(null));
}
figure.querySelector('svg').addEventListener('pointerleave', () =>
  choose(document.activeElement && document.activeElement.closest('.state')));
`;
