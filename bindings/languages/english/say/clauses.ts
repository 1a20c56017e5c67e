import { type Count, type Formula, strongForm, type Window } from '../../logic/index.js';
import { behindVerb, type Lexicon } from '../lexicon/index.js';
import { sayWindow } from './sayWindow.js';

type Unary = Extract<Formula, { kind: 'unary' }>;
type Binary = Extract<Formula, { kind: 'binary' }>;

const COMPARED = {
  '<': 'fewer than',
  '<=': 'at most',
  '=': 'exactly',
  '>=': 'at least',
  '>': 'more than',
} as const;

const NEIGHBOUR = {
  X: 'at the next step, which must come',
  WX: 'at the next step, if it comes',
  Y: 'at the step before, which there must be',
  WY: 'at the step before, if there was one',
} as const;

const PROBABILITY = { '<': 'below', '<=': 'at most', '>=': 'at least', '>': 'above' } as const;

/** Words of the clauses themselves. A sentence of the lexicon that has one stands in parentheses. */
const JOINING =
  /\b(?:and|or|if|until|since|before|after|ever|eventually|never|always|whenever|once|while|when|then|from|between|this stays so|each time|within|unless|which|at (?:every|some|the|no|exactly)|during|anew|in (?:at|exactly|more|fewer)|probability|it is not|(?:up to|from) now|ago)\b|[,;:.]/i;

/** Says formulas as clauses that can be taken apart again: what could be understood in two ways stands in parentheses. */
export class Clauses {
  readonly #lexicon: Lexicon;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Words that may reach to the end of the sentence or of the parenthesis that they stand in. */
  clause(formula: Formula): string {
    switch (formula.kind) {
      case 'not':
        return this.#denied(formula.operand) ?? `it is not so that ${this.part(formula.operand)}`;
      case 'and':
      case 'or':
        return this.condition(formula);
      case 'implies':
        return `if ${this.condition(formula.left)}, then ${this.clause(formula.right)}`;
      case 'iff':
        return `${this.part(formula.left)} if and only if ${this.part(formula.right)}`;
      case 'unary':
        return isEdge(formula)
          ? `there is a ${formula.operator === 'X' ? 'next step' : 'step before'}`
          : this.#unary(formula);
      case 'binary':
        return this.#binary(formula);
      case 'count':
        return this.#count(formula);
      case 'probability': {
        const path = `the probability that ${this.part(formula.path)}`;
        return formula.bound === null
          ? `asked is ${path}`
          : `${path} is ${PROBABILITY[formula.bound.operator]} ${formula.bound.text}`;
      }
      default:
        return this.part(formula);
    }
  }

  /** Words before a comma or an end: parts joined by "and" or by "or" stand without parentheses. */
  condition(formula: Formula): string {
    if (formula.kind !== 'and' && formula.kind !== 'or') return this.part(formula);
    const left = formula.left.kind === formula.kind ? this.condition(formula.left) : this.part(formula.left);
    return `${left} ${formula.kind} ${this.part(formula.right)}`;
  }

  /** Words that stand for themselves: the sentence of a predicate, or a clause in parentheses. */
  part(formula: Formula): string {
    if (formula.kind === 'predicate') return this.#phrase(formula.name, 'holds');
    if (formula.kind === 'not' && formula.operand.kind === 'predicate')
      return this.#phrase(formula.operand.name, 'not');
    if (formula.kind === 'constant') return `\`${formula.value}\``;
    if (formula.kind === 'comparison') return `\`${formula.source.replaceAll('`', '\\u0060')}\``;
    return `(${this.clause(formula)})`;
  }

  /** A condition with "never" or "always". */
  adverb(word: 'never' | 'always', formula: Formula): string {
    if (formula.kind === 'predicate') {
      const phrase = this.#lexicon.phrasesOf(formula.name).holds;
      const said = isPlain(phrase) ? behindVerb(phrase, word) : null;
      if (said !== null) return said;
    }
    return `it ${word} happens that ${this.part(formula)}`;
  }

  #phrase(name: string, which: 'holds' | 'not'): string {
    const phrase = this.#lexicon.phrasesOf(name)[which];
    return isPlain(phrase) ? phrase : `(${phrase})`;
  }

  #denied(formula: Formula): string | null {
    if (formula.kind === 'predicate') return this.#phrase(formula.name, 'not');
    if (formula.kind === 'unary' && isEdge(formula))
      return `this is the ${formula.operator === 'X' ? 'last' : 'first'} step`;
    return null;
  }

  #unary(formula: Unary): string {
    const { operator, operand, window } = formula;
    if (operator === 'X' || operator === 'WX' || operator === 'Y' || operator === 'WY') {
      // Refuses a window.
      strongForm(formula);
      return `${NEIGHBOUR[operator]}, ${this.clause(operand)}`;
    }
    if (operator === 'F' && window === null) return `eventually, ${this.clause(operand)}`;
    const some = operator === 'F' || operator === 'O' ? 'at some step' : 'at every step';
    return `${some} ${range(window, operator === 'F' || operator === 'G')}, ${this.clause(operand)}`;
  }

  #binary(formula: Binary): string {
    const { operator, left, right, window } = formula;
    const [first, second] = [this.part(left), this.part(right)];
    const when = window === null ? '' : ` ${range(window, operator !== 'S')}`;
    if (operator === 'S')
      return `${first} ever since the step at which ${second}, which must have come${when}`;
    if (operator === 'U') return `${first} until ${second}, which must come${when}`;
    // A window on the weak ones means what their definition says, which plain words do not.
    if (window !== null) return this.clause(weakByStrong(formula));
    if (operator === 'W') return `${first} until ${second}, if that ever comes`;
    return `${second} up to and with the step at which ${first}, if that ever comes`;
  }

  #count({ operator, times, operand, window }: Count): string {
    return `in ${COMPARED[operator]} ${times} of the steps ${range(window, false)}, ${this.clause(operand)}`;
  }
}

/** Whether words can stand in a sentence without parentheses. */
function isPlain(phrase: string): boolean {
  return !JOINING.test(phrase.replaceAll(/`[^`]*`/g, ''));
}

/** `X true` and `Y true`. */
function isEdge({ operator, operand, window }: Unary): boolean {
  return (
    (operator === 'X' || operator === 'Y') && window === null && operand.kind === 'constant' && operand.value
  );
}

function range(window: Window | null, isAhead: boolean): string {
  if (window === null) return isAhead ? 'from now on' : 'up to now';
  return sayWindow(window, isAhead ? 'from now' : 'ago');
}

/** A weak operator as the negation of the strong one that defines it. */
function weakByStrong(formula: Binary): Formula {
  const { left, right, window } = strongForm(formula);
  const { place } = formula;
  const until: Formula = { kind: 'binary', operator: 'U', left: left as Formula, right, window, place };
  return { kind: 'not', operand: until, place };
}
