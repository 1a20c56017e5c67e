import { type RuleRiskTable, riskTable } from '../risk/index.js';
import { loadModel, loadSpecification } from './load.js';
import { parseHorizons, parsePrecision } from './numbers.js';
import { type Outcome, Progress, type Terminal, table } from './terminal.js';

interface RiskCommandOptions {
  readonly spec: string;
  readonly model: string;
  readonly precision: string;
  readonly horizons?: string;
}

/** `foreguard risk`: the risk of every rule in every state, worst first. */
export async function risk(options: RiskCommandOptions, terminal: Terminal): Promise<Outcome> {
  const specification = await loadSpecification(options.spec);
  const model = await loadModel(options.model);
  const horizons = parseHorizons(options.horizons);
  const progress = new Progress(terminal);
  const risks = riskTable(specification, model, {
    precision: parsePrecision(options.precision),
    horizons,
    onProgress: ({ fraction }) => progress.show(() => `${(100 * fraction).toFixed(0)}% of states solved`),
  });
  progress.clear();
  return { json: risks, text: risks.rules.map((rule) => describeRule(rule, horizons)).join('\n\n') };
}

function describeRule(
  { name, formula, horizonSteps, start, entries }: RuleRiskTable,
  horizons: readonly number[],
): string {
  const within = horizonSteps === null ? '' : `, within ${horizonSteps} steps`;
  // With a window the same state may be open in several ways, at different risks: the automaton's state tells them apart.
  const open = new Set(
    entries.filter(({ verdict }) => verdict === 'open').map(({ automatonState }) => automatonState),
  );
  const history = open.size > 1;
  const rows = entries.map(
    ({ lower, upper, draws, verdict, automatonState, description, horizons: bounds }) => [
      upper.toFixed(4),
      lower.toFixed(4),
      ...horizons.map((steps) => bounds?.[steps].upper.toFixed(4) ?? ''),
      draws === 0 ? 'unknown' : String(draws),
      verdict,
      ...(history ? [String(automatonState)] : []),
      description,
    ],
  );
  const header = [
    'risk',
    'at least',
    ...horizons.map((steps) => `in ${steps}`),
    'seen',
    'verdict',
    ...(history ? ['automaton'] : []),
    'state',
  ];
  return [
    `${name}: ${formula}${within}`,
    `before the first step: ${start.lower.toFixed(4)} to ${start.upper.toFixed(4)}`,
    table(header, rows),
  ].join('\n');
}
