// Makes the first changes of docs/changing.md, in memory, and compares what TypeScript reports with the files that the page marks. It checks all of bindings/, which
// takes a quarter of a minute: so it is a step of .ci/run, and test/changing.test.ts tests the rest of the page.
//
//   node scripts/changing.mjs
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The page's tasks, each with its title in the first line. */
export const sections = readFileSync(`${root}docs/changing.md`, 'utf8').split('\n## ').slice(1);

/** The first change of each task that TypeScript follows up: what is written in place of what, in which file. */
export const firstChanges = [
  {
    task: 'A strategy',
    file: 'runtime/guard/strategy.ts',
    edits: [
      [/severity = \{/, '$& added: 3,'],
      [/ STRATEGIES = \[/, "$&'added',"],
    ],
  },
  {
    task: 'A trace format',
    file: 'observations/trace/traceFormat.ts',
    edits: [[/TRACE_FORMATS = \[/, "$&'added',"]],
  },
  {
    task: 'A temporal operator',
    file: 'languages/logic/formula.ts',
    edits: [
      [/TemporalUnary =/, "$& 'Added' |"],
      [/TemporalBinary =/, "$& 'Added' |"],
    ],
  },
  {
    task: 'A property operator',
    file: 'languages/logic/prism/expression.ts',
    edits: [
      [/export type PropertyOperator =/, "$& | { readonly kind: 'added'; readonly place: Place }"],
      [/export type TemporalExpression =/, "$& | { readonly kind: 'addedToPaths'; readonly place: Place }"],
    ],
  },
  {
    task: 'A solver method',
    file: 'solvers/kernel/types/options.ts',
    edits: [[/SOLVE_METHODS = \[/, "$&'added', "]],
  },
  {
    task: 'A field of guard.json',
    file: 'runtime/guard/guardFile.ts',
    edits: [[/readonly onUnknown:/, 'readonly added: number; $&']],
  },
  {
    task: 'A field of guard.json',
    file: 'rules/specification/specification.ts',
    edits: [[/readonly onUnknown:/, 'readonly added: number; $&']],
  },
  {
    task: 'A field of the audit log',
    file: 'runtime/enforcement/record.ts',
    edits: [[/readonly wouldDecide: Decision;/, '$& readonly added: number;']],
  },
  {
    task: 'A predicate function',
    file: 'languages/expression/functions.ts',
    edits: [
      [/ FunctionName =/, "$& 'added'"],
      [/ TextFunctionName =/, "$& 'addedToTexts'"],
    ],
  },
];

/**
 * Files that a section names, and those of them that it marks as reported by TypeScript.
 *
 * @param {string} section
 * @returns {{ files: string[], reported: string[] }}
 */
export function namedIn(section) {
  const found = [...section.matchAll(/`([\w./-]+\.(?:ts|json|md)|assembly\/\w+)`( \*)?/g)];
  const last = (i) => found.slice(0, i).findLast(([, path]) => path.includes('/'))?.[1] ?? '';
  const files = found.map(([, path], i) => {
    // A bare name stands beside the file named before it.
    if (path.includes('/') || existsSync(`${root}${path}`)) return path;
    return `${last(i).split('/').slice(0, -1).join('/')}/${path}`;
  });
  return { files, reported: files.filter((_, i) => found[i][2] !== undefined) };
}

/** The file that the page names, in the checkout or in bindings/; empty if there is none. */
export function pathOf(file) {
  return ['', 'bindings/'].map((folder) => `${root}${folder}${file}`).find(existsSync) ?? '';
}

/** The text of each file after its first changes, by path. @throws Error if a change has no place */
export function changedFiles() {
  return new Map(
    firstChanges.map(({ task, file, edits }) => {
      let text = readFileSync(pathOf(file), 'utf8');
      for (const [before, after] of edits) {
        if (!before.test(text))
          throw new Error(`${task}: ${file} has no ${before}; mend scripts/changing.mjs`);
        text = text.replace(before, after);
      }
      return [pathOf(file), text];
    }),
  );
}

/** The files that TypeScript reports once all first changes are made. */
async function reportedFiles() {
  const { default: ts } = await import('typescript');
  const changed = changedFiles();
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { readFile } = host;
  host.readFile = (name) => changed.get(name) ?? readFile(name);
  host.getSourceFile = (name, version) => {
    const text = host.readFile(name);
    return text === undefined ? undefined : ts.createSourceFile(name, text, version);
  };
  const sources = fileNames.filter((name) => name.startsWith(`${root}bindings/`));
  const program = ts.createProgram(sources, { ...options, noEmit: true }, host);
  return new Set(program.getSemanticDiagnostics().map(({ file }) => file?.fileName ?? ''));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const marked = new Set(sections.flatMap((section) => namedIn(section).reported.map(pathOf)));
  const reported = await reportedFiles();
  const wrong = [
    ...[...reported]
      .filter((path) => !marked.has(path))
      .map((path) => `does not mark ${path}, which TypeScript reports`),
    ...[...marked]
      .filter((path) => !reported.has(path))
      .map((path) => `marks ${path}, which TypeScript does not report`),
  ];
  for (const what of wrong) console.error(`docs/changing.md ${what.replace(root, '')}`);
  if (wrong.length === 0)
    console.log(`docs/changing.md marks the ${marked.size} files that TypeScript reports`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
