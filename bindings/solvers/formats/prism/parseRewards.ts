import { type PrismReader, readExpression } from '../../../languages/logic/index.js';
import type { RewardDeclaration, RewardItem } from './prismModel.js';

/** Parses from `rewards` to `endrewards`. */
export function parseRewards(reader: PrismReader): RewardDeclaration {
  const { place } = reader.expectWord('rewards');
  const name = reader.token.kind === 'quoted' ? reader.advance().text : '';
  const items: RewardItem[] = [];
  while (!reader.takeWord('endrewards')) {
    const { place: itemPlace } = reader.token;
    let action: string | null = null;
    const kind = reader.take('[') ? 'transition' : 'state';
    if (kind === 'transition') {
      if (reader.token.kind === 'identifier') action = reader.advance().text;
      reader.expect(']');
    }
    const guard = readExpression(reader, false);
    reader.expect(':', "an operator, or ':' behind the guard");
    const value = readExpression(reader, false);
    reader.expect(';');
    items.push({ kind, action, guard, value, place: itemPlace });
  }
  return { name, items, place };
}
