import type { RuleReader } from '../../rules/specification/index.js';

/** The reader of sentences for a specification that may have some; others do not load it. */
export async function readerOfSentences(text: string): Promise<{ readonly readRule?: RuleReader }> {
  if (!/english/.test(text)) return {};
  const { readRule } = await import('../../languages/english/read/index.js');
  return { readRule };
}
