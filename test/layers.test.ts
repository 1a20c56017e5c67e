import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const bindings = fileURLToPath(new URL('../bindings/', import.meta.url));

/** The storeys of `bindings/` from the ground up, and the folders of each: a folder imports from its own storey or from those below. */
const storeys: readonly (readonly [string, readonly string[]])[] = [
  ['base', ['storage', 'languageModel']],
  ['languages', ['expression', 'regular', 'inputs', 'policyScript', 'logic', 'automaton', 'english']],
  ['observations', ['trace', 'abstraction', 'effects']],
  [
    'solvers',
    ['kernel', 'model', 'formats', 'exploration', 'checker', 'recheck', 'decide', 'smt', 'symbolic', 'z3'],
  ],
  ['estimation', ['learning', 'pac']],
  ['runtime', ['policy', 'guard', 'explanation', 'agentspec', 'enforcement', 'extraction', 'adapters']],
  ['rules', ['specification', 'ruleSet', 'questions', 'risk', 'translate']],
  ['proofs', ['policyProof', 'synthesis', 'contract', 'workflow', 'planProof', 'execution']],
  ['study', ['evaluation', 'diagnosis', 'robustness', 'report']],
  ['face', ['entries', 'cli', 'node']],
];

/** Which folder may import which; the files of `base` are free to all. Change it only with docs/architecture.md. */
const allowed: Record<string, string[]> = {
  expression: [],
  regular: [],
  inputs: [],
  policyScript: ['expression', 'inputs'],
  recheck: ['expression', 'inputs'],
  decide: ['expression', 'regular', 'inputs', 'recheck'],
  policy: ['expression', 'inputs', 'decide'],
  extraction: ['languageModel', 'inputs', 'enforcement', 'policy'],
  synthesis: ['languageModel', 'expression', 'inputs', 'decide', 'specification', 'policy', 'policyProof'],
  policyProof: [
    'expression',
    'inputs',
    'logic',
    'automaton',
    'trace',
    'abstraction',
    'recheck',
    'decide',
    'smt',
    'symbolic',
    'model',
    'learning',
    'specification',
    'risk',
    'policy',
  ],
  contract: [
    'expression',
    'regular',
    'inputs',
    'logic',
    'automaton',
    'trace',
    'decide',
    'specification',
    'adapters',
  ],
  workflow: ['languageModel', 'expression', 'contract'],
  execution: ['languageModel', 'expression', 'guard', 'enforcement', 'contract', 'workflow', 'planProof'],
  planProof: ['expression', 'regular', 'inputs', 'logic', 'automaton', 'decide', 'contract', 'workflow'],
  smt: [],
  symbolic: ['expression', 'regular', 'inputs', 'decide', 'smt'],
  translate: ['languageModel', 'english', 'logic', 'automaton', 'ruleSet'],
  z3: ['smt'],
  trace: [],
  kernel: [],
  storage: [],
  languageModel: [],
  abstraction: ['expression', 'trace'],
  effects: ['expression', 'trace', 'abstraction'],
  model: ['kernel'],
  logic: ['expression'],
  automaton: ['logic'],
  english: ['expression', 'logic', 'automaton'],
  formats: ['kernel', 'model', 'logic'],
  exploration: ['formats', 'model', 'logic', 'kernel'],
  checker: ['kernel', 'model', 'logic', 'automaton'],
  learning: ['kernel', 'expression', 'trace', 'storage', 'abstraction', 'model'],
  pac: ['kernel', 'trace', 'model', 'abstraction', 'automaton', 'checker', 'learning'],
  guard: ['expression', 'policy', 'trace', 'abstraction', 'automaton'],
  explanation: ['expression', 'abstraction', 'effects', 'logic', 'automaton', 'english', 'guard'],
  specification: [
    'expression',
    'inputs',
    'policyScript',
    'policy',
    'trace',
    'abstraction',
    'effects',
    'logic',
    'automaton',
    'english',
    'explanation',
    'guard',
  ],
  ruleSet: ['expression', 'logic', 'automaton', 'abstraction', 'effects', 'explanation', 'specification'],
  questions: [
    'expression',
    'trace',
    'abstraction',
    'effects',
    'logic',
    'automaton',
    'english',
    'explanation',
    'guard',
    'enforcement',
    'specification',
    'ruleSet',
  ],
  robustness: ['expression', 'trace', 'logic'],
  risk: [
    'trace',
    'kernel',
    'model',
    'abstraction',
    'logic',
    'automaton',
    'checker',
    'learning',
    'pac',
    'specification',
    'guard',
  ],
  evaluation: [
    'trace',
    'abstraction',
    'model',
    'automaton',
    'learning',
    'explanation',
    'specification',
    'robustness',
    'risk',
    'guard',
  ],
  diagnosis: [
    'kernel',
    'expression',
    'trace',
    'abstraction',
    'logic',
    'automaton',
    'checker',
    'learning',
    'pac',
    'specification',
    'risk',
    'evaluation',
  ],
  report: ['trace', 'model', 'formats', 'learning', 'risk', 'evaluation'],
  agentspec: ['expression', 'guard'],
  enforcement: ['expression', 'trace', 'storage', 'guard', 'agentspec'],
  adapters: ['guard', 'trace', 'enforcement'],
  node: [
    'storage',
    'trace',
    'expression',
    'abstraction',
    'learning',
    'enforcement',
    'guard',
    'smt',
    'specification',
    'policyProof',
    'policyScript',
    'execution',
    'english',
  ],
  cli: [
    'abstraction',
    'adapters',
    'agentspec',
    'automaton',
    'checker',
    'diagnosis',
    'effects',
    'enforcement',
    'evaluation',
    'extraction',
    'exploration',
    'expression',
    'formats',
    'guard',
    'inputs',
    'kernel',
    'policy',
    'policyProof',
    'learning',
    'logic',
    'model',
    'node',
    'pac',
    'report',
    'risk',
    'robustness',
    'translate',
    'questions',
    'ruleSet',
    'smt',
    'specification',
    'storage',
    'trace',
    'z3',
    'languageModel',
    'synthesis',
    'contract',
    'execution',
    'planProof',
    'workflow',
    'explanation',
    'english',
  ],
};

