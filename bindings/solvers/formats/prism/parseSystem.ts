import type { PrismReader } from '../../../languages/logic/index.js';
import type { SystemExpression } from './prismModel.js';

/** Parses from `system` to `endsystem`; the name is empty if it is absent. */
export function parseSystem(reader: PrismReader): { name: string; expression: SystemExpression } {
  reader.expectWord('system');
  const name = reader.token.kind === 'quoted' && !isOperand(reader) ? reader.advance().text : '';
  const expression = fullParallel(reader);
  reader.expectWord('endsystem');
  return { name, expression };
}

/** Whether a quoted name refers to another system instead of naming this one, which the next token shows. */
function isOperand(reader: PrismReader): boolean {
  const { kind, text } = reader.ahead(1);
  return text === 'endsystem' || (kind === 'symbol' && text !== '(');
}

/** `||` binds loosest, then `|||`, then `|[…]|`, then hiding and renaming. */
function fullParallel(reader: PrismReader): SystemExpression {
  return reader.nested(() => {
    const { place } = reader.token;
    const operands = [interleaved(reader)];
    while (bars(reader) === 2) {
      reader.advance();
      reader.advance();
      operands.push(interleaved(reader));
    }
    return operands.length === 1 ? operands[0] : { kind: 'parallel', operands, actions: 'shared', place };
  });
}

function interleaved(reader: PrismReader): SystemExpression {
  const { place } = reader.token;
  const operands = [synchronised(reader)];
  while (bars(reader) === 3) {
    for (let i = 0; i < 3; i++) reader.advance();
    operands.push(synchronised(reader));
  }
  return operands.length === 1 ? operands[0] : { kind: 'parallel', operands, actions: [], place };
}

function synchronised(reader: PrismReader): SystemExpression {
  const { place } = reader.token;
  let left = hiddenOrRenamed(reader);
  while (bars(reader) === 1 && reader.ahead(1).text === '[') {
    reader.advance();
    reader.advance();
    const actions = names(reader, ']');
    reader.expect('|');
    left = { kind: 'parallel', operands: [left, hiddenOrRenamed(reader)], actions, place };
  }
  return left;
}

function bars(reader: PrismReader): number {
  let count = 0;
  while (reader.ahead(count).kind === 'symbol' && reader.ahead(count).text === '|') count++;
  return count;
}

function hiddenOrRenamed(reader: PrismReader): SystemExpression {
  const { place } = reader.token;
  let operand = basic(reader);
  for (;;) {
    if (reader.take('/')) {
      reader.expect('{');
      operand = { kind: 'hide', operand, actions: names(reader, '}'), place };
    } else if (reader.take('{')) {
      const actions = new Map<string, string>();
      do {
        const from = reader.expectIdentifier('an action').text;
        reader.expect('<', "'<-'");
        reader.expect('-', "'<-'");
        actions.set(from, reader.expectIdentifier('an action').text);
      } while (reader.take(','));
      reader.expect('}');
      operand = { kind: 'rename', operand, actions, place };
    } else return operand;
  }
}

function basic(reader: PrismReader): SystemExpression {
  const { kind, text, place } = reader.token;
  if (reader.take('(')) {
    const inner = fullParallel(reader);
    reader.expect(')');
    return inner;
  }
  if (kind === 'quoted') {
    reader.advance();
    return { kind: 'module', name: `"${text}"`, place };
  }
  return { kind: 'module', name: reader.expectIdentifier('the name of a module').text, place };
}

function names(reader: PrismReader, closing: string): string[] {
  const found: string[] = [];
  while (!reader.take(closing)) {
    if (found.length > 0) reader.expect(',', `',' or '${closing}'`);
    found.push(reader.expectIdentifier('an action').text);
  }
  return found;
}
