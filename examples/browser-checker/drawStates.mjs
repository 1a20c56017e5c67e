const MOST_STATES = 20;
const RADIUS = 24;

/** The states of a small model on a circle, as SVG, without moves to themselves; of larger ones, that they are not drawn. */
export function drawStates({ model, variables }) {
  const { states, initial, rowStart, columns } = model;
  if (states > MOST_STATES) return `<p>Not drawn: ${states} states, more than ${MOST_STATES}.</p>`;
  const size = Math.max(220, states * 48);
  const place = Array.from({ length: states }, (_, s) => {
    const angle = (2 * Math.PI * s) / states - Math.PI / 2;
    const reach = size / 2 - 2 * RADIUS;
    return [size / 2 + reach * Math.cos(angle), size / 2 + reach * Math.sin(angle)];
  });
  const values = new Float64Array(variables.variables.length);
  const circles = place.map(([x, y], s) => {
    variables.read(s, values);
    const kind = initial.includes(s) ? ' class="initial"' : '';
    return `<circle${kind} cx="${x}" cy="${y}" r="${RADIUS}"/><text x="${x}" y="${y + 4}">${[...values].join(',')}</text>`;
  });
  // One line for all choices that lead from one state to another, with the probability of each.
  const edges = new Map();
  let loops = 0;
  const groups = model.rowGroupStart ?? Array.from({ length: states + 1 }, (_, s) => s);
  for (let s = 0; s < states; s++)
    for (let row = groups[s]; row < groups[s + 1]; row++)
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++)
        if (columns[e] === s) loops++;
        else {
          const edge = edges.get(`${s}>${columns[e]}`) ?? { from: s, to: columns[e], probabilities: [] };
          edge.probabilities.push(written(model, e));
          edges.set(`${s}>${columns[e]}`, edge);
        }
  const lines = [...edges.values()].map(({ from, to, probabilities }) =>
    line(place[from], place[to], probabilities.join(' or ')),
  );
  return `<svg width="${size}" viewBox="0 0 ${size} ${size}" role="img" aria-label="${states} states">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#667"/></marker></defs>
${lines.join('')}${circles.join('')}</svg>${loops > 0 ? `<p>Not drawn: ${loops} transitions from a state to itself.</p>` : ''}`;
}

/** Three digits, but never 1 for what is less; of an interval both ends. */
function written({ values, lower, upper }, e) {
  const short = (p) => (Number(p.toPrecision(3)) === 1 ? p : Number(p.toPrecision(3)));
  return values ? String(short(values[e])) : `[${short(lower[e])}, ${short(upper[e])}]`;
}

/** An arrow bent to its right, so that the one back can be told apart. */
function line([x, y], [toX, toY], label) {
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const [bendX, bendY] = [(x + toX) / 2 - dy * 18, (y + toY) / 2 + dx * 18];
  return `<path d="M${x + dx * RADIUS} ${y + dy * RADIUS}Q${bendX} ${bendY} ${toX - dx * RADIUS} ${toY - dy * RADIUS}" marker-end="url(#tip)"/><text x="${bendX}" y="${bendY}">${label}</text>`;
}
