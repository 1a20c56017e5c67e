import { messageOf } from './message.js';
import { McpRequestError, type Peer } from './peer.js';
import { type ToolChange, type ToolDefinition, ToolPins } from './toolPins.js';

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

/** Options of a catalogue. */
export interface CatalogueOptions {
  readonly compile: CompileSchema;
  /** The definitions that tools are to have, by their names; default: those that are listed until `keep`. */
  readonly pins?: ReadonlyMap<string, ToolDefinition>;
  /** Called with the definitions of the first list, which is kept, if none were given. */
  readonly onPinned?: (pins: ReadonlyMap<string, ToolDefinition>) => void;
  readonly onNote: (text: string) => void;
}

/** The tools that a server lists, with validators of their arguments. A tool whose definition is not the pinned one may not be called. */
export class ToolCatalogue {
  readonly #server: Peer;
  readonly #options: CatalogueOptions;
  readonly #pins: ToolPins;
  #isPinned: boolean;
  #tools: ReadonlyMap<string, Tool> = new Map();

  constructor(server: Peer, options: CatalogueOptions) {
    this.#server = server;
    this.#options = options;
    this.#pins = new ToolPins(options.pins);
    this.#isPinned = options.pins !== undefined;
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Asks the server for its tools. @throws McpRequestError if it does not answer; the earlier list then remains */
  async list(): Promise<void> {
    const tools = new Map<string, Tool>();
    for (const tool of await toolPages(this.#server)) {
      this.see(tool);
      tools.set(tool.name, {
        schema: tool.inputSchema,
        hasOutputSchema: tool.outputSchema !== undefined,
        isReadOnly: isReadOnly(tool) && !tools.has(tool.name),
      });
    }
    this.#pin(tools);
    this.#tools = tools;
  }

  /** A whole list, where it is to be kept, is the last that is pinned. */
  #pin(tools: ReadonlyMap<string, Tool>): void {
    const { onPinned } = this.#options;
    if (this.#isPinned || onPinned === undefined) return;
    onPinned(new Map([...this.#pins.definitions].filter(([name]) => tools.has(name))));
    this.keep();
  }

  /** The tools are to stay as they are. */
  keep(): void {
    this.#pins.close();
    this.#isPinned = true;
  }

  /** Compares a tool, as a list has it, with its pin. @returns whether it may be called */
  see(tool: ToolDefinition & { readonly name: string }): boolean {
    const change = this.#pins.see(tool.name, tool);
    if (change?.isNew) {
      const told =
        change.differences.length > 0 ? `${change.why}: ${change.differences.join('; ')}` : change.why;
      this.#options.onNote(`the tool ${tool.name} is refused: ${told}`);
    }
    return change === null;
  }

  /** What keeps a tool from being called, whatever the arguments; null if nothing does. */
  changeOf(name: string): ToolChange | null {
    if (!this.#tools.has(name)) return { why: 'the server does not list it any more', differences: [] };
    return this.#pins.changeOf(name);
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
    if (tool === undefined) return 'the server does not list its tool any more';
    tool.validator ??= this.#validatorOf(tool.schema);
    return tool.validator(args);
  }

  #validatorOf(schema: unknown): Validator {
    if (typeof schema !== 'object' || schema === null) return () => 'its tool has no schema of arguments';
    try {
      return this.#options.compile(schema);
    } catch (error) {
      const why = `the schema of its tool's arguments cannot be read: ${messageOf(error)}`;
      return () => why;
    }
  }
}

/** The tools on all pages of a server's list. @throws McpRequestError if the server does not answer, or its list does not end */
export async function toolPages(server: Peer): Promise<(ToolDefinition & { readonly name: string })[]> {
  const tools: (ToolDefinition & { readonly name: string })[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await server.request('tools/list', cursor === undefined ? {} : { cursor }, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const listed: readonly unknown[] = Array.isArray(result.tools) ? result.tools : [];
    tools.push(...listed.filter(isNamed));
    cursor = result.nextCursor;
    if (cursor === undefined || cursor === null || cursor === '') return tools;
  }
  throw new McpRequestError(`the list of tools has more than ${MAX_PAGES} pages`);
}

function isReadOnly({ annotations }: ToolDefinition & { readonly annotations?: unknown }): boolean {
  return (annotations as { readonly readOnlyHint?: unknown } | null | undefined)?.readOnlyHint === true;
}

function isNamed(tool: unknown): tool is ToolDefinition & { readonly name: string } {
  return typeof (tool as { name?: unknown } | null)?.name === 'string';
}
