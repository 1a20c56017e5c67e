import { InvalidArgumentError, type NotSupportedError, type ParseError } from '../../base/errors.js';
import { type Property, type PropertyFile, parseProperties } from '../../languages/logic/index.js';
import { readText } from './inputs.js';

/** Properties that share declarations, in the order written, including those that cannot be parsed. */
export interface AskedProperties {
  readonly file: PropertyFile;
  readonly asked: readonly AskedProperty[];
}

export interface AskedProperty {
  readonly name: string;
  readonly text: string;
  /** The property, or why it cannot be parsed. */
  readonly property: Property | ParseError | NotSupportedError;
}

/**
 * Reads the properties of the command line, each with its own declarations, then those of the file. A property without a name is named by
 * its place.
 *
 * @throws InvalidArgumentError if there is no property
 */
export async function readAsked({
  property: texts = [],
  properties: path,
}: {
  readonly property?: readonly string[];
  readonly properties?: string;
}): Promise<AskedProperties[]> {
  let before = 0;
  const found = texts.map((text, i) => {
    const part = asked(text, `property ${i + 1}`, (_, index) => `property ${before + index + 1}`);
    before += part.asked.length;
    return part;
  });
  if (path !== undefined)
    found.push(asked(await readText(path, 'properties'), path, (line) => `${path}:${line}`));
  if (found.every((part) => part.asked.length === 0)) {
    throw new InvalidArgumentError('no property to check: give --property TEXT or --properties FILE');
  }
  return found;
}

function asked(
  source: string,
  name: string,
  nameOf: (line: number, index: number) => string,
): AskedProperties {
  const file = parseProperties(source, { name, skipInvalid: true });
  const items = [
    ...file.properties.map((property) => ({ property, ...property })),
    ...file.invalid.map(({ error, ...item }) => ({ property: error, ...item })),
  ].sort((a, b) => a.place.offset - b.place.offset);
  return {
    file,
    asked: items.map(({ property, name: own, text, place }, index) => ({
      name: own ?? nameOf(place.line, index),
      text,
      property,
    })),
  };
}
