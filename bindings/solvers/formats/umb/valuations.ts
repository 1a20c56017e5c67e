import { fractionToDouble } from '../../../base/fraction.js';
import type { Valuations, VariableValue } from '../../model/index.js';
import type { UmbArchive } from './archive.js';
import { BitReader, BitWriter } from './bits.js';
import { encodeStrings } from './encode.js';
import type { UmbPadding, UmbType, UmbVariable } from './indexFile.js';
import type { TarEntry } from './tar.js';

type Variable = Valuations['variables'][number];

/**
 * Decodes the variables of an entity kind, e.g. `states`. An absent value of an optional variable becomes false, 0 or the empty
 * string, with a warning.
 *
 * @returns undefined, with a warning, if valuations have several classes, so that not every state has every variable
 * @throws InvalidModelError if sizes disagree, or a value does not fit
 */
export function readValuations(
  archive: UmbArchive,
  entity: string,
  count: number,
  warnings: string[],
): Valuations | undefined {
  const description = archive.index.valuations.get(entity);
  if (!description) return undefined;
  const folder = `valuations/${entity}`;
  if (description.classes.length !== 1) {
    warnings.push(
      `the valuations of ${entity} have ${description.classes.length} classes; they were left out`,
    );
    return undefined;
  }
  const layout = description.classes[0].variables;
  const bits = layout.reduce((sum, field) => sum + fieldBits(field), 0);
  const file = `${folder}/valuations.bin`;
  if (bits % 8 !== 0)
    throw archive.error(file, `has ${bits} bits a valuation by index.json; expected a multiple of 8`);
  const reader = new BitReader(archive.bytes(file, (bits / 8) * count));
  const strings = description['#strings'] > 0 ? archive.strings(folder, description['#strings']) : [];
  const variables = layout.filter(isVariable);
  const absent = variables.map(() => 0);
  const values = variables.map(() => new Array<VariableValue>(count));
  for (let entry = 0; entry < count; entry++) {
    let v = 0;
    for (const field of layout) {
      if (!isVariable(field)) {
        reader.at += field.padding;
        continue;
      }
      // The bit before the value tells whether it is present.
      if (!field['is-optional'] || reader.uint(1) === 1) {
        values[v++][entry] = readValue(reader, field, strings, archive, file);
      } else {
        reader.at += field.type.size;
        absent[v]++;
        values[v++][entry] = ABSENT[modelType(field.type)];
      }
    }
  }
  variables.forEach(({ name, type }, v) => {
    if (absent[v] === 0) return;
    const value = JSON.stringify(ABSENT[modelType(type)]);
    warnings.push(
      `variable "${name}" has no value in ${absent[v]} of ${count} ${entity}; ${value} was put there`,
    );
  });
  return { variables: variables.map(({ name, type }) => ({ name, type: modelType(type) })), values };
}

/** More valuations than this are not declared unique, because comparing them would take more memory than the model. */
const MAX_COMPARED = 1_000_000;

/** Substitutes for the absent value of an optional variable. */
const ABSENT = { bool: false, int: 0, double: 0, string: '' } as const;

function isVariable(field: UmbPadding | UmbVariable): field is UmbVariable {
  return 'name' in field;
}

function fieldBits(field: UmbPadding | UmbVariable): number {
  return isVariable(field) ? field.type.size + (field['is-optional'] ? 1 : 0) : field.padding;
}

function modelType({ type }: UmbType): Variable['type'] {
  if (type === 'bool' || type === 'string') return type;
  return type === 'int' || type === 'uint' ? 'int' : 'double';
}

function readValue(
  reader: BitReader,
  { name, type: { type, size }, offset }: UmbVariable,
  strings: readonly string[],
  archive: UmbArchive,
  file: string,
): VariableValue {
  const fits =
    type === 'double' || type === 'string' ? size === 64 : type === 'rational' ? size % 2 === 0 : true;
  if (!fits) throw archive.error(file, `cannot hold variable "${name}": ${type} with ${size} bits`);
  switch (type) {
    case 'bool':
      return size <= 32 ? reader.uint(size) !== 0 : reader.bigUint(size) !== 0n;
    case 'double':
      return reader.double();
    case 'string': {
      const index = reader.bigUint(size);
      if (index < strings.length) return strings[Number(index)];
      throw archive.error(file, `gives variable "${name}" string ${index} of ${strings.length}`);
    }
    case 'int':
    case 'uint': {
      if (type === 'uint' && size <= 32) return reader.uint(size) + offset;
      const unsigned = reader.bigUint(size);
      const value = (type === 'int' ? BigInt.asIntN(size, unsigned) : unsigned) + BigInt(offset);
      if (Number.isSafeInteger(Number(value))) return Number(value);
      throw archive.error(
        file,
        `gives variable "${name}" the value ${value}; integers beyond 2^53 are not supported`,
      );
    }
    case 'rational': {
      const numerator = BigInt.asIntN(size / 2, reader.bigUint(size / 2));
      const denominator = reader.bigUint(size / 2);
      if (denominator !== 0n) return fractionToDouble(numerator, denominator);
      throw archive.error(file, `gives variable "${name}" the value ${numerator}/0`);
    }
    default:
      throw archive.error(file, `gives variable "${name}" the type ${type}, which variables must not have`);
  }
}

