import { planPrompt, planSchema, type SchemaDialect } from '../../../proofs/workflow/index.js';
import type { Outcome } from '../terminal.js';
import { loadContracts } from './load.js';

interface SchemaChoices {
  readonly contracts: string;
  readonly form: 'flat' | 'nested';
  readonly dialect: SchemaDialect;
  readonly prompt?: boolean;
}

/** `foreguard workflow schema`: what a model's structured output, or its prompt, needs to write plans over these tools. */
export async function workflowSchema({
  contracts: path,
  form,
  dialect,
  prompt,
}: SchemaChoices): Promise<Outcome> {
  const contracts = await loadContracts(path);
  if (prompt) {
    const text = planPrompt(contracts, { form });
    return { json: { prompt: text }, text: text.trimEnd(), isCode: true };
  }
  const schema = planSchema(contracts, { form, dialect });
  return { json: schema, text: JSON.stringify(schema, null, 2), isCode: true };
}
