import { NotSupportedError } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { FLAT_FIELDS } from './flat.js';
import type { ToolTypes } from './toolTypes.js';

/** What models of different providers take as a schema of their answers. */
export type SchemaDialect = 'json-schema' | 'openai-strict' | 'gemini';

/** Options of the schema of plans. */
export interface PlanSchemaOptions {
  /** `flat` (default): blocks of steps, which every dialect can describe. `nested`: steps within steps, in `json-schema` alone. */
  readonly form?: 'flat' | 'nested';
  /** Default `json-schema` (draft 2020-12). `openai-strict`: all fields required, no open records. `gemini`: its part of OpenAPI, without references. */
  readonly dialect?: SchemaDialect;
}

type Schema = { readonly [keyword: string]: unknown };

/**
 * The JSON Schema of plans over these tools, for structured output: a step that calls a tool has a variant for each tool with the names of its arguments, so that no
 * other tool or argument can be written. `readPlan` reads what fits it.
 *
 * @param tools null: tools and arguments of any name
 * @throws NotSupportedError for the nested form in a dialect without recursion
 */
export function planSchema(
  tools: ToolTypes | null,
  options: PlanSchemaOptions = {},
): Record<string, unknown> {
  refuseUnknownOptions('planSchema', options, { form: true, dialect: true });
  const { form = 'flat', dialect = 'json-schema' } = options;
  if (form === 'flat') return new FlatSchema(tools, dialect).plan();
  if (dialect === 'json-schema') return nestedSchema(tools);
  throw new NotSupportedError(
    `the nested form needs recursion, which ${dialect} does not have; use form: 'flat'`,
  );
}

const NAME: Schema = { type: 'string', description: 'a new name: letters, digits, _' };
const EXPRESSION = 'an expression over names: size(mails) > 0 && mail.from.endsWith("@home.example")';

/** The flat form: no recursion, no open records, every field required. */
class FlatSchema {
  readonly #tools: ToolTypes | null;
  readonly #dialect: SchemaDialect;

  constructor(tools: ToolTypes | null, dialect: SchemaDialect) {
    this.#tools = tools;
    this.#dialect = dialect;
  }

  plan(): Record<string, unknown> {
    const steps = this.#shared('step', this.#steps());
    const block = this.#record({
      id: text('the name of the block; the first block is the plan'),
      steps: list(steps),
    });
    const value = this.#record({ id: text('the name of the value'), value: this.#value() });
    const whole = this.#record({
      goal: text('what the plan is for'),
      blocks: list(block),
      values: list(
        value,
        'lists, records and templates that stand within other values; empty if there are none',
      ),
    });
    const definitions = { atom: this.#atoms(), value: this.#values(), step: this.#steps() };
    if (this.#dialect === 'gemini') return whole;
    const draft =
      this.#dialect === 'json-schema' ? { $schema: 'https://json-schema.org/draft/2020-12/schema' } : {};
    return { ...draft, ...whole, $defs: definitions };
  }

  /** A reference to a definition; the definition itself in a dialect without references. */
  #shared(name: string, schema: Schema): Schema {
    return this.#dialect === 'gemini' ? schema : { $ref: `#/$defs/${name}` };
  }

  #record(fields: Readonly<Record<string, Schema>>): Schema {
    const required = Object.keys(fields);
    const closed =
      this.#dialect === 'gemini' ? { propertyOrdering: required } : { additionalProperties: false };
    return { type: 'object', properties: fields, required, ...closed };
  }

  #nullable(schema: Schema): Schema {
    if (this.#dialect === 'gemini') return { ...schema, nullable: true };
    return typeof schema.type === 'string' && schema.enum === undefined
      ? { ...schema, type: [schema.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] };
  }

  #kind(kind: string, fields: Readonly<Record<string, Schema>>): Schema {
    return this.#record({ kind: oneOf([kind]), ...fields });
  }

  #atom(): Schema {
    return this.#shared('atom', this.#atoms());
  }

  #value(): Schema {
    return this.#shared('value', this.#values());
  }

  /** Values without others in them. */
  #atomVariants(): Schema[] {
    return [
      this.#kind('text', { text: { type: 'string' } }),
      this.#kind('number', { number: { type: 'number' } }),
      this.#kind('boolean', { boolean: { type: 'boolean' } }),
      this.#kind('null', {}),
      this.#kind('json', { json: text('a literal list or record, as JSON') }),
      this.#kind('reference', {
        name: text('a name that an earlier step gave'),
        path: list(
          { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          'fields, and positions from 0; empty for the whole',
        ),
      }),
      this.#kind('expression', { expression: text(EXPRESSION) }),
      this.#kind('value', { value: text('the id of one of values') }),
    ];
  }

  #atoms(): Schema {
    return { anyOf: this.#atomVariants() };
  }

  #values(): Schema {
    const named = this.#record({ name: { type: 'string' }, value: this.#atom() });
    return {
      anyOf: [
        ...this.#atomVariants(),
        this.#kind('list', { of: list(this.#atom()) }),
        this.#kind('record', { fields: list(named) }),
        this.#kind('template', { of: list(this.#atom(), 'texts and numbers, one behind another') }),
      ],
    };
  }

  #steps(): Schema {
    const calls =
      this.#tools === null
        ? [this.#call(text('the name of a tool'), { type: 'string' })]
        : Array.from(this.#tools.tools, ([name, tool]) => {
            const names = [...tool.arguments.keys()];
            return this.#call(oneOf([name]), names.length > 0 ? oneOf(names) : null);
          });
    const others = Object.keys(FLAT_FIELDS).filter((kind) => kind !== 'call');
    return { anyOf: [...calls, ...others.map((kind) => this.#step(kind, this.#fields(kind)))] };
  }

  #step(kind: string, fields: Readonly<Record<string, Schema>>): Schema {
    const note = this.#nullable(text('why, for people'));
    return this.#record({
      id: text('a short id, different in each step'),
      kind: oneOf([kind]),
      note,
      ...fields,
    });
  }

  #call(tool: Schema, name: Schema | null): Schema {
    // A tool without arguments has an empty list, of which no dialect can say that it stays empty.
    const named = this.#record({ name: name ?? { type: 'string' }, value: this.#value() });
    const none = name === null ? 'empty: the tool takes no arguments' : 'each argument once';
    const fields = {
      tool,
      arguments: list(named, none),
      as: this.#nullable(NAME),
      onError: this.#nullable(oneOf(['skip'])),
    };
    return this.#step('call', fields);
  }

  #fields(kind: string): Readonly<Record<string, Schema>> {
    const value = this.#value();
    const block = text('the id of a block that nothing else names');
    const named = (parts: Readonly<Record<string, Schema>>) =>
      this.#nullable(list(this.#record({ name: NAME, ...parts })));
    const loop = { in: value, item: NAME, do: block };
    switch (kind) {
      case 'ask':
        return {
          question: text('what a model without tools is asked'),
          about: list(value),
          schema: text('the JSON Schema of the answer, as text'),
          as: NAME,
        };
      case 'let':
        return { as: NAME, value };
      case 'if':
        return {
          condition: text(EXPRESSION),
          then: block,
          else: this.#nullable(block),
          yields: named({ then: value, else: value }),
        };
      case 'forEach':
        return { ...loop, atMost: this.#nullable({ type: 'integer' }), collect: named({ value }) };
      case 'fold':
        return { ...loop, from: value, accumulator: NAME, next: value, as: NAME };
      case 'require':
        return { condition: text(EXPRESSION), otherwise: text('what to say if it does not hold') };
      default:
        return { value };
    }
  }
}

