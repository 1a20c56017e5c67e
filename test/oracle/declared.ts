import type { Position } from './ltlf.js';

/** What a tool does, as functions of what holds before it: written out, not read. */
export interface Tool {
  readonly name: string;
  readonly requires: (now: Position) => boolean;
  /** For each predicate that it changes in some way, the values that it may have afterwards. */
  readonly effects: Readonly<Record<string, (now: Position) => readonly boolean[]>>;
}

/** All that may follow, in any order: the product of what each predicate may be. */
export function followers(
  tool: Tool,
  now: Position,
  allowed: (from: Position, to: Position) => boolean,
): Position[] {
  let all: Position[] = [{}];
  for (const name of Object.keys(now)) {
    const values = tool.effects[name]?.(now) ?? [now[name]];
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return all.filter((to) => allowed(now, to));
}
