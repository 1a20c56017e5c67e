import type { Schema } from '../../languages/expression/index.js';
import type { InputType, RecordType } from '../../languages/inputs/index.js';

/** The type of an input as expressions see it. */
export function schemaOf(type: InputType | RecordType): Schema {
  switch (type.kind) {
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'list':
      return [schemaOf(type.of)];
    case 'record':
      return Object.fromEntries(
        Object.entries(type.fields).map(([name, field]) => [name, schemaOf(field.type)]),
      );
    default:
      return 'string';
  }
}
