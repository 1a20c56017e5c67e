import { InvalidArgumentError } from '../../../base/errors.js';
import { planPrompt, planSchema, type SchemaDialect } from '../../../proofs/workflow/index.js';
import type { Outcome } from '../terminal.js';
import { loadContracts } from './load.js';

interface SchemaChoices {
  readonly contracts: string;
  readonly form: 'flat' | 'nested' | 'code';
  readonly dialect?: SchemaDialect;
  readonly prompt?: boolean;
}

/** `foreguard workflow schema`: what a model's structured output, or its prompt, needs to write plans over these tools. */
export async function workflowSchema({
  contracts: path,
  form,
  dialect,
  prompt,
}: SchemaChoices): Promise<Outcome> {
  if (prompt && dialect !== undefined)
    throw new InvalidArgumentError(
      '--prompt writes no schema, so it takes no --dialect; leave one of them out',
    );
  const contracts = await loadContracts(path);
  if (prompt) {
    const text = planPrompt(contracts, { form });
    return { json: { prompt: text }, text: text.trimEnd(), isCode: true };
  }
  if (form === 'code')
    throw new InvalidArgumentError(
      'code has no JSON schema; give --prompt as well, or --form flat or nested',
    );
  const schema = planSchema(contracts, { form, ...(dialect && { dialect }) });
  return { json: schema, text: JSON.stringify(schema, null, 2), isCode: true };
}
