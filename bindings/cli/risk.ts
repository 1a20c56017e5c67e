import { riskTable } from '../risk/index.js';
import { loadModel, loadSpecification } from './load.js';
import { parsePrecision } from './precision.js';
import { formatNumber, type Outcome, table } from './terminal.js';

interface RiskCommandOptions {
  readonly spec: string;
  readonly model: string;
  readonly precision: string;
}

/** `foreguard risk`: the risk of every rule in every state, worst first. */
export async function risk(options: RiskCommandOptions): Promise<Outcome> {
  const specification = await loadSpecification(options.spec);
  const model = await loadModel(options.model);
  const risks = riskTable(specification, model, { precision: parsePrecision(options.precision) });
  return { json: risks, text: JSON.stringify(risks) };
}