function text(description: string): Schema {
  return { type: 'string', description };
}

function oneOf(values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

function list(items: Schema, description?: string): Schema {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

/** The nested form. */
function nestedSchema(tools: ToolTypes | null): Record<string, unknown> {
  const value: Schema = { $ref: '#/$defs/value' };
  const steps = list({ $ref: '#/$defs/step' });
  const expression = text(EXPRESSION);
  const values: Schema = { type: 'object', additionalProperties: value };
  const step = (fields: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => {
    const head = { id: text('a short id, different in each step'), note: text('why, for people') };
    return { type: 'object', properties: { ...head, ...fields }, required, additionalProperties: false };
  };
  const call = (tool: Schema, given: Schema, needsArguments: boolean): Schema =>
    step(
      { call: tool, with: given, as: NAME, onError: oneOf(['stop', 'skip']) },
      needsArguments ? ['call', 'with'] : ['call'],
    );
  const calls =
    tools === null
      ? [call(text('the name of a tool'), values, false)]
      : Array.from(tools.tools, ([name, tool]) => {
          const given = [...tool.arguments];
          const required = given.flatMap(([argument, { optional }]) => (optional ? [] : [argument]));
          const properties = Object.fromEntries(given.map(([argument]) => [argument, value]));
          const record = { type: 'object', properties, required, additionalProperties: false };
          return call(oneOf([name]), record, required.length > 0);
        });
  const only = (fields: Readonly<Record<string, Schema>>, required = Object.keys(fields)): Schema => ({
    type: 'object',
    properties: fields,
    required,
    additionalProperties: false,
  });
  const anything: Schema = { description: 'a JSON Schema, or a word such as email' };
  const pair: Schema = { type: 'array', items: value, minItems: 2, maxItems: 2 };
  const position: Schema = { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0 }] };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...only(
      {
        version: { const: 1 },
        goal: text('what the plan is for'),
        inputs: { type: 'object', additionalProperties: anything },
        steps,
      },
      ['goal', 'steps'],
    ),
    $defs: {
      value: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'], description: 'a literal' },
          only({ ref: NAME, path: list(position) }, ['ref']),
          only({ literal: {} }),
          only({ list: list(value) }),
          only({ record: values }),
          only({ text: list(value, 'texts and numbers, one behind another') }),
          only({ expr: expression }),
        ],
      },
      step: {
        anyOf: [
          ...calls,
          step(
            {
              ask: only({ question: { type: 'string' }, about: list(value), schema: anything }, [
                'question',
                'schema',
              ]),
              as: NAME,
            },
            ['ask', 'as'],
          ),
          step({ let: NAME, be: value }, ['let', 'be']),
          step(
            {
              if: expression,
              then: steps,
              else: steps,
              yields: { type: 'object', additionalProperties: pair },
            },
            ['if', 'then'],
          ),
          step(
            {
              forEach: value,
              item: NAME,
              atMost: { type: 'integer', minimum: 0 },
              do: steps,
              collect: values,
            },
            ['forEach', 'item', 'do'],
          ),
          step(
            { fold: value, item: NAME, from: value, accumulator: NAME, do: steps, next: value, as: NAME },
            ['fold', 'item', 'from', 'accumulator', 'do', 'next', 'as'],
          ),
          step({ require: expression, else: { type: 'string' } }, ['require', 'else']),
          step({ return: value }, ['return']),
        ],
      },
    },
  };
}
