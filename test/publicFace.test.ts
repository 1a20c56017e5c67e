import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { FUNCTION_NAMES } from '../bindings/languages/expression/functions.js';
import { script } from './script.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${root}docs/api.md`, 'utf8');
const { publicEntries } = await script('publicNames.mjs');
const entries: { name: string; source: string }[] = publicEntries();

/** Values that an entry names, in its own file or in the list that it exports; a star elsewhere is refused. */
function valuesOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier, isTypeOnly } = statement;
      if (isTypeOnly) return [];
      if (exportClause === undefined) {
        const from = (moduleSpecifier as ts.StringLiteral).text;
        expect(from, path).toMatch(/^\.\/lists\/\w+\.js$/);
        return valuesOf(fileURLToPath(new URL(from.replace(/js$/, 'ts'), `file://${path}`)));
      }
      return (exportClause as ts.NamedExports).elements
        .filter((element) => !element.isTypeOnly)
        .map(({ name }) => name.text);
    }
    // Adapters are entries themselves.
    const exported = ts.canHaveModifiers(statement)
      ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      : false;
    if (!exported || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return [];
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      return [statement.name?.text ?? ''];
    return ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.map(({ name }) => name.getText(file))
      : [];
  });
}

/** What docs/api.md says of an entry: its section, or the row of an adapter. */
function told(name: string): string {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
  return row ?? page.split(`\n## \`${name}\`\n`)[1]?.split('\n## ')[0] ?? '';
}

describe('docs/api.md', () => {
  it.each(entries.map(({ name, source }) => [name, source] as const))(
    'lists all values of %s',
    (name, source) => {
      const values = valuesOf(source);
      expect(values.length).toBeGreaterThan(0);
      const missing = values.filter((value) => !told(name).includes(`\`${value}\``));
      expect(missing).toEqual([]);
    },
  );

  it('lists about as many values as a person can survey', () => {
    // Functions of the expression language are surveyed on its page.
    const ofLanguage: readonly string[] = FUNCTION_NAMES;
    const values = new Set(entries.flatMap(({ source }) => valuesOf(source)));
    for (const name of ofLanguage) values.delete(name);
    expect(values.size).toBeLessThanOrEqual(238);
  });
});

it('exports each schema under the name that is its $id', () => {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  for (const file of readdirSync(`${root}schema`)) {
    expect(exports[`./${file}`], file).toBe(`./schema/${file}`);
    expect(JSON.parse(readFileSync(`${root}schema/${file}`, 'utf8')).$id, file).toMatch(
      new RegExp(`${file}$`),
    );
  }
});
