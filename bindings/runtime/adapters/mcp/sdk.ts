import { NotSupportedError } from '../../../base/errors.js';
import type { CompileSchema } from './toolCatalogue.js';

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

/** Loads the validators that the SDK's own clients and servers use. */
export async function loadSchemaCompiler(): Promise<CompileSchema> {
  const { AjvJsonSchemaValidator } = await loadSdk<Validation>('validation/ajv');
  return (schema) => {
    // One validator per schema: a shared one confuses two schemas of the same `$id`.
    const validate = new AjvJsonSchemaValidator().getValidator(schema);
    return (value) => {
      const { valid, errorMessage = 'they do not fit its schema' } = validate(value);
      return valid ? null : errorMessage;
    };
  };
}
