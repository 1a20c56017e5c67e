import { NotSupportedError, ParseError } from '../../../base/errors.js';
import { refuseUnknownOptions, requireText } from '../../../base/suggest.js';
import type { Place } from '../../expression/index.js';
import type { ConstantDeclaration, FormulaDeclaration, LabelDeclaration } from './declarations.js';
import type { PrismExpression } from './expression.js';
import { readExpression } from './parseExpression.js';
import { readConstant, readFormulaDeclaration, readLabel } from './readDeclarations.js';
import { PrismReader } from './reader.js';
import type { Scope } from './scope.js';

/** One property of a file. */
export interface Property {
  /** The name given as `"name": …`; null if there is none. */
  readonly name: string | null;
  readonly expression: PrismExpression;
  /** The source text, without trailing comments. */
  readonly text: string;
  readonly place: Place;
}

/** A property or declaration that cannot be read. */
export interface InvalidProperty {
  /** The given name; null if there is none that can be read. */
  readonly name: string | null;
  readonly text: string;
  readonly place: Place;
  readonly error: ParseError | NotSupportedError;
}

/** The content of a property file. */
export interface PropertyFile {
  readonly constants: readonly ConstantDeclaration[];
  readonly formulas: readonly FormulaDeclaration[];
  readonly labels: readonly LabelDeclaration[];
  readonly properties: readonly Property[];
  /** The skipped items, in order; empty unless `skipInvalid` is set. */
  readonly invalid: readonly InvalidProperty[];
  /** The text that places refer to, for messages. */
  readonly text: Scope['text'];
}

/**
 * Parses properties in PRISM's syntax: one or more, each terminated by `;` or by the next property, with constants, formulas, labels, names
 * and comments. A property may refer to another one as `"name"`.
 *
 * @param source The text of a property or of a file
 * @param options `name` is the name of the text in messages. With `skipInvalid`, items that cannot be read are skipped and listed in
 * `invalid`; by default, the error is thrown
 * @throws ParseError with line, column, the line itself and a caret
 * @source PRISM manual, "Property Specification"
 */
export function parseProperties(
  source: string,
  options: { name?: string; skipInvalid?: boolean } = {},
): PropertyFile {
  refuseUnknownOptions('parseProperties', options, { name: true, skipInvalid: true });
  requireText('parseProperties', source);
  const { name = 'properties', skipInvalid = false } = options;
  const reader = new PrismReader(source, name, skipInvalid);
  const constants: ConstantDeclaration[] = [];
  const formulas: FormulaDeclaration[] = [];
  const labels: LabelDeclaration[] = [];
  const properties: Property[] = [];
  const invalid: InvalidProperty[] = [];
  const names = new Set<string>();
  const readItem = (): void => {
    if (reader.atWord('const', 'rate', 'prob')) constants.push(readConstant(reader));
    else if (reader.atWord('formula')) formulas.push(readFormulaDeclaration(reader));
    else if (reader.atWord('label')) labels.push(readLabel(reader, true));
    else {
      const property = parseProperty(reader, source);
      if (property.name !== null && names.has(property.name)) {
        throw reader.errorAt(
          property.place,
          `there are two properties named "${property.name}"`,
          'another name',
        );
      }
      if (reader.token.kind !== 'end' && !reader.at(';') && !reader.atItem()) {
        throw reader.unexpected("an operator or ';'");
      }
      if (property.name !== null) names.add(property.name);
      properties.push(property);
    }
  };
  while (reader.token.kind !== 'end') {
    if (reader.take(';')) continue;
    const { place } = reader.token;
    try {
      readItem();
    } catch (error) {
      if (!skipInvalid || !(error instanceof ParseError || error instanceof NotSupportedError)) throw error;
      reader.skipItem(place);
      const [, name = null, text] =
        /^(?:"([^"\n]*)"\s*:)?\s*([\s\S]*?)\s*$/.exec(source.slice(place.offset, reader.end)) ?? [];
      invalid.push({ name, text, place, error });
    }
  }
  return { constants, formulas, labels, properties, invalid, text: { source, name } };
}

function parseProperty(reader: PrismReader, source: string): Property {
  const { kind, text, place } = reader.token;
  const next = reader.ahead(1);
  let name: string | null = null;
  if (kind === 'quoted' && next.kind === 'symbol' && next.text === ':') {
    name = text;
    reader.advance();
    reader.advance();
  }
  const start = reader.token.place.offset;
  const expression = readExpression(reader, true);
  return { name, expression, text: source.slice(start, reader.end).trim(), place };
}
