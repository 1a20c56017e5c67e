import { type Place, type PrismReader, readExpression, readNewName } from '../../../languages/logic/index.js';
import type { Assignment, Command, PrismModule, Update, VariableDeclaration } from './prismModel.js';
import { parseRenaming, type Renaming } from './renameModule.js';

/** Parses from `module` to `endmodule`. */
export function parseModule(reader: PrismReader): PrismModule | Renaming {
  reader.expectWord('module');
  const { name, place } = readNewName(reader, 'a module');
  if (reader.take('=')) return parseRenaming(reader, name, place);
  const variables: VariableDeclaration[] = [];
  const commands: Command[] = [];
  while (!reader.takeWord('endmodule')) {
    if (reader.at('[')) commands.push(parseCommand(reader));
    else if (reader.atWord('invariant')) {
      throw reader.error('invariants belong to timed automata, which are not supported');
    } else if (reader.token.kind === 'identifier') {
      if (commands.length > 0) {
        throw reader.unexpected("'[' of a command or 'endmodule'; variables come before commands");
      }
      variables.push(parseVariable(reader));
    } else throw reader.unexpected("a variable, '[' of a command, or 'endmodule'");
  }
  return { name, variables, commands, place };
}

/** `x : [low..high] init e;`, `x : int;` or `b : bool init e;`. */
export function parseVariable(reader: PrismReader): VariableDeclaration {
  const { name, place } = readNewName(reader, 'a variable');
  reader.expect(':');
  let type: 'int' | 'bool' = 'int';
  let range: Pick<VariableDeclaration, 'low' | 'high'> = { low: null, high: null };
  if (reader.takeWord('bool')) type = 'bool';
  else if (reader.atWord('clock')) {
    throw reader.error('clocks belong to timed automata, which are not supported', '[low..high] or bool');
  } else if (!reader.takeWord('int')) {
    reader.expect('[', '[low..high], int or bool');
    const low = readExpression(reader, false);
    reader.expect('..');
    range = { low, high: readExpression(reader, false) };
    reader.expect(']');
  }
  const initial = reader.takeWord('init') ? readExpression(reader, false) : null;
  reader.expect(';', "'init' or ';'");
  return { name, type, ...range, initial, place };
}

function parseCommand(reader: PrismReader): Command {
  const { place } = reader.expect('[');
  const action = reader.token.kind === 'identifier' ? reader.advance().text : null;
  reader.expect(']');
  const guard = readExpression(reader, false);
  reader.expect('->', "an operator or '->'");
  const updates = [parseUpdate(reader)];
  while (reader.take('+')) updates.push(parseUpdate(reader));
  reader.expect(';', "'+', '&' or ';'");
  return { action, guard, updates, place };
}

function parseUpdate(reader: PrismReader): Update {
  const { place } = reader.token;
  if (atAssignments(reader)) return { probability: null, assignments: parseAssignments(reader), place };
  const probability = parseProbability(reader, place);
  reader.expect(':', "an operator, or ':' behind a probability");
  return { probability, assignments: parseAssignments(reader), place };
}

function atAssignments(reader: PrismReader): boolean {
  if (reader.at('(')) return reader.ahead(1).kind === 'identifier' && reader.ahead(2).text === "'";
  return reader.atWord('true') && [';', '+', '&'].includes(reader.ahead(1).text);
}

function parseProbability(reader: PrismReader, place: Place): Update['probability'] {
  if (!reader.take('[')) return readExpression(reader, false);
  const lower = readExpression(reader, false);
  reader.expect(',');
  const upper = readExpression(reader, false);
  reader.expect(']');
  return { kind: 'interval', lower, upper, place };
}

/** `true`, or `(x'=e)&(y'=f)`. */
function parseAssignments(reader: PrismReader): Assignment[] {
  if (reader.takeWord('true')) return [];
  const assignments: Assignment[] = [];
  do {
    const bracket = reader.expect('(', "'true' or an assignment such as (x'=1)");
    const { text: variable } = reader.expectIdentifier('the name of a variable');
    reader.expect("'");
    reader.expect('=');
    assignments.push({ variable, value: readExpression(reader, false), place: bracket.place });
    reader.expect(')', "an operator or ')'");
  } while (reader.take('&'));
  return assignments;
}