/** The public face: it names what each entry of the package offers, from any folder, and nothing imports it. */
const FACE = 'entries';

const BASE = 'base';

interface Edge {
  file: string;
  from: string;
  to: string;
  specifier: string;
}

/** The folder in its storey; `base` of a file on the ground. */
function folderOf(file: string): string {
  const [storey, folder, ...rest] = relative(bindings, file).split('/');
  return rest.length === 0 ? storey : folder;
}

const files = readdirSync(bindings, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
  .map((file) => resolve(bindings, file));
const edges: Edge[] = [];
for (const file of files) {
  for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles) {
    if (!fileName.startsWith('.')) continue;
    const from = folderOf(file);
    const to = folderOf(resolve(dirname(file), fileName));
    if (from !== to) edges.push({ file: relative(bindings, file), from, to, specifier: fileName });
  }
}

describe('the layers', () => {
  it('are all known to the table', () => {
    const folders = new Set(files.map(folderOf));
    expect([...folders].filter((folder) => !(folder in allowed)).sort()).toEqual([BASE, FACE]);
    expect(edges.filter(({ to }) => to === FACE)).toEqual([]);
  });

  it('stand in their storeys, and import from none above', () => {
    const heights = new Map(
      storeys.flatMap(([storey, folders], height) => [storey, ...folders].map((name) => [name, height])),
    );
    const misplaced = files.filter((file) => {
      const [storey, folder, ...rest] = relative(bindings, file).split('/');
      const known = storeys.find(([name]) => name === storey)?.[1] ?? [];
      return rest.length === 0 ? storey !== BASE : !known.includes(folder);
    });
    expect(misplaced).toEqual([]);
    const height = (folder: string) => heights.get(folder) ?? Number.NaN;
    expect(edges.filter(({ from, to }) => !(height(to) <= height(from)))).toEqual([]);
  });

  it('import only what the table allows', () => {
    const inner = edges.filter(({ from, to }) => from in allowed && to !== BASE);
    expect(inner.length).toBeGreaterThan(10);
    expect(inner.filter(({ from, to }) => !allowed[from].includes(to))).toEqual([]);
  });

  it('are entered through their index, the kernel also by how it is loaded', () => {
    const inner = edges.filter(({ from, to }) => from in allowed && to in allowed);
    const entrance = /\/(index|kernel\/inline)\.js$/;
    expect(inner.filter(({ specifier }) => !entrance.test(specifier))).toEqual([]);
  });

  it('have no cycle', () => {
    const open = new Set<string>();
    const done = new Set<string>();
    const visit = (folder: string, path: string[]): void => {
      expect(open.has(folder), `cycle: ${[...path, folder].join(' → ')}`).toBe(false);
      if (done.has(folder)) return;
      open.add(folder);
      for (const next of new Set(edges.filter(({ from }) => from === folder).map(({ to }) => to)))
        visit(next, [...path, folder]);
      open.delete(folder);
      done.add(folder);
    };
    for (const folder of Object.keys(allowed)) visit(folder, []);
  });

  it('leave node to the command and the node subpath, and WebAssembly to the kernel', () => {
    for (const file of files) {
      const folder = folderOf(file);
      const source = readFileSync(file, 'utf8');
      const imported = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
      if (folder !== 'cli' && folder !== 'node') {
        expect(
          imported.filter((name) => name.startsWith('node:')),
          file,
        ).toEqual([]);
      }
      if (folder !== 'kernel')
        expect(/\bWebAssembly\./.test(source), `${file} touches WebAssembly`).toBe(false);
      expect(/\beval\(|new Function\(/.test(source), `${file} generates code`).toBe(false);
    }
  });
});
