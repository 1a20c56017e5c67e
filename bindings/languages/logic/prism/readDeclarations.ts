import type { Place } from '../../expression/index.js';
import type { ConstantDeclaration, FormulaDeclaration, LabelDeclaration } from './declarations.js';
import type { PrismType } from './expression.js';
import { prismKeywords, readExpression } from './parseExpression.js';
import type { PrismReader } from './reader.js';

const types: readonly string[] = ['bool', 'int', 'double'] satisfies PrismType[];

/** Reads a newly declared name, which must not be a keyword. */
export function readNewName(reader: PrismReader, what: string): { name: string; place: Place } {
  const { text, place } = reader.token;
  if (reader.token.kind === 'identifier' && prismKeywords.has(text)) {
    throw reader.error(`'${text}' is a word of the language`, `another name for ${what}`);
  }
  reader.expectIdentifier(`the name of ${what}`);
  return { name: text, place };
}

/** Reads a declaration after `const` (or its older spellings `rate` and `prob`): an optional type (default int), a name, and an optional value. */
export function readConstant(reader: PrismReader): ConstantDeclaration {
  const older = reader.atWord('rate', 'prob');
  reader.advance();
  let type: PrismType = older ? 'double' : 'int';
  if (reader.token.kind === 'identifier' && types.includes(reader.token.text)) {
    type = reader.advance().text as PrismType;
  }
  const { name, place } = readNewName(reader, 'a constant');
  const value = reader.take('=') ? readExpression(reader, false) : null;
  reader.expect(';');
  return { name, type, value, place };
}

/** Reads a formula declaration, from `formula` to the semicolon. */
export function readFormulaDeclaration(reader: PrismReader): FormulaDeclaration {
  reader.expectWord('formula');
  const { name, place } = readNewName(reader, 'a formula');
  reader.expect('=');
  const expression = readExpression(reader, false);
  reader.expect(';');
  return { name, expression, place };
}

/** Reads a label declaration, from `label` to the semicolon; `properties` allows other labels and operators in it. */
export function readLabel(reader: PrismReader, properties: boolean): LabelDeclaration {
  reader.expectWord('label');
  const { text, kind, place } = reader.token;
  if (kind !== 'quoted') throw reader.unexpected('the name of a label, in double quotes');
  reader.advance();
  reader.expect('=');
  const expression = readExpression(reader, properties);
  reader.expect(';');
  return { name: text, expression, place };
}
