import { InvalidArgumentError } from '../../base/errors.js';
import type { AskTool } from '../enforcement/index.js';

/** Tools of frameworks that only answer questions about the rules: no guard decides on their calls. Whoever is not in here is no such tool, whatever its name. */
const ANSWERING = new WeakSet<object>();

/** Makes tools of a framework that answer questions. @param make makes one */
export function answeringTools<T extends object>(
  questions: readonly AskTool[],
  make: (question: AskTool) => T,
): T[] {
  return questions.map((question) => {
    const tool = make(question);
    ANSWERING.add(tool);
    return tool;
  });
}

/** Whether a tool was made to answer questions. */
export function isAnswering(tool: unknown): boolean {
  return typeof tool === 'object' && tool !== null && ANSWERING.has(tool);
}

/** @throws InvalidArgumentError if a question has the name of a tool that is guarded */
export function requireOtherNames(questions: readonly string[], tools: readonly string[]): void {
  const clash = questions.find((name) => tools.includes(name));
  if (clash !== undefined)
    throw new InvalidArgumentError(
      `${clash} is the name of a tool of the session, and of one that answers questions; give those another beginning: askTools({ …, prefix })`,
    );
}
