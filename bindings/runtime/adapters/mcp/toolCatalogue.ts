import { messageOf } from './message.js';
import { McpRequestError, type Peer } from './peer.js';

/** Describes the fault of a value, or returns null. */
export type Validator = (value: unknown) => string | null;

/** Makes a validator of a JSON schema. @throws any error, if the schema is invalid */
export type CompileSchema = (schema: object) => Validator;

interface Tool {
  readonly schema: unknown;
  readonly hasOutputSchema: boolean;
  readonly isReadOnly: boolean;
  /** Made when the tool is first called: most tools are not. */
  validator?: Validator;
}

/** Maximum number of pages of a server's tool list. */
const MAX_PAGES = 1000;
const TIMEOUT_MS = 60_000;

/** The tools that a server lists, with validators of their arguments. */
export class ToolCatalogue {
  readonly #server: Peer;
  readonly #compile: CompileSchema;
  #tools: ReadonlyMap<string, Tool> = new Map();

  constructor(server: Peer, compile: CompileSchema) {
    this.#server = server;
    this.#compile = compile;
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Asks the server for its tools. @throws McpRequestError if it does not answer; the earlier list then remains */
  async list(): Promise<void> {
    const tools = new Map<string, Tool>();
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const result = await this.#server.request('tools/list', cursor === undefined ? {} : { cursor }, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      for (const tool of Array.isArray(result.tools) ? result.tools : []) {
        if (typeof tool?.name !== 'string') continue;
        tools.set(tool.name, {
          schema: tool.inputSchema,
          hasOutputSchema: tool.outputSchema !== undefined,
          isReadOnly: tool.annotations?.readOnlyHint === true && !tools.has(tool.name),
        });
      }
      cursor = result.nextCursor;
      if (cursor === undefined || cursor === null || cursor === '') {
        this.#tools = tools;
        return;
      }
    }
    throw new McpRequestError(`the list of tools does not end after ${MAX_PAGES} pages`);
  }

  /** Whether the tool has an output schema. */
  hasOutputSchema(name: string): boolean {
    return this.#tools.get(name)?.hasOutputSchema ?? false;
  }

  /** Whether the server says that the tool changes nothing. A tool that is listed twice is what its last entry says, and never read-only. */
  isReadOnly(name: string): boolean {
    return this.#tools.get(name)?.isReadOnly ?? false;
  }

  /** Describes in a sentence the fault of arguments for a tool; null if they are valid. */
  fault(name: string, args: unknown): string | null {
    const tool = this.#tools.get(name);
    if (tool === undefined) return 'the server does not list this tool any more';
    tool.validator ??= this.#validatorOf(tool.schema);
    return tool.validator(args);
  }

  #validatorOf(schema: unknown): Validator {
    if (typeof schema !== 'object' || schema === null) return () => 'its tool has no schema of arguments';
    try {
      return this.#compile(schema);
    } catch (error) {
      const why = `the schema of its tool's arguments cannot be read: ${messageOf(error)}`;
      return () => why;
    }
  }
}
