/** A read-only tool with which an agent asks about the rules. It is no call of the run: no judge sees it, and it costs nothing. */
export interface AskTool extends AskToolDefinition {
  /** Answers, whatever the arguments are: what cannot be answered is said in the text. Never rejects. */
  answer(args: unknown): Promise<string>;
}

/** What a list of tools says of it. */
export interface AskToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Record<string, object>;
    readonly required: string[];
    readonly additionalProperties: false;
  };
  /** As the Model Context Protocol has them. */
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: false;
  };
}
