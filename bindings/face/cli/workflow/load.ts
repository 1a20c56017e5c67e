import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InvalidArgumentError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import { loadRegexEngine } from '../../../languages/expression/index.js';
import { type Contracts, readContracts } from '../../../proofs/contract/index.js';
import { readGoal, type VerifyOptions } from '../../../proofs/planProof/index.js';
import { type Json, type Plan, readPlan } from '../../../proofs/workflow/index.js';
import { readText } from '../inputs.js';

/** Reads contracts, and the lists of tools that they name, which lie beside the file. */
export async function loadContracts(path: string): Promise<Contracts> {
  const text = await readText(path, 'contracts, YAML or JSON');
  await loadRegexEngine();
  return readContracts(text, {
    source: path,
    readFile: (beside) => readFileSync(resolve(dirname(path), beside), 'utf8'),
  });
}

/** Reads a plan: JSON, or code, which is parsed and not run. */
export async function loadPlan(path: string, contracts: Contracts): Promise<Plan> {
  const text = await readText(path, 'a plan, as JSON or code');
  if (!/\.[cm]?[jt]s$/.test(path)) return readPlan(text, { source: path });
  const { lowerCode } = await import('../../../proofs/workflow/code/index.js');
  return lowerCode(text, contracts, { source: path });
}

/** What verifying takes beside plan and contracts, as files and words of a command line. */
export interface ProvingChoices {
  readonly plan: string;
  readonly contracts: string;
  readonly goal?: string;
  readonly inputs?: string;
  readonly label?: 'trusted' | 'untrusted';
  readonly words?: string;
}

/** @throws InvalidArgumentError for files that are not JSON, and words of a trusted author, which would change nothing */
export async function loadProof({
  plan: path,
  contracts: file,
  goal,
  inputs,
  label = 'trusted',
  words,
}: ProvingChoices): Promise<{
  readonly plan: Plan;
  readonly contracts: Contracts;
  readonly options: VerifyOptions;
}> {
  if (words !== undefined && label === 'trusted')
    throw new InvalidArgumentError('--words is for --label untrusted: a trusted author may say anything');
  const contracts = await loadContracts(file);
  const plan = await loadPlan(path, contracts);
  return {
    plan,
    contracts,
    options: {
      goal: goal === undefined ? null : readGoal(await json(goal), contracts),
      inputs: inputs === undefined ? {} : record(await json(inputs), inputs),
      label: { integrity: label, ...(words !== undefined && { words }) },
    },
  };
}

async function json(path: string): Promise<unknown> {
  const text = await readText(path, 'JSON');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(
      `${path} is not JSON (${(error as Error).message}); expected a JSON object`,
    );
  }
}

function record(value: unknown, path: string): Readonly<Record<string, Json>> {
  if (isObject(value)) return value as Readonly<Record<string, Json>>;
  throw new InvalidArgumentError(`${path} holds no record; expected { "NAME": VALUE }`);
}
