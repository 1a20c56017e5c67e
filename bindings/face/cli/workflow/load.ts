import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadRegexEngine } from '../../../languages/expression/index.js';
import { type Contracts, readContracts } from '../../../proofs/contract/index.js';
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
