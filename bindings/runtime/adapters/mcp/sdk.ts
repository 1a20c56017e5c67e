import { NotSupportedError } from '../../../base/errors.js';
import type { CompileSchema } from './toolCatalogue.js';
import { OutOfTime, withinTime } from './withinTime.js';

interface Validation {
  readonly AjvJsonSchemaValidator: new () => {
    getValidator(
      schema: object,
    ): (value: unknown) => { readonly valid: boolean; readonly errorMessage: string | undefined };
  };
}

/**
 * Loads a module of the protocol's SDK by a name that bundlers cannot see: programs that do not use the protocol need not install it.
 * @throws NotSupportedError that says how to install it
 */
export async function loadSdk<Module>(path: string): Promise<Module> {
  const name = `@modelcontextprotocol/sdk/${path}`;
  try {
    return await import(/* @vite-ignore */ name);
  } catch (cause) {
    throw new NotSupportedError(
      'the Model Context Protocol is implemented by the package @modelcontextprotocol/sdk, which is not installed: npm install @modelcontextprotocol/sdk',
      { cause },
    );
  }
}

/** Milliseconds that the check of one call may take. */
const MOST_MS = 1000;
/** What of a schema may take long to check: patterns that try many ways to match, and comparisons of all elements with each other. */
const MAY_TAKE_LONG = /"(?:pattern|patternProperties|format|uniqueItems)":/;

/** Loads the validators that the SDK's own clients and servers use. A server's pattern and an agent's text together may take for ever: that is given up. */
export async function loadSchemaCompiler(): Promise<CompileSchema> {
  const { AjvJsonSchemaValidator } = await loadSdk<Validation>('validation/ajv');
  return (schema) => {
    // One validator per schema: a shared one confuses two schemas of the same `$id`.
    const validate = new AjvJsonSchemaValidator().getValidator(schema);
    const complaint = (value: unknown): string | null => {
      const { valid, errorMessage = 'they do not fit its schema' } = validate(value);
      return valid ? null : errorMessage;
    };
    if (!MAY_TAKE_LONG.test(JSON.stringify(schema))) return complaint;
    return (value) => {
      try {
        return withinTime(MOST_MS, () => complaint(value));
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error;
        return `checking them against the schema of the tool took more than ${MOST_MS} ms; expected shorter arguments, or a schema whose patterns have one way to match`;
      }
    };
  };
}
