/** An operator that compares two values. */
export type Relation = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** The operator with its sides exchanged. */
export const MIRRORED: Readonly<Record<Relation, Relation>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Whether two numbers stand in a relation. */
export function compares(relation: Relation, left: number, right: number): boolean {
  switch (relation) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

export function isRelation(operator: string): operator is Relation {
  return Object.hasOwn(MIRRORED, operator);
}
