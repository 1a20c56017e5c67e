import { flatPlan, planJson } from '../../../proofs/workflow/index.js';
import type { Outcome } from '../terminal.js';
import { loadContracts, loadPlan } from './load.js';

interface LowerChoices {
  readonly plan: string;
  readonly contracts: string;
  readonly flat?: boolean;
}

/** `foreguard workflow lower`: a plan that is written as code, as JSON. */
export async function workflowLower({ plan: path, contracts, flat }: LowerChoices): Promise<Outcome> {
  const plan = await loadPlan(path, await loadContracts(contracts));
  const json = flat ? flatPlan(plan) : planJson(plan);
  return { json, text: JSON.stringify(json, null, 2), isCode: true };
}
