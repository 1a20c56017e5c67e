// What every runtime must be able to do with the built package: solve with certified bounds, learn, compile a guard, step
// it. Returns what was seen as text, the same everywhere.
import * as foreguard from 'foreguard';
import { checkProperty, dtmcFromRows } from 'foreguard/check';
import { loadGuard } from 'foreguard/guard';

const specificationText = `
version: 1
predicates:
  hot: 'temperature > 80'
  burnt: 'temperature > 100'
rules:
  neverBurnt: { formula: 'G !burnt', threshold: 0.3 }
learning: { smoothing: 0 }
`;

/** Half of the runs that get hot burn. */
function* traces() {
  for (let run = 0; run < 40; run++) {
    const temperatures = run % 4 === 0 ? [20, 90, 120] : run % 4 === 1 ? [20, 90, 40] : [20, 40];
    yield {
      id: `run${run}`,
      complete: true,
      steps: temperatures.map((temperature) => ({ state: { temperature } })),
    };
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

export async function run() {
  const { Abstraction, compileGuard, learn, parseFormula, parseSpecification } = foreguard;
  const chain = dtmcFromRows(
    [
      [[0, 1]],
      [
        [0, 0.5],
        [2, 0.5],
      ],
      [
        [1, 0.5],
        [3, 0.5],
      ],
      [[3, 1]],
    ],
    { initial: [1], labels: { ruin: [0] } },
  );
  const { lower, upper } = checkProperty(chain, parseFormula('P=? [ F "ruin" ]'));
  expect(lower <= 2 / 3 && 2 / 3 <= upper && upper - lower < 2e-6, `${lower}..${upper} does not bracket 2/3`);

  const specification = parseSpecification(specificationText, { source: 'program' });
  const { model } = await learn(new Abstraction(specification.abstraction), traces(), specification.learning);
  const guard = await loadGuard(JSON.stringify(compileGuard(specification, model)));
  const decisions = [20, 90].map((temperature) => guard.step({ temperature }).decision);
  expect(decisions.join() === 'allow,stop', `decisions ${decisions}`);
  return `${lower.toFixed(6)} ${decisions}`;
}
