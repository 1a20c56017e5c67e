import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const sections = readFileSync(`${root}docs/changing.md`, 'utf8').split('\n## ').slice(1);

/** The first change of a task: what is written in place of what, in which file. */
interface FirstChange {
  readonly task: string;
  readonly file: string;
  readonly edits: readonly (readonly [RegExp, string])[];
}

/** Those that TypeScript follows up. */
const firstChanges: readonly FirstChange[] = [
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

/** Files that a section names, and those of them that TypeScript reports. */
function named(section: string): { files: string[]; reported: string[] } {
  const found = [...section.matchAll(/`([\w./-]+\.(?:ts|json|md)|assembly\/\w+)`( \*)?/g)];
  const last = (i: number) => found.slice(0, i).findLast(([, path]) => path.includes('/'))?.[1] ?? '';
  const full = found.map(([, path], i) => {
    // A bare name stands beside the file named before it.
    if (path.includes('/') || existsSync(`${root}${path}`)) return path;
    return `${last(i).split('/').slice(0, -1).join('/')}/${path}`;
  });
  return {
    files: full,
    reported: full.filter((_, i) => found[i][2] !== undefined),
  };
}

const pathOf = (file: string): string =>
  ['', 'bindings/'].map((folder) => `${root}${folder}${file}`).find(existsSync) ?? '';

describe('docs/changing.md', () => {
  it('has the ten tasks', () => expect(sections).toHaveLength(10));

  it.each(sections.map((section) => [section.split('\n')[0], section] as const))(
    'names files for "%s" that there are',
    (_, section) => {
      const files = named(section).files.filter((file) => !/\/[A-Z]+\.ts$/.test(file));
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter((file) => pathOf(file) === '')).toEqual([]);
    },
  );

  it('marks the files that TypeScript reports after the first change', () => {
    const changed = new Map<string, string>();
    for (const { file, edits } of firstChanges) {
      let text = readFileSync(pathOf(file), 'utf8');
      for (const [before, after] of edits) {
        expect(text, file).toMatch(before);
        text = text.replace(before, after);
      }
      changed.set(pathOf(file), text);
    }
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
    const reported = program.getSemanticDiagnostics().map(({ file }) => file?.fileName ?? '');
    const marked = sections.flatMap((section) => named(section).reported.map(pathOf));
    expect([...new Set(reported)].sort()).toEqual([...new Set(marked)].sort());
  });
});