/** A variable's place in a valuation; `write` stores a value there. */
interface Field {
  readonly bits: number;
  readonly description: object;
  readonly write: (writer: BitWriter, value: VariableValue) => void;
}

/**
 * Encodes the variables of `count` entities, each packed as tightly as its values allow, padded to whole bytes.
 *
 * @returns their description for index.json, and their files
 */
export function writeValuations(
  { variables, values }: Valuations,
  count: number,
  entity: string,
): { description: object; files: TarEntry[] } {
  const strings = new Map<string, number>();
  const fields = variables.map((variable, v) => fieldOf(variable, values[v], strings));
  const bits = fields.reduce((sum, field) => sum + field.bits, 0);
  const padding = (8 - (bits % 8)) % 8;
  const size = (bits + padding) / 8;
  const writer = new BitWriter(new Uint8Array(size * count));
  for (let entry = 0; entry < count; entry++) {
    fields.forEach((field, v) => {
      field.write(writer, values[v][entry]);
    });
    writer.at += padding;
  }
  const folder = `valuations/${entity}`;
  const files: TarEntry[] = [[`${folder}/valuations.bin`, writer.bytes]];
  if (strings.size > 0) {
    const encoded = encodeStrings([...strings.keys()]);
    files.push([`${folder}/string-mapping.bin`, encoded.mapping], [`${folder}/strings.bin`, encoded.strings]);
  }
  const layout = fields.map(({ description }) => description);
  if (padding > 0) layout.push({ padding });
  const description = {
    unique: count <= MAX_COMPARED && allDiffer(writer.bytes, size, count),
    ...(strings.size > 0 && { '#strings': strings.size }),
    classes: [{ variables: layout }],
  };
  return { description, files };
}

function fieldOf(
  { name, type }: Variable,
  values: ArrayLike<VariableValue>,
  strings: Map<string, number>,
): Field {
  switch (type) {
    case 'bool':
      return {
        bits: 1,
        description: variable(name, 'bool', 1),
        write: (writer, value) => writer.uint(value ? 1 : 0, 1),
      };
    case 'double':
      return {
        bits: 64,
        description: variable(name, 'double', 64),
        write: (writer, value) => writer.double(value as number),
      };
    case 'string':
      for (const value of Array.from(values as ArrayLike<string>))
        if (!strings.has(value)) strings.set(value, strings.size);
      return {
        bits: 64,
        description: variable(name, 'string', 64),
        write: (writer, value) => {
          writer.uint(strings.get(value as string)!, 32);
          writer.at += 32;
        },
      };
    case 'int':
      return intField(name, values as ArrayLike<number>);
  }
}

/** The fewest bits that the values need, with a sign only if a value is negative. */
function intField(name: string, values: ArrayLike<number>): Field {
  let least = 0;
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    least = Math.min(least, values[i]);
    largest = Math.max(largest, values[i]);
  }
  const magnitude = Math.max(largest, -least - 1).toString(2).length;
  if (least >= 0) {
    return {
      bits: magnitude,
      description: variable(name, 'uint', magnitude),
      write: (writer, value) => writer.uint(value as number, magnitude),
    };
  }
  // Beyond 52 bits, two's complement would leave the safe integers.
  const bits = magnitude < 52 ? magnitude + 1 : 64;
  return {
    bits,
    description: variable(name, 'int', bits),
    write: (writer, value) =>
      bits === 64
        ? writer.int64(value as number)
        : writer.uint(((value as number) + 2 ** bits) % 2 ** bits, bits),
  };
}

function variable(name: string, type: UmbType['type'], size: number): { name: string; type: UmbType } {
  return { name, type: { type, size } };
}

function allDiffer(bytes: Uint8Array, size: number, count: number): boolean {
  const seen = new Set<string>();
  for (let entry = 0; entry < count; entry++) {
    seen.add(String.fromCharCode(...bytes.subarray(entry * size, (entry + 1) * size)));
    if (seen.size <= entry) return false;
  }
  return true;
}
