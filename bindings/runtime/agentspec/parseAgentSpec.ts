import { ParseError } from '../../base/errors.js';
import { requireText } from '../../base/suggest.js';
import { misspeltRule } from './misspeltRule.js';
import { isConstant, Reader } from './reader.js';
import type { AgentSpecRule, Condition, Enforcement, RulePlace } from './rule.js';

/** Text between rules that is neither rule nor comment, and was skipped. */
export interface SkippedText extends RulePlace {
  readonly text: string;
}

/** A parsed AgentSpec text: its rules, and the text that was skipped. */
export interface AgentSpecDocument {
  /** In the text's order; ids need not be unique. */
  readonly rules: readonly AgentSpecRule[];
  /** Notes between rules, as published rules have them; check that none of your rules is among them. */
  readonly skipped: readonly SkippedText[];
}

/**
 * Parses AgentSpec rules, `rule @id trigger … check … enforce … end`. Triggers are alternatives joined by `|`; conditions are joined by `&` or stand on
 * separate lines, and all must hold; `//` begins a comment. Text without rules gives an empty list.
 *
 * @param options.source name of the text in messages; default `rules`.
 * @throws ParseError if a rule is incomplete or malformed, a part of a rule stands outside one, or a line between rules looks like a rule (`RULE @x`, `- rule @x`): no rule is skipped.
 * @see Wang, Poskitt and Sun 2026, arXiv:2503.18666
 */
export function parseAgentSpec(text: string, options: { readonly source?: string } = {}): AgentSpecDocument {
  requireText('parseAgentSpec', text);
  const reader = new Reader(text, options.source ?? 'rules');
  const rules: AgentSpecRule[] = [];
  const skipped: SkippedText[] = [];
  for (;;) {
    reader.skipSpace();
    if (reader.atEnd) return { rules, skipped };
    const keyword = reader.peekKeyword();
    if (keyword === 'rule') rules.push(readRule(reader));
    else if (keyword === undefined) skipped.push(readNote(reader));
    else throw reader.error(`found "${keyword}" outside a rule`, '"rule @name" before it');
  }
}

/** A line between rules. */
function readNote(reader: Reader): SkippedText {
  const { place } = reader;
  const text = reader.takeLine();
  const wrong = misspeltRule(text);
  if (wrong === undefined) return { ...place, text };
  const found = JSON.stringify(wrong.found.length > 40 ? `${wrong.found.slice(0, 40)}…` : wrong.found);
  const expected = `"${wrong.meant}" in small letters with nothing before it`;
  throw new ParseError(
    `found ${found} between rules; expected ${expected}. Write // before what is not a rule`,
    { ...place, column: place.column + wrong.at, expected },
  );
}

function readRule(reader: Reader): AgentSpecRule {
  const { place } = reader;
  reader.takeWord();
  reader.skipSpaceOfLine();
  const at = reader.peekWord();
  if (!at.startsWith('@') || at === '@')
    throw reader.error(`found ${reader.found()}`, '"@" and the name of the rule');
  const id = reader.takeWord().slice(1);
  expectKeyword(reader, 'trigger', `"trigger" (rule @${id})`);
  const triggers = readTriggers(reader);
  expectKeyword(reader, 'check', '"|" and another trigger, or "check"');
  const conditions = readConditions(reader);
  expectKeyword(reader, 'enforce', '"&", another predicate on its own line, or "enforce"');
  const enforcements = readEnforcements(reader);
  expectKeyword(reader, 'end', 'something else to enforce, or "end"');
  return { id, triggers, conditions, enforcements, place };
}

function expectKeyword(reader: Reader, keyword: string, expected: string): void {
  reader.skipSpace();
  if (reader.peekKeyword() !== keyword) throw reader.error(`found ${reader.found()}`, expected);
  reader.takeWord();
}

/** The words of a trigger stand on one line; otherwise a forgotten `|` would join two triggers into one that never happens. */
function readTriggers(reader: Reader): string[] {
  const triggers: string[] = [];
  do {
    reader.skipSpace();
    if (reader.at('"')) triggers.push(reader.takeQuoted());
    else {
      const words: string[] = [];
      while (reader.peekKeyword() === undefined && reader.peekWord() !== '') {
        words.push(reader.takeWord());
        reader.skipSpaceOfLine();
      }
      if (words.length === 0)
        throw reader.error(`found ${reader.found()}`, 'a trigger, such as the name of a tool');
      triggers.push(words.join(' '));
    }
    reader.skipSpace();
  } while (reader.take('|'));
  return triggers;
}

function readConditions(reader: Reader): Condition[] {
  const conditions: Condition[] = [];
  for (;;) {
    const joined = conditions.length > 0 && reader.take('&');
    reader.skipSpace();
    const ends = reader.peekKeyword() !== undefined || reader.atEnd;
    if (ends && conditions.length > 0 && !joined) return conditions;
    conditions.push(readCondition(reader));
    reader.skipSpace();
  }
}

function readCondition(reader: Reader): Condition {
  const { place } = reader;
  let negated = false;
  while (reader.take('!')) {
    negated = !negated;
    reader.skipSpace();
  }
  const name = readName(reader, '"true" or a predicate');
  if (isConstant(name)) {
    return { kind: 'constant', value: (name.toLowerCase() === 'true') !== negated, place };
  }
  return { kind: 'predicate', name, arguments: reader.takeArguments(), negated, place };
}

function readEnforcements(reader: Reader): Enforcement[] {
  const enforcements: Enforcement[] = [];
  do {
    reader.skipSpace();
    const { place } = reader;
    const name = readName(reader, 'what to enforce, such as "stop" or "user_inspection"');
    reader.skipSpaceOfLine();
    const isSetting = reader.take('=');
    if (isSetting) reader.skipSpaceOfLine();
    const value = isSetting ? reader.takeNumber() : null;
    enforcements.push({ name, arguments: isSetting ? [] : reader.takeArguments(), value, place });
    reader.skipSpace();
  } while (reader.peekKeyword() === undefined && reader.peekWord() !== '');
  return enforcements;
}

function readName(reader: Reader, expected: string): string {
  if (reader.peekKeyword() !== undefined || reader.peekWord() === '') {
    throw reader.error(`found ${reader.found()}`, expected);
  }
  return reader.takeWord();
}
