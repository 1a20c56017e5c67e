// Draws one drive of this example twice, without and with the guard: the risk over time, as docs/picture.svg shows it.
// Run it with: npm run build && node examples/driving-guard/picture.mjs > docs/picture.svg
import { readFileSync } from 'node:fs';
import { Abstraction, compileGuard, learn, parseSpecification } from 'foreguard';
import { loadGuard } from 'foreguard/guard';
import { createDrive, driveTrace, drivingScenarios } from 'foreguard-worlds';

const SEED = 1004;
const SECONDS = 20;
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 320, 52, 24, 58, 46];

const specification = parseSpecification(readFileSync(new URL('vehicle.yaml', import.meta.url), 'utf8'));
const scenario = drivingScenarios.find(({ name }) => name === 'red-light-in-snow');
const traces = Array.from({ length: 500 }, (_, seed) => driveTrace(scenario, { seed }));
const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
const guard = await loadGuard(compileGuard(specification, model));
// The specification says how safe it is to be, at least.
const threshold = 1 - guard.file.rules[0].levels[0].threshold.value;

const free = drive(false);
const guarded = drive(true);

process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#333">
<title>The risk of running a red light along one simulated drive, without and with a guard</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${LEFT}" y="22" font-size="15" font-weight="600">The probability that this drive will run the red light, at every step</text>
<text x="${LEFT}" y="41" fill="#666">drive ${SEED} of a simulated vehicle in snow; learnt from 500 others</text>
${[0, 0.25, 0.5, 0.75, 1].map((risk) => `<path d="M${LEFT} ${y(risk)}H${WIDTH - RIGHT}" stroke="#e4e4e4"/><text x="${LEFT - 8}" y="${y(risk) + 4}" text-anchor="end" fill="#666">${risk}</text>`).join('\n')}
${[0, 5, 10, 15, 20].map((time) => `<text x="${x(time)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="#666">${time} s</text>`).join('\n')}
<path d="M${LEFT} ${y(threshold)}H${WIDTH - RIGHT}" stroke="#b36b00" stroke-dasharray="5 4"/>
<text x="${LEFT + 6}" y="${y(threshold) - 6}" fill="#b36b00">threshold ${threshold.toFixed(1)}</text>
<path d="${line(free.risks)}" fill="none" stroke="#c22" stroke-width="2"/>
<path d="${line(guarded.risks)}" fill="none" stroke="#1565c0" stroke-width="2"/>
<circle cx="${x(guarded.brakes)}" cy="${y(threshold)}" r="4.5" fill="#1565c0"/>
<text x="${x(guarded.brakes) - 10}" y="${y(0.56)}" text-anchor="end" fill="#1565c0">the guard brakes at ${guarded.brakes} s</text>
<path d="M${x(guarded.brakes) - 8} ${y(0.54)}L${x(guarded.brakes) - 1} ${y(threshold) - 7}" stroke="#1565c0"/>
<circle cx="${x(free.broken)}" cy="${y(1)}" r="4.5" fill="#c22"/>
<text x="${x(free.broken) - 12}" y="${y(0.93)}" text-anchor="end" fill="#c22">unguarded, it runs the light at ${free.broken} s</text>
<text x="${WIDTH - RIGHT}" y="${y(0.07)}" text-anchor="end" fill="#1565c0">guarded, it keeps the rule to its end</text>
</svg>
`);

/** One drive: the risk per step, when the guard first brakes, and when the rule is broken, if it is. */
function drive(braking) {
  const world = createDrive(scenario, { seed: SEED });
  const risks = [];
  let brakes = null;
  guard.reset();
  do {
    const answer = guard.step(world.state, { time: world.time });
    if (world.time <= SECONDS)
      risks.push({ time: world.time, risk: guard.rules[0].violated ? 1 : answer.risk });
    if (answer.action === 'brake') {
      brakes ??= world.time;
      if (braking) world.brake();
    }
  } while (!guard.rules[0].violated && world.step());
  if (braking && guard.rules[0].violated) throw new Error('the guarded drive breaks the rule');
  return { risks, brakes, broken: guard.rules[0].violated ? world.time : null };
}

function x(time) {
  return Math.round((LEFT + ((WIDTH - LEFT - RIGHT) * time) / SECONDS) * 10) / 10;
}

function y(risk) {
  return Math.round((HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * risk) * 10) / 10;
}

/** Steps, of which each keeps its risk until the next. */
function line(points) {
  return points
    .flatMap(({ time, risk }, i) => {
      if (i > 0 && risk === points[i - 1].risk && i < points.length - 1) return [];
      return i === 0 ? `M${x(time)} ${y(risk)}` : `H${x(time)}V${y(risk)}`;
    })
    .join('');
}
