// Draws a drive from above, with the moment its law was broken: node examples/driving/draw.mjs [scenario] [seed]. Without a seed
// the first drive that breaks its law is drawn. Writes out/drive.svg.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Abstraction,
  bindAutomaton,
  buildAutomaton,
  deriveAbstraction,
  parseFormula,
  VIOLATED,
} from 'foreguard';
import { nodeStorage } from 'foreguard/node';
import { createDrive, drivingScenarios } from 'foreguard-worlds';

const LENGTH = 4.7;
const WIDTH = 2;
/** Metres drawn around the place where the law was broken. */
const AROUND = { x: 75, y: 32 };

const [name = 'left-turn', seed] = process.argv.slice(2);
const scenario = drivingScenarios.find((one) => one.name === name);
if (!scenario)
  throw new Error(`No scenario ${name}; there are ${drivingScenarios.map((one) => one.name).join(', ')}.`);

const { predicates, formulas } = deriveAbstraction([parseFormula(scenario.formula)]);
const abstraction = new Abstraction({ predicates });
const automaton = buildAutomaton(formulas[0], { samplingPeriod: 1 / scenario.hz });
const stepper = bindAutomaton(
  automaton,
  predicates.map((predicate) => predicate.name),
);

/** Where everybody is now. */
function snapshot(drive) {
  const { road, position, lateral, leaders, crossers, time } = drive.situation;
  const at = (place) => {
    road.place(place);
    return { x: road.x, y: road.y, cosine: road.cosine, sine: road.sine };
  };
  return {
    time,
    speed: drive.state.speed,
    ego: at({ position, lateral }),
    leaders: leaders.map((leader) => at({ position: leader.position, lateral: 0 })),
    crossers: crossers.map((one) => ({
      pedestrian: one.pedestrian,
      x: one.crossingX + one.directionX * one.offset,
      y: one.crossingY + one.directionY * one.offset,
      cosine: one.directionX,
      sine: one.directionY,
    })),
  };
}

/** A drive as snapshots, and which of them broke the law; -1 where none did. */
function record(drive) {
  const snapshots = [];
  const valuation = new Uint32Array(abstraction.words);
  let state = automaton.initial;
  let broken = -1;
  do {
    abstraction.encode(drive.state, {}, valuation);
    state = stepper.step(state, valuation);
    if (broken < 0 && automaton.verdict[state] === VIOLATED) broken = snapshots.length;
    snapshots.push(snapshot(drive));
  } while (drive.step());
  return { drive, snapshots, broken };
}

function firstBroken() {
  for (let next = 0; next < 1000; next++) {
    const recorded = record(createDrive(scenario, { seed: next }));
    if (recorded.broken >= 0) return recorded;
  }
  throw new Error(`None of a thousand drives of ${name} breaks its law.`);
}

/** y leads north in the world and down in a drawing. */
const round = (value) => value.toFixed(1);
const box = ({ x, y, cosine, sine }, style, ahead = 0) =>
  `<rect x="${-LENGTH + ahead}" y="${-WIDTH / 2}" width="${LENGTH}" height="${WIDTH}" rx="0.5" ${style} transform="translate(${round(x)} ${round(-y)}) rotate(${round((Math.atan2(-sine, cosine) * 180) / Math.PI)})"/>`;

function vehicles({ ego, leaders, crossers }, egoStyle, otherStyle) {
  return [
    ...leaders.map((leader) => box(leader, otherStyle)),
    ...crossers.map((one) =>
      one.pedestrian
        ? `<circle cx="${round(one.x)}" cy="${round(-one.y)}" r="0.4" ${otherStyle}/>`
        : box(one, otherStyle, LENGTH / 2),
    ),
    box(ego, egoStyle),
  ].join('\n');
}

function roads({ road }) {
  const { length, junction, lanes, crosswalk } = road;
  const grey = 'fill="#d9d9de"';
  const beyond = length + 100;
  const parts = [
    `<rect x="-100" y="${1.75 - 3.5 * (lanes + 1)}" width="${beyond + 100}" height="${3.5 * (lanes + 1)}" ${grey}/>`,
  ];
  const marking = (x1, y1, x2, y2) =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#fff" stroke-width="0.25" stroke-dasharray="3 3"/>`;
  for (let lane = 0; lane < lanes; lane++)
    parts.push(marking(-100, -1.75 - 3.5 * lane, beyond, -1.75 - 3.5 * lane));
  if (Number.isFinite(junction)) {
    const middle = junction + 8;
    parts.push(`<rect x="${middle - 3.5}" y="-200" width="7" height="400" ${grey}/>`);
    parts.push(marking(middle, -200, middle, -9), marking(middle, 9, middle, 200));
    parts.push(`<rect x="${junction}" y="-9.75" width="16" height="16" ${grey}/>`);
    parts.push(`<rect x="${road.stopLine}" y="-1.75" width="0.4" height="3.5" fill="#fff"/>`);
  }
  if (Number.isFinite(crosswalk)) {
    for (let y = -5; y < 1.75; y += 1)
      parts.push(`<rect x="${crosswalk - 1.5}" y="${y}" width="3" height="0.5" fill="#fff"/>`);
  }
  return parts.join('\n');
}

function draw({ drive, snapshots, broken }) {
  const moment = snapshots[broken < 0 ? snapshots.length - 1 : broken];
  const left = moment.ego.x - AROUND.x * 1.3;
  const top = -moment.ego.y - AROUND.y;
  const track = snapshots.map(({ ego }) => `${round(ego.x)},${round(-ego.y)}`).join(' ');
  const trail = snapshots.filter((_, i) => i % drive.hz === 0 && i < snapshots.indexOf(moment));
  const said = broken < 0 ? 'kept' : `broken at ${moment.time.toFixed(1)} s, at ${round(moment.speed)} km/h`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${round(left)} ${round(top)} ${AROUND.x * 2} ${AROUND.y * 2}" width="1200" font-family="sans-serif">
<rect x="${round(left)}" y="${round(top)}" width="${AROUND.x * 2}" height="${AROUND.y * 2}" fill="#eef2ea"/>
${roads(drive.situation)}
<polyline points="${track}" fill="none" stroke="#2563a8" stroke-width="0.3" opacity="0.6"/>
${trail.map((one) => vehicles(one, 'fill="#2563a8" opacity="0.18"', 'fill="#555" opacity="0.07"')).join('\n')}
${vehicles(moment, 'fill="#2563a8"', 'fill="#555"')}
${broken < 0 ? '' : `<circle cx="${round(moment.ego.x)}" cy="${round(-moment.ego.y)}" r="5" fill="none" stroke="#c0392b" stroke-width="0.5"/>`}
<text x="${round(left + 2)}" y="${round(top + 4)}" font-size="3">${scenario.name}, seed ${drive.options.seed}: law ${scenario.law} ${said}</text>
<text x="${round(left + 2)}" y="${round(top + 8)}" font-size="2.2" fill="#444">ego vehicle blue, others grey; faint: once a second before</text>
</svg>
`;
}

const recorded = seed === undefined ? firstBroken() : record(createDrive(scenario, { seed: Number(seed) }));
const path = fileURLToPath(new URL('../../out/drive.svg', import.meta.url));
mkdirSync(fileURLToPath(new URL('../../out', import.meta.url)), { recursive: true });
await nodeStorage.write(path, draw(recorded));
console.log(`Wrote out/drive.svg: ${name}, seed ${recorded.drive.options.seed}.`);
