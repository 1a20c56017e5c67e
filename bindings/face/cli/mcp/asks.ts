import { InvalidArgumentError } from '../../../base/errors.js';
import { ASK_PREFIX, askToolDefinitions, askTools, requireAskable } from '../../../rules/questions/index.js';
import type { Specification } from '../../../rules/specification/index.js';
import type { AskTool, AskToolDefinition, Session } from '../../../runtime/enforcement/index.js';

interface AskWords {
  readonly ask?: string | true;
  readonly spec?: string;
}

/** The tools with which agents ask about the rules of their run. */
export interface Asks {
  readonly definitions: readonly AskToolDefinition[];
  /** @throws InvalidArgumentError, NotSupportedError if no questions can be asked about the specification */
  check(specification: Specification): void;
  /** From now on the session can be asked about. */
  begin(session: Session, specification: Specification): void;
  answer(session: object, tool: string, args: unknown): Promise<string>;
}

/** What `--ask` asks for; null without it. @throws InvalidArgumentError if there is no specification, or the names are no names of tools */
export function askedBy({ ask, spec }: AskWords): Asks | null {
  if (ask === undefined) return null;
  if (spec === undefined)
    throw new InvalidArgumentError(
      '--ask answers questions about the rules of --spec FILE: give that as well',
    );
  const prefix = ask === true ? ASK_PREFIX : ask;
  const definitions = askToolDefinitions(prefix);
  const tools = new WeakMap<object, readonly AskTool[]>();
  return {
    definitions,
    check: requireAskable,
    begin(session, specification) {
      tools.set(session, askTools({ specification, session, prefix }));
    },
    async answer(session, tool, args) {
      const found = tools.get(session)?.find(({ name }) => name === tool);
      return found === undefined ? 'I cannot answer: nothing is known of this run.' : found.answer(args);
    },
  };
}
