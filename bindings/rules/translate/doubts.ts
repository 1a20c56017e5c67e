import type { Formula } from '../../languages/logic/index.js';
import { type ReadTree, wordsOf } from './tree.js';

/** Words that need no node of a tree. */
const FUNCTION_WORDS = new Set(
  'a an the this that these those it its you your robot agent please is are be been being am was were do does did has have had must shall should will would may can to of in at on and or'.split(
    ' ',
  ),
);

/** What an agreed translation itself gives cause to doubt: words of the rule for which no tree has a node, and a demand without end. */
export function doubtsOf(formula: Formula, trees: readonly ReadTree[], rule: string): string[] {
  const covered = new Set(trees.flatMap(({ words }) => [...words]));
  const left = wordsOf(rule).filter(
    (word) => !/^p\d+$/.test(word) && !FUNCTION_WORDS.has(word) && !covered.has(word),
  );
  return [
    ...(left.length === 0
      ? []
      : [`no part of the translation stands for "${[...new Set(left)].join('", "')}"`]),
    ...(asksWithoutEnd(formula)
      ? [
          'it asks for something again and again, or at last for ever; runs end, and of them that says only what holds at their last step',
        ]
      : []),
  ];
}

const TURNED = { G: 'F', F: 'G' } as const;

/** Whether a formula has G F or F G, without a window that bounds them, perhaps within "and" and "or". */
function asksWithoutEnd(formula: Formula): boolean {
  if (
    formula.kind === 'unary' &&
    (formula.operator === 'G' || formula.operator === 'F') &&
    formula.window === null
  ) {
    const inner = TURNED[formula.operator];
    const turns = junctsOf(formula.operand).some(
      (part) => part.kind === 'unary' && part.operator === inner && part.window === null,
    );
    if (turns) return true;
  }
  return partsOf(formula).some(asksWithoutEnd);
}

function junctsOf(formula: Formula): Formula[] {
  return formula.kind === 'and' || formula.kind === 'or'
    ? [...junctsOf(formula.left), ...junctsOf(formula.right)]
    : [formula];
}

function partsOf(formula: Formula): Formula[] {
  if ('operand' in formula) return [formula.operand];
  return 'left' in formula ? [formula.left, formula.right] : [];
}
